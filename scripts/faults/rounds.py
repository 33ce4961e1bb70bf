"""Rounds for fault trials: copies of the demo round whose battles are judged, and checks on them afterwards."""

import os
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache

from django.utils import timezone

from judging.announcements.models import Notice
from judging.battles.desk.publishing import publish_result
from judging.battles.desk.scoring import WHOLE, ScoreReason, lock_score
from judging.battles.models import Battle
from judging.common import locking
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.demo.making import make
from judging.import_export.exporting import Everything, round_file
from judging.import_export.importing import import_round
from judging.turns.stages import number_late
from judging.verification.checks import verify_round
from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role, TurnState

OVER = (Battle.State.PUBLISHED, Battle.State.CANCELLED)
FOR_EVER = timedelta(days=7)


@cache
def judged_demo() -> bytes:
    """The file of the demo round, whose open turn waits only for its lock."""
    demo_round = make(turn_length=None, fresh=True, now=timezone.now(), say=lambda line: None)
    turn = open_turn(demo_round)
    judge_battles(turn, turn.deadline + timedelta(minutes=2))
    return b"".join(round_file(Everything(demo_round)))


def copies(name: str, number: int) -> list[Round]:
    """This number of rounds, all unlocked and not waiting for a mercenary judge (R48)."""
    rounds = [
        import_round(judged_demo(), slug=f"{name}-{os.getpid()}-{each}", play=True, link=True).round
        for each in range(number)
    ]
    with locking.transaction():
        Round.objects.filter(pk__in=[each.pk for each in rounds]).update(after_lock_window=timedelta(0))
    return list(Round.objects.filter(pk__in=[each.pk for each in rounds]).order_by("pk"))


def open_turn(round_: Round) -> Turn:
    return Turn.objects.exclude(state=TurnState.SETTLED).defer("position", "events").get(round=round_)


@locking.writes
def lock_all_at(rounds: list[Round], due: datetime) -> None:
    """Move the lock of all open turns to one moment; fractions of a second are ignored (R4). Done as a writer, or
    the next one would find that the turns were changed outside the service (R38)."""
    first = due - timedelta(days=1)
    Turn.objects.filter(round__in=rounds).exclude(state=TurnState.SETTLED).update(
        lock_at=due, deadline=due - timedelta(seconds=2), opened_at=first
    )


EVEN = {WHOLE: ScoreReason(0, "They fought.")}
"""R54: why no battle of a trial has a bonus."""


def judge_battles(turn: Turn, now: datetime) -> None:
    """4.2: score every battle of a turn even, and publish it."""
    judge = Judge.objects.filter(round=turn.round_id, role=Role.BATTLE).order_by("-is_head", "pk")[0]
    for battle in Battle.objects.filter(turn=turn).exclude(state__in=OVER):
        try:
            lock_score(battle=battle, judge=judge, favours=None, bonus=0, reasons=EVEN, now=now)
            publish_result(battle=battle, judge=judge, narrative="They fought.", now=now)
        except Refused:
            continue  # strats may still come; it is judged at the next look


def faults(rounds: list[Round], first: dict[int, int]) -> Iterator[str]:
    """Faults of the turns from the number that `first` has by round: each must be locked and settled once, not
    early, follow from the one before, and recompute to the same."""
    for round_ in rounds:
        turns = list(Turn.objects.filter(round=round_, number__gte=first[round_.pk]).order_by("number").defer("events"))
        for turn, after in zip(turns, turns[1:], strict=False):
            if after.number != turn.number + 1 or turn.next_hash != after.position_hash:
                yield f"{round_.slug}: turn {after.number} does not follow from turn {turn.number}"
        settled = [turn for turn in turns if turn.state == TurnState.SETTLED]
        for turn in settled:
            yield from _of_turn(turn)
        yield from (f"{round_.slug}: turn {one.turn} differs" for one in verify_round(round_) if one.differences)


def settled(rounds: list[Round], first: dict[int, int]) -> list[Turn]:
    """The settled turns from those numbers on."""
    rows = Turn.objects.filter(round__in=rounds, state=TurnState.SETTLED).defer("position", "events")
    return [turn for turn in rows if turn.number >= first[turn.round_id]]


def are_late(now: datetime) -> bool:
    return number_late(now) > 0


def _of_turn(turn: Turn) -> Iterator[str]:
    entries = LogEntry.objects.filter(round=turn.round_id, data__turn=turn.number)
    counts = Counter(entries.filter(action__in=["turn.locked", "turn.settled"]).values_list("action", flat=True))
    counts["update"] = Notice.objects.filter(turn=turn, kind="update").count()
    if counts != Counter({"turn.locked": 1, "turn.settled": 1, "update": 1}):
        yield f"{turn}: not once, but {dict(counts)}"
    if turn.locked_at is None or turn.locked_at < turn.lock_at:
        yield f"{turn}: locked early"
