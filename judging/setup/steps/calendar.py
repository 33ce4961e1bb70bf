"""R5: the step of the calendar, and the locks that come of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, missing, wrong
from judging.turns.calendar import check_calendar
from wargame.rules.command.holidays import coming_locks, first_lock, read_holidays

SHOWN = 6
"""How many turns the preview shows."""


@dataclass(frozen=True)
class TurnTimes:
    """R5: the times of a turn that is to come."""

    number: int
    deadline: datetime
    lock: datetime


def lock_of_the_first_turn(setup: RoundSetup, now: datetime) -> datetime:
    """R5: when turn 1 locks if the round is started now. To be handed to `open_round`."""
    round_ = setup.round
    return first_lock(
        now,
        weekday=setup.weekday,
        at=setup.deadline_at,
        length=round_.turn_length,
        before=round_.deadline_before_lock,
        holidays=read_holidays(round_.holidays)[0],
    )


def preview_of(setup: RoundSetup, typed: Mapping[str, Any], now: datetime) -> tuple[TurnTimes, ...]:
    """R5: the next deadlines and locks if the round is started now and no judge moves one.

    `typed` are fields of the set-up and of its round that are not saved. Refused for a calendar that can't be kept.
    """
    round_ = setup.round
    names = ("turn_length", "deadline_before_lock", "holidays")
    given = {**{name: getattr(round_, name) for name in names}, "weekday": setup.weekday, "at": setup.deadline_at}
    given |= {"at" if name == "deadline_at" else name: value for name, value in typed.items()}
    check_calendar(given)
    length, before = given["turn_length"], given["deadline_before_lock"]
    holidays = read_holidays(given["holidays"])[0]
    first = first_lock(now, weekday=given["weekday"], at=given["at"], length=length, before=before, holidays=holidays)
    locks = coming_locks(first, length, before, holidays, SHOWN)
    return tuple(TurnTimes(number, lock - before, lock) for number, lock in enumerate(locks, 1))


def find(setup: RoundSetup) -> Iterator[Problem]:
    """R5: that the calendar was not decided yet, and lines of holidays that can't be read."""
    if not setup.version("calendar"):
        yield missing("Decide when battle deadlines are and how long a turn is.", "R5")
    for fault in read_holidays(setup.round.holidays)[1]:
        yield wrong(fault.sentence, "R5")


STEP = StepKind("calendar", "Calendar", "R5", "The battle judge decides on the deadlines.", find)
