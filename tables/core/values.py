"""T7: numbers and conditions on cards, computed when an effect resolves (10, 10.4)."""

from tables.core import lasting, selecting
from tables.core.lists.cards import Compare, Count, Name, Number, Selector, Stat, Sum, Test, Value
from tables.core.state import Player, Ref, Scope, State
from tables.core.zones import kind_of, zone_of


def number(state: State, value: Value | None, scope: Scope, missing: int = 1) -> int:
    """T7: what a value is now; `missing` where a card names none."""
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
            return len(selecting.meant(state, what, scope))
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
    """T7: the sum over all that is meant; K38: of what has left, as it last was."""
    aims = selecting.meant(state, value.of, scope)
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
    thing, gone = selecting.known_thing(state, ref), state.gone.get(ref)
    if thing is None:
        return 0
    here = state.thing(ref) is not None
    match value.stat:
        case "attack":
            return lasting.attack(state, thing) if here or gone is None else gone.attack
        case "defense":
            return lasting.defense(state, thing) if here or gone is None else gone.defense
        case "damage":
            return thing.damage
        case "health":
            return lasting.statistic(state, thing, "health") - thing.damage
        case "melee" | "ranged" | "move" | "bounty" | "armor" | "magic armor":
            return lasting.statistic(state, thing, value.stat)
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
    """T7: whether a number stands in a relation."""
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
            left = number(state, test.value, scope, 0)
            return test.compare is not None and holds_compare(state, left, test.compare, scope)
    return True


def short_time(state: State, seat: str, most: int) -> bool:
    """G: Short Time, K32: one opponent with so few 11 year cards is enough."""
    return any(len(state.zone(zone_of(other, "eleven"))) <= most for other in selecting.opponents(state, seat))


def _is(state: State, test: Test, scope: Scope) -> bool:
    what, where = test.what or Selector("self"), test.where
    for aim in selecting.meant(state, what, scope):
        if where is None:
            return True
        if isinstance(aim, Ref) and (thing := selecting.known_thing(state, aim)) is not None:
            zone = where.zone or kind_of(thing.zone)
            if zone == kind_of(thing.zone) and selecting.fits(state, thing, where, scope, state.gone.get(aim)):
                return True
        elif selecting.aim_fits(state, aim, where, scope):
            return True
    return False
