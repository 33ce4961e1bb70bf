"""2, T8: a table is dealt from its seats' decks: cards under secret keys, shuffled by committed draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tables.core.events import Event
from tables.core.lists.cards import Card
from tables.core.lists.decks import Deck
from tables.core.play import Play, Rules
from tables.core.proof.draws import Draws
from tables.core.state import Options, Seat, State, Thing, Turn
from tables.core.zones import zone_of


@dataclass(frozen=True, slots=True)
class Dealt:
    """T5: a seat's player, deck, and stops (None: asked in every window)."""

    letter: str
    deck: Deck
    name: str = ""
    stops: tuple[str, ...] | None = None


def deal(
    rules: Rules, cards: Mapping[str, Card], options: Options, draws: Draws, seats: Sequence[Dealt], entry: int = 0
) -> Play:
    """2, T8: every seat's deck in its zone, shuffled for the first time, and the game's further layout.

    Seats sit clockwise: A, B and so on, for partners A1, B1, A2, B2 (S47), whatever the given order. The flow is before
    its first step: `engine.settle` brings the table to its first choice. `entry` is the number of the entry that dealt
    it.
    """
    seats = sorted(seats, key=lambda one: (one.letter[1:], one.letter))
    things: dict[str, Thing] = {}
    zones: dict[str, tuple[str, ...]] = {}
    for seat in seats:
        zone = zone_of(seat.letter, "deck")
        zones[zone] = seat.deck.keys(seat.letter)
        for key in zones[zone]:
            name = key.partition("/")[2].rpartition("/")[0]
            things[key] = Thing(key, name, seat.letter, seat.letter, zone, len(things) + 1)
    state = State(
        rules.name, options, cards,
        tuple(Seat(one.letter, one.name, stops=one.stops) for one in seats),
        things, zones, Turn(1, "", rules.setup), draws, counts={"number": 0, "stamp": len(things)}, entry=entry,
    )  # fmt: skip
    play = Play(rules, state)
    play.emit(Event("dealt", ("2",), amount=len(things)))
    for seat in seats:
        play.shuffle(seat.letter, "deck", rules.shuffled)
    if rules.dealt is not None:
        rules.dealt(play, {seat.letter: seat.deck for seat in seats})
    return play
