"""T6: a table's entries, carried out one after the other, and rewound (T12.9)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeAlias

from tables.core import answering
from tables.core.entries import LOGGED, Entry, Logged
from tables.core.events import Event
from tables.core.log import ad_hoc_cards
from tables.core.log import opening as start
from tables.core.log.opening import Given, Opening
from tables.core.play import Play, Rules
from tables.core.reasons import Reason, Refused
from tables.core.reducer import SHOWING, step
from tables.core.state import Ref, State, Thing
from tables.core.zones import zone_of
from wargame.rules.core.saying import said


def asked(state: State, entry: Entry) -> State | None:
    """T11.6: a player asks to go back: the state with their request, or None if all ask for the same and it is done."""
    if entry.by == "judge":
        return None
    if entry.by not in state.living:
        raise Refused("rewind", said("only players and judges can take the table back"))
    wish = (entry.by, entry.to, entry.fresh)
    wishes = (*(other for other in state.going_back if other[0] != entry.by), wish)
    if {seat for seat, to, fresh in wishes if (to, fresh) == wish[1:]} >= set(state.living):
        return None
    return replace(state, going_back=wishes, back=None)


def rewound(rules: Rules, now: State, then: State, entry: Entry, number: int) -> Play:
    """T11.6: the table as it was after entry `entry.to`, carried on as entry `number`. Refused (`rewind`) if
    something that a player has seen since forbids it."""
    if not entry.fresh and now.shown > entry.to:
        raise Refused(
            "rewind",
            said(
                "entry %(shown)s revealed something new: to go back past it, use fresh draws",
                shown=now.shown,
            ),
        )
    draws = replace(then.draws, fresh=now.draws.fresh)
    seats = tuple(replace(seat, stops=now.seat(seat.letter).stops) for seat in then.seats)
    state = replace(
        then, draws=draws, entry=number, back=None, seats=seats, plans=(), looks=now.looks, settled=now.settled,
        going_back=(),
    )  # fmt: skip
    play = Play(rules, state)
    play.emit(Event("rewound", (entry.cites,) if entry.cites else (), entry.by, amount=entry.to, told=entry.reason))
    if entry.fresh:
        play.state = replace(play.state, draws=play.state.draws.refreshed(), shown=number)
        _anew(play)
    return play


def _anew(play: Play) -> None:
    """T8.4: those of each seat's cards that nobody knew then swap places among themselves, by a committed shuffle."""
    for seat in [seat.letter for seat in play.state.seats]:
        places = [
            thing
            for zone in play.rules.zones.values()
            if zone.sees == "nobody" and zone.whose == "seat"
            for thing in play.state.zone(zone_of(seat, zone.name))
            if not thing.known and not thing.revealed
        ]
        if len(places) < 2:
            continue
        keys = [thing.key for thing in places]
        nth = play.count(f"shuffle {seat}.unseen")
        order = play.state.draws.shuffle(keys, f"{seat}.unseen", nth)
        play.state = _exchanged(play.state, places, order)
        play.emit(Event("shuffled", ("rewind",), seat, amount=nth, zone=zone_of(seat, "unseen")))


def _exchanged(state: State, places: Sequence[Thing], order: Sequence[str]) -> State:
    """Each place gets another card; a reference to the card of a place (a target) means the place's new one."""
    cards = {thing.key: thing.card for thing in places}
    new = {old.key: key for old, key in zip(places, order, strict=True)}
    put = {key: replace(old, key=key, card=cards[key]) for old, key in zip(places, order, strict=True)}
    refs = {old.ref: Ref(new[old.key], old.stamp) for old in places}
    things = {key: put.get(key, thing) for key, thing in state.things.items()}
    touched = {thing.zone for thing in places}
    zones = {
        name: tuple(new.get(key, key) for key in keys) if name in touched else keys
        for name, keys in state.zones.items()
    }
    changes = {
        name: _renamed(getattr(state, name), refs)
        for name in ("pile", "waiting", "lasting", "fight", "agenda", "decision")
    }
    return replace(state, things=things, zones=zones, **changes)  # type: ignore[arg-type]


def _renamed(value: object, refs: Mapping[Ref, Ref]) -> object:
    if isinstance(value, Ref):
        return refs.get(value, value)
    if isinstance(value, tuple):
        return tuple(_renamed(one, refs) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            one.name: new
            for one in fields(value)
            if (new := _renamed(old := getattr(value, one.name), refs)) is not old and new != old
        }
        return replace(value, **changed) if changed else value
    return value


Table: TypeAlias = Opening | State
"""T6: a table before or after its cards were dealt."""

Earlier: TypeAlias = Callable[[int], Table | None]
"""T11: the table as it was after an entry, by that entry's number; None if there is none."""


@dataclass(frozen=True, slots=True)
class Carried:
    """T6: the table after an entry, and its events; or the unchanged table (None before `open`), and the reason."""

    table: Table | None
    events: tuple[Event, ...] = ()
    reason: Reason | None = None


def carry(given: Given, table: Table | None, logged: Logged, earlier: Earlier | None = None) -> Carried:
    """T6: carry out one entry of the log. `earlier` is used only for rewinds. A refused entry changes nothing."""
    try:
        return _carried(given, table, logged, earlier)
    except Refused as refused:
        return Carried(table, (), refused.reason)


def _carried(setup: Given, table: Table | None, logged: Logged, earlier: Earlier | None) -> Carried:
    if logged.kind not in LOGGED:
        raise Refused("table", said("a log can't have a “%(kind)s” entry", kind=logged.kind[:40]))
    if table is None:
        if logged.n != 1:
            raise Refused("table", said("the first entry must be number 1"))
        return Carried(start.opened(setup, logged))
    if logged.n != table.entry + 1:
        raise Refused(
            "stale", said("the next entry must be number %(entry)s, not %(n)s", entry=table.entry + 1, n=logged.n)
        )
    _by_whom(table, logged)
    if isinstance(table, Opening):
        return _before_the_deal(setup, table, logged)
    if logged.kind == "rewind":
        return _back(setup, table, logged, earlier)
    if setup.listed or logged.by == "service":
        outcome = step(setup.rules, table, logged.entry())
        return Carried(outcome.state, outcome.events, outcome.reason)
    outcome = step(setup.rules, ad_hoc_cards.as_known_to(setup.rules, table, logged.by), logged.entry())
    if outcome.reason is not None:
        return Carried(table, (), outcome.reason)
    return Carried(ad_hoc_cards.with_all(outcome.state, setup.cards), outcome.events)


def _by_whom(table: Table, logged: Logged) -> None:
    """T6: players, judges and the service may each write only their own kinds of entries."""
    letters = [one.letter for one in (table.sittings if isinstance(table, Opening) else table.seats)]
    writers = {
        "open": ["service"], "draft": ["service"], "tick": ["service"], "end": ["service"],
        "ruling": ["judge"], "look": ["judge"], "rewind": [*letters, "judge"],
    }.get(logged.kind, letters)  # fmt: skip
    if logged.by not in writers:
        raise Refused(
            "table", said("%(who)s can't add a “%(kind)s” entry here", who=logged.by[:20] or "nobody", kind=logged.kind)
        )


def _before_the_deal(setup: Given, table: Opening, logged: Logged) -> Carried:
    new = start.before_the_deal(setup, table, logged)
    if not new.full:
        return Carried(new, (Event(logged.kind, (), logged.by),))
    play = start.dealt(setup, new, logged.n)
    answering.automatic(play)
    play.state = _with_shown(play.state, play.events)
    return Carried(play.state, tuple(play.events))


def _with_shown(state: State, events: Iterable[Event]) -> State:
    return replace(state, shown=state.entry) if any(event.kind in SHOWING for event in events) else state


def _back(setup: Given, now: State, logged: Logged, earlier: Earlier | None) -> Carried:
    entry = logged.entry()
    then = earlier(entry.to) if earlier is not None and 0 < entry.to < logged.n else None
    if not isinstance(then, State):
        raise Refused("rewind", said("this game has no entry %(to)s to go back to", to=entry.to))
    play = rewound(setup.rules, now, then, entry, logged.n)
    wished = asked(now, entry)
    if wished is not None:
        event = Event("asks to go back", (), entry.by, amount=entry.to, told=entry.reason)
        return Carried(replace(wished, entry=logged.n), (event,))
    return Carried(play.state, tuple(play.events))


def fold(given: Given, entries: Sequence[Logged]) -> Iterator[Carried]:
    """T6: the table after each entry, in order. It ends at the first refused entry: a log has none.

    The tables of all entries are kept until the end, so that no rewind folds anything again.
    """
    tables: list[Table | None] = [None]
    for logged in entries:
        carried = carry(given, tables[-1], logged, tables.__getitem__)
        yield carried
        if carried.reason is not None:
            return
        tables.append(carried.table)


def after(given: Given, entries: Sequence[Logged], number: int) -> Table | None:
    """T6: the table after an entry of a log, from its very start; None if the log doesn't reach it."""
    if not 0 < number <= len(entries):
        return None
    table = None
    for carried in fold(given, entries[:number]):
        table = carried.table
    return table
