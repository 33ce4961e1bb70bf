"""T5.2, T8: the state as one viewer knows it: built up from nothing, never by deleting from the whole."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tables.core import query
from tables.core.events import Event, PrivateEvent, SilentEvent
from tables.core.lines.writing import write_sentence
from tables.core.offering import offered
from tables.core.play import Rules
from tables.core.state import Item, Proposal, State, Thing
from tables.core.zones import kind_of, seat_of, zone_of

Plain: TypeAlias = "str | int | bool | None | list[Plain] | dict[str, Plain]"

SPECTATOR = "spectator"
"""A viewer without a seat: knows what everybody knows."""
JUDGE = "judge"
"""A judge: knows what everybody knows, and the hidden cards of the seats that they asked for by an entry (11)."""


def view(rules: Rules, state: State, viewer: str, *, is_open: bool = False) -> dict[str, Plain]:
    """T5.2: the knowledge of a seat (or `spectator`), as plain data. It depends on nothing else. T12.7: of a table
    that is over (`is_open`) everybody knows each card."""
    return {
        "game": state.game,
        "viewer": viewer,
        "turn": {"number": state.turn.number, "of": state.turn.of, "at": state.turn.at},
        "seats": [_seat(state, letter) for letter in [seat.letter for seat in state.seats]],
        "zones": _zones(rules, state, viewer, is_open=is_open),
        "tiles": {tile: dict(marks) for tile, marks in state.tiles.items() if marks},
        "pile": [_item(state, item) for item in reversed(state.pile)],
        "fight": _fight(state),
        "waits": _waits(rules, state, viewer),
        "proposals": [
            {"number": one.number, "by": one.by, "accepted": list(one.accepted), "says": _says(state, one)}
            for one in state.proposals
            if not one.closed
        ],
        "going back": [{"by": by, "to": to, "fresh": fresh} for by, to, fresh in state.going_back],
        "looks": [{"seat": look.seat, "reason": look.reason} for look in state.looks],
        "result": _result(state),
        **_of_the_game(rules, state),
    }


def _seat(state: State, letter: str) -> dict[str, Plain]:
    seat = state.seat(letter)
    data: dict[str, Plain] = {
        "letter": letter, "name": seat.name, "side": seat.side, "energy": dict(seat.energy), "out": seat.out,
        "numbers": dict(seat.numbers),
    }  # fmt: skip
    return data if seat.stops is None else {**data, "stops": list(seat.stops)}


def _zones(rules: Rules, state: State, viewer: str, *, is_open: bool) -> dict[str, Plain]:
    data: dict[str, Plain] = {}
    for kind in rules.zones.values():
        if not kind.shown:
            continue
        names = [zone_of(seat.letter, kind.name) for seat in state.seats] if kind.whose == "seat" else [kind.name]
        for name in names:
            is_visible = is_open or (viewer == JUDGE and any(seat_of(name) == look.seat for look in state.looks))
            data[name] = [_card(rules, state, thing, viewer, is_visible) for thing in state.zone(name)]
    return data


def knows(rules: Rules, thing: Thing, viewer: str) -> bool:
    """T5.2, K40: whether a viewer knows which card it is."""
    kind = rules.zones[kind_of(thing.zone)]
    if (kind.sees == "all" and not thing.face_down) or thing.revealed:
        return True
    if thing.face_down and viewer == thing.owner:
        return True
    return viewer in thing.known or (kind.sees == "owner" and viewer == seat_of(thing.zone))


def known_to_somebody(rules: Rules, thing: Thing) -> bool:
    """T5.2: whether there is a seat that knows which card it is."""
    kind = rules.zones[kind_of(thing.zone)]
    return kind.sees != "nobody" or thing.revealed or bool(thing.known)


def _card(rules: Rules, state: State, thing: Thing, viewer: str, is_visible: bool = False) -> Plain:
    """A known card (or one that a judge looks at), with its details; else null, or the public data of a face-down
    thing with a number."""
    public = _of_the_game(rules, state, thing) if thing.number is not None else {}
    if not is_visible and not knows(rules, thing, viewer):
        if thing.number is None:
            return None
        hidden: dict[str, Plain] = {"number": thing.number, "owner": thing.owner}
        return hidden | ({"face_down": True, "engaged": thing.engaged} if thing.face_down else public)
    data: dict[str, Plain] = {"card": thing.card, **public}
    if thing.number is not None:
        data |= {"number": thing.number, "owner": thing.owner, "engaged": thing.engaged}
    if rules.zones[kind_of(thing.zone)].play:
        keywords: list[Plain] = list(query.keywords(state, thing))
        data |= {
            "controller": thing.controller,
            "weary": thing.weary,
            "damage": thing.damage,
            "attack": query.attack(state, thing),
            "defense": query.defense(state, thing),
            "keywords": keywords,
            "counters": dict(thing.counters),
            "beneath": [_card(rules, state, under, viewer) for under in state.beneath(thing.key)],
        }
    return data


def _of_the_game(rules: Rules, state: State, thing: Thing | None = None) -> dict[str, Plain]:
    """T5.2: a game's additions for a thing or the table."""
    return {name: _plain(value) for name, value in rules.shows(state, thing).items()} if rules.shows is not None else {}


def _plain(value: object) -> Plain:
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    raise TypeError(f"a view shows no {type(value).__name__}")


def _item(state: State, item: Item) -> Plain:
    return {"card": item.card, "what": item.what, "by": item.controller}


def _fight(state: State) -> Plain:
    fight = state.fight
    thing = state.thing(fight.attacker) if fight else None
    if fight is None or thing is None:
        return None
    places: list[Plain] = []
    for aim in fight.at:
        target = state.thing(aim)
        if target is not None:
            row = [other.key for other in state.zone(target.zone)]
            places.append(row.index(target.key) + 1)
    blockers: list[Plain] = [blocker.number for ref in fight.blockers if (blocker := state.thing(ref)) is not None]
    return {"attacker": thing.number, "by": fight.by, "of": fight.of, "places": places, "blockers": blockers}


def _waits(rules: Rules, state: State, viewer: str) -> Plain:
    """T10: the pending question; the choices are shown only to those who are asked."""
    decision = state.decision
    if state.result is not None:
        return None
    if decision is None:
        holder = state.priority.holder if state.priority else ""
        return {"for": [holder], "kind": "priority"}
    seats: list[Plain] = list(decision.of)
    cited = (getattr(decision, "cited", "") or decision.cites,)
    data: dict[str, Plain] = {"for": seats, "kind": decision.kind, "cites": rules.cites.get(cited, cited)[0]}
    if decision.what:
        data["what"] = decision.what
    if decision.hears(viewer):
        options: list[Plain] = list(offered(rules, state, viewer))
        texts: list[Plain] = list(decision.told(state, viewer))
        data |= {"options": options, "told": texts, "card": decision.card()}
    return data


def _says(state: State, one: Proposal) -> str:
    """T11.1: the changes of a proposal, as its line says them; public."""
    sentences = "; ".join(write_sentence(change, state.game) for change in one.changes)  # type: ignore[arg-type]
    return f"{sentences} ({one.text})" if one.text else sentences


def _result(state: State) -> Plain:
    if state.result is None:
        return None
    return {"won": state.result.won, "draw": state.result.draw, "cites": state.result.cites}


OPEN_WORDS = frozenset({
    *("agreed", "counters", "struck", "status given", "status gone", "tile", "gains", "loses", "forward", "back"),
    *("will skip", "judge looks", "proposes", "counted"),
})  # fmt: skip
"""Events whose word (a status, a number's name, what was agreed) everybody may read; others may name hidden cards."""


def told(rules: Rules, events: Sequence[Event], viewer: str) -> list[Mapping[str, Plain]]:
    """T6: events as one viewer may know them: without the cards unknown to them."""
    entries: list[Mapping[str, Plain]] = []
    for event in events:
        if isinstance(event, SilentEvent):
            continue
        if isinstance(event, PrivateEvent) and viewer not in (event.only or ()):
            continue
        is_known = event.thing is not None and (event.only is None or viewer in event.only)
        cites: list[Plain] = list(event.cites)
        entries.append({
            "kind": event.kind, "cites": cites, "seat": event.seat, "amount": event.amount, "zone": event.zone,
            "card": event.thing.card if event.thing is not None and is_known else None,
            "number": event.thing.number if event.thing is not None and is_known else None,
            "told": event.told if event.kind in OPEN_WORDS else "",
        })  # fmt: skip
    return entries
