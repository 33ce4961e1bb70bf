"""6.3.1, 6.3.2, R52: the guidelines of the raiders."""

from __future__ import annotations

from wargame.rules.core.board import RANGE, Square
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Faction
from wargame.rules.mercenaries.outlook import (
    Considered,
    Decision,
    Outlook,
    around,
    disc,
    engaging,
    moving,
    nearest_to,
    reach,
    soldiers_of,
    staying,
)

OURS = Faction.RAIDER
CROWD = RANGE
"""R52: the steps around a square within which armies make a crowd."""

SIGHT = 2 * RANGE
"""6.3.1: how far raiders look for weakened armies: as far as two turns' moves."""

A_TENTH = 10
"""R52: a raider below this part of its strength disbands."""


def decide(army: Army, view: Outlook) -> Decision:
    """6.3.1: it engages the weakest army in range that is weaker than itself; else it goes where the fewest are."""
    if is_spent(army):
        why = f"{army.name} disbands: {soldiers_of(army):,} soldiers are below a tenth of its strength."
        return Decision(army.name, OURS, army.at, "disbands", "6.3.2", why)
    considered, prey = _prey(army, view)
    if prey:
        return _raid(army, prey, considered, view)
    return _lurk(army, considered, view)


def is_spent(army: Army) -> bool:
    """R52, R62: whether so few troops are left that it disbands; heads are counted, of whatever size."""
    return soldiers_of(army) * A_TENTH < sum(troop.of for troop in army.troops)


def why_not_there(square: Square, view: Outlook) -> str:
    """6.3.1: why a raider never moves to a square; empty if it may."""
    if square not in view.board.near_built:
        return ""
    return "it is in or next to a base, portal or town"


def _prey(army: Army, view: Outlook) -> tuple[list[Considered], list[Army]]:
    """R52: the armies in range that it dares to attack, and why not the others."""
    considered: list[Considered] = []
    prey: list[Army] = []
    own = view.might(army)
    for enemy in view.within(army.at, RANGE):
        why_not = why_not_there(enemy.at, view) or view.why_not_engaged(army, enemy)
        if not why_not and view.might(enemy) >= own:
            why_not = f"it is not weaker: {view.might(enemy):,} to {own:,}"
        if why_not:
            considered.append(Considered(f"engage {enemy.name}", why_not))
        else:
            prey.append(enemy)
    return considered, prey


def _raid(army: Army, prey: list[Army], considered: list[Considered], view: Outlook) -> Decision:
    """R52: the weakest; ties are drawn."""
    least = min(map(view.might, prey))
    enemy = view.dice.choose(f"target of {army.name}", [other for other in prey if view.might(other) == least])
    why = f"{army.name} attacks {enemy.name}, the weakest army in range: {least:,} to {view.might(army):,}."
    others = [
        Considered(f"engage {other.name}", f"not the weakest: {view.might(other):,}")
        for other in prey
        if other is not enemy
    ]
    return engaging(army, OURS, enemy, "6.3.1", why, (*considered, *others))


def _lurk(army: Army, considered: list[Considered], view: Outlook) -> Decision:
    """R52: the square in range with the fewest armies around; of several the nearest to weaker armies, then drawn."""
    forbidden = view.board.near_built
    free = view.free([square for square in reach(army.at) if square not in forbidden], army)
    squares = free if army.at in forbidden else [army.at, *free]
    if not squares:
        why = f"{army.name} stays: no free square in reach is away from bases, portals and towns."
        return staying(army, OURS, "6.3.1", why, tuple(considered))
    least, emptiest = _emptiest(army, squares, view)
    _pass_over(considered, len(squares) - len(emptiest), "other", f"more armies are within {CROWD} steps")
    hunted = _nearest_weaker(army, view) if len(emptiest) > 1 else None
    best = nearest_to(hunted.at, emptiest) if hunted else emptiest
    if hunted:
        _pass_over(considered, len(emptiest) - len(best), "equally empty", f"farther from {hunted.name}")
    to = view.dice.choose(f"way of {army.name}", best)
    _pass_over(considered, len(best) - 1, "equal", "another one was drawn")
    where = f"where {_count(least)} within {CROWD} steps" + (f", in search of {hunted.name}" if hunted else "")
    if to == army.at:
        return staying(army, OURS, "6.3.1", f"{army.name} stays {where}.", tuple(considered))
    return moving(army, OURS, to, "6.3.1", f"{army.name} goes {where}.", tuple(considered))


def _pass_over(considered: list[Considered], squares: int, which: str, why_not: str) -> None:
    """Squares that are not chosen, by their number."""
    if squares:
        considered.append(Considered(f"{squares} {which} square{'s' * (squares > 1)} in reach", why_not))


def _count(others: int) -> str:
    if not others:
        return "no other army is"
    return "only 1 other army is" if others == 1 else f"only {others} other armies are"


def _emptiest(army: Army, squares: list[Square], view: Outlook) -> tuple[int, list[Square]]:
    """R52: the fewest other armies that are within 3 steps of one of the squares, and around which so few are."""
    by_square = view.position.by_square
    near = [square for square in around(army.at, RANGE + CROWD)[1:] if square in by_square]
    others, pairs = frozenset(near), [square for square in near if len(by_square[square]) > 1]
    crowds = [len(disc(square, CROWD) & others) for square in squares]
    for pair in pairs:
        more = len(by_square[pair]) - 1
        crowds = [n + more if pair in disc(square, CROWD) else n for n, square in zip(crowds, squares, strict=True)]
    least = min(crowds)
    return least, [square for square, crowd in zip(squares, crowds, strict=True) if crowd == least]


def _nearest_weaker(army: Army, view: Outlook) -> Army | None:
    """6.3.1: raiders search the map for weakened armies: the nearest one in sight that it would dare to attack."""
    own, forbidden = view.might(army), view.board.near_built
    for other in view.within(army.at, SIGHT):
        if other.at not in forbidden and view.might(other) < own:
            return other
    return None
