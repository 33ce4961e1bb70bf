"""5.2.2.2: exceptions that ran out and were not ended: the judges are told, once each."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from judging.command.control.exceptions import StandingException, is_over, standing_exceptions
from judging.command.control.state import list_state
from judging.command.control.writes import tell_list
from judging.command.models import ControlRequest
from judging.game.log_entry import record
from judging.game.rounds import current_turn
from wargame.models.choices import RoundState
from wargame.rules.command.faults import breach_to_json
from wargame.rules.core.sides import Side


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
    breaches = [breach_to_json(breach) for breach in found.breaches]
    tell_list(request.round, "exception_over", {**data, "breaches": breaches}, now)
