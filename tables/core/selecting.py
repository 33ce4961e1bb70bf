"""T7: who and what is meant: selectors and filters, looked for in a state."""

from functools import lru_cache

from tables.core import grid, lasting, values
from tables.core.lists.cards import Card, Compare, Filter, Selector
from tables.core.lists.vocabulary import IN_PLAY, MEANT
from tables.core.state import Aim, Gone, Item, OnPile, Player, Ref, Scope, State, Thing, Tile
from tables.core.zones import kind_of, zone_of

WORKS = {"seize": ("battlefield", "events")}
"""By game: the zones in which a card's abilities work, where these aren't those in which things are in play."""
EQUIPS = {"seize": ("battlefield",)}
"""By game: the zones in which what lies beneath something works: treasures that a mercenary wears (8.E)."""
EXPEDITION = ("hero", "companion")
"""3.2.4.b: the sub-zones that a filter means by `expedition`."""


def works(state: State, kind: str, *, is_under: bool = False) -> bool:
    """5.3.1, 8.E: whether the abilities of a card work in this kind of zone; `is_under`: it lies beneath another."""
    if is_under:
        return kind in EQUIPS.get(state.game, ())
    return kind in WORKS.get(state.game, IN_PLAY[state.game])


def play_zones(state: State, type_: str) -> tuple[str, ...]:
    """T7: where things of a type are meant, if a filter names no zone."""
    return _play_zones(state.game, type_)


@lru_cache(maxsize=1_000)
def _play_zones(game: str, type_: str) -> tuple[str, ...]:
    meant = MEANT.get(game, {})
    return meant.get(type_, meant.get("", IN_PLAY[game]))


def opponents(state: State, seat: str) -> tuple[str, ...]:
    """G: Opponent(s): every living player but oneself and one's partners, clockwise."""
    mine = state.side(seat)
    return tuple(letter for letter in state.clockwise(seat) if state.side(letter) != mine)


def players(state: State, word: str, scope: Scope) -> tuple[str, ...]:
    """T7: the seats that a word for players means; empty where it is no such word."""
    you = scope.controller
    match word:
        case "you":
            return (you,)
        case "opponent" | "each opponent":
            return opponents(state, you)
        case "each player" | "player":
            return state.from_turn_player()
        case "turn player":
            return (state.turn.of,)
        case "they":
            return (scope.they or you,)
        case "controller" | "owner":
            found = [thing for aim in scope.it if (thing := known_thing(state, aim))]
            return tuple(thing.owner if word == "owner" else thing.controller for thing in found)[:1] or (you,)
        case "first player":
            return (state.turn.starter,)
    return ()


def seats_meant(state: State, selector: Selector | None, scope: Scope, default: str = "you") -> tuple[str, ...]:
    """T7: the players that a `who` means: the controller where nothing is said."""
    if selector is None:
        return players(state, default, scope)
    if found := players(state, selector.word, scope):
        return found
    return tuple(aim.seat for aim in meant(state, selector, scope) if isinstance(aim, Player))


def known_thing(state: State, aim: Aim) -> Thing | None:
    """A thing as it is, or as it last was in play (K38)."""
    if not isinstance(aim, Ref):
        return None
    if (found := state.thing(aim)) is not None:
        return found
    gone = state.gone.get(aim)
    return gone.thing if gone is not None else None


def meant(state: State, selector: Selector, scope: Scope) -> tuple[Aim, ...]:
    """T7: what a selector means now, in the order in which it stands on the table."""
    if selector.where is not None:
        return fitting(state, selector.where, scope)
    if seats := players(state, selector.word, scope):
        return tuple(Player(seat) for seat in seats)
    match selector.word:
        case "self" | "source":
            return (scope.source,)
        case "it" | "that card":
            return scope.it
        case "chosen" | "remembered":
            return scope.chosen
        case "done":
            return scope.acted
        case "target":
            return scope.targets[selector.n - 1] if 0 < selector.n <= len(scope.targets) else ()
        case "attacker":
            return (scope.by,) if scope.by is not None else (state.fight.attacker,) if state.fight else ()
        case "blockers" | "blocker":
            return state.fight.blockers if state.fight else ()
        case "attached":
            return tuple(thing.ref for thing in state.beneath(scope.source.key))
        case "bearer":
            source = state.thing(scope.source)
            return (state.things[source.under].ref,) if source and source.under else ()
        case "top" | "bottom" | "place":
            return _placed(state, selector, scope)
    return ()


def _placed(state: State, selector: Selector, scope: Scope) -> tuple[Aim, ...]:
    """T7: cards by where they lie in an ordered zone of the controller's."""
    things = state.zone(zone_of(scope.controller, selector.zone or "deck"))
    if selector.word == "place":
        return tuple(thing.ref for thing in things[selector.n - 1 : selector.n])
    count = selector.n or 1
    return tuple(thing.ref for thing in (things[:count] if selector.word == "top" else things[-count:]))


def fitting(state: State, where: Filter, scope: Scope) -> tuple[Aim, ...]:
    """T7: all that fits a filter: things in play in order of seats, or cards of a zone, or items on the pile."""
    if where.zone == "pile" or where.item:
        return tuple(OnPile(item.id) for item in reversed(state.pile) if item_fits(state, item, where, scope))
    if where.zone == "tile" or (not where.type and not where.zone and (where.tile or where.free is not None)):
        return tiles(state, where, scope)
    kinds = (where.zone,) if where.zone else play_zones(state, where.type)
    kinds = EXPEDITION if where.zone.startswith("expedition") else kinds
    zones = [zone_of(seat, kind) for seat in state.from_turn_player() for kind in kinds]
    zones += kinds if where.zone else ()
    return tuple(
        thing.ref for zone in zones for thing in state.zone(zone) if fits(state, thing, where, scope)
    )  # fmt: skip


def tiles(state: State, where: Filter, scope: Scope) -> tuple[Aim, ...]:
    """2: the tiles that are meant: adjacent to something, in line with it, in a hall, ..; free ones if it says so."""
    every = state.ground.tiles if state.ground is not None else ()
    free = where.free is True or where.tile == "free"
    return tuple(
        Tile(tile) for tile in every
        if tile_fits(state, tile, where, scope) and (not free or (state.on_tile(tile) is None and open_(state, tile)))
    )  # fmt: skip


def open_(state: State, tile: str) -> bool:
    """5.3: whether no pillar stands on a tile."""
    return not dict(state.tiles.get(tile, ())).get("pillar")


def tile_fits(state: State, tile: str, where: Filter, scope: Scope) -> bool:
    """2, S2: whether a tile stands in the relation that a filter names, to the tile of what `to` means."""
    near = state.ground
    if near is None or not tile:
        return False
    if where.tile in ("", "free"):
        return True
    if where.tile == "hall":
        owner = near.owner(tile)
        mine = where.to is None or owner in seats_meant(state, where.to, scope)
        return near.depth(tile) == 1 and mine and (bool(where.type) or _whose(state, owner, owner, where, scope))
    anchors = [_tile_of(state, aim) for aim in meant(state, where.to or Selector("self"), scope)]
    return any(_stands(state, anchor, tile, where) for anchor in anchors if anchor)


def _tile_of(state: State, aim: Aim) -> str:
    if isinstance(aim, Tile):
        return aim.name
    thing = state.thing(aim)
    return thing.at if thing is not None else ""


def _stands(state: State, anchor: str, tile: str, where: Filter) -> bool:
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


def aim_fits(state: State, aim: Aim, where: Filter, scope: Scope) -> bool:
    """8.5: whether what is meant is still there and fits."""
    if isinstance(aim, OnPile):
        item = state.item(aim.item)
        return item is not None and item_fits(state, item, where, scope)
    if isinstance(aim, Player):
        return aim.seat in state.living and where.type in ("player", "") and _whose(state, aim.seat, "", where, scope)
    if isinstance(aim, Tile):
        return aim in tiles(state, where, scope)
    thing = state.thing(aim)
    return thing is not None and not thing.under and fits(state, thing, where, scope)


def item_fits(state: State, item: Item, where: Filter, scope: Scope) -> bool:
    """G: Counter, K43: whether an item of the pile is of the kind that is meant; never the effect itself."""
    if where.item and item.what != where.item:
        return False
    if not where.item and item.what not in ("card", "ability"):
        return False
    card = state.cards[item.card]
    return (
        item.source != scope.source
        and (not where.type or card.type == where.type)
        and (not where.name or card.name == where.name)
        and _whose(state, item.controller, item.controller, where, scope)
        and all(
            values.holds_compare(state, card.mana_value, test, scope) for name, test in where.numbers if name == "cost"
        )
    )


def _lies_there(state: State, thing: Thing, kind: str, where: Filter) -> bool:
    """T7: whether a thing lies where a filter looks: in its zone, else where things of its type are meant."""
    if where.expedition and where.expedition != kind:
        return False
    if not where.zone:
        return kind in play_zones(state, where.type)
    return where.zone in (kind, "any") or _in_expedition(thing, where)


def fits(state: State, thing: Thing, where: Filter, scope: Scope, gone: Gone | None = None) -> bool:
    """T7: whether a thing is what a filter asks for; `gone`: as it last was. What is cheap to see is looked at first.
    S11: face down it is a plain treasure."""
    if where.whose == "you" and thing.controller != scope.controller:
        return False
    card = FACE_DOWN if thing.face_down and state.game == "seize" else state.cards[thing.card]
    if where.type and card.type != where.type:
        return False
    kind = kind_of(thing.zone)
    if not _lies_there(state, thing, kind, where) or not _printed(card, where):
        return False
    if where.whose and not _whose(state, thing.controller, thing.owner, where, scope):
        return False
    if where.tile and not tile_fits(state, thing.at, where, scope):
        return False
    if where.status and where.status not in thing.statuses and not dict(thing.counters).get(where.status, 0):
        return False
    if where.states and not all(_state(state, thing, card, name) is wanted for name, wanted in where.states):
        return False
    if where.not_ is not None and is_one(state, thing, where.not_, scope):
        return False
    if where.place and _place(state, thing) != where.place:
        return False
    if where.counters and not all(_counted(thing, kind, test, state, scope) for kind, test in where.counters):
        return False
    if where.keyword and where.keyword not in (gone.keywords if gone else lasting.keywords(state, thing)):
        return False
    return not where.numbers or all(
        _number(state, thing, card, name, test, scope, gone) for name, test in where.numbers
    )


def _in_expedition(thing: Thing, where: Filter) -> bool:
    return where.zone.startswith("expedition") and kind_of(thing.zone) in EXPEDITION


def is_one(state: State, thing: Thing, selector: Selector, scope: Scope, gone: Gone | None = None) -> bool:
    """T7: whether a thing is (one of) what a selector means."""
    if selector.where is not None:
        return fits(state, thing, selector.where, scope, gone)
    if selector.word in ("any", "all", "one"):
        return True
    if selector.word == "self":
        return thing.key == scope.source.key and thing.stamp == scope.source.stamp
    return any(isinstance(aim, Ref) and aim == thing.ref for aim in meant(state, selector, scope))


def _printed(card: Card, where: Filter) -> bool:
    """7.1.1, T7: whether a card has the faction, name, kind, class and colour that are asked for."""
    return (
        (not where.faction or card.faction == where.faction)
        and (not where.name or card.name == where.name)
        and (not where.kind or card.kind == where.kind)
        and (not where.class_ or card.class_ == where.class_)
        and (not where.colour or where.colour in colours(card))
    )


def colours(card: Card) -> frozenset[str]:
    """T7: the colours of a card: of its specific stones, or of its soul box where it has none."""
    stones = {half for stone in card.cost.stones for half in stone.colour.split("/") if half != "any"}
    return frozenset(stones or card.soul)


def _whose(state: State, controller: str, owner: str, where: Filter, scope: Scope) -> bool:
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


def _state(state: State, thing: Thing, card: Card, name: str) -> bool:
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


def _counted(thing: Thing, kind: str, test: Compare, state: State, scope: Scope) -> bool:
    return values.holds_compare(state, dict(thing.counters).get(kind, 0), test, scope)


def _number(
    state: State, thing: Thing, card: Card, name: str, test: Compare, scope: Scope, gone: Gone | None
) -> bool:  # fmt: skip
    match name:
        case "cost":
            number = card.mana_value
        case "attack":
            number = gone.attack if gone else lasting.attack(state, thing)
        case "health" if state.game == "seize":
            number = lasting.statistic(state, thing, "health") - thing.damage
        case "melee" | "ranged" | "move" | "bounty":
            number = lasting.statistic(state, thing, name)
        case "stars":
            number = card.stars
        case "defense" | "health":
            number = gone.defense if gone else lasting.defense(state, thing)
        case "damage":
            number = thing.damage
        case "eleven cost":
            number = card.eleven.cost or 0
        case _:
            return False
    return values.holds_compare(state, number, test, scope)


def _place(state: State, thing: Thing) -> int:
    return 1 + [other.key for other in state.zone(thing.zone)].index(thing.key)


FACE_DOWN = Card("", "seize", "treasure")
"""S11: what a card that lies face down is to everybody, its owner too: a treasure of no name and no kind."""
