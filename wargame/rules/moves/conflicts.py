"""3.3.1, 3.2.5: conflicting orders of one side, reported while they can still be corrected."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from wargame.rules.core.board import Square
from wargame.rules.core.orders import Move, Order, Step
from wargame.rules.core.position import Army, Position
from wargame.rules.core.saying import said
from wargame.rules.core.sides import Side
from wargame.rules.core.wording import listed


@dataclass(frozen=True, slots=True)
class SquareConflict:
    """Armies of one side that can't all have the square that they were ordered to, and the result."""

    armies: tuple[str, ...]
    at: Square
    cites: str
    sentence: str


def conflicts_of(position: Position, orders: Mapping[str, Order]) -> tuple[SquareConflict, ...]:
    """3.3.1, 3.2.5.3: the clashes among legal orders, by the army's name. An army without an order stays on its
    square, and can be an obstacle there."""
    comers: dict[tuple[Side, Square], list[tuple[Army, Step]]] = {}
    for army in position.armies:
        order = orders.get(army.name)
        if isinstance(order, Move):
            comers.setdefault((army.side, order.steps[0].to), []).append((army, order.steps[0]))
    conflicts = (_conflict(position, orders, *key, coming) for key, coming in sorted(comers.items()))
    return tuple(clash for clash in conflicts if clash)


def _conflict(
    position: Position, orders: Mapping[str, Order], side: Side, at: Square, coming: list[tuple[Army, Step]]
) -> SquareConflict | None:
    stay = [army.name for army in _friends_there(position, side, at) if not isinstance(orders.get(army.name), Move)]
    joint = [army.name for army, step in coming if step.suffix == "joint engage"]
    names = tuple(army.name for army, _ in coming)
    if joint and (len(joint) != 2 or len(names) > 2 or stay):
        return SquareConflict((*names, *stay), at, "3.2.5.3", _joint_words(at, joint, names, stay))
    if joint or len(names) + len(stay) < 2:
        return None
    return SquareConflict((*names, *stay), at, "3.3.1", _words(at, names, stay))


def _friends_there(position: Position, side: Side, at: Square) -> Iterator[Army]:
    return (army for army in position.by_square.get(at, ()) if army.side is side)


def _words(at: Square, names: tuple[str, ...], stay: list[str]) -> str:
    if stay:
        return said(
            "%(stay)s will stay on %(at)s, so %(armies)s will move only part of the way.",
            stay=listed(stay),
            at=at,
            armies=listed(names),
        )
    if len(names) == 2:
        return said(
            "%(armies)s are both going to %(at)s. The nearer one will get there, or the one ordered first if "
            "they are equally near. The other will move only part of the way.",
            armies=listed(names),
            at=at,
        )
    return said(
        "%(armies)s are all going to %(at)s. The nearest will get there, or the one ordered first if several are "
        "equally near. The others will move only part of the way.",
        armies=listed(names),
        at=at,
    )


def _joint_words(at: Square, joint: list[str], names: tuple[str, ...], stay: list[str]) -> str:
    """3.2.5.2: the obstacle to the joint engagement."""
    if len(joint) != 2:
        return said(
            "A joint engage on %(at)s needs exactly two armies, but it was ordered for %(armies)s. As things "
            "stand, it will be ignored.",
            at=at,
            armies=listed(joint),
        )
    extras = [name for name in (*names, *stay) if name not in joint]
    return said(
        "No other friend can move to %(at)s or stay there, but %(armies)s would: the joint engage is ignored.",
        at=at,
        armies=listed(extras),
    )
