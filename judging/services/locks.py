"""3.1, R5: when the next turn locks. Holidays are passed over in whole turns."""

from __future__ import annotations

from datetime import datetime

from wargame.models import Round
from wargame.models.choices import OverduePolicy
from wargame.rules.command.holidays import free_lock, read_holidays


def next_lock(round: Round, previous: datetime, now: datetime) -> datetime:
    """R5: the first lock after the previous one, in whole turns, that leaves half a turn from now.

    Its battle deadline is not before now either, where a round's last part is longer than half a turn. Where the
    battles were judged too late and the round's policy says so, the next turn has its whole length from now on. A lock
    that would fall on one of the round's holidays, or whose battle deadline would, is put off by whole turns.
    """
    length, before = round.turn_length, round.deadline_before_lock
    if round.overdue_policy == OverduePolicy.EXTEND and now > previous + round.judge_within:
        lock = now.replace(second=0, microsecond=0) + length
    else:
        turns = -((previous - now - max(length / 2, before)) // length)
        lock = previous + max(1, turns) * length
    return free_lock(lock, length, before, read_holidays(round.holidays)[0])
