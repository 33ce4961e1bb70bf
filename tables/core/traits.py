"""T7: what a thing is by itself and by where it lies, as filters ask for it: nothing here asks for modifiers."""

from functools import lru_cache

from tables.core import grid
from tables.core.lists.cards import Card, Filter, Reach
from tables.core.lists.vocabulary import IN_PLAY, MEANT
from tables.core.state import Aim, Scope, State, Thing, Tile

WORKS = {"seize": ("battlefield", "events")}
"""By game: the zones in which a card's abilities work, if they differ from those in which things are in play."""
EQUIPS = {"seize": ("battlefield",)}
"""By game: the zones where cards beneath a thing work: treasures that a mercenary wears (8.E)."""
FACE_DOWN = Card("", "seize", "treasure")
"""S11: a face-down card as seen by everybody, including its owner: a treasure without name and kind."""
BY_COUNTERS = {
    "health": ("fortify", (0, 1, 3, 6, 9)),
    "armor": ("armor", None),
    "magic armor": ("magic armor", None),
}
"""13.9.2, 13.4: the counters that change a statistic, and by how much for each number of them (None: by that
number)."""


def works(state: State, kind: str, *, is_under: bool = False) -> bool:
    """5.3.1, 8.E: whether the abilities of a card work in this kind of zone; `is_under`: it is beneath another."""
    if is_under:
        return kind in EQUIPS.get(state.game, ())
    return kind in WORKS.get(state.game, IN_PLAY[state.game])


def play_zones(state: State, type_: str) -> tuple[str, ...]:
    """T7: the zones for things of a type, if a filter names no zone."""
    return _play_zones(state.game, type_)


@lru_cache(maxsize=1_000)
def _play_zones(game: str, type_: str) -> tuple[str, ...]:
    zones = MEANT.get(game, {})
    return zones.get(type_, zones.get("", IN_PLAY[game]))


def players(state: State, word: str, scope: Scope) -> tuple[str, ...]:
    """T7: the seats that a word for players means; empty if it is not such a word."""
    you = scope.controller
    match word:
        case "you":
            return (you,)
        case "opponent" | "each opponent":
            return state.opponents(you)
        case "each player" | "player":
            return state.from_turn_player()
        case "turn player":
            return (state.turn.of,)
        case "they":
            return (scope.they or you,)
        case "controller" | "owner":
            things = [thing for aim in scope.it if (thing := state.known(aim))]
            return tuple(thing.owner if word == "owner" else thing.controller for thing in things)[:1] or (you,)
        case "first player":
            return (state.turn.starter,)
    return ()


def is_printed(card: Card, where: Filter) -> bool:
    """7.1.1, T7: whether a card has the faction, name, kind, class and colour that are asked for."""
    return (
        (not where.faction or card.faction == where.faction)
        and (not where.name or card.name == where.name)
        and (not where.kind or card.kind == where.kind)
        and (not where.class_ or card.class_ == where.class_)
        and (not where.colour or where.colour in colours(card))
    )


def colours(card: Card) -> frozenset[str]:
    """T7: the colours of a card: of its specific stones, or of its soul box if it has none."""
    stones = {half for stone in card.cost.stones for half in stone.colour.split("/") if half != "any"}
    return frozenset(stones or card.soul)


def is_whose(state: State, controller: str, owner: str, where: Filter, scope: Scope) -> bool:
    match where.whose:
        case "":
            return True
        case "you":
            return controller == scope.controller
        case "opponent" | "each opponent":
            return state.side(controller) != state.side(scope.controller)
        case "owner":
            return owner == scope.controller
    return controller in players(state, where.whose, scope)


def is_in_state(state: State, thing: Thing, card: Card, name: str) -> bool:
    fight = state.fight
    match name:
        case "engaged":
            return thing.engaged
        case "weary":
            return thing.weary
        case "damaged":
            return thing.damage > 0
        case "overlord":
            return card.overlord
        case "token":
            return card.token
        case "attached":
            return bool(thing.under)
        case "attacking":
            return fight is not None and fight.attacker == thing.ref
        case "blocking":
            return fight is not None and thing.ref in fight.blockers
        case "blocked":
            return fight is not None and fight.attacker == thing.ref and fight.blocked
        case "attacked":
            return f"attacked {thing.key} {thing.stamp}" in state.marks
        case "boosted":
            return dict(thing.counters).get("boost", 0) > 0
        case "exhausted" | "fleeting" | "anchored" | "asleep":
            return name in thing.statuses
        case "face up":
            return thing.revealed
        case "face down":
            return thing.face_down or not thing.revealed
        case "exhausted":
            return thing.engaged or dict(thing.counters).get("exhaust", 0) > 0
        case "blind" | "silence" | "stealth" | "leech" | "guild master":
            return dict(thing.counters).get(name, 0) > 0
    return False


def tile_of(state: State, aim: Aim) -> str:
    if isinstance(aim, Tile):
        return aim.name
    thing = state.thing(aim)
    return thing.at if thing is not None else ""


def stands(state: State, anchor: str, tile: str, where: Filter) -> bool:
    match where.tile:
        case "adjacent":
            return grid.distance(anchor, tile) == 1
        case "in line":
            return grid.straight(anchor, tile)
        case "same":
            return anchor == tile
        case "distance":
            return grid.distance(anchor, tile) == where.distance + 1
        case "behind":
            thing = state.on_tile(anchor)
            return (
                thing is not None
                and state.ground is not None
                and state.ground.go(thing.controller, anchor, "B") == tile
            )
    return False


def printed(card: Card, word: str) -> int:
    """T6: a statistic as printed on the card."""
    value = getattr(card, word, 0)
    return value.n if isinstance(value, Reach) else value if isinstance(value, int) else 0


def by_counters(thing: Thing, word: str) -> int:
    """13.9.2: the amount that the counters on a thing add to a statistic."""
    kind, steps = BY_COUNTERS.get(word, ("", None))
    count = dict(thing.counters).get(kind, 0)
    return count if steps is None else steps[min(count, len(steps) - 1)]


def place_of(state: State, thing: Thing) -> int:
    return 1 + [other.key for other in state.zone(thing.zone)].index(thing.key)
