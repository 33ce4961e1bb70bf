"""T5: what somebody may know of tables: the lobby, and one table by the pure view of his seat, or of a spectator.

Nobody else reads hidden state: pages, the API and feeds ask here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext

from judging.tables import game_state
from judging.tables.clocks import due_of
from judging.tables.conduct.appeals import contested, why_not
from judging.tables.conduct.endings import open_ending
from judging.tables.conduct.models import EndingRuling
from judging.tables.models import Entry, JudgeProposal, Seat, Table, TableJudge, TableRuling, TableState
from judging.tables.sentences import ToldTableEvent, ending_in_words, of_stop, sentences
from tables.core.blanks import OpenLine
from tables.core.lines.actions import Action
from tables.core.lines.understanding import read
from tables.core.lines.writing import write
from tables.core.lists.cards import Card
from tables.core.offering import offers, open_lines
from tables.core.pace import standing_orders, stops
from tables.core.pace.standing_orders import Order
from tables.core.reasons import Refused as RuleSays
from tables.core.reducer import TAKE_BACK
from tables.core.state import Scope, State
from tables.core.views import JUDGE, SPECTATOR, view

User = AbstractBaseUser | AnonymousUser
ON_A_PAGE = 40
"""Entries of a log."""
WINNING = 3
"""A15: the number of the question what wins at a table of Altered."""
LISTED = 50
"""Tables of one kind in the lobby."""


# ------------------------------------------------------------------------------------------------ lobby


@dataclass(frozen=True)
class Listed:
    """T12: a table of the lobby. `is_mine`: the viewer sits there; `waits`: he is waited for."""

    row: Table
    seats: tuple[Seat, ...]
    is_mine: bool
    waits: bool

    @property
    def free(self) -> int:
        """T12: how many seats nobody has taken."""
        return self.row.places - len(self.seats)

    @property
    def moving(self) -> tuple[str, ...]:
        """T10: whose move it is; nobody's while the table stands still."""
        if self.row.state != TableState.RUNNING or self.row.still_until is not None:
            return ()
        return tuple(seat.name for seat in self.seats if seat.asked_at is not None)


@dataclass(frozen=True)
class Lobby:
    """T12: the tables that a viewer may see: his own first, then those that seek players, are played, are over."""

    mine: tuple[Listed, ...]
    open: tuple[Listed, ...]
    running: tuple[Listed, ...]
    over: tuple[Listed, ...]


def seen_by(user: User) -> QuerySet[Table]:
    """T12: tables that somebody may see; of those by invitation only, until they start, his own."""
    mine = Q(seats__user_id=user.pk or 0) | Q(opened_by_id=user.pk or 0) | Q(draft__drafters__user_id=user.pk or 0)
    hidden = Q(is_invited=True, state__in=(TableState.OPEN, TableState.CUTTING))
    rows = Table.objects.filter(~hidden | mine).distinct().defer("seed")
    return rows.select_related("card_list").defer("seed", "card_list__data")


def winners_of(table: Table) -> tuple[str, ...]:
    """T12: who won a table that is over, both of a side of two; empty where nobody has."""
    seats = [seat for seat in table.seats.all() if table.winner in (seat.letter, seat.letter[:1])]
    return tuple(seat.name for seat in sorted(seats, key=lambda seat: seat.letter))


def lobby(user: User) -> Lobby:
    """T12: the lobby as somebody sees it."""
    seats = Prefetch("seats", Seat.objects.order_by("letter"), to_attr="sitting")
    rows = [_listed(row, user) for row in seen_by(user).prefetch_related(seats)[: 4 * LISTED]]
    living = (TableState.OPEN, TableState.CUTTING, TableState.RUNNING)
    mine = tuple(sorted((r for r in rows if r.is_mine and r.row.state in living), key=lambda r: not r.waits))
    rest = [row for row in rows if row not in mine]
    return Lobby(
        mine,
        tuple(row for row in rest if row.row.state in (TableState.OPEN, TableState.CUTTING)),
        tuple(row for row in rest if row.row.state == TableState.RUNNING),
        tuple(row for row in rest if row.row.state == TableState.OVER),
    )


def _listed(row: Table, user: User) -> Listed:
    seats: list[Seat] = row.sitting  # type: ignore[attr-defined]
    mine = next((seat for seat in seats if seat.user_id == user.pk), None)
    owed = row.state == TableState.CUTTING and mine is not None and not mine.cut
    return Listed(row, tuple(seats), mine is not None, owed or (mine is not None and mine.asked_at is not None))


def table_called(slug: str, user: User, invitation: str = "") -> Table | None:
    """T12: the table of that name; None if there is none, and none that somebody may see: one by invitation, until it
    starts, is for those who sit at it or have its link."""
    rows = Table.objects.select_related("card_list").defer("card_list__data")
    table = rows.filter(slug=slug).first()
    if table is None or not table.is_invited or table.state not in (TableState.OPEN, TableState.CUTTING):
        return table
    if invitation and constant_time_compare(invitation, table.invitation):
        return table
    mine = table.opened_by_id == user.pk or table.seats.filter(user_id=user.pk or 0).exists()
    return table if mine or Table.objects.filter(pk=table.pk, draft__drafters__user_id=user.pk or 0).exists() else None


def open_counts() -> Mapping[str, int]:
    """T12: how many tables there are in each state."""
    return dict(Table.objects.values_list("state").annotate(Count("pk")).order_by())


# ------------------------------------------------------------------------------------------------ one table


@dataclass(frozen=True)
class StopChoice:
    """T10: a window, or something that happens, in which a seat may want to be asked."""

    name: str
    is_set: bool
    says: str


@dataclass(frozen=True)
class Logged:
    """T6: an entry as somebody may read it: who, when, his lines where they are open or one's own, and what came."""

    n: int
    at: datetime
    who: str
    kind: str
    lines: tuple[str, ...]
    is_hidden: bool
    reason: str
    cites: str
    told: tuple[ToldTableEvent, ...]
    hash: str
    is_undone: bool = False
    """T11.6: the table was taken back behind it since, and it counts no longer."""


@dataclass(frozen=True)
class WaitedFor:
    """T10: who is waited for, for what, and until when."""

    names: tuple[str, ...]
    kind: str
    due_at: datetime | None
    is_mine: bool
    options: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class Precedent:
    """T11.3: how something was ruled before, and at which table."""

    table: str
    slug: str
    card: str
    program: str
    cites: str
    reason: str


@dataclass(frozen=True)
class ProposedJudge:
    """T11.4: somebody who is proposed as a judge, or to be dismissed; `waits`: the seats that have not agreed yet."""

    row: JudgeProposal
    waits: tuple[Seat, ...]
    is_mine: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Who has not agreed yet."""
        return tuple(seat.name for seat in self.waits)

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of their seats."""
        return tuple(seat.letter for seat in self.waits)


@dataclass(frozen=True)
class TableView:
    """T5: a table as one viewer knows it. `letter` is his seat's, or `spectator`; `view` is the pure view of it, empty
    before the start; `offers` is what he may do now, `open_lines` what is filled in first; `log` has
    the last entries, the newest first. `beat`: seconds from beat to beat, on which private answers are given."""

    table: Table
    seats: tuple[Seat, ...]
    ever_judges: tuple[TableJudge, ...]
    letter: str
    user_id: int | None
    now: datetime
    view: Mapping[str, Any] = field(default_factory=dict)
    offers: tuple[Action, ...] = ()
    open_lines: tuple[OpenLine, ...] = ()
    waits: WaitedFor | None = None
    may_take_back: bool = False
    proposals: tuple[Mapping[str, Any], ...] = ()
    about: str = ""
    beat: int = 0
    has_roles: bool = True
    """1.6: whether the viewer looks with his office; a token without the scope `judge` does not."""

    @property
    def legal(self) -> tuple[str, ...]:
        """8.3: the lines that he may post now."""
        return tuple(write(action, game_state.game_of(self.table)) for action in self.offers)

    @property
    def viewer(self) -> str:
        """T5, T11.4: as whom he sees the cards: a judge sees what all see, and the hands for which he has asked by an
        entry."""
        return JUDGE if self.judge is not None else self.letter

    @property
    def beat_length(self) -> timedelta:
        """T10.4: the time from beat to beat."""
        return timedelta(seconds=self.beat)

    @cached_property
    def seat(self) -> Seat | None:
        """The viewer's seat."""
        return next((seat for seat in self.seats if seat.letter == self.letter), None)

    @cached_property
    def judge(self) -> TableJudge | None:
        """T11.4: the viewer as a judge of this table."""
        mine = (judge for judge in self.judges if judge.user_id == self.user_id)
        return next(mine, None) if self.has_roles else None

    @cached_property
    def ending(self) -> EndingRuling | None:
        """T11.3: the ruling that would end the game, while it waits for its appeal time."""
        return open_ending(self.table)

    @cached_property
    def may_appeal(self) -> bool:
        """R57: whether the viewer may still appeal against the ruling that ends the game."""
        about = contested(self.table, "ending", self.ending.pk) if self.ending is not None and self.seat else None
        return about is not None and why_not(self.table, self.user_id, about, self.now) is None

    @cached_property
    def judge_proposals(self) -> tuple[ProposedJudge, ...]:
        """T11.4: judges that are proposed, or to be dismissed, and who has not agreed yet."""
        rows = self.table.judge_proposals.filter(closed_at__isnull=True)
        return tuple(
            ProposedJudge(
                row, tuple(seat for seat in self.seats if seat.letter not in row.agreed),
                is_mine=row.proposed_by_id == self.user_id,
            )
            for row in rows
        )  # fmt: skip

    @property
    def draw_offer(self) -> tuple[str, ...]:
        """T11.9: the letters of the seats that agreed to the draw that is offered, the offerer first; empty where none
        is."""
        draw, is_on = self.table.draw, self.table.state == TableState.RUNNING
        return tuple(draw["agreed"]) if is_on and draw.get("open") else ()

    @property
    def draw_by(self) -> str:
        """T11.9: who offers the draw."""
        return self.names.get(self.draw_offer[0], "") if self.draw_offer else ""

    @cached_property
    def ending_proposals(self) -> frozenset[int]:
        """T11.1: the numbers of the open proposals that would end the game or take a seat out of it."""
        rows = game_state.state_of(self.table).proposals if self.proposals else ()
        return frozenset(
            row.number
            for row in rows
            if any(one.kind == "wins" or (one.kind == "loses" and not one.stat) for one in row.changes)
        )

    @property
    def is_opener(self) -> bool:
        """Whether the viewer opened the table."""
        return self.user_id is not None and self.table.opened_by_id == self.user_id

    @cached_property
    def names(self) -> Mapping[str, str]:
        """What the seats are called."""
        return {seat.letter: seat.name for seat in self.seats}

    @cached_property
    def judges(self) -> tuple[TableJudge, ...]:
        """T11.4: who judges the table now."""
        return tuple(judge for judge in self.ever_judges if judge.dismissed_at is None)

    @cached_property
    def judge_names(self) -> Mapping[int | None, str]:
        """T11.3: what the table's judges are called, dismissed ones too, by their users."""
        return {judge.user_id: judge.name for judge in self.ever_judges}

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """T7: the cards of the table, which are public; empty before the start."""
        return game_state.cards_of(self.table) if self.view else {}

    @cached_property
    def reaches(self) -> Mapping[int, Mapping[str, Any]]:
        """T12: what each mercenary reaches, as all may know it, by its number; empty where none stands on a ground."""
        reaches = game_state.rules_of(self.table).reaches
        return reaches(game_state.state_of(self.table)) if self.view and reaches is not None else {}

    @cached_property
    def precedents(self) -> tuple[Precedent, ...]:
        """T11.3: how the card that the table waits for was ruled before."""
        return rulings_on(self.table.game, self.about)[:5] if self.about else ()

    @property
    def lacks_winning(self) -> bool:
        """A15: whether the players have begun to agree, and nobody has said what wins; only they could end the game
        then."""
        agreeing = self.view.get("agreeing", {})
        said = {one["number"]: one["wording"] for one in agreeing.get("said", ())} | {
            int(number): wording for number, wording in agreeing.get("holds", {}).items()
        }
        return bool(said) and said.get(WINNING, "by hand") in ("by hand", "leave open")

    @property
    def stops(self) -> tuple[StopChoice, ...]:
        """T10: in which windows the viewer may want to be asked, and where he does."""
        mine = next((seat for seat in self.view.get("seats", ()) if seat["letter"] == self.letter), None)
        if mine is None or self.seat is None or self.table.state != TableState.RUNNING:
            return ()
        rules = game_state.rules_of(self.table)
        kept = mine.get("stops", ("every window",))
        words = {name: of_stop(name, self.table.game) for name in stops.names(rules)}
        return tuple(StopChoice(name, name in kept, told) for name, told in words.items() if told)

    @property
    def orders(self) -> tuple[Order, ...]:
        """T10.3: the viewer's own standing orders, as they count now; a rewind changes them, too."""
        return orders_of(self.table, self.seat) if self.seat is not None else ()

    @property
    def planned(self) -> tuple[str, ...]:
        """T9.2: what is left of the viewer's own plan."""
        if self.seat is None or self.table.state != TableState.RUNNING:
            return ()
        plan = standing_orders.of(game_state.state_of(self.table), self.letter)
        return plan.lines if plan is not None else ()

    @property
    def free(self) -> int:
        """T12: how many seats nobody has taken."""
        return self.table.places - len(self.seats)

    @property
    def owes_cut(self) -> bool:
        """T8: whether the viewer's word is waited for."""
        return self.table.state == TableState.CUTTING and self.seat is not None and not self.seat.cut

    def log(self, before: int | None = None) -> tuple[Logged, ...]:
        """T6: entries that came before one, or the last ones; the newest first."""
        return log_of(self, before)


def table_view(table: Table, user: User, now: datetime, *, has_roles: bool = True) -> TableView:
    """T5: a table as somebody may know it. A judge sees what all see, and what he asked to see by an entry (11), unless
    he looks without his roles."""
    seats = tuple(table.seats.order_by("letter"))
    judges = tuple(table.judges.all())
    mine = next((seat for seat in seats if user.pk is not None and seat.user_id == user.pk), None)
    letter = mine.letter if mine else SPECTATOR
    found = TableView(table, seats, judges, letter, user.pk, now, has_roles=has_roles)
    if table.state not in (TableState.RUNNING, TableState.OVER):
        return found
    state = game_state.state_of(table)
    rules = game_state.rules_of(table)
    plain = view(rules, state, found.viewer, is_open=table.state == TableState.OVER)
    names = {seat.letter: seat.name for seat in seats}
    back = state.back
    return TableView(
        table, seats, judges, letter, user.pk, now, plain, *_may(table, state, letter),
        _waits(plain, seats, names, letter, table),
        back is not None and back.by == letter and game_state.moment(now) - back.at <= TAKE_BACK,
        tuple(one for one in plain["proposals"] if isinstance(one, dict)),  # type: ignore[union-attr]
        _about(state), state.options.beat, has_roles,
    )  # fmt: skip


def _may(table: Table, state: State, letter: str) -> tuple[tuple[Action, ...], tuple[OpenLine, ...]]:
    """8.3, T11.2: what a seat may post now; nothing while the table stands still."""
    if table.still_until is not None:
        return (), ()
    rules = game_state.rules_of(table)
    return offers(rules, state, letter), open_lines(rules, state, letter)


def orders_of(table: Table, seat: Seat) -> tuple[Order, ...]:
    """T10.3: the standing orders of a seat as the table's log has them now; for who sits there alone."""
    if table.state not in (TableState.RUNNING, TableState.OVER):
        return ()
    return tuple(order for order in game_state.state_of(table).orders if order.seat == seat.letter)


def _about(state: State) -> str:
    """T11: the card whose text the table waits for to be settled; empty where it waits for something else."""
    if state.decision is None or state.decision.kind != "manual":
        return ""
    scope = getattr(state.decision, "scope", None)
    return scope.card if isinstance(scope, Scope) else ""


def rulings_on(game: str, card: str = "", rule: str = "") -> tuple[Precedent, ...]:
    """T11.3: rulings of a game, of one card or by one rule, the newest first."""
    rows = TableRuling.objects.filter(game=game).select_related("entry__table")
    rows = rows.filter(card__iexact=card) if card else rows
    rows = rows.filter(cites=rule) if rule else rows
    return tuple(
        Precedent(row.entry.table.name, row.entry.table.slug, row.card, row.program, row.cites, row.reason)
        for row in rows[:ON_A_PAGE]
    )


def _waits(
    plain: Mapping[str, Any], seats: Sequence[Seat], names: Mapping[str, str], letter: str, table: Table
) -> WaitedFor | None:
    waits = plain["waits"]
    if waits is None:
        return None
    of = [str(each) for each in waits["for"]]
    due = [due for seat in seats if seat.letter in of and (due := due_of(table, seat)) is not None]
    return WaitedFor(
        tuple(names.get(each, each) for each in of), str(waits["kind"]), min(due, default=None), letter in of,
        tuple(waits.get("options", ())), tuple(waits.get("told", ())),
    )  # fmt: skip


def log_of(seen: TableView, before: int | None = None, after: int | None = None) -> tuple[Logged, ...]:
    """T6: a table's entries as somebody may read them, the newest first; `after`: those since an entry."""
    rows = Entry.objects.filter(table=seen.table)
    rows = rows.filter(n__lt=before) if before is not None else rows
    rows = rows.filter(n__gt=after) if after is not None else rows
    rows = rows.select_related("told").order_by("-n")[:ON_A_PAGE]
    is_over = seen.table.state == TableState.OVER
    own = {row.pk: row for row in rows if row.secret and (is_over or row.by == seen.letter)}
    hidden = game_state.hidden_lines(list(own.values())) if own else {}
    undone = _undone(seen.table) if rows else ()
    return tuple(
        _logged(row, seen, hidden.get(row.pk, ()), is_undone=any(to < row.n < back for to, back in undone))
        for row in rows
    )


def _undone(table: Table) -> tuple[tuple[int, int], ...]:
    """T11.6: behind which entry the table was taken back, and by which: what lies between counts no longer."""
    rows = Entry.objects.filter(table=table, kind="rewind").select_related("told")
    return tuple(
        (int(row.args["to"]), row.n)
        for row in rows
        if any(event["kind"] == "rewound" for event in row.told.told[SPECTATOR])
    )


def _logged(row: Entry, seen: TableView, own: Sequence[str], *, is_undone: bool) -> Logged:
    told = row.told.told if hasattr(row, "told") else {}
    events = told.get(seen.letter, told.get(SPECTATOR, []))
    who = seen.names.get(row.by, row.by)
    if row.by == "service":
        who = gettext("The service")
    elif row.by == "judge":
        who = seen.judge_names.get(row.user_id, gettext("A judge"))
    lines = tuple(str(line) for line in row.args.get("lines", ())) or tuple(own)
    reason = str(row.args.get("reason", ""))
    return Logged(
        row.n, row.at, who, row.kind, lines, bool(row.secret) and not lines,
        ending_in_words(reason) if row.kind == "end" else reason,
        str(row.args.get("cites", "")), sentences(events, seen.names, seen.table.game), row.hash, is_undone,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ reading a line


@dataclass(frozen=True)
class Reading:
    """T9: how a line is read: written out in full, or why it can't be read."""

    line: str
    reads: str
    wrong: str


def read_over(table: Table, letter: str, lines: Sequence[str]) -> tuple[Reading, ...]:
    """T9: each line as the notation has it, for a seat or a spectator. It tells nothing of what would come of it."""
    state = game_state.as_known_to(table, game_state.state_of(table), letter)
    found = []
    for line in lines:
        try:
            found.append(Reading(line, write(read(state, line), game_state.game_of(table)), ""))
        except RuleSays as refused:
            found.append(Reading(line, "", refused.reason.in_words))
        except ValueError:
            found.append(Reading(line, line, ""))
    return tuple(found)


def time_left(due_at: datetime | None, now: datetime) -> timedelta | None:
    """T10: how long somebody still has; nothing below zero."""
    return max(timedelta(0), due_at - now) if due_at is not None else None


MOST_RULINGS = 400
"""So many rulings of a game are looked through, the newest."""
OF_A_CARD = 5


def rulings_by_card(game: str) -> Mapping[str, tuple[Precedent, ...]]:
    """T11.5: the newest rulings on each card of a game, by its name in small letters. One statement."""
    rows = TableRuling.objects.filter(game=game).exclude(card="").select_related("entry__table")
    found: dict[str, tuple[Precedent, ...]] = {}
    for row in rows.defer("entry__table__seed", "entry__args")[:MOST_RULINGS]:
        known = found.get(row.card.casefold(), ())
        if len(known) < OF_A_CARD:
            table = row.entry.table
            one = Precedent(table.name, table.slug, row.card, row.program, row.cites, row.reason)
            found[row.card.casefold()] = (*known, one)
    return found
