"""2, S6: cards from deck to hand, and control that was lent for a turn."""

from tables.core.events import Event, SilentEvent
from tables.core.play import Play
from tables.core.query import forbids
from tables.core.state import Thing
from tables.core.zones import kind_of, zone_of
from tables.games.seize import damage, stats


def draw(play: Play, seat: str, number: int, cites: tuple[str, ...]) -> int:
    """S6, S44: one after the other; a player who must draw and can't has lost, but not in the Arena. How many."""
    if forbids(play.state, "draw", seat):
        play.emit(Event("not drawn", ("9.F",), seat))
        return 0
    for count in range(max(0, number)):
        deck = play.state.zone(zone_of(seat, "deck"))
        if not deck:
            play.emit(Event("deck empty", ("5.3", "S44") if stats.arena(play.state) else ("5.1", "S6"), seat))
            if not stats.arena(play.state):
                damage.lose(play, seat, "5.1")
            return count
        new_thing = play.move(deck[0].key, "hand", cites=cites, event="drawn")
        play.emit(SilentEvent("draws", (), seat, new_thing, only=frozenset({seat})))
    return max(0, number)


def change_sides(play: Play, thing: Thing, seat: str) -> None:
    """9.F: give a mercenary on the battlefield to another player, on its tile and in its current state."""
    if thing.controller == seat or not stats.on_battlefield(play.state, thing):
        return
    zone = zone_of(seat, "battlefield")
    along = [thing, *play.state.beneath(thing.key)]
    for one in along:
        play.zone_set(one.zone, tuple(key for key in play.state.zones.get(one.zone, ()) if key != one.key))
    play.zone_set(zone, (*play.state.zones.get(zone, ()), *(one.key for one in along)))
    for one in along:
        play.relocate(one.key, zone, seat)
    play.emit(Event("control", ("9.F",), seat, play.state.things[thing.key]))


def give_back(play: Play) -> None:
    """9.F: return control that an effect gave until the end of the turn."""
    for one in [one for one in play.state.lasting if one.effect.word == "control back" and one.until == "turn"]:
        thing = play.state.thing(one.on[0])
        if thing is not None and kind_of(thing.zone) == "battlefield" and one.scope.they in play.state.living:
            change_sides(play, thing, one.scope.they)
