"""T4: the one module that knows both rows and core: a table is the fold of its log (`tables.core.log`), and nothing
else reads it.

Only this module reads secrets (the seed, decks, secrets of entries). This process caches tables by their rows and
latest hashes; a miss starts at a snapshot, or at the beginning.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache

from django.urls import reverse
from django.utils.translation import gettext

from judging.common.errors import Damaged
from judging.tables.models import CardList, Entry, Hidden, Seat, Snapshot, Table
from tables.core.entries import Logged
from tables.core.lists import cardlist
from tables.core.lists.cards import Card, Game
from tables.core.lists.decks import read_deck_data, write_deck
from tables.core.log import ad_hoc_cards, snapshots
from tables.core.log.folding import Carried, carry
from tables.core.log.folding import Table as Folded
from tables.core.log.opening import Given
from tables.core.play import Rules
from tables.core.state import State
from tables.games import RULES
from wargame.world import UNREADABLE

EVERY = 50
"""T6: the number of entries between two snapshots."""
KEPT = 64
"""The most cached states in a process."""


class DamagedTable(Damaged, ValueError):
    """T6: a table's log can't be folded any more: a row of it was changed by hand."""

    def __init__(self, table: Table) -> None:
        where = reverse("table-verify", args=[table.slug])
        super().__init__(
            gettext("We couldn't read the log of %(table)s to its end. %(where)s shows which entry was changed.")
            % {"table": table.name, "where": where}
        )


Key = tuple[int, int, str]
"""A table's row, an entry's number and its hash."""

_states: OrderedDict[Key, State] = OrderedDict()
_lock = threading.Lock()


# --------------------------------------------------------------------------------------- what a table stands on


def rules_of(table: Table) -> Rules:
    """T4: what the table's game adds to the core."""
    return RULES[table.game]


def game_of(table: Table) -> Game:
    """T4: the game's name, as the core has it."""
    return table.game  # type: ignore[return-value]


def cards_of(table: Table) -> Mapping[str, Card]:
    """T7: the cards of a table: those of its list; at a free table without one, the cards in its decks."""
    if table.card_list is not None:
        return cards_in(table.card_list)
    names: set[str] = set()
    for args in Hidden.objects.filter(entry__table=table, entry__kind="deck").values_list("args", flat=True):
        names |= names_in(args)
    return _cards_called(tuple(sorted(names)))


def cards_in(card_list: CardList) -> Mapping[str, Card]:
    """T7: the cards of a list by name."""
    return _listed(card_list.pk, card_list.hash)


@lru_cache(maxsize=32)
def _listed(pk: int, hash: str) -> Mapping[str, Card]:
    read = cardlist.read_list(CardList.objects.get(pk=pk).data)
    if isinstance(read, tuple):
        raise ValueError(f"list {pk} can't be read any more: {read[0]}")
    return read.cards


@lru_cache(maxsize=32)
def _cards_called(names: tuple[str, ...]) -> Mapping[str, Card]:
    return ad_hoc_cards.cards_called(names)


def names_in(deck: Mapping[str, object]) -> set[str]:
    """T8: the names in a deck; none if it can't be read."""
    read = read_deck_data(deck)
    return set() if isinstance(read, tuple) else {*read.main, *read.side, *(name for _, name in read.extra)}


def given_of(table: Table, coming: Mapping[str, object] | None = None) -> Given:
    """T6, T8: the table's data besides its log. It reveals every outcome, so it is passed to nobody else. `coming`:
    a deck that is being handed in."""
    has_list, cards = table.card_list_id is not None, cards_of(table)
    if coming is not None and not has_list:
        cards = _cards_called(tuple(sorted({*cards, *names_in(coming)})))
    return Given(rules_of(table), cards, bytes(table.seed), has_list, table.rules_version)


# ------------------------------------------------------------------------------------------------ entries


def moment(at: datetime) -> int:
    """T6: the time of an entry for the core, in whole seconds."""
    return int(at.timestamp())


def logged(entry: Entry, hidden: Mapping[str, object] | None = None) -> Logged:
    """T6: an entry for the core; `hidden`: its secret arguments, if it has any."""
    return Logged(entry.n, moment(entry.at), entry.by, entry.kind, entry.args, hidden or {})  # type: ignore[arg-type]


def carried(table: Table, said: Logged) -> Carried:
    """T6: the next entry of a table carried out; nothing is stored."""
    coming = said.hidden if said.kind == "deck" else None
    now = table_of(table) if table.entries else None
    return carry(given_of(table, coming), now, said, _Replay(table).after)


def hidden_lines(entries: Sequence[Entry]) -> Mapping[int, tuple[str, ...]]:
    """T6: the hidden lines and decks of entries, by their keys: for their authors, or for all once the table is
    over."""
    rows = Hidden.objects.filter(entry__in=entries).values_list("entry_id", "args")
    return {key: tuple(str(line) for line in args["lines"]) if "lines" in args else _deck(args) for key, args in rows}


def _deck(args: Mapping[str, object]) -> tuple[str, ...]:
    read = read_deck_data(args)
    return () if isinstance(read, tuple) else (", ".join(write_deck(read).splitlines()),)


# ------------------------------------------------------------------------------------------------ the fold


def as_known_to(table: Table, state: State, letter: str) -> State:
    """T8: the state for a reader of a seat's lines. The cards of a list are public; without one, each player knows
    their own deck and all open cards."""
    return state if table.card_list_id is not None else ad_hoc_cards.as_known_to(rules_of(table), state, letter)


def state_of(table: Table, n: int | None = None) -> State:
    """T6: the state after entry `n`, or now. Raises ValueError if the table was not dealt by then."""
    state = table_of(table, n)
    if not isinstance(state, State):
        raise ValueError(f"{table.slug} was not dealt by entry {n or table.entries}")
    return state


def state_at(table: Table, n: int, head: str) -> State | None:
    """T6: the state after entry `n`, whose hash is `head`; None if it was not dealt by then."""
    state = _kept_state(table, n, head) or table_of(table, n)
    return state if isinstance(state, State) else None


def table_of(table: Table, n: int | None = None) -> Folded:
    """T6: the table after entry `n`, or now, dealt or not. Raises DamagedTable if the log is refused on replay,
    can't be read, or is too short."""
    if n is None and (cached := _kept_state(table, table.entries, table.head)) is not None:
        return cached
    try:
        folded = _Replay(table).after(table.entries if n is None else n)
    except UNREADABLE as error:
        raise DamagedTable(table) from error
    if n is None and isinstance(folded, State):
        keep(table, folded)
    return folded


class _Replay:
    """T6: a table folded from the nearest snapshot on. It caches each fold, as a rewind reads earlier states."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._given: Given | None = None
        self._found: dict[int, Folded] = {}

    def after(self, number: int) -> Folded:
        if number not in self._found:
            self._fold(number)
        return self._found[number]

    def _fold(self, number: int) -> None:
        setup = self._given = self._given or given_of(self.table)
        since = max((n for n in self._found if n < number), default=0)
        snapshot = _snapshot(self.table, setup, since, number)
        if snapshot is not None:
            since = snapshot.entry
            self._found[since] = snapshot
        folded: Folded | None = self._found.get(since)
        for entry in _entries(self.table, since, number):
            now = carry(setup, folded, entry, self.after)
            if now.reason is not None or now.table is None:
                why = now.reason.in_words if now.reason is not None else ""
                raise ValueError(f"entry {entry.n} of {self.table.slug} is refused on replay: {why}")
            folded = self._found[entry.n] = now.table
        if number not in self._found:
            raise ValueError(f"{self.table.slug} has no entry {number}")


def _entries(table: Table, since: int, until: int) -> list[Logged]:
    rows = Entry.objects.filter(table=table, n__gt=since, n__lte=until).select_related("hidden").order_by("n")
    return [logged(row, row.hidden.args if row.secret else None) for row in rows]


# ------------------------------------------------------------------------------------------------ what is kept


def snapshot(table: Table, state: State, *, is_due: bool = False) -> Snapshot | None:
    """T6: the row that shortens a replay, unsaved; None if none is due."""
    if table.entries % EVERY and not is_due:
        return None
    return Snapshot(table=table, n=table.entries, state=json.loads(snapshots.kept(state)))


def _snapshot(table: Table, setup: Given, since: int, until: int) -> State | None:
    """T6: the newest readable snapshot between two entries whose hash matches the chain."""
    row = Snapshot.objects.filter(table=table, n__gt=since, n__lte=until).order_by("-n").first()
    if row is None:
        return None
    args = dict(Entry.objects.filter(table=table, n__in=(1, row.n)).values_list("n", "args"))
    cuts = dict(Seat.objects.filter(table=table).values_list("letter", "cut"))
    try:
        state = snapshots.read(setup, table.slug, tuple(cuts[letter] for letter in args[1]["seats"]), row.state)
    except ValueError:
        return None
    return state if args[row.n].get("state", "") == snapshots.state_hash(state) else None


def keep(table: Table, state: State) -> None:
    """T6: cache the state after the table's last entry in this process."""
    with _lock:
        _states[table.pk, table.entries, table.head] = state
        while len(_states) > KEPT:
            _states.popitem(last=False)


def forget() -> None:
    """Forget every cached state, as another process would not have them."""
    with _lock:
        _states.clear()


def _kept_state(table: Table, n: int, head: str) -> State | None:
    key = (table.pk, n, head)
    with _lock:
        if key in _states:
            _states.move_to_end(key)
        return _states.get(key)
