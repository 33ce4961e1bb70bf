"""T10.1, T10.6: whose clock runs at a table, when it runs out, and when it rests: in a player's night and on their
leave."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from judging.notifications.preferences import is_zone
from judging.tables.game_state import rules_of
from judging.tables.models import Seat, Table, TableState
from tables.core.answering import pending
from tables.core.engine import waits_for
from tables.core.pace import clocks
from tables.core.pace.clocks import Clock, Pace, Pause
from tables.core.state import State

NIGHT = timedelta(hours=8)
"""T10.6: the time that a clock rests each night, where its table allows it."""
A_DAY = timedelta(days=1)


def pauses_of(table: Table, seat: Seat, since: datetime, until: datetime) -> tuple[Pause, ...]:
    """T10.6: the spans between two moments in which a seat's clock rests, in seconds, the earliest first."""
    begin, end = _pause_stamp(since), _pause_stamp(until)
    pauses = [Pause(first, last) for first, last in seat.rests.get("leaves", ()) if first < end and last > begin]
    if table.nights:
        pauses += _nights(seat.rests.get("nights", ()), begin, end)
    return tuple(sorted((pause for pause in pauses if pause.end > pause.start), key=lambda pause: pause.start))


def rests_of(seat: Seat) -> dict[str, list[list[object]]]:
    """T10.6: a seat's nights and leave, as its row copies them."""
    nights = sorted(seat.nights.all(), key=lambda row: (row.since, row.pk))
    return {
        "nights": [[_pause_stamp(row.since), row.first_hour, row.zone] for row in nights],
        "leaves": [[_pause_stamp(leave.first), _pause_stamp(leave.until)] for leave in seat.leaves.all()],
    }


def horizon(table: Table, seat: Seat, since: datetime) -> datetime:
    """T10.6: the latest time for which a seat's pauses are needed: its time with all the nights and leave that may fall
    in it.

    A night takes a third of each day, so the rest of the days takes half as long again.
    """
    away = sum(last - first for first, last in seat.rests.get("leaves", ()))
    return since + (table.decision_time + seat.bank + timedelta(seconds=away)) * 3 / 2 + 2 * A_DAY


def resting(table: Table, seat: Seat, now: datetime) -> bool:
    """T10.6: whether a seat's clock rests at a given time."""
    at = _pause_stamp(now)
    return any(pause.start <= at < pause.end for pause in pauses_of(table, seat, now, now + timedelta(seconds=1)))


def _nights(rows: Sequence[Sequence[Any]], since: int, until: int) -> Iterator[Pause]:
    """Each night of each period in which the same hours counted."""
    for at, (start, hour, zone_name) in enumerate(rows):
        last = min(until, rows[at + 1][0]) if at + 1 < len(rows) else until
        first = max(since, start)
        if hour is None or first >= last:
            continue
        zone = ZoneInfo(zone_name) if is_zone(zone_name) else UTC
        day = datetime.fromtimestamp(first, zone).date() - A_DAY
        length = int(NIGHT.total_seconds())
        while (dusk := _pause_stamp(datetime.combine(day, time(hour), tzinfo=zone))) < last:
            if dusk + length > first:
                yield Pause(max(dusk, start), min(dusk + length, last))
            day += A_DAY


def _pause_stamp(moment: datetime) -> int:
    return int(moment.timestamp())


STOPS = ("manual",)
"""T11.3: decisions without a clock: an agreement, or a ruling."""

SILENT = timedelta(days=3)
"""R59: the time that a table waits for a judge; then any of its players may withdraw the question."""


def pace_of(table: Table) -> Pace:
    """T10.1: the table's agreed times, in seconds."""
    return Pace(_seconds(table.decision_time), _seconds(table.bank), _seconds(table.turn_time))


def clock_of(seat: Seat) -> Clock:
    """T10.1: a seat's clock as of when it was asked."""
    return Clock(_seconds(seat.bank), seat.missed)


def due_of(table: Table, seat: Seat) -> datetime | None:
    """T10.1: when the time of a seat runs out, with its nights and leave; None if nobody waits for it, or the clocks
    are stopped. An absent player for whom the service plays has no time of their own."""
    if seat.asked_at is None or table.stopped_at is not None:
        return None
    if seat.is_played:
        return seat.asked_at
    since = _stamp(seat.asked_at)
    pauses = pauses_of(table, seat, seat.asked_at, horizon(table, seat, seat.asked_at))
    moment = clocks.due(pace_of(table), clock_of(seat), since, pauses)
    return seat.asked_at + timedelta(seconds=moment - since)


def answered(table: Table, seat: Seat, now: datetime) -> None:
    """T10.1: a seat has answered: the time over its limit is taken from its bank, and its misses in a row are reset.
    An absent player is back."""
    if seat.asked_at is not None and not seat.is_played:
        pauses = pauses_of(table, seat, seat.asked_at, now)
        clock = clocks.answered(pace_of(table), clock_of(seat), _stamp(seat.asked_at), _stamp(now), pauses)
        seat.bank = timedelta(seconds=clock.bank)
    seat.asked_at, seat.missed, seat.is_played = None, 0, False


def ran_out(seat: Seat) -> None:
    """T10.1: a default was played for a seat."""
    clock = clocks.ran_out(clock_of(seat))
    seat.bank, seat.missed, seat.asked_at = timedelta(seconds=clock.bank), clock.missed, None


def turn_begins(table: Table, seat: Seat) -> None:
    """T10.1: add the increment for its own turn to a seat's bank."""
    seat.bank = timedelta(seconds=clocks.turn_begins(pace_of(table), clock_of(seat)).bank)


def ask_anew(table: Table, state: State, seats: Sequence[Seat], now: datetime) -> None:
    """T10.4: after an entry, update whose decisions are open and until when, the table's due time, and the beat on
    which privately settled answers are revealed.

    Saves the seats; the caller, who has locked the table's row, saves that.
    """
    waited, kind = waits_for(state)
    if state.result is not None:
        table.state, table.ended_at, table.winner = TableState.OVER, now, state.result.won
        table.still_until = None
    if (kind in STOPS or table.still_until) and state.result is None:
        table.stopped_at = table.stopped_at or now
    elif table.stopped_at is not None:
        stood = now - table.stopped_at
        for seat in seats:
            seat.asked_at = seat.asked_at + stood if seat.asked_at else None
        table.stopped_at = None
    for seat in seats:
        if seat.letter not in waited:
            seat.asked_at = None
        elif seat.asked_at is None:
            seat.asked_at, seat.reminded = now, 0
    Seat.objects.bulk_update(seats, ["bank", "missed", "asked_at", "reminded", "is_played"])
    table.beat_at = next_beat(table, state, now)
    reckon(table, seats)


def reckon(table: Table, seats: Sequence[Seat]) -> None:
    """T10.1: set when the first of the awaited players runs out of time; the caller, who has locked the table's row,
    saves it."""
    table.due_at = min((due for seat in seats if (due := due_of(table, seat))), default=None)


def next_beat(table: Table, state: State, now: datetime) -> datetime | None:
    """T10.4: the table's next beat, if an awaited player has settled their answer; nobody may learn of it. None
    while a judge is asked: then nothing continues."""
    if table.still_until or not pending(rules_of(table), state):
        return None
    beat = state.options.beat
    return datetime.fromtimestamp((_stamp(now) // beat + 1) * beat, now.tzinfo)


def _seconds(span: timedelta) -> int:
    return int(span.total_seconds())


def _stamp(moment: datetime) -> int:
    return int(moment.timestamp())
