"""T5.3, T7: what cards ask of a state, all of which asks for each other: who and what is meant, numbers and conditions,
and what holds for a while: passive abilities, lasting effects, and what they make of a thing.

One order of application: set (the latest counts), add, floor at 0 (K49); keywords after that; "can't" last (10.2).
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tables.core import ability_index
from tables.core.lists.cards import (
    Ability,
    Card,
    Change,
    Compare,
    Count,
    Effect,
    Filter,
    Name,
    Number,
    Selector,
    Stat,
    Sum,
    Test,
    Value,
)
from tables.core.state import Aim, Gone, Item, OnPile, Player, Ref, Scope, State, Thing, Tile
from tables.core.traits import (
    FACE_DOWN,
    by_counters,
    is_in_state,
    is_printed,
    is_whose,
    place_of,
    play_zones,
    players,
    printed,
    stands,
    tile_of,
    works,
)
from tables.core.zones import kind_of, zone_of

EXPEDITION = ("hero", "companion")
"""3.2.4.b: the sub-zones that `expedition` means in a filter."""


def seats_meant(state: State, selector: Selector | None, scope: Scope, default: str = "you") -> tuple[str, ...]:
    """T7: the players that a `who` means: the controller if nothing is said."""
    if selector is None:
        return players(state, default, scope)
    if seats := players(state, selector.word, scope):
        return seats
    return tuple(aim.seat for aim in meant(state, selector, scope) if isinstance(aim, Player))


def meant(state: State, selector: Selector, scope: Scope) -> tuple[Aim, ...]:
    """T7: what a selector means now, in the order of the table."""
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
    """T7: cards by their position in an ordered zone of the controller's."""
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
        if tile_fits(state, tile, where, scope) and (not free or (state.on_tile(tile) is None and state.is_open(tile)))
    )  # fmt: skip


def tile_fits(state: State, tile: str, where: Filter, scope: Scope) -> bool:
    """2, S2: whether a tile has the relation that a filter names to the tile of what `to` means."""
    ground = state.ground
    if ground is None or not tile:
        return False
    if where.tile in ("", "free"):
        return True
    if where.tile == "hall":
        owner = ground.owner(tile)
        is_own = where.to is None or owner in seats_meant(state, where.to, scope)
        return ground.depth(tile) == 1 and is_own and (bool(where.type) or is_whose(state, owner, owner, where, scope))
    anchors = [tile_of(state, aim) for aim in meant(state, where.to or Selector("self"), scope)]
    return any(stands(state, anchor, tile, where) for anchor in anchors if anchor)


def aim_fits(state: State, aim: Aim, where: Filter, scope: Scope) -> bool:
    """8.5: whether the aim is still there and fits."""
    if isinstance(aim, OnPile):
        item = state.item(aim.item)
        return item is not None and item_fits(state, item, where, scope)
    if isinstance(aim, Player):
        return aim.seat in state.living and where.type in ("player", "") and is_whose(state, aim.seat, "", where, scope)
    if isinstance(aim, Tile):
        return aim in tiles(state, where, scope)
    thing = state.thing(aim)
    return thing is not None and not thing.under and fits(state, thing, where, scope)


def item_fits(state: State, item: Item, where: Filter, scope: Scope) -> bool:
    """G: Counter, K43: whether an item of the pile is of the given kind; never the effect itself."""
    if where.item and item.what != where.item:
        return False
    if not where.item and item.what not in ("card", "ability"):
        return False
    card = state.cards[item.card]
    return (
        item.source != scope.source
        and (not where.type or card.type == where.type)
        and (not where.name or card.name == where.name)
        and is_whose(state, item.controller, item.controller, where, scope)
        and all(holds_compare(state, card.mana_value, test, scope) for name, test in where.numbers if name == "cost")
    )


def _lies_there(state: State, thing: Thing, kind: str, where: Filter) -> bool:
    """T7: whether a thing is where a filter looks: in its zone, else where things of its type are meant."""
    if where.expedition and where.expedition != kind:
        return False
    if not where.zone:
        return kind in play_zones(state, where.type)
    return where.zone in (kind, "any") or _in_expedition(thing, where)


def fits(state: State, thing: Thing, where: Filter, scope: Scope, gone: Gone | None = None) -> bool:
    """T7: whether a thing fits a filter; `gone`: as it last was. Cheap checks come first. S11: a face-down thing is
    a plain treasure."""
    if where.whose == "you" and thing.controller != scope.controller:
        return False
    card = FACE_DOWN if thing.face_down and state.game == "seize" else state.cards[thing.card]
    if where.type and card.type != where.type:
        return False
    kind = kind_of(thing.zone)
    if not _lies_there(state, thing, kind, where) or not is_printed(card, where):
        return False
    if where.whose and not is_whose(state, thing.controller, thing.owner, where, scope):
        return False
    if where.tile and not tile_fits(state, thing.at, where, scope):
        return False
    if where.status and where.status not in thing.statuses and not dict(thing.counters).get(where.status, 0):
        return False
    if where.states and not all(is_in_state(state, thing, card, name) is expected for name, expected in where.states):
        return False
    if where.not_ is not None and is_one(state, thing, where.not_, scope):
        return False
    if where.place and place_of(state, thing) != where.place:
        return False
    if where.counters and not all(_counted(thing, kind, test, state, scope) for kind, test in where.counters):
        return False
    if where.keyword and where.keyword not in (gone.keywords if gone else keywords(state, thing)):
        return False
    return not where.numbers or all(
        _number(state, thing, card, name, test, scope, gone) for name, test in where.numbers
    )


def _in_expedition(thing: Thing, where: Filter) -> bool:
    return where.zone.startswith("expedition") and kind_of(thing.zone) in EXPEDITION


def is_one(state: State, thing: Thing, selector: Selector, scope: Scope, gone: Gone | None = None) -> bool:
    """T7: whether a selector means this thing (among others)."""
    if selector.where is not None:
        return fits(state, thing, selector.where, scope, gone)
    if selector.word in ("any", "all", "one"):
        return True
    if selector.word == "self":
        return thing.key == scope.source.key and thing.stamp == scope.source.stamp
    return any(isinstance(aim, Ref) and aim == thing.ref for aim in meant(state, selector, scope))


def _counted(thing: Thing, kind: str, test: Compare, state: State, scope: Scope) -> bool:
    return holds_compare(state, dict(thing.counters).get(kind, 0), test, scope)


def _number(
    state: State, thing: Thing, card: Card, name: str, test: Compare, scope: Scope, gone: Gone | None
) -> bool:  # fmt: skip
    match name:
        case "cost":
            number = card.mana_value
        case "attack":
            number = gone.attack if gone else attack(state, thing)
        case "health" if state.game == "seize":
            number = statistic(state, thing, "health") - thing.damage
        case "melee" | "ranged" | "move" | "bounty":
            number = statistic(state, thing, name)
        case "stars":
            number = card.stars
        case "defense" | "health":
            number = gone.defense if gone else defense(state, thing)
        case "damage":
            number = thing.damage
        case "eleven cost":
            number = card.eleven.cost or 0
        case _:
            return False
    return holds_compare(state, number, test, scope)


def number(state: State, value: Value | None, scope: Scope, missing: int = 1) -> int:
    """T7: the current number of a value; `missing` if a card names none."""
    match value:
        case None:
            return missing
        case Number(n):
            return n
        case Name("X"):
            return scope.x
        case Name():
            return scope.many
        case Count(what):
            return len(meant(state, what, scope))
        case Stat():
            return _stat(state, value, scope)
        case Sum():
            return _sum(state, value, scope)


def number_of(value: Number | Name, x: int) -> int:
    """8.1.1: the number of a stone: as printed, or the chosen X."""
    return value.n if isinstance(value, Number) else x


def _sum(state: State, value: Sum, scope: Scope) -> int:
    left, right = number(state, value.left, scope, 0), number(state, value.right, scope, 0)
    match value.op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "min":
            return min(left, right)
        case "max":
            return max(left, right)
        case "half up":
            return -(-left // 2)
        case "half down":
            return left // 2


def _stat(state: State, value: Stat, scope: Scope) -> int:
    """T7: the sum over all that is meant; K38: for things that have left, as they last were."""
    aims = meant(state, value.of, scope)
    return sum(_of_player(state, value, aim.seat) for aim in aims if isinstance(aim, Player)) + sum(
        _of_thing(state, value, aim) for aim in aims if isinstance(aim, Ref)
    )


def _of_player(state: State, value: Stat, seat: str) -> int:
    if value.stat == "energy":
        return sum(count for _, count in state.seat(seat).energy)
    if value.stat in dict(state.seat(seat).numbers):
        return state.number(seat, value.stat)
    return len(state.zone(zone_of(seat, value.stat)))


def _of_thing(state: State, value: Stat, ref: Ref) -> int:
    thing, record = state.known(ref), state.gone.get(ref)
    if thing is None:
        return 0
    here = state.thing(ref) is not None
    match value.stat:
        case "attack":
            return attack(state, thing) if here or record is None else record.attack
        case "defense":
            return defense(state, thing) if here or record is None else record.defense
        case "damage":
            return thing.damage
        case "health":
            return statistic(state, thing, "health") - thing.damage
        case "melee" | "ranged" | "move" | "bounty" | "armor" | "magic armor":
            return statistic(state, thing, value.stat)
        case "stars":
            return state.cards[thing.card].stars
        case "cost":
            return state.cards[thing.card].mana_value
        case "eleven cost":
            return state.cards[thing.card].eleven.cost or 0
        case "counters":
            return dict(thing.counters).get(value.kind, 0)
    return 0


def holds_compare(state: State, left: int, compare: Compare, scope: Scope) -> bool:
    """T7: whether the comparison is true."""
    right = number(state, compare.to, scope)
    return {
        "=": left == right, "!=": left != right, "<": left < right, "<=": left <= right, ">": left > right,
        ">=": left >= right,
    }[compare.op]  # fmt: skip


def holds(state: State, test: Test | None, scope: Scope) -> bool:
    """T7: whether a condition is met; none is always met."""
    if test is None:
        return True
    match test.word:
        case "short time":
            return short_time(state, scope.controller, test.n)
        case "done":
            return scope.done
        case "not":
            return not any(holds(state, part, scope) for part in test.parts)
        case "all":
            return all(holds(state, part, scope) for part in test.parts)
        case "some":
            return any(holds(state, part, scope) for part in test.parts)
        case "is":
            return _is(state, test, scope)
        case "number":
            value = number(state, test.value, scope, 0)
            return test.compare is not None and holds_compare(state, value, test.compare, scope)
    return True


def short_time(state: State, seat: str, most: int) -> bool:
    """G: Short Time, K32: one opponent with this few 11 year cards is enough."""
    return any(len(state.zone(zone_of(other, "eleven"))) <= most for other in state.opponents(seat))


def _is(state: State, test: Test, scope: Scope) -> bool:
    what, where = test.what or Selector("self"), test.where
    for aim in meant(state, what, scope):
        if where is None:
            return True
        if isinstance(aim, Ref) and (thing := state.known(aim)) is not None:
            zone = where.zone or kind_of(thing.zone)
            if zone == kind_of(thing.zone) and fits(state, thing, where, scope, state.gone.get(aim)):
                return True
        elif aim_fits(state, aim, where, scope):
            return True
    return False


@dataclass(frozen=True, slots=True)
class Active:
    """9.2: one modifier that is in effect now, from a passive ability or a lasting effect."""

    effect: Effect
    scope: Scope
    stamp: int
    on: tuple[Aim, ...]
    dynamic: Selector | None
    who: Selector | None
    bound: bool
    """Whether it says what it applies to, by name or by selector."""


def works_here(state: State, thing: Thing, ability: Ability) -> bool:
    """T9, 5.3.1: whether an ability works where its card is: on the island, and not beneath a citizen."""
    if thing.face_down:  # S11, 6.F.2: whose face nobody sees does nothing
        return False
    if ability.zone:
        return ability.zone in (kind_of(thing.zone), "any") or (ability.zone == "attached" and bool(thing.under))
    return works(state, kind_of(thing.zone), is_under=bool(thing.under))


DEEPEST = 2
"""A modifier that depends on a number or keyword uses its current value; whatever determines *that* uses the printed
one. So no card can depend on itself without end."""


class _Asked(threading.local):
    """The depth of nested modifiers, and the modifiers in effect in the state that was used last."""

    depth = 0
    kept: dict[int, tuple[State, dict[str, list[Active]]]]


_asked = _Asked()


def in_effect(state: State, word: str = "") -> Sequence[Active]:
    """9.2: every modifier (of that word, if given) that is in effect now, lasting effects first; without passives
    whose condition isn't met."""
    depth = _asked.depth
    if depth >= DEEPEST:
        return ()
    cache: dict[int, tuple[State, dict[str, list[Active]]]] = _asked.__dict__.setdefault("kept", {})
    cached = cache.get(depth)
    if cached is None or cached[0] is not state:
        by_word: dict[str, list[Active]] = {}
        _asked.depth = depth + 1
        try:
            for active in _modifiers(state):
                by_word.setdefault(active.effect.word, []).append(active)
                by_word.setdefault("", []).append(active)
        finally:
            _asked.depth = depth
        cache[depth] = cached = (state, by_word)
    return cached[1].get(word, ())


def _modifiers(state: State) -> Iterator[Active]:
    for lasting in state.lasting:
        if lasting.until == "source" and state.thing(lasting.scope.source) is None:
            continue
        yield Active(
            lasting.effect, lasting.scope, lasting.stamp, lasting.on, lasting.dynamic,
            lasting.effect.selector("who"), bool(lasting.on) or lasting.dynamic is not None,
        )  # fmt: skip
    names = ability_index.passive(state.cards)
    for thing in state.things.values():
        if thing.card not in names:
            continue
        for ability in state.cards[thing.card].abilities:
            if ability.kind != "passive" or not works_here(state, thing, ability):
                continue
            scope = Scope(thing.ref, thing.card, thing.controller)
            if ability.test is not None and not holds(state, ability.test, scope):
                continue
            on = ability.on if ability.on is not None or ability.who is not None else Selector("self")
            for effect in ability.passive:
                yield Active(effect, scope, thing.stamp, (), effect_on(effect) or on, ability.who, True)


def effect_on(effect: Effect) -> Selector | None:
    """T7: the `on` of an effect, if it has one."""
    selector = effect.get("on")
    return selector if isinstance(selector, Selector) else None


def touches(state: State, active: Active, thing: Thing) -> bool:
    """9.2: whether a modifier applies to a thing."""
    if active.on:
        return thing.ref in active.on
    if active.dynamic is None:
        return False
    _asked.depth += 1
    try:
        return is_one(state, thing, active.dynamic, active.scope)
    finally:
        _asked.depth -= 1


def _on(state: State, thing: Thing, word: str) -> list[Active]:
    found = [active for active in in_effect(state, word) if touches(state, active, thing)]
    return sorted(found, key=lambda active: active.stamp) if len(found) > 1 else found


def statistic(state: State, thing: Thing, word: str, base: int | None = None) -> int:
    """T6, 7.1, K49: any current statistic of a card: set, then added to, then never below zero. `base` is the
    starting value, if it isn't the printed one."""
    start = printed(state.cards[thing.card], word) if base is None else base
    if not works(state, kind_of(thing.zone)):
        return start
    added = by_counters(thing, word)
    for active in _on(state, thing, word):
        change = active.effect.change(word)
        if change is None:
            continue
        by = _asked_number(state, change, active)
        if change.how == "set":
            start = by
        else:
            added += by
    return max(0, start + added)


def _asked_number(state: State, change: Change, active: Active) -> int:
    """T10: the amount of a change; a number that depends on others goes one level deeper."""
    if isinstance(change.by, Number):
        return change.by.n
    _asked.depth += 1
    try:
        return number(state, change.by, active.scope)
    finally:
        _asked.depth -= 1


def attack(state: State, thing: Thing) -> int:
    """7.1: a citizen's current attack."""
    return statistic(state, thing, "attack", state.cards[thing.card].attack)


def defense(state: State, thing: Thing) -> int:
    """7.1: a citizen's current defense."""
    return statistic(state, thing, "defense", state.cards[thing.card].defense)


def keywords(state: State, thing: Thing) -> tuple[str, ...]:
    """T9: the current keywords of a thing: printed, given and taken, in the order in which that happened."""
    names = list(state.cards[thing.card].keywords)
    if not works(state, kind_of(thing.zone)):
        return tuple(names)
    for active in _on_but(state, thing):
        keyword = active.effect.text("keyword")
        name = keyword.lstrip("+-")
        if keyword.startswith("-"):
            names = [other for other in names if other != name]
        elif name not in names:
            names.append(name)
    return tuple(names)


def _on_but(state: State, thing: Thing) -> list[Active]:
    """Keyword modifiers on a thing; one that depends on a keyword uses the printed ones."""
    modifiers = []
    for active in in_effect(state, "keyword"):
        where = active.dynamic.where if active.dynamic else None
        if where is not None and where.keyword:
            if where.keyword not in state.cards[thing.card].keywords:
                continue
            active = replace(active, dynamic=Selector("any", where=replace(where, keyword="")))
        if touches(state, active, thing):
            modifiers.append(active)
    return sorted(modifiers, key=lambda active: active.stamp)


def has(state: State, thing: Thing, keyword: str) -> bool:
    """T9: whether a thing has a keyword now."""
    return keyword in keywords(state, thing)


def abilities(state: State, thing: Thing) -> tuple[Ability, ...]:
    """T9, 2.1.c: the abilities of a thing: its own, then those given by others."""
    return (*state.cards[thing.card].abilities, *(ability for ability, _ in given(state, thing)))


def given(state: State, thing: Thing) -> list[tuple[Ability, str]]:
    """2.1.c, A32: the reactions that others' passive abilities give to a thing, each with the card that gives it."""
    found = []
    for active in giving(state):
        ability = active.effect.ability("reaction")
        if ability is not None and touches(state, active, thing):
            found.append((ability, active.scope.card))
    return found


def giving(state: State) -> list[Active]:
    """2.1.c: the modifiers that give reactions now."""
    return [active for active in in_effect(state) if active.effect.word == "reaction"]


def last_seen(state: State, thing: Thing) -> Gone:
    """K38: the current state of a thing, to be remembered when it has left."""
    return Gone(thing, attack(state, thing), defense(state, thing), keywords(state, thing), abilities(state, thing))


def forbids(state: State, action: str, aim: Thing | str) -> str:
    """10.2: the card that forbids an action to a thing or a player (by letter); empty if none does."""
    for active in in_effect(state, "can't"):
        if active.effect.text("can't") != action:
            continue
        if _forbidden(state, active, aim):
            return active.scope.card or "ruling"
    return ""


def _forbidden(state: State, active: Active, aim: Thing | str) -> bool:
    selector = active.who or active.effect.selector("who")
    if isinstance(aim, str):
        if selector is not None:
            return aim in seats_meant(state, selector, active.scope)
        return Player(aim) in active.on
    if selector is not None and not active.on:
        return active.dynamic is None and aim.controller in seats_meant(state, selector, active.scope)
    return touches(state, active, aim)


def cost_change(state: State, seat: str, thing: Thing) -> int:
    """T7: the difference in generic energy that a card costs its player."""
    total = 0
    for active in in_effect(state, "costs"):
        selector, where = active.who or active.effect.selector("who"), active.effect.filter("of")
        if seat not in seats_meant(state, selector, active.scope):
            continue
        anywhere = replace(where, zone="any") if where is not None and not where.zone else where
        change = active.effect.change("costs")
        if change and (anywhere is None or fits(state, thing, anywhere, active.scope)):
            total += number(state, change.by, active.scope)
    return total
