"""3.2.2.5: examples of orders, with the viewer's own army and the map as it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from judging.game.control import armies_of
from judging.game.viewer import Viewer
from judging.turns.positions import position_of
from wargame.models import Turn
from wargame.rules.core.board import RANGE, Square, all_squares
from wargame.rules.core.orders import Hold, Intercept, Move, Order, Step, Suffix, write_order
from wargame.rules.core.position import Army, Position


@dataclass(frozen=True)
class Example:
    """An order as it can be posted, what it does and the rule that tells more."""

    title: str
    cites: str
    text: str


def crib_for(turn: Turn, viewer: Viewer, now: datetime) -> list[Example]:
    """3.2.2.5: the forms of orders for the first of the viewer's armies that is free to move, else for any army."""
    position = position_of(turn)
    own = armies_of(viewer.player, now) if viewer.player else ()
    army = _free_army(position, own) or _free_army(position, position.by_name)
    return examples(position, army) if army else []


def examples(position: Position, army: Army) -> list[Example]:
    """3.2.1: one legal order of each kind, as far as the map has an army or a free square for it.

    Where the nearest enemy or friend is out of range, the word SQUARE stands for where he is.
    """
    enemy = _nearest(position, army, enemies=True)
    friend = _nearest(position, army, enemies=False)
    found = _moves(position, army.at)
    if enemy:
        found.append(("Move onto an enemy", "3.2.2.2", _onto(army, enemy, "engage")))
        found.append(("Stop who crosses you", "3.2.3.1", Intercept(enemy.name)))
    if friend:
        found.append(("Take a friend's place", "3.2.2.2", _onto(army, friend, "replace")))
    found.append(("Stay", "3.2.1", Hold()))
    return [Example(title, cites, _text(army.name, order)) for title, cites, order in found]


def _moves(position: Position, start: Square) -> list[tuple[str, str, Order | str]]:
    """3.2.2.1, 3.2.2.3, 3.2.2.4: moves to free squares, each step of which is legal; none if all are taken."""
    free = _free_squares(position, start)
    if not free:
        return []
    far = free[-1]
    found: list[tuple[str, str, Order | str]] = [
        ("Move", "3.2.2.1", Move((Step(start, far),))),
        ("Move by a route", "3.2.2.4", Move((Step(start, far, _route(start, far)),))),
    ]
    onward = _free_squares(position, far)
    if onward:
        farthest = max(onward, key=lambda square: (square.distance(start), square))
        found.append(("Move for two turns", "3.2.2.3", Move((Step(start, far), Step(far, farthest)))))
    return found


def _free_army(position: Position, names: Iterable[str]) -> Army | None:
    armies = (position.by_name.get(name) for name in names)
    return next((a for a in armies if a and a.name not in position.battle_of and not a.captivity), None)


def _free_squares(position: Position, start: Square) -> list[Square]:
    """3.2.2.1: the empty squares in range of a square, the nearest first."""
    squares = (s for s in all_squares() if 1 <= s.distance(start) <= RANGE and s not in position.by_square)
    return sorted(squares, key=lambda square: (square.distance(start), square))


def _nearest(position: Position, army: Army, *, enemies: bool) -> Army | None:
    others = [a for a in position.armies if a is not army and a.is_enemy(army) is enemies]
    return min(others, key=lambda other: (other.at.distance(army.at), other.name), default=None)


def _onto(army: Army, other: Army, word: Suffix) -> Order | str:
    """A move onto another army; where that is out of range, the form with a word for the square."""
    if 1 <= other.at.distance(army.at) <= RANGE:
        return Move((Step(army.at, other.at, None, word, other.name),))
    return f"{army.at} > SQUARE; {word} {other.name}"


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
