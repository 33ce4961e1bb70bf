"""Where an army wants to go, and the moves that bring it nearer."""

from __future__ import annotations

from random import Random

from wargame.rules.core.board import RANGE, Square
from wargame.rules.core.orders import Hold
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Side
from wargame.rules.core.troops import alive_by_slot, strength_by_slot

from .table import Table, reach

GUARDS = 0.25
"""The part of each side that stays by its own bases."""

WOUNDED = 0.75
"""Below this part of its strength an army goes to be healed."""

NEAR = 2
"""How near to its base a guard stays."""


def march(table: Table, share: float) -> list[str]:
    """Gives an order to that share of the idle armies, those nearest to the enemy first so that others follow.

    Gives back the names of those that move.
    """
    idle = table.idle()
    chosen = idle[: round(len(idle) * share)]
    for army in sorted(chosen, key=lambda army: _to_enemy(table, army)):
        _march_one(table, army)
    return [army.name for army in chosen if not isinstance(table.orders[army.name], Hold)]


def _march_one(table: Table, army: Army) -> None:
    goal, near = _goal(table, army)
    if army.at.distance(goal) <= near:
        table.order(army, Hold())
        return
    to = _step(table, army, army.at, goal)
    if to is None:
        table.order(army, Hold())
    elif leaver := table.leaver(army, to):
        table.move(army, to, suffix="replace", target=leaver.name)
    elif army.at.distance(goal) > 3 * RANGE and table.rng.random() < 0.3:
        table.move(army, to, *_later_steps(table, army, to, goal))
    else:
        table.move(army, to)


def _goal(table: Table, army: Army) -> tuple[Square, int]:
    """The square that the army wants to get to, and how near to it is near enough."""
    character = Random(f"{army.name} of the demo")
    own, enemy = _places(table, army)
    if sum(alive_by_slot(army.troops)) < WOUNDED * sum(strength_by_slot(army.troops)):
        healing = [s for s in own if _heals(table, army, s) and (s == army.at or table.is_open(s))]
        if healing:
            return min(healing, key=army.at.distance), 0
    if character.random() < GUARDS or army.tier <= 2:
        return min(own, key=army.at.distance), NEAR
    targets = sorted(enemy, key=army.at.distance)[:2]
    return character.choice(targets), 0


def _places(table: Table, army: Army) -> tuple[list[Square], list[Square]]:
    """1.7: the standing bases and portals of the army's team, and those of the other."""
    standing = [base for base in table.position.board.bases if not base.destroyed]
    own = [base.at for base in standing if base.side is army.side]
    return own, [base.at for base in standing if base.side is not army.side]


def _heals(table: Table, army: Army, square: Square) -> bool:
    """2.3.1: any portal for a Phyrexian army, a base of one of its colours for a Coalition one."""
    return army.side is Side.PHYREXIA or table.position.board.base_by_square[square].color in army.colors


def _step(table: Table, army: Army, start: Square, goal: Square) -> Square | None:
    """The best square to move to; None if staying is as good."""
    squares = [
        square
        for square in reach(start)
        if square.distance(goal) < start.distance(goal) and (table.is_open(square) or table.leaver(army, square))
    ]
    return min(squares, key=lambda square: _cost(table, army, square, goal), default=None)


def _cost(table: Table, army: Army, square: Square, goal: Square) -> float:
    """What speaks against a square: the way that is left, stronger enemies near by, and open sea."""
    danger = sum(
        0.7
        for other in table.position.armies
        if other.is_enemy(army) and other.at.distance(square) <= RANGE and table.size(other) > 1.3 * table.size(army)
    )
    at_sea = table.position.board.terrain_at(square) == "ocean" and "blue" not in _colors(army)
    chain = 0.8 if table.leaver(army, square) else 0
    return square.distance(goal) + min(danger, 2) + 2 * at_sea - chain + 1.5 * table.rng.random()


def _later_steps(table: Table, army: Army, start: Square, goal: Square) -> list[Square]:
    """3.2.2.3: one or two more steps of a long move, over squares that are empty now."""
    steps: list[Square] = []
    here = start
    for _ in range(table.rng.choice((1, 1, 2))):
        ahead = [
            square
            for square in reach(here)
            if table.is_open(square) and square.distance(goal) == here.distance(goal) - RANGE
        ]
        if not ahead:
            break
        here = table.rng.choice(ahead)
        steps.append(here)
    return steps


def _to_enemy(table: Table, army: Army) -> int:
    return min(other.at.distance(army.at) for other in table.position.armies if other.is_enemy(army))


def _colors(army: Army) -> set[str]:
    return {color for troop in army.troops for color in troop.colors}
