"""3.2.2: the nearest legal form of a refused order: “3D > 5F is 4 steps; 3D > 5E would do”."""

from __future__ import annotations

from dataclasses import replace

from wargame.rules.core.board import RANGE, Square, squares_at
from wargame.rules.core.orders import Hold, Move, Order, Step, write_action
from wargame.rules.core.position import Army, Position
from wargame.rules.core.reasons import Reason
from wargame.rules.moves.legality import Refusal, Stood, refusal_of_step

OTHER_SUFFIX = (Reason.NEEDS_ENGAGE, Reason.NEEDS_REPLACE, Reason.WRONG_TARGET)


def with_nearest(position: Position, army: Army, order: Order, refusal: Refusal) -> Refusal:
    """R14: a refusal with the order that would do, where there is one."""
    would_do = nearest_legal(position, army, order, refusal.fault)
    return replace(refusal, would_do=would_do) if would_do else refusal


def nearest_legal(position: Position, army: Army, order: Order, reason: Reason) -> str:
    """The order's nearest legal form without the army's name, as it would be posted; empty where there is none.

    A wrong suffix or start is put right; of a square too far away comes the move that ends nearest to it, on a free
    square first, then row by row; and a move to nowhere is `hold`.
    """
    if not isinstance(order, Move):
        return ""
    if reason is Reason.NO_STEP:
        return write_action(Hold())
    step = order.steps[0]
    if reason in OTHER_SUFFIX:
        found = _with_suffix(position, army, step._replace(start=army.at))
        return write_action(Move((found, *order.steps[1:]))) if _is_legal(position, army, found) else ""
    if not step.to.on_map or reason not in (Reason.TOO_FAR, Reason.NOT_THERE):
        return ""
    ends = _nearest(position, army, step.to) if reason is Reason.TOO_FAR else [step.to]
    steps = (_with_suffix(position, army, Step(army.at, square)) for square in ends)
    return next((write_action(Move((found,))) for found in steps if _is_legal(position, army, found)), "")


def _nearest(position: Position, army: Army, to: Square) -> list[Square]:
    """3.2.2.1: the squares in range, the nearest to a square first, free ones before others, row by row."""
    reach = [square for steps in range(1, RANGE + 1) for square in squares_at(army.at, steps)]
    return sorted(reach, key=lambda square: (square.distance(to), square in position.by_square, square))


def _with_suffix(position: Position, army: Army, step: Step) -> Step:
    """3.2.2.2, R15: the step with the suffix that who stands on its end asks for; its route is kept."""
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
