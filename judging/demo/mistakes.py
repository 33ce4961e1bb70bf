"""Orders that are refused, each under another rule, and lines that can't be read at all."""

from __future__ import annotations

from collections.abc import Callable

from wargame.rules.core.board import RANGE, Square
from wargame.rules.core.orders import Intercept, Move, Order, Step, Transfer
from wargame.rules.core.position import Army

from .table import Table, reach

Mistake = Callable[[Table, Army], Order | None]


def err(table: Table, mistakes: tuple[Mistake, ...]) -> None:
    """Gives each mistake to an idle army that can make it; it stays where it is, so nobody else is disturbed."""
    for mistake in mistakes:
        for army in table.idle():
            order = mistake(table, army)
            if order is not None:
                table.order(army, order)
                break


def too_far(table: Table, army: Army) -> Order | None:
    """3.2.2.1: a step more than an army has, round a corner."""
    steps = ((2, 2), (-2, 2), (2, -2), (-2, -2), (3, 1), (1, -3))
    squares = [Square(army.at.row + row, army.at.column + column) for row, column in steps]
    return _move(army, next((square for square in squares if table.is_open(square)), None))


def from_elsewhere(table: Table, army: Army) -> Order | None:
    """3.2.2.5: from a square next to the one on which the army stands."""
    start = Square(army.at.row, army.at.column + 1)
    to = next((s for s in reach(army.at) if 1 <= start.distance(s) <= RANGE and table.is_open(s)), None)
    return Move((Step(start, to),)) if to and start.on_map else None


def onto_a_friend(table: Table, army: Army) -> Order | None:
    """3.2.2.2: onto a friend's square without a word about replacing him."""
    return _move(army, _held_by(table, army, enemy=False))


def onto_an_enemy(table: Table, army: Army) -> Order | None:
    """3.2.2.2: onto an enemy's square without a word about engaging him."""
    return _move(army, _held_by(table, army, enemy=True))


def off_the_map(table: Table, army: Army) -> Order | None:
    """1.2: over the edge in the south or east."""
    squares = (Square(army.at.row + RANGE, army.at.column), Square(army.at.row, army.at.column + RANGE))
    return _move(army, next((square for square in squares if not square.on_map), None))


def by_a_broken_route(table: Table, army: Army) -> Order | None:
    """3.2.2.4: a route that cuts a corner."""
    to = Square(army.at.row + 1, army.at.column + 2)
    route = (army.at, Square(army.at.row + 1, army.at.column + 1), to)
    return Move((Step(army.at, to, route),)) if table.is_open(to) else None


def joint_too_high(table: Table, army: Army) -> Order | None:
    """3.2.5.4: a joint engagement by an army of a rank that can't."""
    to = _held_by(table, army, enemy=True)
    if to is None or not army.is_leading or table.is_target(to):
        return None
    return Move((Step(army.at, to, None, "joint engage"),))


def joint_alone(table: Table, army: Army) -> Order | None:
    """3.2.5.3: a joint engagement for which the second army never posts."""
    to = _held_by(table, army, enemy=True)
    if to is None or army.is_leading or table.is_target(to) or table.position.board.is_built(to):
        return None
    return Move((Step(army.at, to, None, "joint engage"),))


def intercept_a_friend(table: Table, army: Army) -> Order | None:
    """3.2.3.1: the wrong name."""
    friends = [a for a in table.position.armies if 1 <= a.at.distance(army.at) <= RANGE and not a.is_enemy(army)]
    return Intercept(friends[0].name) if friends else None


def without_manifest(table: Table, army: Army) -> Order | None:
    """3.2.4.2: a transfer, and nobody said of what."""
    near = [a for a in table.position.armies if a.at.is_neighbour(army.at) and not a.is_enemy(army)]
    if not near or table.position.board.is_built(army.at):
        return None
    return Transfer(near[0].name, near[0].at)


def garbled(army: str, at: Square, number: int) -> str:
    """R8: a line for an army that can't be read: a misspelt name, no square, or a square that is none."""
    wrong = (
        f"{army[:2]}{army[3:]}: {at} > {Square(at.row, at.column + 1)}",
        f"{army}: {at} >",
        f"{army}: {at} > east of {at}",
    )
    return wrong[number % len(wrong)]


def _held_by(table: Table, army: Army, *, enemy: bool) -> Square | None:
    """A square in reach on which such an army stands, out of battle."""
    for square in reach(army.at):
        there = table.position.by_square.get(square, ())
        if len(there) == 1 and there[0].is_enemy(army) is enemy and there[0].side.is_team:
            return square
    return None


def _move(army: Army, to: Square | None) -> Order | None:
    return Move((Step(army.at, to),)) if to else None


TURNS: tuple[tuple[Mistake, ...], ...] = (
    (too_far, onto_a_friend, from_elsewhere),
    (off_the_map, by_a_broken_route, joint_too_high, intercept_a_friend),
    (joint_alone, without_manifest, onto_an_enemy, too_far, by_a_broken_route),
    (too_far, onto_a_friend, from_elsewhere),
)
"""What goes wrong in each turn."""
