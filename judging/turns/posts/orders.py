"""3.2: the orders of a turn as they stand in the thread, as the map draws them: for each viewer those he may read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from judging.game.viewer import Viewer
from judging.turns.positions import position_of
from judging.turns.posts.reads import movement_thread
from wargame.models import Turn
from wargame.rules.core.orders import Intercept, Move, Order, ReadOrder, Step, Transfer, write_order
from wargame.rules.core.position import Position
from wargame.rules.moves.conflicts import Conflict, conflicts_of
from wargame.rules.posts.notation import read_line


@dataclass(frozen=True)
class PostedOrder:
    """An order that counts as things stand: `kind` as in `reach`, or `plan` for a long move that goes on (3.2.2.3).

    `route` are squares from start to end, all of them where a route was given; `by` and `at` are the poster and time.
    """

    army: str
    side: str
    kind: str
    order: str
    route: tuple[str, ...]
    target: str = ""
    by: str = ""
    at: datetime | None = None
    sealed: bool = False


def posted_orders(turn: Turn, viewer: Viewer, now: datetime) -> tuple[list[PostedOrder], tuple[Conflict, ...]]:
    """R12: the legal orders that the viewer may see, by army, and where friends' orders stand in each other's way."""
    position = position_of(turn)
    standing = dict(_standing(turn, viewer, now, position))
    orders = {name: order for name, (order, _) in standing.items()}
    planned = {
        army.name: Move((army.plan.steps[0].step,))
        for army in position.armies
        if army.plan and army.name not in orders and army.name not in position.battle_of
    }
    told = [drawn for _, drawn in standing.values()]
    told += [_drawn(position, name, order, "plan") for name, order in planned.items()]
    return sorted(told, key=lambda each: each.army), conflicts_of(position, {**planned, **orders})


def _standing(
    turn: Turn, viewer: Viewer, now: datetime, position: Position
) -> Iterator[tuple[str, tuple[Order, PostedOrder]]]:
    for post in movement_thread(turn, viewer, now):
        for entry in post.lines:
            if not entry.is_order or entry.is_replaced or entry.line.refusal:
                continue
            read = read_line(entry.line.order_text, position.names)
            if isinstance(read, ReadOrder):
                drawn = _drawn(position, read.army, read.order, "", entry.by, entry.at, post.sealed)
                yield read.army, (read.order, drawn)


def _drawn(
    position: Position,
    name: str,
    order: Order,
    kind: str,
    by: str = "",
    at: datetime | None = None,
    sealed: bool = False,
) -> PostedOrder:
    army = position.by_name[name]
    route, found, target = _shape(position, name, order)
    text = write_order(name, order)
    return PostedOrder(name, army.side.value, kind or found, text, route, target, by, at, sealed)


def _shape(position: Position, name: str, order: Order) -> tuple[tuple[str, ...], str, str]:
    """The squares, the kind and the other army of an order."""
    if isinstance(order, Move):
        step: Step = order.steps[0]
        squares = step.route or (step.start, step.to)
        kind = "joint" if step.suffix == "joint engage" else step.suffix or "move"
        return tuple(map(str, squares)), kind, step.target or ""
    if isinstance(order, Transfer):
        return (str(position.by_name[name].at), str(order.at)), "transfer", order.target
    if isinstance(order, Intercept):
        return (str(position.by_name[name].at),), "intercept", order.target
    return (str(position.by_name[name].at),), "hold", ""
