"""T10.6: when the clock of a seat rests: in the hours of its player's night, and on a leave that he announced.

Everything is worked out from rows that stay, so that a time which is over is counted alike whenever one asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from judging.notifications.choices import is_zone
from judging.tables.models import Seat, Table
from tables.core.pace.clocks import Pause

NIGHT = timedelta(hours=8)
"""T10.6: so long a clock rests each night, where its table allows it."""
A_DAY = timedelta(days=1)


def pauses_of(table: Table, seat: Seat, since: datetime, until: datetime) -> tuple[Pause, ...]:
    """T10.6: the spans between two moments in which a seat's clock rests, in seconds, the earliest first."""
    begin, end = _stamp(since), _stamp(until)
    found = [Pause(first, last) for first, last in seat.rests.get("leaves", ()) if first < end and last > begin]
    if table.nights:
        found += _nights(seat.rests.get("nights", ()), begin, end)
    return tuple(sorted((pause for pause in found if pause.end > pause.start), key=lambda pause: pause.start))


def rests_of(seat: Seat) -> dict[str, list[list[object]]]:
    """T10.6: a seat's nights and leave as its row repeats them."""
    nights = sorted(seat.nights.all(), key=lambda row: (row.since, row.pk))
    return {
        "nights": [[_stamp(row.since), row.first_hour, row.zone] for row in nights],
        "leaves": [[_stamp(leave.first), _stamp(leave.until)] for leave in seat.leaves.all()],
    }


def horizon(table: Table, seat: Seat, since: datetime) -> datetime:
    """T10.6: until when it is enough to know a seat's pauses: its time with all the nights and leave that may fall in
    it.

    A night takes a third of each day, so what is left of the days takes half as long again.
    """
    away = sum(last - first for first, last in seat.rests.get("leaves", ()))
    return since + (table.decision_time + seat.bank + timedelta(seconds=away)) * 3 / 2 + 2 * A_DAY


def resting(table: Table, seat: Seat, now: datetime) -> bool:
    """T10.6: whether a seat's clock rests at a moment."""
    at = _stamp(now)
    return any(pause.start <= at < pause.end for pause in pauses_of(table, seat, now, now + timedelta(seconds=1)))


def _nights(rows: Sequence[Sequence[Any]], since: int, until: int) -> Iterator[Pause]:
    """Each night of each stretch of time in which the same hours counted."""
    for at, (begun, hour, zone_name) in enumerate(rows):
        last = min(until, rows[at + 1][0]) if at + 1 < len(rows) else until
        first = max(since, begun)
        if hour is None or first >= last:
            continue
        zone = ZoneInfo(zone_name) if is_zone(zone_name) else UTC
        day = datetime.fromtimestamp(first, zone).date() - A_DAY
        length = int(NIGHT.total_seconds())
        while (dusk := _stamp(datetime.combine(day, time(hour), tzinfo=zone))) < last:
            if dusk + length > first:
                yield Pause(max(dusk, begun), min(dusk + length, last))
            day += A_DAY


def _stamp(moment: datetime) -> int:
    return int(moment.timestamp())
