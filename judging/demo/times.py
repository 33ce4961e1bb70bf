"""3.1, R5, R6: the past, present and future times of the demo round's turns."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from wargame.rules.core import clock

PRESENT = 4
"""The turn that stays open."""

WEEK = timedelta(days=7)
AFTER_LOCK = timedelta(hours=2)
"""R48: the window after the lock of a turn of a week."""
SHORTEST, LONGEST = timedelta(seconds=5), timedelta(days=366)
TO_THE_SECOND = timedelta(minutes=5)
"""Shorter turns lock to the second."""

_UNITS = {"s": timedelta(seconds=1), "m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}


@dataclass(frozen=True)
class Calendar:
    """The round's calendar: `lock` is that of the present turn, and the locks before it are in the past."""

    now: datetime
    lock: datetime
    turn_length: timedelta
    deadline_before_lock: timedelta
    sealed_before_lock: timedelta
    contingency_before_deadline: timedelta

    @property
    def after_lock_window(self) -> timedelta:
        """R48: how long mercenaries can be ordered after the lock: scaled to the turn as 2 hours to a week, cut to
        whole minutes, or to seconds where turns are not of whole minutes; 0 for the shortest turns."""
        unit = clock.MINUTE if _is_of_minutes(self.turn_length) else timedelta(seconds=1)
        return self.turn_length * (AFTER_LOCK / WEEK) // unit * unit

    def lock_of(self, turn: int) -> datetime:
        """3.1: the lock of a turn; turn 0 is the one before the first."""
        return self.lock - (PRESENT - turn) * self.turn_length

    def opens(self, turn: int) -> datetime:
        """R4: the first moment after the lock before."""
        return clock.closes(self.lock_of(turn - 1))

    def moment(self, turn: int, part: float) -> datetime:
        """When a part of a turn has gone by: 0 is its unlock; 1 is its lock, or now in the present turn."""
        opened = self.opens(turn)
        return opened + (min(self.lock_of(turn), self.now) - opened) * part


def read_length(text: str) -> timedelta:
    """The length of a turn, like 45s, 10m, 2h or 1d. ValueError with a sentence if it is not valid."""
    match = re.fullmatch(r"([1-9]\d{0,6})([smhd])", text.strip(), re.ASCII)
    length = int(match[1]) * _UNITS[match[2]] if match else timedelta(0)
    if not SHORTEST <= length <= LONGEST:
        raise ValueError(f"“{text}” is no length of a turn: write a number with s, m, h or d, from 5s to 366d")
    return length


def calendar_for(length: timedelta | None, now: datetime) -> Calendar:
    """R5, R6: turns of that length, of which the present one opens now; None: of a week, with locks at 05:00.

    The last parts of a turn are scaled to it as 24 and 28 hours to a week, in whole minutes if it locks on one.
    """
    lock = _weekly_lock(now) if length is None else _opened(length, now) + length
    length = length or WEEK
    return Calendar(now, lock, length, *(_part(length, full) for full in _PARTS_OF_A_WEEK))


_PARTS_OF_A_WEEK = (clock.DEADLINE_BEFORE_LOCK, clock.SEALED_BEFORE_LOCK, clock.CONTINGENCY_BEFORE_DEADLINE)


def _part(length: timedelta, of_a_week: timedelta) -> timedelta:
    unit = clock.MINUTE if _is_of_minutes(length) else timedelta(seconds=1)
    return -(-length * (of_a_week / WEEK) // unit) * unit


def _is_of_minutes(length: timedelta) -> bool:
    """R4: whether turns of that length lock on whole minutes."""
    return length >= TO_THE_SECOND and not length % clock.MINUTE


def _weekly_lock(now: datetime) -> datetime:
    """3.1: the first 05:00 with a battle deadline, 24 h before it, that is at least a day away."""
    earliest = now + timedelta(days=2)
    lock = earliest.replace(hour=5, minute=0, second=0, microsecond=0)
    return lock if lock >= earliest else lock + timedelta(days=1)


def _opened(length: timedelta, now: datetime) -> datetime:
    """The lock after which the present turn opens now, or a little earlier, so that posts fit in."""
    minute = now.replace(second=0, microsecond=0)
    if _is_of_minutes(length):
        return minute - clock.MINUTE
    # With a microsecond, R4's inclusive minute never makes a turn of seconds longer.
    return (now - length / 50).replace(microsecond=1)
