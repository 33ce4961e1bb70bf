"""3.2.2, R14: whether an order is legal. One predicate for each check; the first failure is the citation."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from wargame.rules.core.board import RANGE, Square
from wargame.rules.core.faults import Finding
from wargame.rules.core.orders import IDLE, Intercept, Move, Order, Step, Transfer
from wargame.rules.core.position import Army, Position
from wargame.rules.core.reasons import Reason
from wargame.rules.core.sides import Side

Stood = tuple[tuple[str, Side], ...]


@dataclass(frozen=True, slots=True)
class Refusal(Finding):
    """R14: why an army's order is refused; `would_do` is its nearest legal form. The facts are texts."""

    fault: Reason
    army: str = field(kw_only=True)
    would_do: str = field(default="", kw_only=True)

    @property
    def sentence(self) -> str:
        return self.fault.explain({"army": self.army, **self.facts}, self.would_do)


def refusal_of_order(position: Position, army: Army, order: Order) -> Refusal | None:
    """R14: the first check that an order fails, from the third on; `commands` checks its author."""
    if isinstance(order, IDLE):
        return None
    if isinstance(order, Move):
        step = order.steps[0]
        stood = tuple([(a.name, a.side) for a in position.by_square.get(step.to, ()) if a is not army])
        return refusal_of_step(position, army, step, stood)
    if refusal := _refusal_of_state(position, army):
        return refusal
    if isinstance(order, Intercept):
        return _refusal_of_intercept(position, army, order)
    return _refusal_of_transfer(position, army, order)


def refusal_of_step(position: Position, army: Army, step: Step, stood: Stood) -> Refusal | None:
    """R14: the first check that one turn's move fails. `stood` are the armies on its end when it was posted."""
    if refusal := _refusal_of_state(position, army):
        return refusal
    for check in _STEP_CHECKS:
        if refusal := check(position, army, step):
            return refusal
    return _check_suffix(army, step, stood)


def _refusal_of_state(position: Position, army: Army) -> Refusal | None:
    """3.2.1, 4.5: an army that fights, or is partially converted, can do nothing else."""
    if army.name in position.battle_of:
        return Refusal(Reason.FIGHTING, army=army.name)
    if army.is_partially_converted:
        return Refusal(Reason.CONVERTED, army=army.name)
    return None


def _check_on_map(position: Position, army: Army, step: Step) -> Refusal | None:
    """1.2: both squares are on the map."""
    for square in (step.start, step.to):
        if not square.on_map:
            return _refusal(army, Reason.OFF_MAP, square=square)
    return None


def _check_start(position: Position, army: Army, step: Step) -> Refusal | None:
    """3.2.2.5: FROM is where the army is."""
    if step.start == army.at:
        return None
    return _refusal(army, Reason.NOT_THERE, start=step.start, at=army.at)


def _check_range(position: Position, army: Army, step: Step) -> Refusal | None:
    """3.2.2.1: 1 to 3 orthogonal steps; 0 only with joint engage."""
    distance = step.start.distance(step.to)
    if distance > RANGE:
        return _refusal(army, Reason.TOO_FAR, start=step.start, to=step.to, steps=distance)
    if distance == 0 and step.suffix != "joint engage":
        return _refusal(army, Reason.NO_STEP, start=step.start, to=step.to)
    return None


def _check_route(position: Position, army: Army, step: Step) -> Refusal | None:
    """3.2.2.4: a route starts at FROM, ends at TO, has 1 to 3 steps, each to an orthogonal neighbour."""
    route = step.route
    if route is None:
        return None
    if (route[0], route[-1]) != (step.start, step.to):
        ends = {"route_start": route[0], "route_end": route[-1], "start": step.start, "to": step.to}
        return _refusal(army, Reason.ROUTE_ENDS, **ends)
    if not 1 <= len(route) - 1 <= RANGE:
        return _refusal(army, Reason.ROUTE_LENGTH, steps=len(route) - 1)
    for before, after in zip(route, route[1:], strict=False):
        if before.distance(after) != 1:
            return _refusal(army, Reason.ROUTE_BROKEN, before=before, after=after)
        if not after.on_map:
            return _refusal(army, Reason.ROUTE_OFF_MAP, square=after)
    return None


def _check_joint(position: Position, army: Army, step: Step) -> Refusal | None:
    """3.2.5.4: joint engage: rank below Captain/Evincar, square not a base, portal or town."""
    if step.suffix != "joint engage":
        return None
    if army.is_leading:
        return _refusal(army, Reason.JOINT_RANK)
    if position.board.is_built(step.to):
        return _refusal(army, Reason.JOINT_BUILT, place=_place(position, step.to), to=step.to)
    return None


_STEP_CHECKS: tuple[Callable[[Position, Army, Step], Refusal | None], ...] = (
    _check_on_map,
    _check_start,
    _check_range,
    _check_route,
    _check_joint,
)


def _check_suffix(army: Army, step: Step, stood: Stood) -> Refusal | None:
    """3.2.2.2, R15: engage or replace fits the map at the time of posting."""
    if not stood or step.suffix == "joint engage":
        return None
    friends = [name for name, side in stood if side is army.side]
    enemies = [name for name, side in stood if side is not army.side]
    if step.suffix == "engage" and step.target in enemies or step.suffix == "replace" and step.target in friends:
        return None
    targets = enemies if step.suffix == "engage" else friends if step.suffix == "replace" else []
    there = {"to": step.to, "there": " and ".join(targets or enemies or friends)}
    if targets:
        return _refusal(army, Reason.WRONG_TARGET, target=step.target or "nobody", **there)
    return _refusal(army, Reason.NEEDS_ENGAGE if enemies else Reason.NEEDS_REPLACE, **there)


def _refusal_of_intercept(position: Position, army: Army, order: Intercept) -> Refusal | None:
    """3.2.3.1, R20: an army that names a friend, or itself, is refused."""
    target = position.by_name.get(order.target)
    if target is None or target.is_enemy(army):
        return None
    return _refusal(army, Reason.INTERCEPT_FRIEND, target=order.target)


def _refusal_of_transfer(position: Position, army: Army, order: Transfer) -> Refusal | None:
    """3.2.4.1, R28: a friend next to the army, on the square in the order, and the sender outside of walls."""
    if order.target == army.name:
        return _refusal(army, Reason.TRANSFER_SELF)
    target = position.by_name.get(order.target)
    if target is None or target.is_enemy(army):
        return _refusal(army, Reason.TRANSFER_ENEMY, target=order.target)
    if position.board.is_built(army.at):
        return _refusal(army, Reason.TRANSFER_FROM_BUILT, place=_place(position, army.at))
    if target.at != order.at:
        return _refusal(army, Reason.TRANSFER_PLACE, target=target.name, to=order.at, at=target.at)
    if not army.at.is_neighbour(target.at):
        return _refusal(army, Reason.TRANSFER_NOT_ADJACENT, target=target.name, to=order.at, at=army.at)
    return None


def _place(position: Position, square: Square) -> str:
    board = position.board
    built: Iterable[str] = (b.name for b in (board.base_by_square.get(square), board.town_by_square.get(square)) if b)
    return next(iter(built))


def _refusal(army: Army, reason: Reason, **facts: object) -> Refusal:
    return Refusal(reason, {key: str(value) for key, value in facts.items()}, army=army.name)
