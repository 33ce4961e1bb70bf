"""T5: the parts of tables that a user may know: the lobby, and one table by the pure view of their seat, or of a
spectator.

Nothing else reads hidden state: pages, the API and feeds ask here.
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
"""Entries of a log on a page."""
WINNING = 3
"""A15: the number of the question what wins, at a table of Altered."""
LISTED = 50
"""The most tables of one kind in the lobby."""


# ------------------------------------------------------------------------------------------------ lobby


@dataclass(frozen=True)
class Listed:
    """T12: a table of the lobby. `is_mine`: the viewer has a seat there; `waits`: it is their move."""

    row: Table
    seats: tuple[Seat, ...]
    is_mine: bool
    waits: bool

    @property
    def free(self) -> int:
        """T12: the number of free seats."""
        return self.row.places - len(self.seats)

    @property
    def moving(self) -> tuple[str, ...]:
        """T10: the players whose move it is; nobody while the table is stopped."""
        if self.row.state != TableState.RUNNING or self.row.still_until is not None:
            return ()
        return tuple(seat.name for seat in self.seats if seat.asked_at is not None)


@dataclass(frozen=True)
class Lobby:
    """T12: the tables that a viewer may see: first their own, then those that seek players, are played, are over."""

    mine: tuple[Listed, ...]
    open: tuple[Listed, ...]
    running: tuple[Listed, ...]
    over: tuple[Listed, ...]


def seen_by(user: User) -> QuerySet[Table]:
    """T12: tables that a user may see; of those by invitation only their own, until they start."""
    own_rows = Q(seats__user_id=user.pk or 0) | Q(opened_by_id=user.pk or 0) | Q(draft__drafters__user_id=user.pk or 0)
    hidden = Q(is_invited=True, state__in=(TableState.OPEN, TableState.CUTTING))
    rows = Table.objects.filter(~hidden | own_rows).distinct().defer("seed")
    return rows.select_related("card_list").defer("seed", "card_list__data")


def winners_of(table: Table) -> tuple[str, ...]:
    """T12: the winners of a table that is over, both of a side of two; empty if nobody won."""
    seats = [seat for seat in table.seats.all() if table.winner in (seat.letter, seat.letter[:1])]
    return tuple(seat.name for seat in sorted(seats, key=lambda seat: seat.letter))


def lobby(user: User) -> Lobby:
    """T12: the lobby as the user sees it."""
    seats = Prefetch("seats", Seat.objects.order_by("letter"), to_attr="sitting")
    rows = [_listed(row, user) for row in seen_by(user).prefetch_related(seats)[: 4 * LISTED]]
    living = (TableState.OPEN, TableState.CUTTING, TableState.RUNNING)
    own_rows = tuple(sorted((r for r in rows if r.is_mine and r.row.state in living), key=lambda r: not r.waits))
    rest = [row for row in rows if row not in own_rows]
    return Lobby(
        own_rows,
        tuple(row for row in rest if row.row.state in (TableState.OPEN, TableState.CUTTING)),
        tuple(row for row in rest if row.row.state == TableState.RUNNING),
        tuple(row for row in rest if row.row.state == TableState.OVER),
    )


def _listed(row: Table, user: User) -> Listed:
    seats: list[Seat] = row.sitting  # type: ignore[attr-defined]
    own_seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    owed = row.state == TableState.CUTTING and own_seat is not None and not own_seat.cut
    return Listed(
        row, tuple(seats), own_seat is not None, owed or (own_seat is not None and own_seat.asked_at is not None)
    )


def table_called(slug: str, user: User, invitation: str = "") -> Table | None:
    """T12: the table with that name; None if there is none that the user may see: until it starts, one by invitation
    is for those who have a seat there or its link."""
    rows = Table.objects.select_related("card_list").defer("card_list__data")
    table = rows.filter(slug=slug).first()
    if table is None or not table.is_invited or table.state not in (TableState.OPEN, TableState.CUTTING):
        return table
    if invitation and constant_time_compare(invitation, table.invitation):
        return table
    is_own = table.opened_by_id == user.pk or table.seats.filter(user_id=user.pk or 0).exists()
    return (
        table if is_own or Table.objects.filter(pk=table.pk, draft__drafters__user_id=user.pk or 0).exists() else None
    )


def open_counts() -> Mapping[str, int]:
    """T12: the number of tables in each state."""
    return dict(Table.objects.values_list("state").annotate(Count("pk")).order_by())


# ------------------------------------------------------------------------------------------------ one table


@dataclass(frozen=True)
class StopChoice:
    """T10: a window, or an event, at which a seat may want to be asked."""

    name: str
    is_set: bool
    says: str


@dataclass(frozen=True)
class Logged:
    """T6: an entry as the viewer may read it: author, time, its lines if open or the viewer's own, and the events."""

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
    """T11.6: the table was since taken back to before it, so it no longer counts."""


@dataclass(frozen=True)
class WaitedFor:
    """T10: an awaited player, the decision, and the deadline."""

    names: tuple[str, ...]
    kind: str
    due_at: datetime | None
    is_mine: bool
    options: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class Precedent:
    """T11.3: an earlier ruling, and its table."""

    table: str
    slug: str
    card: str
    program: str
    cites: str
    reason: str


@dataclass(frozen=True)
class ProposedJudge:
    """T11.4: a user proposed as a judge, or for dismissal; `waits`: the seats that have not agreed yet."""

    row: JudgeProposal
    waits: tuple[Seat, ...]
    is_mine: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The names of those who have not agreed yet."""
        return tuple(seat.name for seat in self.waits)

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of their seats."""
        return tuple(seat.letter for seat in self.waits)


@dataclass(frozen=True)
class TableView:
    """T5: a table as one viewer knows it. `letter` is their seat's, or `spectator`; `view` is the pure view of it,
    empty before the start; `offers` is what they may do now, `open_lines` what is filled in first; `log` has
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
    """1.6: whether the viewer's roles count; a token without the scope `judge` has none."""

    @property
    def legal(self) -> tuple[str, ...]:
        """8.3: the lines that they may post now."""
        return tuple(write(action, game_state.game_of(self.table)) for action in self.offers)

    @property
    def viewer(self) -> str:
        """T5, T11.4: the role in which the viewer sees the cards: a judge sees what is public, and the hands that
        they requested by an entry."""
        return JUDGE if self.judge is not None else self.letter

    @property
    def beat_length(self) -> timedelta:
        """T10.4: the time from beat to beat."""
        return timedelta(seconds=self.beat)

    @cached_property
    def seat(self) -> Seat | None:
        return next((seat for seat in self.seats if seat.letter == self.letter), None)

    @cached_property
    def judge(self) -> TableJudge | None:
        """T11.4: the viewer as a judge of this table."""
        own_judges = (judge for judge in self.judges if judge.user_id == self.user_id)
        return next(own_judges, None) if self.has_roles else None

    @cached_property
    def ending(self) -> EndingRuling | None:
        """T11.3: the ruling that would end the game, during its appeal time."""
        return open_ending(self.table)

    @cached_property
    def may_appeal(self) -> bool:
        """R57: whether the viewer may still appeal against the ruling that ends the game."""
        about = contested(self.table, "ending", self.ending.pk) if self.ending is not None and self.seat else None
        return about is not None and why_not(self.table, self.user_id, about, self.now) is None

    @cached_property
    def judge_proposals(self) -> tuple[ProposedJudge, ...]:
        """T11.4: proposals to name or dismiss judges, with those who have not agreed yet."""
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
        """T11.9: the letters of the seats that agreed to the offered draw, the offerer first; empty if none is
        offered."""
        draw, is_on = self.table.draw, self.table.state == TableState.RUNNING
        return tuple(draw["agreed"]) if is_on and draw.get("open") else ()

    @property
    def draw_by(self) -> str:
        """T11.9: the player who offers the draw."""
        return self.names.get(self.draw_offer[0], "") if self.draw_offer else ""

    @cached_property
    def ending_proposals(self) -> frozenset[int]:
        """T11.1: the numbers of the open proposals that would end the game or remove a seat from it."""
        rows = game_state.state_of(self.table).proposals if self.proposals else ()
        return frozenset(
            row.number
            for row in rows
            if any(one.kind == "wins" or (one.kind == "loses" and not one.stat) for one in row.changes)
        )

    @property
    def is_opener(self) -> bool:
        return self.user_id is not None and self.table.opened_by_id == self.user_id

    @cached_property
    def names(self) -> Mapping[str, str]:
        return {seat.letter: seat.name for seat in self.seats}

    @cached_property
    def judges(self) -> tuple[TableJudge, ...]:
        """T11.4: the table's current judges."""
        return tuple(judge for judge in self.ever_judges if judge.dismissed_at is None)

    @cached_property
    def judge_names(self) -> Mapping[int | None, str]:
        """T11.3: the names of the table's judges, also of dismissed ones, by their users."""
        return {judge.user_id: judge.name for judge in self.ever_judges}

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """T7: the cards of the table, which are public; empty before the start."""
        return game_state.cards_of(self.table) if self.view else {}

    @cached_property
    def reaches(self) -> Mapping[int, Mapping[str, Any]]:
        """T12: the public reach of each mercenary, by its number; empty if none is on a battlefield."""
        reaches = game_state.rules_of(self.table).reaches
        return reaches(game_state.state_of(self.table)) if self.view and reaches is not None else {}

    @cached_property
    def precedents(self) -> tuple[Precedent, ...]:
        """T11.3: earlier rulings on the card that the table waits for."""
        return rulings_on(self.table.game, self.about)[:5] if self.about else ()

    @property
    def lacks_winning(self) -> bool:
        """A15: whether the players have begun to agree, but not yet on what wins; only they could end the game then."""
        agreeing = self.view.get("agreeing", {})
        wordings = {one["number"]: one["wording"] for one in agreeing.get("said", ())} | {
            int(number): wording for number, wording in agreeing.get("holds", {}).items()
        }
        return bool(wordings) and wordings.get(WINNING, "by hand") in ("by hand", "leave open")

    @property
    def stops(self) -> tuple[StopChoice, ...]:
        """T10: the windows in which the viewer may want to be asked, and the chosen ones."""
        own_seat = next((seat for seat in self.view.get("seats", ()) if seat["letter"] == self.letter), None)
        if own_seat is None or self.seat is None or self.table.state != TableState.RUNNING:
            return ()
        rules = game_state.rules_of(self.table)
        chosen_stops = own_seat.get("stops", ("every window",))
        labels = {name: of_stop(name, self.table.game) for name in stops.names(rules)}
        return tuple(StopChoice(name, name in chosen_stops, label) for name, label in labels.items() if label)

    @property
    def orders(self) -> tuple[Order, ...]:
        """T10.3: the viewer's own standing orders, as they count now; a rewind changes them, too."""
        return orders_of(self.table, self.seat) if self.seat is not None else ()

    @property
    def planned(self) -> tuple[str, ...]:
        """T9.2: the rest of the viewer's own plan."""
        if self.seat is None or self.table.state != TableState.RUNNING:
            return ()
        plan = standing_orders.of(game_state.state_of(self.table), self.letter)
        return plan.lines if plan is not None else ()

    @property
    def free(self) -> int:
        """T12: the number of free seats."""
        return self.table.places - len(self.seats)

    @property
    def owes_cut(self) -> bool:
        """T8: whether the viewer's word is due."""
        return self.table.state == TableState.CUTTING and self.seat is not None and not self.seat.cut

    def log(self, before: int | None = None) -> tuple[Logged, ...]:
        """T6: the entries before a given one, or the last ones; the newest first."""
        return log_of(self, before)


def table_view(table: Table, user: User, now: datetime, *, has_roles: bool = True) -> TableView:
    """T5: a table as the user may know it. A judge sees what is public, and what they requested by an entry (11),
    unless they look without their roles."""
    seats = tuple(table.seats.order_by("letter"))
    judges = tuple(table.judges.all())
    own_seat = next((seat for seat in seats if user.pk is not None and seat.user_id == user.pk), None)
    letter = own_seat.letter if own_seat else SPECTATOR
    base_view = TableView(table, seats, judges, letter, user.pk, now, has_roles=has_roles)
    if table.state not in (TableState.RUNNING, TableState.OVER):
        return base_view
    state = game_state.state_of(table)
    rules = game_state.rules_of(table)
    plain = view(rules, state, base_view.viewer, is_open=table.state == TableState.OVER)
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
    """8.3, T11.2: the lines that a seat may post now; none while the table is stopped."""
    if table.still_until is not None:
        return (), ()
    rules = game_state.rules_of(table)
    return offers(rules, state, letter), open_lines(rules, state, letter)


def orders_of(table: Table, seat: Seat) -> tuple[Order, ...]:
    """T10.3: the current standing orders of a seat by the table's log; only for its player."""
    if table.state not in (TableState.RUNNING, TableState.OVER):
        return ()
    return tuple(order for order in game_state.state_of(table).orders if order.seat == seat.letter)


def _about(state: State) -> str:
    """T11: the card whose text has to be settled; empty if the table waits for something else."""
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
    letters = [str(each) for each in waits["for"]]
    due = [due for seat in seats if seat.letter in letters and (due := due_of(table, seat)) is not None]
    return WaitedFor(
        tuple(names.get(each, each) for each in letters), str(waits["kind"]), min(due, default=None), letter in letters,
        tuple(waits.get("options", ())), tuple(waits.get("told", ())),
    )  # fmt: skip


def log_of(seen: TableView, before: int | None = None, after: int | None = None) -> tuple[Logged, ...]:
    """T6: a table's entries as the viewer may read them, the newest first; `after`: those since an entry."""
    rows = Entry.objects.filter(table=seen.table)
    rows = rows.filter(n__lt=before) if before is not None else rows
    rows = rows.filter(n__gt=after) if after is not None else rows
    rows = rows.select_related("told").order_by("-n")[:ON_A_PAGE]
    is_over = seen.table.state == TableState.OVER
    own_rows = {row.pk: row for row in rows if row.secret and (is_over or row.by == seen.letter)}
    hidden = game_state.hidden_lines(list(own_rows.values())) if own_rows else {}
    rewinds = _undone(seen.table) if rows else ()
    return tuple(
        _logged(row, seen, hidden.get(row.pk, ()), is_undone=any(to < row.n < back for to, back in rewinds))
        for row in rows
    )


def _undone(table: Table) -> tuple[tuple[int, int], ...]:
    """T11.6: the entry to which the table was taken back, and the one that did it: those between no longer count."""
    rows = Entry.objects.filter(table=table, kind="rewind").select_related("told")
    return tuple(
        (int(row.args["to"]), row.n)
        for row in rows
        if any(event["kind"] == "rewound" for event in row.told.told[SPECTATOR])
    )


def _logged(row: Entry, view: TableView, own_lines: Sequence[str], *, is_undone: bool) -> Logged:
    by_letter = row.told.told if hasattr(row, "told") else {}
    events = by_letter.get(view.letter, by_letter.get(SPECTATOR, []))
    actor = view.names.get(row.by, row.by)
    if row.by == "service":
        actor = gettext("The service")
    elif row.by == "judge":
        actor = view.judge_names.get(row.user_id, gettext("A judge"))
    lines = tuple(str(line) for line in row.args.get("lines", ())) or tuple(own_lines)
    reason = str(row.args.get("reason", ""))
    return Logged(
        row.n, row.at, actor, row.kind, lines, bool(row.secret) and not lines,
        ending_in_words(reason) if row.kind == "end" else reason,
        str(row.args.get("cites", "")), sentences(events, view.names, view.table.game), row.hash, is_undone,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ reading a line


@dataclass(frozen=True)
class Reading:
    """T9: the reading of a line: written out in full, or why it can't be read."""

    line: str
    reads: str
    wrong: str


def read_over(table: Table, letter: str, lines: Sequence[str]) -> tuple[Reading, ...]:
    """T9: each line in full notation, for a seat or a spectator. It reveals nothing of the line's effects."""
    state = game_state.as_known_to(table, game_state.state_of(table), letter)
    readings = []
    for line in lines:
        try:
            readings.append(Reading(line, write(read(state, line), game_state.game_of(table)), ""))
        except RuleSays as refused:
            readings.append(Reading(line, "", refused.reason.in_words))
        except ValueError:
            readings.append(Reading(line, line, ""))
    return tuple(readings)


def time_left(due_at: datetime | None, now: datetime) -> timedelta | None:
    """T10: the remaining time, at least zero."""
    return max(timedelta(0), due_at - now) if due_at is not None else None


MOST_RULINGS = 400
"""The most rulings of a game that are searched, the newest first."""
OF_A_CARD = 5


def rulings_by_card(game: str) -> Mapping[str, tuple[Precedent, ...]]:
    """T11.5: the newest rulings on each card of a game, by its name in lower case. One query."""
    rows = TableRuling.objects.filter(game=game).exclude(card="").select_related("entry__table")
    precedents: dict[str, tuple[Precedent, ...]] = {}
    for row in rows.defer("entry__table__seed", "entry__args")[:MOST_RULINGS]:
        previous = precedents.get(row.card.casefold(), ())
        if len(previous) < OF_A_CARD:
            table = row.entry.table
            one = Precedent(table.name, table.slug, row.card, row.program, row.cites, row.reason)
            precedents[row.card.casefold()] = (*previous, one)
    return precedents
