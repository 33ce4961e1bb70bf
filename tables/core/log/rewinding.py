"""T11.6: a table goes back to an earlier entry; what came later stays in the log and counts no longer.

Draws keep their running numbers, so the same coin falls again (8). Behind what somebody has seen only a *fresh*
rewind goes: draws get a suffix from there on, and whatever nobody knew at that entry is shuffled anew. Standing orders
are those of then: one that was given since has to be given again, and one that has ended since stands again.

Apart from `folding`, because it is the one entry that doesn't go on from the state before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace

from tables.core.entries import Entry
from tables.core.events import Event
from tables.core.play import Play, Rules
from tables.core.reasons import Refused
from tables.core.state import Ref, State, Thing
from tables.core.zones import zone_of
from wargame.rules.core.saying import said


def asked(state: State, entry: Entry) -> State | None:
    """T11.6: a player asks to go back: the state with his wish, or None where all ask for the same and it is done."""
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
    """T11.6: the table as it was after entry `entry.to`, carried on as entry `number`. Refused (`rewind`) where what
    somebody has seen since forbids it."""
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
    """T8.4: of each seat's cards those that nobody knew then change places among themselves, by a committed shuffle."""
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
    """Each place gets another card; whatever means the card of a place (a target) means the place's new one."""
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
    meant = {
        name: _renamed(getattr(state, name), refs)
        for name in ("pile", "waiting", "lasting", "fight", "agenda", "decision")
    }
    return replace(state, things=things, zones=zones, **meant)  # type: ignore[arg-type]


def _renamed(value: object, refs: Mapping[Ref, Ref]) -> object:
    """A value with other references in it, however deep they are."""
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
