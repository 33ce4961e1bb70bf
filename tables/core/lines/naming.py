"""T9.1: look up the names of a line on the table; and name things in a line."""

import re
from collections.abc import Iterable, Sequence

from tables.core.blanks import with_names
from tables.core.lines.actions import Action
from tables.core.lines.actions import Ref as Word
from tables.core.reasons import AmbiguousName, NotFound, NotOffered, Refused
from tables.core.state import Aim, OnPile, Player, Ref, State, Thing, Tile
from tables.core.zones import kind_of, zone_of
from wargame.rules.core.saying import said

_OF = re.compile(r"(?P<name>.+?) of (?P<of>[^ ]+)", re.IGNORECASE)
_PLACE = re.compile(r"(?P<zone>11y|soul) (?P<place>\d+)", re.IGNORECASE)
_ZONES = {"11y": "eleven", "soul": "soul"}
SHOWN = ("island", "limbo", "soul", "abolished", "pile", "revealed",
         "battlefield", "warchest", "discard", "events", "quarters",
         "hero", "companion", "landmark", "reserve", "herozone")  # fmt: skip
"""Zones whose cards everybody may name."""


def seat_called(state: State, text: str) -> str:
    """A seat by its letter or its player's name; empty if it is neither."""
    for seat in state.seats:
        if text.casefold() in (seat.letter.casefold(), seat.name.casefold()):
            return seat.letter
    return ""


def _parted(state: State, text: str) -> tuple[str, str]:
    """A name and the seat after its last `of`, if there is one."""
    before, _, after = text.rpartition(" of ")
    seat = seat_called(state, after.strip()) if before else ""
    return (before.strip(), seat) if seat else (text.strip(), "")


def find(
    state: State, seat: str, action: Action, word: Word, among: Sequence[Aim] = (), used: Iterable[Aim] = ()
) -> Aim:
    """T9.1: the thing that is meant: a legal one if there is any, else any of that name, so that the refusal can say
    why.

    Refused (`ambiguous`, with its column) if a name fits things of several players; of two of one player, either.
    """
    if isinstance(word, int):
        return _numbered(state, word)
    if (target := _seat_or_tile(state, word, among)) is not None:
        return target
    name, owner = _parted(state, word)
    if (place := _PLACE.fullmatch(name)) is not None:
        return _at_place(state, seat, action, word, _ZONES[place["zone"].lower()], int(place["place"]), owner, among)
    used_aims = set(used)
    matches = [aim for aim in among if aim not in used_aims and _is_called(state, aim, name, owner)]
    if not matches:
        matches = [aim for aim in _aims_in_sight(state) if aim not in used_aims and _is_called(state, aim, name, owner)]
    if not matches:
        raise NotFound(said("nothing here is called “%(word)s”", word=word), action.column(word))
    if len({_side(state, aim) for aim in matches}) > 1:
        raise AmbiguousName(said("“%(word)s” matches cards of several players", word=word), action.column(word))
    return matches[0]


def _seat_or_tile(state: State, word: str, among: Sequence[Aim]) -> Aim | None:
    """T9.1, S47: the player or the tile of that name. Two against two, `A2` is a seat and `a2` a tile: the legal one
    is meant; if neither or both are legal, tiles are written in lower case."""
    whole, tile = seat_called(state, word), word.casefold()
    if state.ground is None or tile not in state.ground.tiles:
        return Player(whole) if whole else None
    if not whole or Tile(tile) in among and Player(whole) not in among:
        return Tile(tile)
    if Player(whole) in among and Tile(tile) not in among:
        return Player(whole)
    return Tile(tile) if word == tile else Player(whole)


def _numbered(state: State, number: int) -> Aim:
    for thing in state.things.values():
        if thing.number == number:
            return thing.ref
    raise NotFound(said("nothing has the number #%(number)s", number=number))


def _at_place(
    state: State, seat: str, action: Action, word: str, kind: str, place: int, owner: str, among: Sequence[Aim]
) -> Aim:
    """5.4, 5.5, K54: a card by its current place in a row: of the seat that is named, else of the only one that can
    be meant."""
    owners = (
        [owner]
        if owner
        else sorted({thing.owner for aim in among if (thing := state.thing(aim)) and kind_of(thing.zone) == kind})
    )
    if not owners:
        owners = [seat] if kind == "soul" else [other for other in state.clockwise(seat) if other != seat]
    if len(owners) > 1:
        raise AmbiguousName(said("whose %(word)s?", word=word), action.column(word))
    row = state.zone(zone_of(owners[0], kind))
    if not 1 <= place <= len(row):
        raise NotFound(said("this row has no place %(place)s", place=place), action.column(word))
    return row[place - 1].ref


def _is_called(state: State, aim: Aim, name: str, owner: str) -> bool:
    if isinstance(aim, (Player, Tile)):
        return False
    if isinstance(aim, OnPile):
        item = state.item(aim.item)
        return item is not None and item.card.casefold() == name.casefold() and owner in ("", item.controller)
    thing = state.thing(aim)
    if thing is None or thing.face_down:
        return False
    return thing.card.casefold() == name.casefold() and owner in ("", thing.controller)


def _aims_in_sight(state: State) -> list[Aim]:
    things: list[Aim] = [thing.ref for thing in state.things.values() if kind_of(thing.zone) in SHOWN]
    return [*things, *(OnPile(item.id) for item in reversed(state.pile))]


def _side(state: State, aim: Aim) -> str:
    if isinstance(aim, OnPile):
        item = state.item(aim.item)
        return item.controller if item else ""
    thing = state.thing(aim)
    return thing.controller if thing else ""


def names(action: Action) -> tuple[Word, ...]:
    """T9.1: everything that a line lists: cards, things, an order or targets, whichever it has."""
    words: tuple[Word, ...] = action.cards or action.things or action.order or action.targets or ()
    if not words and action.card:
        words = (action.card,)
    if not words and action.thing:
        words = (action.thing,)
    return tuple(word for word in words if word != "none")


def chosen(state: State, seat: str, action: Action, among: Sequence[Aim]) -> tuple[Aim, ...]:
    """10.4: the things that a line chooses among those offered; each thing once."""
    return listed(state, seat, action, names(action), among)


def listed(state: State, seat: str, action: Action, words: Iterable[Word], among: Sequence[Aim]) -> tuple[Aim, ...]:
    """T9.1: several things by their names, each once; a thing that is not offered is refused (10.4)."""
    aims: list[Aim] = []
    for word in words:
        aim = find(state, seat, action, word, among, aims)
        if aim not in among or aim in aims:
            raise NotOffered(said("you can't choose “%(word)s” here", word=word), action.column(word))
        aims.append(aim)
    return tuple(aims)


def hand_card(state: State, seat: str, action: Action, word: Word, kind: str = "hand") -> Thing:
    """5.1: a card of one's own hand (or another hidden zone of one's own) by name."""
    things = state.zone(zone_of(seat, kind))
    name, owner = _parted(state, word) if isinstance(word, str) else ("", "")
    for thing in things:
        if thing.card.casefold() == name.casefold() and owner in ("", seat):
            return thing
    raise Refused("8", said("“%(word)s” is not in this hand", word=word), action.column(word))


def yes(action: Action) -> bool:
    """9.3: whether a line says yes."""
    return action.kind == "yes" or action.do == "yes"


def is_called(state: State, word: Word, ref: Ref, card: str) -> bool:
    """8.4: whether a word means a trigger's source: its number, its place or its card's name."""
    if isinstance(word, int):
        thing = state.things.get(ref.key)
        return thing is not None and thing.number == word
    return _parted(state, word)[0].casefold() == card.casefold()


def called(state: State, ref: Ref, card: str) -> str:
    """8.4: the name of a trigger's source in a line."""
    thing = state.thing(ref)
    return f"#{thing.number}" if thing is not None and thing.number else card


def call(state: State, aim: Aim) -> str:
    """T9.1: the name of a thing, a player or an item of the pile in a line."""
    if isinstance(aim, Player):
        return aim.seat
    if isinstance(aim, Tile):
        return aim.name
    if isinstance(aim, OnPile):
        item = state.item(aim.item)
        return f"{item.card} of {item.controller}" if item else "none"
    thing = state.thing(aim)
    if thing is None:
        return "none"
    if kind_of(thing.zone) == "eleven":
        row = [other.key for other in state.zone(thing.zone)]
        return f"11y {row.index(thing.key) + 1} of {thing.owner}"
    return f"#{thing.number}" if thing.number else thing.card


def action(state: State, kind: str, aims: Sequence[Aim]) -> Action:
    """T9.1: an action that names these, or none."""
    if aims or kind not in ("choose", "target"):
        return with_names(Action(kind), [call(state, aim) for aim in aims] or ["none"])
    return Action(kind, do="none", targets=() if kind == "target" else None)
