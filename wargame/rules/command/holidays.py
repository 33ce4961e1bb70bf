"""R5: the dates without battle deadlines and locks, and the sequence of locks around them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from wargame.rules.core.faults import Fault, LineFinding

MOST_LINES = 100
LONGEST_HOLIDAY = 366
LONGEST_NOTE = 80

_LINE = re.compile(
    r"(?P<first>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:\s*(?:to|until|–|—|\.\.)\s*(?P<last>[0-9]{4}-[0-9]{2}-[0-9]{2}))?(?P<note>\s.*|)"
)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Holiday:
    """R5: dates (UTC), including the first and the last."""

    first: date
    last: date
    note: str = ""

    def __contains__(self, day: date) -> bool:
        return self.first <= day <= self.last


class HolidayFault(Fault):
    """R5: the faults of a line for a holiday."""

    TOO_MANY = "R5", "There are {lines} lines; the limit is {most}."
    NO_DATE = "R5", "Line {line}: “{text:.40}” doesn't begin with a date like 2026-12-25."
    NO_SUCH_DATE = "R5", "Line {line}: “{text:.40}” has a date that doesn't exist."
    REVERSED = "R5", "Line {line}: {last} is before {first}."
    TOO_LONG = "R5", "Line {line}: a holiday can't be longer than {most} days."
    LONG_NOTE = "R5", "Line {line}: the text after the date has {signs} characters; the limit is {most}."


def read_holidays(text: str) -> tuple[tuple[Holiday, ...], tuple[LineFinding, ...]]:
    """R5: the holidays of a text, one a line, and the unreadable lines.

    `2026-12-25 Christmas` is one day, `2026-12-24 to 2027-01-02` several. Empty lines are left out.
    """
    holidays, faults = [], []
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    for number, line in lines[:MOST_LINES]:
        read = _read_line(number, line)
        if isinstance(read, Holiday):
            holidays.append(read)
        else:
            faults.append(read)
    if len(lines) > MOST_LINES:
        faults.append(_wrong(lines[MOST_LINES][0], HolidayFault.TOO_MANY, lines=len(lines), most=MOST_LINES))
    return tuple(holidays), tuple(faults)


def holiday_on(when: datetime, holidays: Sequence[Holiday]) -> Holiday | None:
    """R5: the holiday on whose dates (UTC) a moment falls, the one that ends last; None if there is none."""
    day = when.astimezone(UTC).date()
    matches = [holiday for holiday in holidays if day in holiday]
    return max(matches, key=lambda holiday: holiday.last) if matches else None


def free_lock(lock: datetime, length: timedelta, before: timedelta, holidays: Sequence[Holiday]) -> datetime:
    """R5: the lock, or the first one whole turns later for which neither it nor its battle deadline is on a holiday.

    `length` is a turn's, `before` the time from the battle deadline to the lock.
    """
    while conflict := _in_the_way(lock, before, holidays):
        moment, holiday = conflict
        over = datetime.combine(holiday.last + _DAY, time(), UTC)
        lock += -((moment - over) // length) * length
    return lock


def first_lock(
    now: datetime,
    *,
    weekday: int | None,
    at: time,
    length: timedelta,
    before: timedelta,
    holidays: Sequence[Holiday] = (),
) -> datetime:
    """R5: the lock of a round's first turn if it is opened now.

    Its battle deadline is at the hour `at` (UTC) on that weekday (Monday is 0; None: on any day), the first that leaves
    half a turn to the lock and, where that is less, some time to the deadline.
    """
    least = max(length / 2, before)
    deadline = datetime.combine(now.astimezone(UTC).date(), at, UTC)
    while deadline + before - now <= least or weekday not in (None, deadline.weekday()):
        deadline += _DAY
    return free_lock(deadline + before, _steps(length, weekday), before, holidays)


def coming_locks(
    first: datetime, length: timedelta, before: timedelta, holidays: Sequence[Holiday], number: int
) -> tuple[datetime, ...]:
    """R5: that many locks, including the first, if each turn has its length."""
    locks = [first]
    while len(locks) < number:
        locks.append(free_lock(locks[-1] + length, length, before, holidays))
    return tuple(locks)


def _steps(length: timedelta, weekday: int | None) -> timedelta:
    """The step by which a first lock avoids a holiday: weeks if a weekday is required."""
    return timedelta(days=1) if weekday is None else timedelta(days=7)


def _in_the_way(lock: datetime, before: timedelta, holidays: Sequence[Holiday]) -> tuple[datetime, Holiday] | None:
    for moment in (lock - before, lock):
        if holiday := holiday_on(moment, holidays):
            return moment, holiday
    return None


def _wrong(number: int, fault: HolidayFault, **facts: object) -> LineFinding:
    return LineFinding(fault, {"line": number, **facts}, number)


def _read_line(number: int, line: str) -> Holiday | LineFinding:
    match = _LINE.fullmatch(line)
    if match is None:
        return _wrong(number, HolidayFault.NO_DATE, text=line)
    try:
        first = date.fromisoformat(match["first"])
        last = date.fromisoformat(match["last"]) if match["last"] else first
    except ValueError:
        return _wrong(number, HolidayFault.NO_SUCH_DATE, text=line)
    if last < first:
        return _wrong(number, HolidayFault.REVERSED, first=first, last=last)
    if (last - first).days >= LONGEST_HOLIDAY or last.year > 9000:
        return _wrong(number, HolidayFault.TOO_LONG, most=LONGEST_HOLIDAY)
    note = match["note"].strip()
    if len(note) > LONGEST_NOTE:
        return _wrong(number, HolidayFault.LONG_NOTE, signs=len(note), most=LONGEST_NOTE)
    return Holiday(first, last, note)
