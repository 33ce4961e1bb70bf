"""6.3.1, 6.3.2, R52: the guidelines of the raiders."""

from wargame.rules.core.board import RANGE, Square
from wargame.rules.core.phrases import Fact, Phrase
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
    not_engaging,
    reach,
    soldiers_of,
    staying,
)
from wargame.rules.mercenaries.reasoning import Course, Why

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
        why = Why.DISBANDS(army=army.name, left=soldiers_of(army))
        return Decision(army.name, OURS, army.at, "disbands", "6.3.2", why)
    considered, prey = _prey(army, view)
    if prey:
        return _raid(army, prey, considered, view)
    return _lurk(army, considered, view)


def is_spent(army: Army) -> bool:
    """R52, R62: whether so few troops are left that it disbands; they are counted regardless of their size."""
    return soldiers_of(army) * A_TENTH < sum(troop.of for troop in army.troops)


def why_not_there(square: Square, view: Outlook) -> Phrase | None:
    """6.3.1: why a raider never moves to a square; None if it may."""
    return Why.BY_BUILT() if square in view.board.near_built else None


def _prey(army: Army, view: Outlook) -> tuple[list[Considered], list[Army]]:
    """R52: the armies in range that it dares to attack, and the reasons against the others."""
    considered: list[Considered] = []
    prey: list[Army] = []
    strength = view.might(army)
    for enemy in view.within(army.at, RANGE):
        why_not = why_not_there(enemy.at, view) or view.why_not_engaged(army, enemy)
        if not why_not and view.might(enemy) >= strength:
            why_not = Why.NOT_WEAKER(theirs=view.might(enemy), own=strength)
        if why_not:
            considered.append(not_engaging(enemy, why_not))
        else:
            prey.append(enemy)
    return considered, prey


def _raid(army: Army, prey: list[Army], considered: list[Considered], view: Outlook) -> Decision:
    """R52: the weakest; ties are drawn."""
    least = min(map(view.might, prey))
    enemy = view.dice.choose(f"target of {army.name}", [other for other in prey if view.might(other) == least])
    why = Why.RAIDS(army=army.name, enemy=enemy.name, theirs=least, own=view.might(army))
    rest = [not_engaging(other, Why.NOT_WEAKEST(theirs=view.might(other))) for other in prey if other is not enemy]
    return engaging(army, OURS, enemy, "6.3.1", why, (*considered, *rest))


def _lurk(army: Army, considered: list[Considered], view: Outlook) -> Decision:
    """R52: the square in range with the fewest armies around; of several the nearest to weaker armies, then drawn."""
    forbidden = view.board.near_built
    free = view.free([square for square in reach(army.at) if square not in forbidden], army)
    squares = free if army.at in forbidden else [army.at, *free]
    if not squares:
        return staying(army, OURS, "6.3.1", Why.CAN_NOT_LURK(army=army.name), tuple(considered))
    least, emptiest = _emptiest(army, squares, view)
    _pass_over(considered, len(squares) - len(emptiest), Course.OTHER_SQUARES, Why.MORE_AROUND(steps=CROWD))
    weaker = _weaker_in_sight(army, view) if len(emptiest) > 1 else []
    hunted = view.nearest(army, weaker, "prey") if weaker else None
    best = nearest_to(hunted.at, emptiest) if hunted else emptiest
    if hunted:
        farther = Why.FARTHER_FROM_PREY(enemy=hunted.name)
        _pass_over(considered, len(emptiest) - len(best), Course.EMPTY_SQUARES, farther)
    to = view.dice.choose(f"way of {army.name}", best)
    _pass_over(considered, len(best) - 1, Course.EQUAL_SQUARES, Why.DRAWN_OTHER_SQUARE())
    facts: dict[str, Fact] = {"army": army.name, "crowd": _count(least), "steps": CROWD}
    if to == army.at:
        why = Why.STAYS_NEAR_PREY(**facts, enemy=hunted.name) if hunted else Why.STAYS_ALONE(**facts)
        return staying(army, OURS, "6.3.1", why, tuple(considered))
    why = Why.GOES_NEAR_PREY(**facts, enemy=hunted.name) if hunted else Why.GOES_ALONE(**facts)
    return moving(army, OURS, to, "6.3.1", why, tuple(considered))


def _pass_over(considered: list[Considered], squares: int, course: Course, why_not: Phrase) -> None:
    """Add rejected squares, by their number."""
    if squares:
        considered.append(Considered(course(squares=squares), why_not))


def _count(others: int) -> Phrase:
    if not others:
        return Why.NO_OTHER()
    return Why.ONE_OTHER() if others == 1 else Why.OTHERS(others=others)


def _emptiest(army: Army, squares: list[Square], view: Outlook) -> tuple[int, list[Square]]:
    """R52: the minimum number of other armies within 3 steps of one of the squares, and the squares with that
    number."""
    by_square = view.position.by_square
    occupied = [square for square in around(army.at, RANGE + CROWD)[1:] if square in by_square]
    occupied_set, pairs = frozenset(occupied), [square for square in occupied if len(by_square[square]) > 1]
    crowds = [len(disc(square, CROWD) & occupied_set) for square in squares]
    for pair in pairs:
        more = len(by_square[pair]) - 1
        crowds = [n + more if pair in disc(square, CROWD) else n for n, square in zip(crowds, squares, strict=True)]
    least = min(crowds)
    return least, [square for square, crowd in zip(squares, crowds, strict=True) if crowd == least]


def _weaker_in_sight(army: Army, view: Outlook) -> list[Army]:
    """6.3.1: raiders search the map for weakened armies: those in sight that it would dare to attack."""
    power, forbidden = view.might(army), view.board.near_built
    return [other for other in view.within(army.at, SIGHT) if other.at not in forbidden and view.might(other) < power]
