"""7.2, 11.5, 11.7, 12: movement, step by step on the stack, and unveiling (S58)."""

from dataclasses import replace

from tables.core import pile
from tables.core.engine import hand_over
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Item, Scope, State, Thing
from tables.games.seize import reach, stats, statuses
from tables.games.seize.flow import MOVES
from wargame.rules.core.saying import said


def own(state: State, seat: str, action: Action) -> Thing:
    """7: one's own mercenary that a line names; in a shared turn a partner's is not one's own."""
    refs = tuple(thing.ref for thing in stats.mercenaries(state, seat))
    thing = state.thing(naming.find(state, seat, action, action.thing, refs))
    if thing is None or not stats.on_battlefield(state, thing) or thing.controller != seat:
        raise Refused(("7", "6"), said("only your own mercenaries on the battlefield can do this"))
    return thing


def timely(state: State, seat: str, steps: tuple[str, ...], cites: tuple[str, ...]) -> None:
    """11: Refused if it isn't one's turn, if the phase is another, or if the stack isn't empty."""
    if seat not in stats.turn_seats(state) or state.turn.at not in steps:
        raise Refused(cites, said("you can only do this in the right phase of your own turn"))
    if state.pile:
        raise Refused(("12", *cites), said("the stack isn't empty yet"))


def move(play: Play, seat: str, action: Action) -> None:
    """7.2, S24: a path, tile by tile: one item per step, the first on top; priority goes on (S15)."""
    timely(play.state, seat, MOVES, ("7.2", "11.5", "11.7", "11.6"))
    thing = own(play.state, seat, action)
    if (refused := reach.path_refused(play.state, thing, action.path)) is not None:
        raise refused
    play.emit(Event("moves", ("7.2", "11.5"), seat, thing, amount=len(action.path) - 1))
    for tile in reversed(action.path[1:]):
        scope = Scope(thing.ref, thing.card, seat)
        item = Item(play.count("item"), "step", seat, thing.ref, thing.card, scope, detail=tile)
        pile.put(play, item, ("12",))
    hand_over(play, seat)


def resolve_step(play: Play, item: Item) -> None:
    """12, S24, S73: make one step; one that has become impossible ends the move, and is not spent."""
    pile.take_off(play, item.id)
    thing = play.state.thing(item.source)
    possible = (
        thing is not None
        and reach.still(play.state, thing) is None
        and reach.budget(play.state, thing) > 0
        and reach.step_refused(play.state, thing, thing.at, item.detail) is None
    )
    if thing is None or not possible:
        rest = tuple(one for one in play.state.pile if not (one.what == "step" and one.source == item.source))
        play.state = replace(play.state, pile=rest)
        play.emit(Event("move ends", ("S24", "12"), item.controller, play.state.things.get(item.source.key)))
        return
    play.mark(stats.mark("step", thing))
    put_on(play, thing, item.detail, ("7.2", "11.5"))


def put_on(play: Play, thing: Thing, tile: str, cites: tuple[str, ...]) -> None:
    """2: put a mercenary on another tile of the battlefield; it is the same thing as before."""
    before = thing.at
    now = play.change(thing.key, at=tile)
    play.emit(Event("moved", cites, now.controller, now, zone=tile, from_zone=before))


def unveil(play: Play, seat: str, action: Action) -> None:
    """13.8.5, S58: a mercenary next to a stealthed enemy spends one movement to take its stealth; on the stack."""
    cites = ("13.8.5", "S58")
    timely(play.state, seat, MOVES, cites)
    thing, target = own(play.state, seat, action), _unveiled(play.state, seat, action)
    if (refused := unveil_refused(play.state, thing, target)) is not None:
        raise refused
    play.emit(Event("unveils", cites, seat, thing, target))
    scope = Scope(thing.ref, thing.card, seat, targets=((target.ref,),))
    pile.put(play, Item(play.count("item"), "unveil", seat, thing.ref, thing.card, scope), ("12",))
    hand_over(play, seat)


def _unveiled(state: State, seat: str, action: Action) -> Thing:
    among = tuple(one.ref for one in stats.mercenaries(state) if stats.enemies(state, seat, one.controller))
    names = action.targets or ()
    target = state.thing(naming.find(state, seat, action, names[0], among)) if len(names) == 1 else None
    if target is None:
        raise Refused(("13.8.5", "S58"), said("name one mercenary to unveil"))
    return target


def unveil_refused(state: State, thing: Thing, target: Thing) -> Refused | None:
    """S58: why a mercenary can't unveil another now; None if it can."""
    cites = ("13.8.5", "S58")
    if (refused := reach.still(state, thing)) is not None:
        return refused
    if reach.budget(state, thing) < 1:
        return Refused((*cites, "6.J"), said("it has no movement left"))
    if not stats.count(target, "stealth") or not stats.enemies(state, thing.controller, target.controller):
        return Refused(cites, said("this is not a stealthed enemy"))
    if target.at not in reach.board(state).neighbours(thing.at):
        return Refused(cites, said("the two mercenaries are not next to each other"))
    return None


def resolve_unveil(play: Play, item: Item) -> None:
    """S58, S73: checked again; a failed one isn't spent."""
    pile.take_off(play, item.id)
    thing = play.state.thing(item.source)
    target = play.state.thing(item.scope.targets[0][0])
    if thing is None or target is None or unveil_refused(play.state, thing, target) is not None:
        play.emit(Event("fails", ("S58", "S73"), item.controller, play.state.things.get(item.source.key)))
        return
    play.mark(stats.mark("step", thing))
    statuses.take(play, target, "stealth", cites=("13.8.5", "S58"))
