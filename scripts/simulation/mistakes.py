"""R14: orders that break a rule, each in its own way; where one can't be broken, the order may be legal."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from scripts.simulation.marching import step_to, within
from wargame.rules.core.board import COLUMNS, ROWS, Square
from wargame.rules.core.orders import Intercept, Move, Order, Step, Transfer
from wargame.rules.core.position import Army, Position
from wargame.rules.moves.marches import shortest_paths

Mistake = Callable[[Position, Army, Random], Order]


def wrong_order(position: Position, army: Army, random: Random) -> Order:
    """R14: an order that is probably refused."""
    return random.choice(MISTAKES)(position, army, random)


def off_map(position: Position, army: Army, random: Random) -> Order:
    """1.2."""
    to = random.choice((Square(len(ROWS), army.at.column), Square(army.at.row, COLUMNS + 1), Square(army.at.row, 0)))
    return Move((Step(army.at, to),))


def from_elsewhere(position: Position, army: Army, random: Random) -> Order:
    """3.2.2.5."""
    start = random.choice(within(army.at))
    return Move((step_to(position, army, random.choice(within(start)), random, start=start),))


def too_far(position: Position, army: Army, random: Random) -> Order:
    """3.2.2.1."""
    return Move((Step(army.at, random.choice(within(random.choice(within(army.at))))),))


def no_step(position: Position, army: Army, random: Random) -> Order:
    """3.2.2.1."""
    return Move((Step(army.at, army.at),))


def bad_route(position: Position, army: Army, random: Random) -> Order:
    """3.2.2.4: it ends elsewhere, is too long, jumps, or leaves the map."""
    to = random.choice(within(army.at))
    path = random.choice(shortest_paths(army.at, to))
    outside = Square(len(ROWS), army.at.column)
    routes = (path[:-1], (*path, path[-2], to), (army.at, *path), (army.at, outside, to), (army.at, to, army.at, to))
    return Move((Step(army.at, to, random.choice(routes)),))


def no_suffix(position: Position, army: Army, random: Random) -> Order:
    """3.2.2.2: without the word, or with the wrong name."""
    taken = [square for square in within(army.at) if square in position.by_square]
    if not taken:
        return Move((Step(army.at, random.choice(within(army.at)), None, "engage", _anybody(position, random)),))
    to = random.choice(taken)
    wrong = (Step(army.at, to), Step(army.at, to, None, "engage", _anybody(position, random)))
    return Move((random.choice((*wrong, Step(army.at, to, None, "replace", army.name))),))


def joint_where_it_may_not(position: Position, army: Army, random: Random) -> Order:
    """3.2.5.3, 3.2.5.4: alone, or onto a base."""
    built = [square for square in within(army.at) if position.board.is_built(square)]
    return Move((Step(army.at, random.choice(built or within(army.at)), None, "joint engage"),))


def intercept_anybody(position: Position, army: Army, random: Random) -> Order:
    """3.2.3.1: a friend, itself, or somebody far away."""
    return Intercept(random.choice((army.name, _anybody(position, random))))


def transfer_anywhere(position: Position, army: Army, random: Random) -> Order:
    """3.2.4.1: to itself, to an enemy, to somebody far away or where it is not."""
    target = position.by_name[random.choice((army.name, _anybody(position, random)))]
    return Transfer(target.name, random.choice((target.at, *within(army.at))))


MISTAKES: tuple[Mistake, ...] = (
    off_map,
    from_elsewhere,
    too_far,
    no_step,
    bad_route,
    no_suffix,
    joint_where_it_may_not,
    intercept_anybody,
    transfer_anywhere,
)


def _anybody(position: Position, random: Random) -> str:
    return random.choice(position.armies).name
