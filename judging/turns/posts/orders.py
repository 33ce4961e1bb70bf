"""3.2, 3.2.2.5: orders as drawn on the map, current orders of the thread as far as the viewer may read them, and
examples of orders, with the viewer's own army and the current map."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext, pgettext

from judging.common.control import armies_of
from judging.common.positions import position_of
from judging.common.viewer import Viewer
from judging.turns.posts.queries import PostView, movement_thread
from wargame.models import Turn
from wargame.rules.core.board import RANGE, Square, all_squares
from wargame.rules.core.orders import Hold, Intercept, Move, Order, ReadOrder, Step, Suffix, Transfer, write_order
from wargame.rules.core.position import Army, Position
from wargame.rules.moves.conflicts import SquareConflict, conflicts_of
from wargame.rules.posts.notation import read_line


@dataclass(frozen=True)
class PostedOrder:
    """An order that currently counts: `kind` as in `reach`, or `plan` for a long move that continues (3.2.2.3).

    `route` are squares from start to end, all of them if a route was given; `by` and `at` are the poster and time,
    `post` the number of the post; 0 for a plan.
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
    post: int = 0


class StandingOrders(NamedTuple):
    """R12: the orders that currently count, by army, and the conflicts between friends' orders."""

    orders: list[PostedOrder]
    clashes: tuple[SquareConflict, ...]


def posted_orders(turn: Turn, viewer: Viewer, now: datetime) -> StandingOrders:
    """R12: the legal orders that the viewer may see, by army, and the conflicts between friends' orders."""
    position = position_of(turn)
    current = dict(_standing(turn, viewer, now, position))
    orders = {name: order for name, (order, _) in current.items()}
    planned = {
        army.name: Move((army.plan.steps[0].step,))
        for army in position.armies
        if army.plan and army.name not in orders and army.name not in position.battle_of
    }
    rows = [row for _, row in current.values()]
    rows += [_posted_order(position, name, order, "plan") for name, order in planned.items()]
    return StandingOrders(sorted(rows, key=lambda each: each.army), conflicts_of(position, {**planned, **orders}))


def ordered_transfers(turn: Turn, viewer: Viewer, now: datetime) -> dict[str, str]:
    """3.2.4: the army to which each of the viewer's armies sends troops, by the orders that currently count."""
    own_armies = armies_of(viewer.player, now) if viewer.player else ()
    orders = posted_orders(turn, viewer, now).orders
    return {order.army: order.target for order in orders if order.kind == "transfer" and order.army in own_armies}


def friends_beside(turn: Turn, army: Army) -> list[Army]:
    """3.2.4.1, R28: the armies to which an army can send troops from its square."""
    armies = position_of(turn).armies
    return [one for one in armies if one.name != army.name and not one.is_enemy(army) and army.at.is_neighbour(one.at)]


def _standing(
    turn: Turn, viewer: Viewer, now: datetime, position: Position
) -> Iterator[tuple[str, tuple[Order, PostedOrder]]]:
    for post in movement_thread(turn, viewer, now):
        for entry in post.lines:
            if not entry.is_order or entry.is_replaced or entry.line.refusal:
                continue
            read = read_line(entry.line.order_text, position.names)
            if isinstance(read, ReadOrder):
                row = _posted_order(position, read.army, read.order, "", entry.by, entry.at, post)
                yield read.army, (read.order, row)


def _posted_order(
    position: Position,
    name: str,
    order: Order,
    kind: str,
    by: str = "",
    at: datetime | None = None,
    post: PostView | None = None,
) -> PostedOrder:
    army = position.by_name[name]
    route, shape, target = _shape(position, name, order)
    text = write_order(name, order)
    sealed, number = (post.sealed, post.id) if post else (False, 0)
    return PostedOrder(name, army.side.value, kind or shape, text, route, target, by, at, sealed, number)


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


@dataclass(frozen=True)
class Example:
    """A ready order, its effect and its rule."""

    title: str
    cites: str
    text: str


def examples_for(turn: Turn, viewer: Viewer, now: datetime) -> list[Example]:
    """3.2.2.5: the forms of orders for the first of the viewer's armies that is free to move, else for any army."""
    position = position_of(turn)
    own_armies = armies_of(viewer.player, now) if viewer.player else ()
    army = _free_army(position, own_armies) or _free_army(position, position.by_name)
    return example_orders(position, army) if army else []


def example_orders(position: Position, army: Army) -> list[Example]:
    """3.2.1: one legal order of each kind, as far as the map has an army or a free square for it.

    If the nearest enemy or friend is out of range, the word SQUARE replaces their square.
    """
    enemy = _nearest(position, army, enemies=True)
    friend = _nearest(position, army, enemies=False)
    orders = _moves(position, army.at)
    if enemy:
        orders.append((gettext("Attack an enemy"), "3.2.2.2", _onto(army, enemy, "engage")))
        orders.append((gettext("Intercept an enemy"), "3.2.3.1", Intercept(enemy.name)))
    if friend:
        orders.append((gettext("Take a friendly army's place"), "3.2.2.2", _onto(army, friend, "replace")))
    orders.append((gettext("Stay"), "3.2.1", Hold()))
    return [Example(title, cites, _text(army.name, order)) for title, cites, order in orders]


def _moves(position: Position, start: Square) -> list[tuple[str, str, Order | str]]:
    """3.2.2.1, 3.2.2.3, 3.2.2.4: moves to free squares, each step of which is legal; none if all are taken."""
    free = _free_squares(position, start)
    if not free:
        return []
    goal = free[-1]
    orders: list[tuple[str, str, Order | str]] = [
        (pgettext("an order", "Move"), "3.2.2.1", Move((Step(start, goal),))),
        (gettext("Move along a route"), "3.2.2.4", Move((Step(start, goal, _route(start, goal)),))),
    ]
    onward = _free_squares(position, goal)
    if onward:
        farthest = max(onward, key=lambda square: (square.distance(start), square))
        orders.append((gettext("Move for two turns"), "3.2.2.3", Move((Step(start, goal), Step(goal, farthest)))))
    return orders


def _free_army(position: Position, names: Iterable[str]) -> Army | None:
    armies = (position.by_name.get(name) for name in names)
    return next((a for a in armies if a and a.name not in position.battle_of and not a.captivity), None)


def _free_squares(position: Position, start: Square) -> list[Square]:
    """3.2.2.1: the empty squares in range of a square, the nearest first."""
    squares = (s for s in all_squares() if 1 <= s.distance(start) <= RANGE and s not in position.by_square)
    return sorted(squares, key=lambda square: (square.distance(start), square))


def _nearest(position: Position, army: Army, *, enemies: bool) -> Army | None:
    candidates = [a for a in position.armies if a is not army and a.is_enemy(army) is enemies]
    return min(candidates, key=lambda other: (other.at.distance(army.at), other.name), default=None)


def _onto(army: Army, other: Army, suffix: Suffix) -> Order | str:
    """A move onto another army; if that is out of range, the form with a word for the square."""
    if 1 <= other.at.distance(army.at) <= RANGE:
        return Move((Step(army.at, other.at, None, suffix, other.name),))
    return f"{army.at} > SQUARE; {suffix} {other.name}"


def _text(army: str, order: Order | str) -> str:
    return f"{army}: {order}" if isinstance(order, str) else write_order(army, order)


def _route(start: Square, to: Square) -> tuple[Square, ...]:
    """3.2.2.4: by columns first, then by rows."""
    route = [start]
    while route[-1] != to:
        row, column = route[-1]
        step = (0, 1 if to.column > column else -1) if to.column != column else (1 if to.row > row else -1, 0)
        route.append(Square(row + step[0], column + step[1]))
    return tuple(route)
