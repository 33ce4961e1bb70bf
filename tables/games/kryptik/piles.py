"""G: Draw, G: Discard, G: Plunder: how cards go from the deck to the hand, and the contents of the limbo pile."""

from dataclasses import replace

from tables.core import query
from tables.core.events import Event, SilentEvent
from tables.core.lists.cards import Filter
from tables.core.play import Play
from tables.core.reacting import replacing
from tables.core.state import Aim, Scope, Thing
from tables.core.zones import zone_of


def draw(play: Play, seat: str, number: int, cites: tuple[str, ...]) -> int:
    """G: Draw, K4, K5: one after the other; from an empty deck what there is, in limited after a shuffle."""
    count = 0
    if query.forbids(play.state, "draw", seat):
        play.emit(Event("not drawn", ("10.2",), seat))
        return 0
    for _ in range(max(0, number)):
        if not play.state.zone(zone_of(seat, "deck")) and not refill(play, seat, ("G: Draw",)):
            break
        top = play.state.zone(zone_of(seat, "deck"))[0]
        if replacing.instead(play, Event("draws", (), seat, zone=top.zone)):
            continue
        new_thing = play.move(top.key, "hand", cites=cites, event="drawn")
        if new_thing.zone == top.zone:
            continue
        play.emit(SilentEvent("draws", (), seat, new_thing, only=frozenset({seat})))
        count += 1
    return count


def refill(play: Play, seat: str, cites: tuple[str, ...]) -> bool:
    """K4: in limited the limbo pile is shuffled into an empty deck; whether there is a card now."""
    limbo = play.state.zone(zone_of(seat, "limbo"))
    if not play.state.options.limited or not limbo:
        return False
    for thing in limbo:
        play.move(thing.key, "deck", cites=cites, event="shuffled in")
    play.shuffle(seat, "deck", (*cites, "G: Shuffle"))
    return True


def discard(play: Play, thing: Thing, cites: tuple[str, ...] = ("G: Discard",)) -> None:
    """G: Discard: from the hand into the limbo pile."""
    play.move(thing.key, "limbo", cites=(*cites, "5.6"), event="discarded")


def plunderable(play: Play, seat: str, where: Filter | None, scope: Scope) -> tuple[Aim, ...]:
    """G: Plunder: the cards of one's own limbo pile of the type; of any, if none is specified."""
    card_filter = replace(where or Filter(), zone="limbo", whose="you")
    return tuple(
        thing.ref for thing in play.state.zone(zone_of(seat, "limbo"))
        if query.fits(play.state, thing, card_filter, replace(scope, controller=seat))
    )  # fmt: skip
