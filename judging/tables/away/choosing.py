"""T10.6: how a game goes on whose player stays away: after three defaults in a row, or with an empty bank, the others
choose, or a judge: to wait, to take the win, to have the service play on for him, or somebody else.

Whoever comes back and posts is played for no more; until somebody has taken his seat it stays his.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext, gettext_noop

from judging.game import locking
from judging.game.acting import number_of
from judging.game.errors import Refused
from judging.tables import clocks, world
from judging.tables.away.models import Substitution
from judging.tables.away.pauses import rests_of
from judging.tables.away.writes import RULE, reckon_anew
from judging.tables.conduct.endings import check_none_waits
from judging.tables.conduct.record import keep_act
from judging.tables.conduct.standing import is_barred
from judging.tables.ending import Ending
from judging.tables.models import Seat, Table, TableJudge, TableState
from judging.tables.writes.chain import SERVICE
from judging.tables.writes.opening import check_unlike
from judging.tables.writes.posting import carry_out, check_running, close_draw, held_table
from tables.core.entries import Entry as Said
from tables.core.state import State

MOST_HOURS = 14 * 24
"""T10.6: so much time a judge gives at once."""
WAYS = {
    "wait": gettext_noop("Keep waiting and restart their time"),
    "win": gettext_noop("Claim the win"),
    "played": gettext_noop("Let the service play defaults until they are back"),
    "sought": gettext_noop("Look for a substitute"),
}
"""T10.6: what may be chosen, as a button says it."""


@dataclass(frozen=True)
class Away:
    """T10.6: a seat whose player stays away, and the ways in which a viewer may choose that it goes on."""

    seat: Seat
    ways: tuple[tuple[str, str], ...]
    sought: Substitution | None
    may_take_over: bool

    @property
    def how(self) -> str:
        """What became of his time, in words."""
        if self.seat.is_played:
            return gettext("The service now plays defaults for them at once.")
        if self.seat.missed in (1, 2):
            return (
                gettext("Their time ran out once.") if self.seat.missed == 1 else gettext("Their time ran out twice.")
            )
        return gettext("Their time ran out %(number)s times in a row.") % {"number": self.seat.missed}


def stays_away(seat: Seat) -> bool:
    """T10.6: whether the others may choose how it goes on without him."""
    return seat.is_played or clocks.clock_of(seat).given_up


def away_from(table: Table, seats: Sequence[Seat], user_id: int | None, is_judge: bool) -> tuple[Away, ...]:
    """T10.6: who stays away from a running table, with what this viewer may do about it."""
    if table.state != TableState.RUNNING:
        return ()
    gone = [seat for seat in seats if stays_away(seat)]
    if not gone:
        return ()
    state = world.state_of(table)
    mine = next((seat for seat in seats if user_id is not None and seat.user_id == user_id), None)
    found = []
    for seat in gone:
        if seat.letter not in state.living:
            continue
        sought = seat.substitutions.filter(closed_at__isnull=True).first()
        ways = () if is_judge is False and mine is None else _ways(seat, mine, seats, state, sought)
        takes = sought is not None and mine is None and user_id is not None and not is_judge
        found.append(Away(seat, tuple((way, gettext(WAYS[way])) for way in ways), sought, takes))
    return tuple(found)


def _ways(
    seat: Seat, mine: Seat | None, seats: Sequence[Seat], state: State, sought: Substitution | None
) -> tuple[str, ...]:
    """What a player, or a judge (no `mine`), may choose; nothing for who stays away himself."""
    if mine is not None and (mine.letter == seat.letter or mine.letter not in state.living):
        return ()
    ways = ["wait"]
    if mine is not None and _wins(mine, seats, state):
        ways.append("win")
    ways += [] if seat.is_played else ["played"]
    ways += [] if sought is not None else ["sought"]
    return tuple(ways)


def _wins(mine: Seat, seats: Sequence[Seat], state: State) -> bool:
    """T10.6: the win is taken where everybody of the other sides who still plays stays away."""
    side = state.side(mine.letter)
    others = [seat for seat in seats if seat.letter in state.living and state.side(seat.letter) != side]
    return bool(others) and all(stays_away(seat) for seat in others)


@locking.writes
def choose_after_misses(*, table: Table, user: User, letter: str, way: str, now: datetime) -> Table:
    """T10.6: another player, or a judge of the table, says how it goes on without somebody who stays away.

    Refused for others, for who is back by now, and for a win where not all opponents stay away.
    """
    held, seats = held_table(table), list(table.seats.all())
    check_running(held)
    check_none_waits(held)
    seat = _absent(seats, letter)
    state = world.state_of(held)
    judge = held.judges.filter(user=user, dismissed_at__isnull=True).first()
    mine = next((each for each in seats if each.user_id == user.pk), None)
    if judge is None and mine is None:
        raise Refused(gettext("Only players and judges of this table can choose this."), RULE)
    sought = seat.substitutions.filter(closed_at__isnull=True).first()
    if way not in _ways(seat, mine, seats, state, sought):
        raise Refused(gettext("That choice isn’t available. Reload the page."), RULE, "way")
    by = mine.name if mine is not None else _called(judge)
    match way:
        case "win" if mine is not None:
            keep_act(held, "win", user.pk, now, by=by, name=seat.name)
            said = Said("end", "service", cites=RULE, reason=Ending.STAYED_AWAY.code, seat=mine.letter)
            carry_out(held, seats, SERVICE, said, now)
            return held
        case "sought":
            Substitution.objects.create(seat=seat, before=seat.user, sought_by=by, sought_at=now)
        case "played":
            seat.is_played = True
        case _:
            seat.missed, seat.is_played, seat.asked_at = 0, False, now if seat.asked_at else None
            seat.reminded = 0
    seat.save(update_fields=["is_played", "missed", "asked_at", "reminded"])
    keep_act(held, {"wait": "waits"}.get(way, way), user.pk, now, by=by, name=seat.name)
    reckon_anew(held)
    return held


@locking.writes
def give_time(*, table: Table, user: User, letter: str, hours: str, now: datetime) -> Seat:
    """T10.6: a judge of the table adds hours to a seat's bank; nothing counts as missed then. Refused for others."""
    held = held_table(table)
    check_running(held)
    judge = held.judges.filter(user=user, dismissed_at__isnull=True).first()
    if judge is None:
        raise Refused(gettext("Only the judges of this table can give time."), RULE)
    seat = held.seats.filter(letter=letter).first()
    if seat is None:
        raise Refused(gettext("No one sits in that seat."), RULE, "seat")
    number = number_of(hours, 0)
    if not 1 <= number <= MOST_HOURS:
        raise Refused(gettext("Give 1 to %(most)s hours.") % {"most": MOST_HOURS}, RULE, "hours")
    seat.bank += timedelta(hours=number)
    seat.missed, seat.reminded = 0, 0
    seat.save(update_fields=["bank", "missed", "reminded"])
    keep_act(held, "time", user.pk, now, by=judge.name, name=seat.name, hours=number)
    reckon_anew(held)
    return seat


@locking.writes
def take_seat_over(*, table: Table, user: User, letter: str, name: str, now: datetime) -> Seat:
    """T10.6: somebody plays on at the seat of one who stays away: with its cards, its orders and a bank anew. Nights
    and leave were those of who sat there: none of them are his.

    Refused for who sits at the table, judges it or is barred from it, and once he who was away is back.
    """
    held, seats = held_table(table), list(table.seats.all())
    check_running(held)
    seat = _absent(seats, letter)
    sought = seat.substitutions.filter(closed_at__isnull=True).first()
    if sought is None:
        raise Refused(gettext("No substitute is wanted for this seat."), RULE)
    if any(each.user_id == user.pk for each in seats):
        raise Refused(gettext("You already have, or had, a seat at this table."), RULE)
    if held.judges.filter(user=user).exists():
        raise Refused(gettext("You judge or judged this table, so you can't play at it."), "T11.4")
    if is_barred(held, user.pk, now):
        raise Refused(gettext("You are banned from this table."), "1.3")
    called = " ".join(name.split())[:40]
    if len(called) < 2 or not called.isprintable():
        raise Refused(gettext("Choose a name of 2 to 40 characters for this table."), RULE, "name")
    check_unlike(called, [each.name for each in seats], "name")
    sought.user, sought.name, sought.closed_at = user, called, now
    sought.save(update_fields=["user", "name", "closed_at"])
    seat.user, seat.is_played, seat.missed, seat.reminded = user, False, 0, 0
    seat.bank, seat.asked_at = held.bank, now if seat.asked_at else None
    # His time begins now, so nothing is reckoned by the old rows any more; what was said of them is in the record.
    seat.nights.all().delete()
    seat.leaves.all().delete()
    seat.rests = rests_of(seat)
    seat.save(update_fields=["user", "is_played", "missed", "reminded", "bank", "asked_at", "rests"])
    _agrees_no_more(held, letter, now)
    keep_act(held, "taken", user.pk, now, new=called, name=seat.name)
    reckon_anew(held)
    return seat


def _agrees_no_more(table: Table, letter: str, now: datetime) -> None:
    """T11.4, T11.9: what a seat's former player agreed to, a draw or a judge, binds nobody who takes it over."""
    if letter in table.draw.get("agreed", ()):
        close_draw(table, now)
        table.save(update_fields=["draw"])
    for row in table.judge_proposals.filter(closed_at__isnull=True):
        row.agreed = [agreed for agreed in row.agreed if agreed != letter]
        row.save(update_fields=["agreed"])


def end_searches(now: datetime) -> int:
    """T10.6: nobody is sought any more for the seats of those who are back; how many there were."""
    rows = Substitution.objects.filter(closed_at__isnull=True).select_related("seat__table").defer("seat__table__seed")
    return sum(_ended(row, now) for row in rows if not stays_away(row.seat) or row.seat.table.state == TableState.OVER)


@locking.writes
def _ended(row: Substitution, now: datetime) -> bool:
    held = held_table(row.seat.table)
    seat = held.seats.get(pk=row.seat_id)
    if held.state == TableState.RUNNING and stays_away(seat):
        return False
    row.closed_at = now
    row.save(update_fields=["closed_at"])
    if held.state == TableState.RUNNING:
        keep_act(held, "back", seat.user_id, now, name=seat.name)
    return True


def _absent(seats: Sequence[Seat], letter: str) -> Seat:
    seat = next((each for each in seats if each.letter == letter), None)
    if seat is None or not stays_away(seat):
        raise Refused(gettext("That player isn't away, or is back already."), RULE)
    return seat


def _called(judge: TableJudge | None) -> str:
    return judge.name if judge is not None else ""
