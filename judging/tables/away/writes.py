"""T10.6: a seat's own hours of the night and its leave. Whoever changes them holds the table's row."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.game import locking
from judging.game.errors import Refused
from judging.notifications.choices import is_zone
from judging.tables import clocks
from judging.tables.away.models import SeatNight, TableLeave
from judging.tables.away.names import called
from judging.tables.away.pauses import A_DAY, NIGHT, rests_of
from judging.tables.conduct.record import keep_act
from judging.tables.models import Seat, Table, TableState
from judging.tables.writes.posting import held_table

RULE = "T10.6"
BETWEEN = timedelta(days=7)
"""T10.6: so long hours stand before they may be changed again; new ones count a day later, so that nobody moves his
night under a clock that runs out."""
PLAYED = (TableState.OPEN, TableState.CUTTING, TableState.RUNNING)
FARTHEST = timedelta(days=366)


@locking.writes
def keep_hours(*, table: Table, user: User, hour: str, zone: str, now: datetime) -> SeatNight:
    """T10.6: from when on a seat's clock rests each night, by the clock of its own zone; an empty hour: at none.

    They count at once before the start, and a day later afterwards. Refused where the table has no nights, for an hour
    or a zone that there is not, and within a week of the last change.
    """
    held = held_table(table)
    seat = own_seat(held, user)
    if not held.nights:
        raise Refused(gettext("Clocks don't stop at night at this table, as announced when it opened."), RULE, "hour")
    first = _hour(hour)
    name = zone.strip() or "UTC"
    if not is_zone(name):
        raise Refused(
            gettext("There is no time zone “%(name)s”. Write one like Europe/Berlin, or UTC.") % {"name": name[:40]},
            RULE,
            "zone",
        )
    last = seat.nights.order_by("-since", "-pk").first()
    if last is not None and (last.first_hour, last.zone) == (first, name):
        return last
    begun = held.state == TableState.RUNNING
    if begun and last is not None and now < last.said_at + BETWEEN:
        raise Refused(gettext("You can change your night hours once a week at most."), RULE, "hour")
    since = now + A_DAY if begun else now
    row = SeatNight.objects.create(seat=seat, first_hour=first, zone=name, since=since, said_at=now)
    told = {"name": called(seat), "zone": name, "since": since.isoformat()}
    if first is None:
        keep_act(held, "hours gone", user.pk, now, **told)
    else:
        until = f"{(first + NIGHT // timedelta(hours=1)) % 24:02}"
        keep_act(held, "hours", user.pk, now, hour=f"{first:02}", until=until, **told)
    _rests_anew(held, seat)
    return row


@locking.writes
def announce_leave(*, table: Table, user: User, first: str, last: str, now: datetime) -> TableLeave:
    """T10.6: somebody says beforehand from which day to which he is away; his clock rests then.

    Refused unless it begins tomorrow or later (by UTC), for more days than the table allows in all, and where it meets
    another leave of his.
    """
    held = held_table(table)
    seat = own_seat(held, user)
    begin, end = _day(first, "first"), _day(last, "last")
    if end < begin:
        raise Refused(gettext("An absence can't end before it begins."), RULE, "last")
    if begin <= now.astimezone(UTC).date():
        raise Refused(gettext("Announce an absence in advance: it can begin tomorrow at the earliest."), RULE, "first")
    if begin > (now + FARTHEST).date():
        raise Refused(gettext("Absences must begin within a year."), RULE, "first")
    since = datetime.combine(begin, time(), tzinfo=UTC)
    until = datetime.combine(end, time(), tzinfo=UTC) + A_DAY
    others = list(seat.leaves.all())
    if any(other.first < until and other.until > since for other in others):
        raise Refused(gettext("You have already announced an absence for that time."), RULE, "first")
    used = days_of_leave(seat)
    if used + (until - since).days > held.leave_days:
        left = max(0, held.leave_days - used)
        raise Refused(
            gettext("This table allows each seat %(days)s days of absence; you have %(left)s left.")
            % {"days": held.leave_days, "left": left},
            RULE,
            "last",
        )
    row = TableLeave.objects.create(seat=seat, first=since, until=until, announced_at=now)
    keep_act(held, "leave", user.pk, now, name=called(seat), first=begin.isoformat(), last=end.isoformat())
    _rests_anew(held, seat)
    return row


@locking.writes
def end_leave(*, table: Table, user: User, leave_id: int, now: datetime) -> TableLeave:
    """T10.6: somebody is back before his leave ends, or takes one back that has not begun; what is not used is his
    again. Once more changes nothing."""
    held = held_table(table)
    seat = own_seat(held, user)
    row = seat.leaves.filter(pk=leave_id).first()
    if row is None:
        raise Refused(gettext("You have no such absence."), RULE)
    if row.until <= now or row.until == row.first:
        return row
    begun = row.first <= now
    row.until = now if begun else row.first
    row.save(update_fields=["until"])
    keep_act(held, "leave ended" if begun else "leave dropped", user.pk, now, name=called(seat))
    _rests_anew(held, seat)
    return row


def days_of_leave(seat: Seat) -> int:
    """T10.6: how many days of leave a seat has used or announced; a day that was begun counts."""
    return sum(-((leave.first - leave.until) // A_DAY) for leave in seat.leaves.all())


def own_seat(table: Table, user: User) -> Seat:
    """T10.6: somebody's seat at a table that is not over. Refused for who does not sit there."""
    seat = table.seats.filter(user=user).first()
    if seat is None:
        raise Refused(gettext("You don't sit at this table."), RULE)
    if table.state not in PLAYED:
        raise Refused(gettext("This table is finished."), RULE)
    return seat


def reckon_anew(table: Table) -> None:
    """T10.6: the held table's next moment, after a seat's times have changed."""
    clocks.reckon(table, list(table.seats.all()))
    table.save(update_fields=["due_at"])


def _rests_anew(table: Table, seat: Seat) -> None:
    seat.rests = rests_of(seat)
    seat.save(update_fields=["rests"])
    reckon_anew(table)


def _hour(text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 2 and int(text) < 24):
        raise Refused(gettext("Enter an hour from 0 to 23, or leave it empty for no night."), RULE, "hour")
    return int(text)


def _day(text: str, field: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise Refused(gettext("Write a day like 2026-03-14."), RULE, field) from None
