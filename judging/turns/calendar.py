"""R5: the calendar of a round: how long its turns are, and what is due when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser

from judging.game import locking
from judging.game.errors import Refused
from judging.game.log_entry import record
from wargame.models import Round
from wargame.rules.book.formulas import MOST_BONUS
from wargame.rules.command.holidays import read_holidays

FIELDS = (
    "name",
    "turn_length",
    "deadline_before_lock",
    "sealed_before_lock",
    "contingency_before_deadline",
    "publish_after",
    "after_lock_window",
    "results_after_lock",
    "may_lock_early",
    "second_score_threshold",
    "judge_within",
    "overdue_policy",
    "holidays",
)
"""What the judges of a round may change of it."""

SHORTEST_TURN = timedelta(seconds=5)
LONGEST = timedelta(days=366)


def check_calendar(values: Mapping[str, object]) -> None:
    """R5: Refused for a calendar that can't be kept. Values that are missing are not looked at."""
    spans = {name: value for name, value in values.items() if isinstance(value, timedelta)}
    if any(span < timedelta(0) for span in spans.values()):
        raise Refused("A length of time can't be less than nothing.", "R5")
    if any(span > LONGEST for span in spans.values()):
        raise Refused(f"No length of time is more than {LONGEST.days} days.", "R5")
    if faults := read_holidays(str(values.get("holidays", "")))[1]:
        raise Refused(" ".join(fault.sentence for fault in faults), "R5", "holidays")
    length, last_part = spans.get("turn_length"), spans.get("deadline_before_lock")
    threshold = values.get("second_score_threshold")
    if isinstance(threshold, int) and threshold > 2 * MOST_BONUS:
        raise Refused(f"Two scores differ by at most {2 * MOST_BONUS}.", "4.2.1")
    if length is not None and length < SHORTEST_TURN:
        raise Refused(f"A turn is at least {SHORTEST_TURN.seconds} seconds long.", "R5")
    if length is not None and last_part is not None and length <= last_part:
        raise Refused("A turn must be longer than the time from its battle deadline to its lock.", "R5")


@locking.writes
def change_round(
    *, round: Round, actor: AbstractBaseUser | AnonymousUser, changes: Mapping[str, object], now: datetime
) -> Round:
    """R5: changes some of `FIELDS`, from the next turn on. Refused for a calendar that can't be kept."""
    known = {name: value for name, value in changes.items() if name in FIELDS}
    check_calendar({name: getattr(round, name) for name in FIELDS} | known)
    for name, value in known.items():
        setattr(round, name, value)
    round.save(update_fields=list(known))
    record(round, actor, "round.changed", {name: str(value) for name, value in known.items()}, now)
    return round
