"""2, 5.3, 5.4, 8: what a table of Seize has besides shuffled decks before its set-up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tables.core.lists.decks import Deck
from tables.core.play import Play
from tables.core.state import Thing
from tables.core.zones import zone_of
from tables.games.seize.setup import lay_ground


def side_of(seat: str) -> str:
    """S47: the side of a seat `A2`; empty for `A`, who plays for himself."""
    return seat[:1] if seat[1:] else ""


def dealt(play: Play, decks: Mapping[str, Deck]) -> None:
    """2, 5.3, 5.4, S47, S76: sides, the battlefield, and in the Quarters of each seat what stands beside its deck.

    `decks` by seat; those seats are the table's. The decks lie shuffled already.
    """
    state = play.state
    seats = tuple(replace(seat, side=side_of(seat.letter)) for seat in state.seats)
    ground = lay_ground([seat.letter for seat in seats], state.options)
    play.state = replace(state, seats=seats, ground=ground)
    for seat, deck in decks.items():
        for _, name in deck.extra:
            key, zone = f"{seat}/{name}/beside", zone_of(seat, "quarters")
            thing = Thing(key, name, seat, seat, zone, play.count("stamp"), play.count("number"))
            play.state = replace(play.state, things={**play.state.things, key: thing})
            play.zone_set(zone, (*play.state.zones.get(zone, ()), key))
