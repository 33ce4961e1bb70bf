"""T10.1: time at a table, from moments that are passed in: the core has no clock.

All moments and spans are whole seconds. Every decision has its own time; any excess comes from the seat's bank, which
grows with each of its own turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

HOUR = 3600
DAY = 24 * HOUR
PER_DECISION = DAY
BANK = 3 * DAY
PER_TURN = 12 * HOUR
LAST_REMINDER = 2 * HOUR
MISSED = 3
"""The number of defaults in a row after which the other may take the win or have the service play on."""


@dataclass(frozen=True, slots=True)
class Pace:
    """T10.1: what a table agreed on: time for each decision, a bank, and the addition to it per turn."""

    decision: int = PER_DECISION
    bank: int = BANK
    turn: int = PER_TURN


@dataclass(frozen=True, slots=True)
class Clock:
    """T10.1: a seat's clock: the time left in its bank, and how often in a row it ran out."""

    bank: int
    missed: int = 0

    @property
    def given_up(self) -> bool:
        """T10.1: whether the other may choose how to go on: three defaults in a row, or an empty bank that ran out."""
        return self.missed >= MISSED or (self.bank == 0 and self.missed > 0)


@dataclass(frozen=True, slots=True)
class Pause:
    """T10.1: a span in which a seat's clock is stopped: leave, holidays, night hours, a ruling that is pending."""

    start: int
    end: int


def used(since: int, until: int, pauses: Sequence[Pause] = ()) -> int:
    """T10.1: seconds between two moments without the pauses, however these overlap."""
    total, at = max(0, until - since), since
    for pause in sorted(pauses, key=lambda pause: pause.start):
        start, end = max(at, pause.start), min(until, pause.end)
        if end > start:
            total -= end - start
            at = end
    return total


def due(pace: Pace, clock: Clock, since: int, pauses: Sequence[Pause] = ()) -> int:
    """T10.1: when a seat's time runs out if it was asked at `since`: its decision's time and its bank, pauses added."""
    moment, remaining = since, pace.decision + clock.bank
    for pause in sorted(pauses, key=lambda pause: pause.start):
        if pause.end <= moment:
            continue
        free = max(0, pause.start - moment)
        if free >= remaining:
            break
        moment, remaining = max(moment, pause.end), remaining - free
    return moment + remaining


def answered(pace: Pace, clock: Clock, since: int, now: int, pauses: Sequence[Pause] = ()) -> Clock:
    """T10.1: the clock after an answer: time beyond the decision's own is taken from the bank."""
    beyond = max(0, used(since, now, pauses) - pace.decision)
    return Clock(max(0, clock.bank - beyond))


def ran_out(clock: Clock) -> Clock:
    """T10.1: the clock after a default was played for a seat."""
    return Clock(0, clock.missed + 1)


def turn_begins(pace: Pace, clock: Clock) -> Clock:
    """T10.1: the clock of a seat whose own turn begins: the turn adds to its bank, up to its initial value."""
    return replace(clock, bank=min(pace.bank, clock.bank + pace.turn))


def reminders(pace: Pace, clock: Clock, since: int, pauses: Sequence[Pause] = ()) -> tuple[int, ...]:
    """T10.1: when a seat is reminded: at half of its time and two hours before its end."""
    end = due(pace, clock, since, pauses)
    moments = (since + (end - since) // 2, end - LAST_REMINDER)
    return tuple(sorted({moment for moment in moments if since < moment < end}))
