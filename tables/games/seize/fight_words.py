"""13, 9.F: the words of card texts for damage, statuses and the ground: their effect on mercenaries and tiles."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tables.core import query
from tables.core.decisions import Decision
from tables.core.effects import SHARED
from tables.core.effects.cards import did, things_meant
from tables.core.effects.lasting import hold
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.lists.cards import Change, Effect, Selector
from tables.core.pile import carry
from tables.core.play import Play, Primitive
from tables.core.reasons import Refused
from tables.core.state import Ref, Scope, State, Thing, Tile
from tables.games.seize import attacks, damage, moving, reach, stats, statuses
from wargame.rules.core.saying import said

MEND = {"physical": "13.5", "magical": "13.6"}
"""13.5, 13.6: the heading for removing statuses of a group."""


def dealer(state: State, scope: Scope) -> Thing | None:
    """S71, 13.9.3: the dealer of an effect's damage: the attacker by the card, the treasure's bearer, or its source."""
    if scope.by is not None:
        return state.known(scope.by)
    source = state.known(scope.source)
    return state.things[source.under] if source is not None and source.under else source


def _damage(play: Play, effect: Effect, scope: Scope) -> None:
    """13.3, 13.8.5: to each that is meant; out of stealth, or while it is stealthed, the first is True."""
    things = things_meant(play, effect, scope, "to")
    number, source = query.number(play.state, effect.value("damage"), scope), dealer(play.state, scope)
    unseen = scope.unseen or (source is not None and stats.count(source, "stealth") > 0)
    dealt = 0
    for thing in things:
        kind = effect.text("type")
        dealt += damage.deal(play, source, thing, number, "physical" if kind == "combat" else kind, unseen=unseen)
    carry(play, scope, many=dealt, done=dealt > 0, unseen=scope.unseen and not things)


def _heal(play: Play, effect: Effect, scope: Scope) -> None:
    """S41: never above the maximum."""
    number = query.number(play.state, effect.value("heal"), scope)
    healed = sum(damage.heal(play, thing, number, "9.F") for thing in _mercenaries(play, effect, scope, "to"))
    carry(play, scope, many=healed, done=healed > 0)


def _mercenaries(play: Play, effect: Effect, scope: Scope, key: str = "") -> list[Thing]:
    return [thing for thing in things_meant(play, effect, scope, key) if stats.on_battlefield(play.state, thing)]


# --------------------------------------------------------------------------------------------- statuses


def _give(play: Play, effect: Effect, scope: Scope) -> None:
    """13.7 to 13.9: a status, or this many counters of it; fog goes on the mercenary's tile (13.8.1)."""
    kind, number = effect.text("give"), query.number(play.state, effect.value("n"), scope)
    things = _mercenaries(play, effect, scope, "to")
    for thing in things:
        if kind == "fog":
            statuses.set_tile(play, thing.at, "fog", 1)
        elif kind == "exhaust":
            for _ in range(number):
                statuses.exhaust(play, play.state.things[thing.key])
        else:
            statuses.give(play, thing, kind, number)
    did(play, scope, things)


def _remove(play: Play, effect: Effect, scope: Scope) -> None:
    """13.5, 13.6, S57, S66: a status with all its counters; `all of physical`, `one of magical`."""
    status = effect.text("remove")
    many, _, group = status.partition(" of ")
    things = _mercenaries(play, effect, scope, "from")
    if (group or status) in statuses.GROUPS:
        for thing in things:
            _mend(play, thing, group or status, scope, every=many == "all")
        return
    number = query.number(play.state, effect.value("n"), scope) if effect.get("n") is not None else 0
    for thing in things:
        statuses.take(play, thing, status, number)
    did(play, scope, things)


def _mend(play: Play, thing: Thing, group: str, scope: Scope, *, every: bool) -> None:
    have = tuple(kind for kind in statuses.GROUPS[group] if stats.count(thing, kind))
    if every or len(have) <= 1:
        play.emit(Event("mended", (MEND[group],), thing.controller, thing))
        for kind in have:
            statuses.take(play, play.state.things[thing.key], kind, cites=(MEND[group], statuses.NUMBERS[kind]))
    else:
        play.ask(AskStatus((scope.controller,), thing.ref, have, group))


@dataclass(frozen=True, slots=True)
class AskStatus(Decision):
    """S57, S66: the one status to remove; the card's controller chooses."""

    target: Ref
    among: tuple[str, ...]  # statuses, not things: nothing is hidden in them
    group: str

    kind = "choose"
    takes = ("choose",)
    cites = "S57"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """S66: the whole status."""
        names = [str(name) for name in naming.names(action)]
        if len(names) != 1 or names[0].casefold() not in self.among:
            raise Refused(("S57", MEND[self.group]), said("choose one of %(among)s", among=", ".join(self.among)))
        if (thing := play.state.thing(self.target)) is not None:
            kind = names[0].casefold()
            statuses.take(play, thing, kind, cites=(MEND[self.group], statuses.NUMBERS[kind]))

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: the first."""
        return self.options(state, seat)[0]

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        return tuple(Action("choose", things=(kind,)) for kind in self.among)


def _exhaust(play: Play, effect: Effect, scope: Scope) -> None:
    """13.7.1: a mercenary gets a counter, a treasure of the Warchest can't pay."""
    things = things_meant(play, effect, scope)
    for thing in things:
        if stats.on_battlefield(play.state, thing):
            statuses.exhaust(play, thing)
        else:
            play.change(thing.key, engaged=True)
    did(play, scope, things)


def _ready(play: Play, effect: Effect, scope: Scope) -> None:
    """13.7.1: remove all exhaust counters; a treasure can pay again."""
    things = things_meant(play, effect, scope)
    for thing in things:
        if stats.on_battlefield(play.state, thing):
            statuses.take(play, thing, "exhaust")
        else:
            play.change(thing.key, engaged=False)
    did(play, scope, things)


def _defense(play: Play, effect: Effect, scope: Scope) -> None:
    """13.4.3, S61: `renewed`: back to the card's value; a number adds to what is left."""
    things = _mercenaries(play, effect, scope, "on") if effect.get("on") else _mercenaries_of(play, scope)
    by = effect.get("defense")
    for thing in things:
        remaining, printed = stats.count(thing, "defense"), play.state.cards[thing.card].defense
        if isinstance(by, Change):
            number = query.number(play.state, by.by, scope)
            now = number if by.how == "set" else remaining + number
        else:
            now = max(remaining, printed)
        changed = statuses.put(play, thing, "defense", max(0, now))
        play.emit(Event("status given", ("13.4.3", "S61"), thing.controller, changed, amount=now, told="defense"))
    did(play, scope, things)


def _mercenaries_of(play: Play, scope: Scope) -> list[Thing]:
    source = dealer(play.state, scope)
    return [source] if source is not None and stats.on_battlefield(play.state, source) else []


# --------------------------------------------------------------------------------------------- the ground


def _move(play: Play, effect: Effect, scope: Scope) -> None:
    """9.F: to a tile, to a zone, or a change of the move."""
    if isinstance(effect.get("move"), Change):
        hold(play, effect, scope)
        return
    place = effect.get("to")
    if isinstance(place, Selector):
        tiles = [aim.name for aim in query.meant(play.state, place, scope) if isinstance(aim, Tile)]
        things = _mercenaries(play, effect, scope)[:1]
        free = [tile for tile in tiles[:1] if play.state.on_tile(tile) is None and play.state.is_open(tile)]
        for thing in things if free else []:
            moving.put_on(play, thing, free[0], ("9.F",))
        did(play, scope, things if free else [])
        return
    if effect.text("to") == "warchest":
        _to_warchest(play, effect, scope)
        return
    SHARED["move"](play, effect, scope)


def _to_warchest(play: Play, effect: Effect, scope: Scope) -> None:
    """8, S11: to its owner's Warchest; a mercenary is face down there, any other card only if the text says so."""
    things = things_meant(play, effect, scope)
    for thing in things:
        hidden = effect.flag("face down") or play.state.cards[thing.card].type == "mercenary"
        new_thing = play.move(thing.key, "warchest", cites=("8", "9.F"), event="treasure", face_down=bool(hidden))
        if effect.flag("exhausted"):
            play.change(new_thing.key, engaged=True)
    did(play, scope, things)


def _push(play: Play, effect: Effect, scope: Scope) -> None:
    """11.4.1, S25: straight away from the pusher's fort, or in a direction as they see it, as far as tiles are free."""
    number, direction = query.number(play.state, effect.value("n"), scope), effect.text("direction") or "F"
    pushed = []
    for thing in _mercenaries(play, effect, scope):
        for _ in range(number):
            here = play.state.things[thing.key]
            behind = reach.pushed_to(play.state, scope.controller, here.at, direction)
            if not behind:
                break
            moving.put_on(play, here, behind, ("9.F", "11.4.1"))
            pushed.append(here)
    did(play, scope, pushed)


def _swap(play: Play, effect: Effect, scope: Scope) -> None:
    """9.F: swap the tiles of two mercenaries."""
    one, other = _mercenaries(play, effect, scope)[:1], _mercenaries(play, effect, scope, "with")[:1]
    if one and other and one[0].key != other[0].key:
        moving.put_on(play, one[0], other[0].at, ("9.F",))
        moving.put_on(play, other[0], one[0].at, ("9.F",))


def _tiles(play: Play, effect: Effect, scope: Scope, key: str) -> list[str]:
    selector = effect.selector(key)
    names = []
    for aim in query.meant(play.state, selector, scope) if selector is not None else ():
        thing = play.state.thing(aim)
        names.append(aim.name if isinstance(aim, Tile) else thing.at if thing is not None else "")
    return [tile for tile in names if tile]


def _tile(play: Play, effect: Effect, scope: Scope) -> None:
    """13.8.1: fog (or another mark) on tiles."""
    number = query.number(play.state, effect.value("n"), scope)
    for tile in _tiles(play, effect, scope, "at"):
        statuses.set_tile(play, tile, effect.text("tile"), number)


def _pillar(play: Play, effect: Effect, scope: Scope) -> None:
    """5.3: a pillar closes a tile; none is placed on an occupied one."""
    for tile in _tiles(play, effect, scope, "pillar"):
        if play.state.on_tile(tile) is None:
            statuses.set_tile(play, tile, "pillar", 1)


def _plunder_with(play: Play, effect: Effect, scope: Scope) -> None:
    """7.3: an effect makes a mercenary plunder from its tile, besides its player's one declaration a turn."""
    for thing in _mercenaries(play, effect, scope):
        if not stats.arena(play.state) and (owner := reach.plundered(play.state, thing)):
            attacks.take_loot(play, thing, owner)


def _again(play: Play, effect: Effect, scope: Scope) -> None:
    """7.1: it may attack once more in this turn, and its own attack's exhaustion is removed."""
    for thing in _mercenaries(play, effect, scope):
        mark = stats.mark("attacked", thing)
        own_attacks = stats.did(play.state, "own", thing)
        play.state = replace(play.state, marks=tuple(one for one in play.state.marks if one != mark))
        if own_attacks:
            statuses.take(play, thing, "exhaust", own_attacks)


FIGHT: Mapping[str, Primitive] = {
    "damage": _damage, "heal": _heal, "give": _give, "remove": _remove, "exhaust": _exhaust, "ready": _ready,
    "defense": _defense, "move": _move, "push": _push, "swap": _swap, "tile": _tile, "pillar": _pillar,
    "plunder with": _plunder_with, "attack again": _again,
}  # fmt: skip
"""13: the effects on mercenaries and tiles, by their words."""
