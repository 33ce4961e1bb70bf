"""T10.6: the clocks of a table as its page shows them: each seat's time, nights and leave, and who stays away."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from judging.notifications.choices import zone_of
from judging.notifications.reads import preference_of
from judging.tables.away.choosing import Away, away_from
from judging.tables.away.models import SeatNight, TableLeave
from judging.tables.away.pauses import NIGHT, resting
from judging.tables.away.writes import days_of_leave
from judging.tables.clocks import due_of
from judging.tables.conduct.standing import judge_of
from judging.tables.models import Seat, Table, TableJudge, TableState


@dataclass(frozen=True)
class SeatClock:
    """T10.6: a seat's clock. `rests`: it stands still now, for the night or a leave; `played_by`: who plays on
    there."""

    row: Seat
    is_mine: bool
    due_at: datetime | None
    rests: bool
    night: SeatNight | None
    leaves: tuple[TableLeave, ...]
    played_by: str

    @property
    def night_until(self) -> str:
        """The hour at which his night ends."""
        hour = self.night.first_hour if self.night else None
        return "" if hour is None else f"{(hour + NIGHT // timedelta(hours=1)) % 24:02}"

    @property
    def is_late(self) -> bool:
        """Whether his decision's own time is over, and his bank runs."""
        return self.due_at is not None and not self.row.is_played


@dataclass(frozen=True)
class PeoplePage:
    """T10.6: the page of a table's clocks and people. `mine` is the viewer's seat, `left` his days of leave."""

    table: Table
    clocks: tuple[SeatClock, ...]
    away: tuple[Away, ...]
    mine: SeatClock | None
    left: int
    judge: TableJudge | None
    zone: str
    today: str

    @property
    def plays(self) -> bool:
        """Whether the viewer sits there, and the table is not over."""
        return self.mine is not None and self.table.state in (TableState.OPEN, TableState.CUTTING, TableState.RUNNING)


def people_page(table: Table, user_id: int | None, now: datetime) -> PeoplePage:
    """T10.6: the clocks of a table as somebody sees them."""
    seats = list(table.seats.prefetch_related("nights", "leaves", "substitutions").order_by("letter"))
    found = tuple(_clock(table, seat, user_id, now) for seat in seats)
    mine = next((clock for clock in found if clock.is_mine), None)
    judge = judge_of(table, user_id)
    return PeoplePage(
        table, found, away_from(table, seats, user_id, judge is not None), mine,
        table.leave_days - days_of_leave(mine.row) if mine else 0, judge,
        str(zone_of(preference_of(user_id))) if user_id else "UTC", f"{now + timedelta(days=1):%Y-%m-%d}",
    )  # fmt: skip


def _clock(table: Table, seat: Seat, user_id: int | None, now: datetime) -> SeatClock:
    nights = sorted(seat.nights.all(), key=lambda row: (row.since, row.pk))
    leaves = tuple(leave for leave in seat.leaves.all() if leave.until > now and leave.until > leave.first)
    taken = [row for row in seat.substitutions.all() if row.user_id is not None]
    return SeatClock(
        seat, user_id is not None and seat.user_id == user_id, due_of(table, seat),
        seat.asked_at is not None and resting(table, seat, now), nights[-1] if nights else None, leaves,
        taken[-1].name if taken else "",
    )  # fmt: skip
