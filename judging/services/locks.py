"""3.1, R5: when the next turn locks."""

from __future__ import annotations

from datetime import datetime

from wargame.models import Round
from wargame.models.choices import OverduePolicy


def next_lock(round: Round, previous: datetime, now: datetime) -> datetime:
    """R5: the first lock after the previous one, in whole turns, that leaves half a turn from now.

    Its battle deadline is not before now either, where a round's last part is longer than half a turn. Where the
    battles were judged too late and the round's policy says so, the next turn has its whole length from now on.
    """
    length = round.turn_length
    if round.overdue_policy == OverduePolicy.EXTEND and now > previous + round.judge_within:
        return now.replace(second=0, microsecond=0) + length
    least = max(length / 2, round.deadline_before_lock)
    turns = -((previous - now - least) // length)
    return previous + max(1, turns) * length
