"""T6: a table is the fold of its log. `carry` takes one entry, `fold` all of them.

How a service drives a table:

1. It makes a seed (32 bytes) and appends `open` with the seed's commitment; then `seat`, `deck` and `cut` entries as
   people hand them in. What `opening.waits_for` names is still to come. Before it appends an entry it calls `carry`:
   an outcome with a `reason` is shown to its author and not appended.
2. With the last cut's word `carry` deals, and gives a `State`. From then on `engine.waits_for(state)` says for whom
   and for what the table waits; what he posts becomes an `act` (one line) or a `plan` (several). Where `sealing.hides`
   says so, the lines go into `hidden`, and the chain holds their salted hash (`codec.sealed`).
3. Time: `tick` with `what: time` plays a seat's default; with `what: beat`, on the table's beat and only while
   `answering.pending` names somebody, private orders and idle hands answer.
4. It keeps the state in memory or as a snapshot (`snapshots.kept`), and carries later entries on from there; cost
   does not grow with the log. `snapshots.state_hash` goes with each entry. For a `rewind` it passes `earlier`, which
   gives the state after an entry (a snapshot and what follows it).
5. When the table is over, salts, hidden arguments and the seed are published; `fold` over all of it gives every
   state again, and whoever has them can hold each hash against what was told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tables.core import answering
from tables.core.entries import LOGGED, Logged
from tables.core.events import Event
from tables.core.log import opening as start
from tables.core.log import rewinding, unlisted
from tables.core.log.opening import Given, Opening
from tables.core.reasons import Reason, Refused
from tables.core.state import State
from tables.core.stepping import SHOWING, step
from wargame.rules.core.saying import said

Table: TypeAlias = Opening | State
"""T6: a table before or after its cards were dealt."""

Earlier: TypeAlias = Callable[[int], Table | None]
"""T11: the table as it was after an entry, by that entry's number; None where there is none."""


@dataclass(frozen=True, slots=True)
class Carried:
    """T6: the table after an entry and what happened; or the table as it was (None before `open`), and the reason."""

    table: Table | None
    events: tuple[Event, ...] = ()
    reason: Reason | None = None


def carry(given: Given, table: Table | None, logged: Logged, earlier: Earlier | None = None) -> Carried:
    """T6: one entry of the log. `earlier` is asked for rewinds alone. What is refused changes nothing."""
    try:
        return _carried(given, table, logged, earlier)
    except Refused as refused:
        return Carried(table, (), refused.reason)


def _carried(given: Given, table: Table | None, logged: Logged, earlier: Earlier | None) -> Carried:
    if logged.kind not in LOGGED:
        raise Refused("table", said("a log can't have a “%(kind)s” entry", kind=logged.kind[:40]))
    if table is None:
        if logged.n != 1:
            raise Refused("table", said("the first entry must be number 1"))
        return Carried(start.opened(given, logged))
    if logged.n != table.entry + 1:
        raise Refused(
            "stale", said("the next entry must be number %(entry)s, not %(n)s", entry=table.entry + 1, n=logged.n)
        )
    _by_whom(table, logged)
    if isinstance(table, Opening):
        return _before_the_deal(given, table, logged)
    if logged.kind == "rewind":
        return _back(given, table, logged, earlier)
    if given.listed or logged.by == "service":
        outcome = step(given.rules, table, logged.entry())
        return Carried(outcome.state, outcome.events, outcome.reason)
    outcome = step(given.rules, unlisted.as_known_to(given.rules, table, logged.by), logged.entry())
    if outcome.reason is not None:
        return Carried(table, (), outcome.reason)
    return Carried(unlisted.with_all(outcome.state, given.cards), outcome.events)


def _by_whom(table: Table, logged: Logged) -> None:
    """T6: players, judges and the service write what is theirs."""
    letters = [one.letter for one in (table.sittings if isinstance(table, Opening) else table.seats)]
    allowed = {
        "open": ["service"], "draft": ["service"], "tick": ["service"], "end": ["service"],
        "ruling": ["judge"], "look": ["judge"], "rewind": [*letters, "judge"],
    }.get(logged.kind, letters)  # fmt: skip
    if logged.by not in allowed:
        raise Refused(
            "table", said("%(who)s can't add a “%(kind)s” entry here", who=logged.by[:20] or "nobody", kind=logged.kind)
        )


def _before_the_deal(given: Given, table: Opening, logged: Logged) -> Carried:
    new = start.before_the_deal(given, table, logged)
    if not new.full:
        return Carried(new, (Event(logged.kind, (), logged.by),))
    play = start.dealt(given, new, logged.n)
    answering.automatic(play)
    play.state = _with_shown(play.state, play.events)
    return Carried(play.state, tuple(play.events))


def _with_shown(state: State, events: Iterable[Event]) -> State:
    return replace(state, shown=state.entry) if any(event.kind in SHOWING for event in events) else state


def _back(given: Given, now: State, logged: Logged, earlier: Earlier | None) -> Carried:
    entry = logged.entry()
    then = earlier(entry.to) if earlier is not None and 0 < entry.to < logged.n else None
    if not isinstance(then, State):
        raise Refused("rewind", said("this game has no entry %(to)s to go back to", to=entry.to))
    play = rewinding.rewound(given.rules, now, then, entry, logged.n)
    wished = rewinding.asked(now, entry)
    if wished is not None:
        told = Event("asks to go back", (), entry.by, amount=entry.to, told=entry.reason)
        return Carried(replace(wished, entry=logged.n), (told,))
    return Carried(play.state, tuple(play.events))


def fold(given: Given, entries: Sequence[Logged]) -> Iterator[Carried]:
    """T6: the table after each entry, in order. It ends with the first that is refused: a log holds none.

    The tables of all entries are kept until its end, so that no rewind folds anything again.
    """
    tables: list[Table | None] = [None]
    for logged in entries:
        carried = carry(given, tables[-1], logged, tables.__getitem__)
        yield carried
        if carried.reason is not None:
            return
        tables.append(carried.table)


def after(given: Given, entries: Sequence[Logged], number: int) -> Table | None:
    """T6: the table after an entry of a log, from its very start; None where the log doesn't reach it."""
    if not 0 < number <= len(entries):
        return None
    found = None
    for carried in fold(given, entries[:number]):
        found = carried.table
    return found
