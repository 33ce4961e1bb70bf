"""T10.6: night hours, leave, and how a game continues while its player is absent."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext, gettext_noop

from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.notifications.preferences import is_zone, zone_of
from judging.notifications.queries import preference_of
from judging.tables import clocks, game_state
from judging.tables.away.models import SeatNight, Substitution, TableLeave
from judging.tables.clocks import A_DAY, NIGHT, due_of, resting, rests_of
from judging.tables.conduct.endings import check_none_waits
from judging.tables.conduct.people import called, is_barred, judge_of
from judging.tables.conduct.record import keep_act
from judging.tables.models import Seat, Table, TableJudge, TableState
from judging.tables.sentences import Ending
from judging.tables.services.chain import SERVICE
from judging.tables.services.opening import check_unlike
from judging.tables.services.posting import carry_out, check_running, close_draw, held_table
from tables.core.entries import Entry as Said
from tables.core.state import State

RULE = "T10.6"
BETWEEN = timedelta(days=7)
"""T10.6: the least time between two changes of night hours; new ones count a day later, so that nobody moves their
night under a clock that is running out."""
PLAYED = (TableState.OPEN, TableState.CUTTING, TableState.RUNNING)
FARTHEST = timedelta(days=366)


@locking.writes
def keep_hours(*, table: Table, user: User, hour: str, zone: str, now: datetime) -> SeatNight:
    """T10.6: set the hour from which a seat's clock rests each night, in its own time zone; an empty hour: never.

    It counts at once before the start, and a day later afterwards. Refused where the table has no nights, for an
    unknown hour or time zone, and within a week of the last change.
    """
    locked_table = held_table(table)
    seat = own_seat(locked_table, user)
    if not locked_table.nights:
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
    has_begun = locked_table.state == TableState.RUNNING
    if has_begun and last is not None and now < last.said_at + BETWEEN:
        raise Refused(gettext("You can change your night hours once a week at most."), RULE, "hour")
    since = now + A_DAY if has_begun else now
    row = SeatNight.objects.create(seat=seat, first_hour=first, zone=name, since=since, said_at=now)
    facts = {"name": called(seat), "zone": name, "since": since.isoformat()}
    if first is None:
        keep_act(locked_table, "hours gone", user.pk, now, **facts)
    else:
        until = f"{(first + NIGHT // timedelta(hours=1)) % 24:02}"
        keep_act(locked_table, "hours", user.pk, now, hour=f"{first:02}", until=until, **facts)
    _rests_anew(locked_table, seat)
    return row


@locking.writes
def announce_leave(*, table: Table, user: User, first: str, last: str, now: datetime) -> TableLeave:
    """T10.6: announce the days, from first to last, on which a player is away; their clock rests then.

    Refused unless it begins tomorrow or later (by UTC), for more days than the table allows in all, and where it
    overlaps another leave of the player.
    """
    locked_table = held_table(table)
    seat = own_seat(locked_table, user)
    begin, end = _day(first, "first"), _day(last, "last")
    if end < begin:
        raise Refused(gettext("An absence can't end before it begins."), RULE, "last")
    if begin <= now.astimezone(UTC).date():
        raise Refused(gettext("Announce an absence in advance: it can begin tomorrow at the earliest."), RULE, "first")
    if begin > (now + FARTHEST).date():
        raise Refused(gettext("Absences must begin within a year."), RULE, "first")
    since = datetime.combine(begin, time(), tzinfo=UTC)
    until = datetime.combine(end, time(), tzinfo=UTC) + A_DAY
    leaves = list(seat.leaves.all())
    if any(other.first < until and other.until > since for other in leaves):
        raise Refused(gettext("You have already announced an absence for that time."), RULE, "first")
    used = days_of_leave(seat)
    if used + (until - since).days > locked_table.leave_days:
        remaining = max(0, locked_table.leave_days - used)
        raise Refused(
            gettext("This table allows each seat %(days)s days of absence; you have %(left)s left.")
            % {"days": locked_table.leave_days, "left": remaining},
            RULE,
            "last",
        )
    row = TableLeave.objects.create(seat=seat, first=since, until=until, announced_at=now)
    keep_act(locked_table, "leave", user.pk, now, name=called(seat), first=begin.isoformat(), last=end.isoformat())
    _rests_anew(locked_table, seat)
    return row


@locking.writes
def end_leave(*, table: Table, user: User, leave_id: int, now: datetime) -> TableLeave:
    """T10.6: end a leave early, or withdraw one that has not begun; unused days are available again. A second call
    changes nothing."""
    locked_table = held_table(table)
    seat = own_seat(locked_table, user)
    row = seat.leaves.filter(pk=leave_id).first()
    if row is None:
        raise Refused(gettext("You have no such absence."), RULE)
    if row.until <= now or row.until == row.first:
        return row
    has_begun = row.first <= now
    row.until = now if has_begun else row.first
    row.save(update_fields=["until"])
    keep_act(locked_table, "leave ended" if has_begun else "leave dropped", user.pk, now, name=called(seat))
    _rests_anew(locked_table, seat)
    return row


def days_of_leave(seat: Seat) -> int:
    """T10.6: the days of leave that a seat has used or announced; a day that has begun counts."""
    return sum(-((leave.first - leave.until) // A_DAY) for leave in seat.leaves.all())


def own_seat(table: Table, user: User) -> Seat:
    """T10.6: the user's seat at a table that is not over. Refused for anyone without a seat."""
    seat = table.seats.filter(user=user).first()
    if seat is None:
        raise Refused(gettext("You don't sit at this table."), RULE)
    if table.state not in PLAYED:
        raise Refused(gettext("This table is finished."), RULE)
    return seat


def reckon_anew(table: Table) -> None:
    """T10.6: recompute the locked table's next due time after a seat's times have changed."""
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


MOST_HOURS = 14 * 24
"""T10.6: the most hours that a judge can give at once."""
WAYS = {
    "wait": gettext_noop("Keep waiting and restart their time"),
    "win": gettext_noop("Claim the win"),
    "played": gettext_noop("Let the service play defaults until they are back"),
    "sought": gettext_noop("Look for a substitute"),
}
"""T10.6: the choices, as their buttons read."""


@dataclass(frozen=True)
class Away:
    """T10.6: the seat of an absent player, and the viewer's choices for how it continues."""

    seat: Seat
    ways: tuple[tuple[str, str], ...]
    sought: Substitution | None
    may_take_over: bool

    @property
    def how(self) -> str:
        """The state of their time, in words."""
        if self.seat.is_played:
            return gettext("The service now plays defaults for them right away.")
        if self.seat.missed in (1, 2):
            return (
                gettext("Their time ran out once.") if self.seat.missed == 1 else gettext("Their time ran out twice.")
            )
        return gettext("Their time ran out %(number)s times in a row.") % {"number": self.seat.missed}


def stays_away(seat: Seat) -> bool:
    """T10.6: whether the others may choose how it continues without this player."""
    return seat.is_played or clocks.clock_of(seat).given_up


def away_from(table: Table, seats: Sequence[Seat], user_id: int | None, is_judge: bool) -> tuple[Away, ...]:
    """T10.6: the absent players of a running table, with this viewer's choices."""
    if table.state != TableState.RUNNING:
        return ()
    absent_seats = [seat for seat in seats if stays_away(seat)]
    if not absent_seats:
        return ()
    state = game_state.state_of(table)
    own_seat = next((seat for seat in seats if user_id is not None and seat.user_id == user_id), None)
    rows = []
    for seat in absent_seats:
        if seat.letter not in state.living:
            continue
        sought = seat.substitutions.filter(closed_at__isnull=True).first()
        ways = () if is_judge is False and own_seat is None else _ways(seat, own_seat, seats, state, sought)
        takes = sought is not None and own_seat is None and user_id is not None and not is_judge
        rows.append(Away(seat, tuple((choice, gettext(WAYS[choice])) for choice in ways), sought, takes))
    return tuple(rows)


def _ways(
    seat: Seat, own_seat: Seat | None, seats: Sequence[Seat], state: State, sought: Substitution | None
) -> tuple[str, ...]:
    """The choices of a player, or a judge (no `own_seat`); none for an absent player."""
    if own_seat is not None and (own_seat.letter == seat.letter or own_seat.letter not in state.living):
        return ()
    ways = ["wait"]
    if own_seat is not None and _wins(own_seat, seats, state):
        ways.append("win")
    ways += [] if seat.is_played else ["played"]
    ways += [] if sought is not None else ["sought"]
    return tuple(ways)


def _wins(own_seat: Seat, seats: Sequence[Seat], state: State) -> bool:
    """T10.6: a win can be claimed if everybody on the other sides who still plays is absent."""
    side = state.side(own_seat.letter)
    opponents = [seat for seat in seats if seat.letter in state.living and state.side(seat.letter) != side]
    return bool(opponents) and all(stays_away(seat) for seat in opponents)


@locking.writes
def choose_after_misses(*, table: Table, user: User, letter: str, way: str, now: datetime) -> Table:
    """T10.6: another player, or a judge of the table, chooses how it continues without an absent player.

    Refused for others, if the player is back by now, and for a win where not all opponents are absent.
    """
    locked_table, seats = held_table(table), list(table.seats.all())
    check_running(locked_table)
    check_none_waits(locked_table)
    seat = _absent(seats, letter)
    state = game_state.state_of(locked_table)
    judge = locked_table.judges.filter(user=user, dismissed_at__isnull=True).first()
    own_seat = next((each for each in seats if each.user_id == user.pk), None)
    if judge is None and own_seat is None:
        raise Refused(gettext("Only players and judges of this table can choose this."), RULE)
    sought = seat.substitutions.filter(closed_at__isnull=True).first()
    if way not in _ways(seat, own_seat, seats, state, sought):
        raise Refused(gettext("That choice isn’t available. Reload the page."), RULE, "way")
    by = own_seat.name if own_seat is not None else _called(judge)
    match way:
        case "win" if own_seat is not None:
            keep_act(locked_table, "win", user.pk, now, by=by, name=seat.name)
            entry = Said("end", "service", cites=RULE, reason=Ending.STAYED_AWAY.code, seat=own_seat.letter)
            carry_out(locked_table, seats, SERVICE, entry, now)
            return locked_table
        case "sought":
            Substitution.objects.create(seat=seat, before=seat.user, sought_by=by, sought_at=now)
        case "played":
            seat.is_played = True
        case _:
            seat.missed, seat.is_played, seat.asked_at = 0, False, now if seat.asked_at else None
            seat.reminded = 0
    seat.save(update_fields=["is_played", "missed", "asked_at", "reminded"])
    keep_act(locked_table, {"wait": "waits"}.get(way, way), user.pk, now, by=by, name=seat.name)
    reckon_anew(locked_table)
    return locked_table


@locking.writes
def give_time(*, table: Table, user: User, letter: str, hours: str, now: datetime) -> Seat:
    """T10.6: a judge of the table adds hours to a seat's bank; its misses are reset. Refused for others."""
    locked_table = held_table(table)
    check_running(locked_table)
    judge = locked_table.judges.filter(user=user, dismissed_at__isnull=True).first()
    if judge is None:
        raise Refused(gettext("Only the judges of this table can give time."), RULE)
    seat = locked_table.seats.filter(letter=letter).first()
    if seat is None:
        raise Refused(gettext("No one sits in that seat."), RULE, "seat")
    number = number_of(hours, 0)
    if not 1 <= number <= MOST_HOURS:
        raise Refused(gettext("Give 1 to %(most)s hours.") % {"most": MOST_HOURS}, RULE, "hours")
    seat.bank += timedelta(hours=number)
    seat.missed, seat.reminded = 0, 0
    seat.save(update_fields=["bank", "missed", "reminded"])
    keep_act(locked_table, "time", user.pk, now, by=judge.name, name=seat.name, hours=number)
    reckon_anew(locked_table)
    return seat


@locking.writes
def take_seat_over(*, table: Table, user: User, letter: str, name: str, now: datetime) -> Seat:
    """T10.6: take over an absent player's seat, with its cards, its orders and a new bank. The former player's nights
    and leave do not pass on.

    Refused for anyone who sits at the table, judges it or is barred from it, and once the absent player is back.
    """
    locked_table, seats = held_table(table), list(table.seats.all())
    check_running(locked_table)
    seat = _absent(seats, letter)
    sought = seat.substitutions.filter(closed_at__isnull=True).first()
    if sought is None:
        raise Refused(gettext("No substitute is wanted for this seat."), RULE)
    if any(each.user_id == user.pk for each in seats):
        raise Refused(gettext("You already have, or had, a seat at this table."), RULE)
    if locked_table.judges.filter(user=user).exists():
        raise Refused(gettext("You judge or judged this table, so you can't play at it."), "T11.4")
    if is_barred(locked_table, user.pk, now):
        raise Refused(gettext("You are banned from this table."), "1.3")
    new_name = " ".join(name.split())[:40]
    if len(new_name) < 2 or not new_name.isprintable():
        raise Refused(gettext("Choose a name of 2 to 40 characters for this table."), RULE, "name")
    check_unlike(new_name, [each.name for each in seats], "name")
    sought.user, sought.name, sought.closed_at = user, new_name, now
    sought.save(update_fields=["user", "name", "closed_at"])
    seat.user, seat.is_played, seat.missed, seat.reminded = user, False, 0, 0
    seat.bank, seat.asked_at = locked_table.bank, now if seat.asked_at else None
    # His time begins now, so nothing is reckoned by the old rows any more; what was said of them is in the record.
    seat.nights.all().delete()
    seat.leaves.all().delete()
    seat.rests = rests_of(seat)
    seat.save(update_fields=["user", "is_played", "missed", "reminded", "bank", "asked_at", "rests"])
    _agrees_no_more(locked_table, letter, now)
    keep_act(locked_table, "taken", user.pk, now, new=new_name, name=seat.name)
    reckon_anew(locked_table)
    return seat


def _agrees_no_more(table: Table, letter: str, now: datetime) -> None:
    """T11.4, T11.9: a former player's agreement to a draw or a judge does not bind the substitute."""
    if letter in table.draw.get("agreed", ()):
        close_draw(table, now)
        table.save(update_fields=["draw"])
    for row in table.judge_proposals.filter(closed_at__isnull=True):
        row.agreed = [agreed for agreed in row.agreed if agreed != letter]
        row.save(update_fields=["agreed"])


def end_searches(now: datetime) -> int:
    """T10.6: end the search for substitutes for players who are back; return the number of ended searches."""
    rows = Substitution.objects.filter(closed_at__isnull=True).select_related("seat__table").defer("seat__table__seed")
    return sum(_ended(row, now) for row in rows if not stays_away(row.seat) or row.seat.table.state == TableState.OVER)


@locking.writes
def _ended(row: Substitution, now: datetime) -> bool:
    locked_table = held_table(row.seat.table)
    seat = locked_table.seats.get(pk=row.seat_id)
    if locked_table.state == TableState.RUNNING and stays_away(seat):
        return False
    row.closed_at = now
    row.save(update_fields=["closed_at"])
    if locked_table.state == TableState.RUNNING:
        keep_act(locked_table, "back", seat.user_id, now, name=seat.name)
    return True


def _absent(seats: Sequence[Seat], letter: str) -> Seat:
    seat = next((each for each in seats if each.letter == letter), None)
    if seat is None or not stays_away(seat):
        raise Refused(gettext("That player isn't away, or is back already."), RULE)
    return seat


def _called(judge: TableJudge | None) -> str:
    return judge.name if judge is not None else ""


@dataclass(frozen=True)
class SeatClock:
    """T10.6: a seat's clock. `rests`: it is stopped now, for the night or a leave; `played_by`: the substitute
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
        """The hour at which the player's night ends."""
        hour = self.night.first_hour if self.night else None
        return "" if hour is None else f"{(hour + NIGHT // timedelta(hours=1)) % 24:02}"

    @property
    def is_late(self) -> bool:
        """Whether the decision's own time is over, so that the bank runs."""
        return self.due_at is not None and not self.row.is_played


@dataclass(frozen=True)
class PeoplePage:
    """T10.6: the page of a table's clocks and people. `mine` is the viewer's seat, `left` their days of leave."""

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
        """Whether the viewer has a seat, and the table is not over."""
        return self.mine is not None and self.table.state in (TableState.OPEN, TableState.CUTTING, TableState.RUNNING)


def people_page(table: Table, user_id: int | None, now: datetime) -> PeoplePage:
    """T10.6: a table's clocks as the viewer sees them."""
    seats = list(table.seats.prefetch_related("nights", "leaves", "substitutions").order_by("letter"))
    clocks = tuple(_clock(table, seat, user_id, now) for seat in seats)
    own_clock = next((clock for clock in clocks if clock.is_mine), None)
    judge = judge_of(table, user_id)
    return PeoplePage(
        table, clocks, away_from(table, seats, user_id, judge is not None), own_clock,
        table.leave_days - days_of_leave(own_clock.row) if own_clock else 0, judge,
        str(zone_of(preference_of(user_id))) if user_id else "UTC", f"{now + timedelta(days=1):%Y-%m-%d}",
    )  # fmt: skip


def _clock(table: Table, seat: Seat, user_id: int | None, now: datetime) -> SeatClock:
    nights = sorted(seat.nights.all(), key=lambda row: (row.since, row.pk))
    leaves = tuple(leave for leave in seat.leaves.all() if leave.until > now and leave.until > leave.first)
    substitutes = [row for row in seat.substitutions.all() if row.user_id is not None]
    return SeatClock(
        seat, user_id is not None and seat.user_id == user_id, due_of(table, seat),
        seat.asked_at is not None and resting(table, seat, now), nights[-1] if nights else None, leaves,
        substitutes[-1].name if substitutes else "",
    )  # fmt: skip
