"""3.2.2: an army's possible next orders, square by square, and the nearest legal form of a refused order."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from wargame.rules.core.board import RANGE, Square, squares_at
from wargame.rules.core.orders import Hold, Intercept, Move, Order, Step, Transfer, write_action
from wargame.rules.core.position import Army, Position
from wargame.rules.core.reasons import Reason
from wargame.rules.moves.legality import Refusal, Stood, refusal_of_order, refusal_of_step


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """One order, without the army's name; `refusal` says why it would be refused (R14), None if it is legal."""

    kind: str
    action: str
    refusal: Refusal | None


@dataclass(frozen=True, slots=True)
class Goal:
    """A square within reach and the possible orders for it: kinds are `move`, `engage`, `replace` and `joint`."""

    at: Square
    steps: int
    choices: tuple[OrderChoice, ...]


def reach_of(position: Position, army: Army) -> tuple[Goal, ...]:
    """3.2.2.1: every square on the map that a move of this turn could end on, and the army's own, nearest first."""
    ends = [square for steps in range(RANGE + 1) for square in squares_at(army.at, steps)]
    return tuple(Goal(end, army.at.distance(end), tuple(_choices_at(position, army, end))) for end in ends)


def choices_on_the_spot(position: Position, army: Army) -> tuple[OrderChoice, ...]:
    """3.2.1, 3.2.3, 3.2.4: hold, intercept the enemies near enough to cross the army, and transfer to its
    neighbours."""
    orders: list[Order] = [Hold()]
    orders += [Intercept(other.name) for other in position.armies if _could_cross(position, army, other)]
    orders += [Transfer(other.name, other.at) for other in position.armies if _is_friend_beside(army, other)]
    return tuple(_choice(position, army, _kind(order), order) for order in orders)


def _choices_at(position: Position, army: Army, end: Square) -> Iterator[OrderChoice]:
    """3.2.2.2, 3.2.5.1, R15: the ways to order a move there: engage each enemy, or replace each friend, or just go."""
    stood = [other for other in position.by_square.get(end, ()) if other is not army]
    for other in stood:
        kind = "engage" if other.is_enemy(army) else "replace"
        step = Step(army.at, end, None, "engage" if kind == "engage" else "replace", other.name)
        yield _choice(position, army, kind, Move((step,)))
    if not stood and end != army.at:
        yield _choice(position, army, "move", Move((Step(army.at, end),)))
    yield _choice(position, army, "joint", Move((Step(army.at, end, None, "joint engage"),)))


def _choice(position: Position, army: Army, kind: str, order: Order) -> OrderChoice:
    return OrderChoice(kind, write_action(order), refusal_of_order(position, army, order))


def _kind(order: Order) -> str:
    if isinstance(order, Hold):
        return "hold"
    return "intercept" if isinstance(order, Intercept) else "transfer"


def _could_cross(position: Position, army: Army, other: Army) -> bool:
    """3.2.3.1, R20: an enemy that may move, and is near enough to step onto the army's square and on."""
    may_move = other.name not in position.battle_of and not other.is_partially_converted
    return may_move and other.is_enemy(army) and 1 <= army.at.distance(other.at) < RANGE


def _is_friend_beside(army: Army, other: Army) -> bool:
    """3.2.4.1, R28: a friend on one of the eight squares around."""
    return other is not army and not other.is_enemy(army) and army.at.is_neighbour(other.at)


OTHER_SUFFIX = (Reason.NEEDS_ENGAGE, Reason.NEEDS_REPLACE, Reason.WRONG_TARGET)


def with_nearest(position: Position, army: Army, order: Order, refusal: Refusal) -> Refusal:
    """R14: a refusal with the nearest legal order, if there is one."""
    would_do = nearest_legal(position, army, order, refusal.fault)
    return replace(refusal, would_do=would_do) if would_do else refusal


def nearest_legal(position: Position, army: Army, order: Order, reason: Reason) -> str:
    """The order's nearest legal form without the army's name, in the form of a post; empty if there is none.

    A wrong suffix or start is corrected; a square too far away is replaced by the move that ends nearest to it, on a
    free square first, then row by row; and a move to nowhere is `hold`. With another square or start, the suggestion
    never adds an attack to the order.
    """
    if not isinstance(order, Move):
        return ""
    if reason is Reason.NO_STEP:
        return write_action(Hold())
    step = order.steps[0]
    if reason in OTHER_SUFFIX:
        form = _with_suffix(position, army, step._replace(start=army.at))
        return write_action(Move((form, *order.steps[1:]))) if _is_legal(position, army, form) else ""
    if not step.to.on_map or reason not in (Reason.TOO_FAR, Reason.NOT_THERE):
        return ""
    ends = _nearest(position, army, step.to) if reason is Reason.TOO_FAR else [step.to]
    steps = (_with_suffix(position, army, Step(army.at, square)) for square in ends)
    forms = (form for form in steps if form.suffix != "engage" or step.suffix == "engage")
    return next((write_action(Move((form,))) for form in forms if _is_legal(position, army, form)), "")


def _nearest(position: Position, army: Army, to: Square) -> list[Square]:
    """3.2.2.1: the squares in range, the nearest to a square first, free ones before others, row by row."""
    reach = [square for steps in range(1, RANGE + 1) for square in squares_at(army.at, steps)]
    return sorted(reach, key=lambda square: (square.distance(to), square in position.by_square, square))


def _with_suffix(position: Position, army: Army, step: Step) -> Step:
    """3.2.2.2, R15: the step with the suffix that the armies on its end require; its route is kept."""
    stood = [other for other in position.by_square.get(step.to, ()) if other is not army]
    if not stood:
        return step._replace(suffix=None, target=None)
    enemies = [other for other in stood if other.is_enemy(army)]
    friends = [other for other in stood if other not in enemies]
    there = friends if step.suffix == "replace" and friends else enemies or friends
    return step._replace(suffix="engage" if there[0].is_enemy(army) else "replace", target=there[0].name)


def _is_legal(position: Position, army: Army, step: Step) -> bool:
    stood: Stood = tuple((a.name, a.side) for a in position.by_square.get(step.to, ()) if a is not army)
    return refusal_of_step(position, army, step, stood) is None
