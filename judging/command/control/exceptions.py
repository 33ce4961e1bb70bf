"""5.2.2.2: exceptions that judges granted: what still stands of them, and which have run out.

Of one that ran out and was not ended the judges are told, once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from judging.command.control.state import list_state
from judging.command.control.writes import tell_list
from judging.command.models import ControlRequest
from judging.game.log_entry import record
from judging.game.rounds import current_turn
from wargame.models import Army, Player, Round, Turn
from wargame.models.choices import RoundState
from wargame.rules.command.control import RunOut, still_stands
from wargame.rules.command.control_list import ControlList
from wargame.rules.command.faults import CommandFault
from wargame.rules.core import clock
from wargame.rules.core.faults import Finding, finding_from_json, finding_to_json
from wargame.rules.core.sides import Side


@dataclass(frozen=True)
class StandingException:
    """5.2.2.2: a granted request of which something still stands. `is_over`: its turn is over, and it should not."""

    request: ControlRequest
    breaches: tuple[Finding, ...]
    is_over: bool


def run_out(round: Round, listed: ControlList, now: datetime) -> list[RunOut]:
    """5.2.2.2: what exceptions of a side should have ended by now and has not."""
    found = standing_exceptions(round, listed, now)
    return [RunOut(breach, each.request.runs_out_in or 0) for each in found if each.is_over for breach in each.breaches]


def standing_exceptions(round: Round, listed: ControlList, now: datetime) -> list[StandingException]:
    """5.2.2.2: the exceptions of a side that are not healed yet, the oldest first."""
    granted = granted_requests(round).filter(side=listed.side.value).select_related("judge", "player")
    turn = current_turn(round) if granted else None
    called = _present_names(round) if granted else {}
    found = []
    for request in granted:
        breaches = (_called_now(finding_from_json(CommandFault, data), called) for data in request.breaches)
        standing = tuple(breach for breach in breaches if still_stands(breach, listed, now))
        if standing:
            found.append(StandingException(request, standing, is_over(request, turn, now)))
    return found


def _present_names(round: Round) -> dict[str, dict[str, str]]:
    """1.6, 2.6: what players and armies that had other names before are called now, by those."""
    players = Player.objects.filter(round=round).exclude(former_names=[]).values_list("name", "former_names")
    armies = Army.objects.filter(round=round).exclude(former=[]).values_list("name", "former")
    return {
        "player": {old: name for name, former in players for old, _ in former},
        "army": {old: name for name, former in armies for old in former},
    }


def _called_now(breach: Finding, called: dict[str, dict[str, str]]) -> Finding:
    """1.6: a breach that was written down when somebody in it had another name."""
    facts = {key: called.get(key, {}).get(name, name) for key, name in breach.facts.items()}
    return Finding(breach.fault, facts)


def granted_requests(round: Round) -> QuerySet[ControlRequest]:
    """5.2.2.2: the exceptions of a round, the oldest first."""
    return ControlRequest.objects.filter(round=round, state=ControlRequest.State.GRANTED).order_by("pk")


def is_over(request: ControlRequest, turn: Turn | None, now: datetime) -> bool:
    """5.2.2.2, R4: whether the turn is over by whose lock the list had to be legal; the clock decides."""
    if turn is None or request.runs_out_in is None:
        return False
    passed = turn.number == request.runs_out_in and not clock.is_in_time(now, turn.lock_at)
    return turn.number > request.runs_out_in or passed


def overdue_exceptions(round: Round, now: datetime) -> Iterator[StandingException]:
    """5.2.2.2: the exceptions of both sides that have run out and still stand."""
    if not granted_requests(round).exists():
        return
    for side in (Side.COALITION, Side.PHYREXIA):
        listed = list_state(round, side, now).listed
        yield from (each for each in standing_exceptions(round, listed, now) if each.is_over)


def flag_run_out(now: datetime) -> int:
    """5.2.2.2: logs each exception whose turn is over and of which something still stands, and says so in the Proxy
    List thread; how many there were. The judges' desk shows them from then on, and the side asks for nothing else."""
    waiting = ControlRequest.objects.filter(
        state=ControlRequest.State.GRANTED, flagged_at__isnull=True, round__state=RoundState.RUNNING
    ).select_related("round")
    due = [request for request in waiting if is_over(request, current_turn(request.round), now)]
    return sum(_flag(request, now) for request in due)


@transaction.atomic
def _flag(request: ControlRequest, now: datetime) -> bool:
    """One update claims it, so that two jobs tell of it once. What is healed is flagged silently."""
    if not ControlRequest.objects.filter(pk=request.pk, flagged_at__isnull=True).update(flagged_at=now):
        return False
    listed = list_state(request.round, Side(request.side), now).listed
    found = next((e for e in standing_exceptions(request.round, listed, now) if e.request.pk == request.pk), None)
    if found is None:
        return False
    _tell(found, now)
    return True


def _tell(found: StandingException, now: datetime) -> None:
    request = found.request
    data: dict[str, object] = {"request": request.pk, "side": request.side, "turn": request.runs_out_in}
    record(request.round, None, "control.exception_over", data, now)
    breaches = [finding_to_json(breach) for breach in found.breaches]
    tell_list(request.round, "exception_over", {**data, "breaches": breaches}, now)
