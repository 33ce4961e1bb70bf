"""A12: a table that never begins, as its players have not agreed on what must be settled."""

from __future__ import annotations

from datetime import datetime

from judging.tables.ending import Ending
from judging.tables.models import Entry, Seat, Table, TableState
from judging.tables.writes.chain import By, Link, append_link


def never_begun(table: Table, seats: list[Seat], by: By, reason: Ending, now: datetime) -> Entry:
    """A12: a held table whose players have not agreed on what must be settled is given up: nobody has lost."""
    entry, _ = append_link(table, by, Link("end", {"reason": reason.code}), now)
    for seat in seats:
        seat.asked_at = None
    Seat.objects.bulk_update(seats, ["asked_at"])
    table.state, table.ended_at = TableState.GIVEN_UP, now
    table.due_at, table.stopped_at, table.beat_at, table.still_until = None, None, None, None
    table.save()
    return entry
