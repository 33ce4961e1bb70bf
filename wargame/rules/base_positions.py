"""2.5.1.1: where bases and portals may stand when a round begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from .board import Base, Square, Town, all_squares
from .sides import Side

LEAST_DISTANCE = 3
"""2.5.1.1: no base is less than 3 squares from an enemy base, counted in orthogonal steps (3.2.2.1)."""

BASES, PORTALS = 7, 5
"""1.1.2, 1.1.1: how many bases the Coalition has, and how many portals Phyrexia."""


@dataclass(frozen=True, slots=True)
class SiteFault:
    """2.5.1: what is wrong with the places of the sites of these names, in a sentence, with the rule."""

    names: tuple[str, ...]
    cites: str
    sentence: str


def position_faults(bases: Sequence[Base]) -> tuple[SiteFault, ...]:
    """2.5.1.1: bases off the map, on one square, or less than 3 squares from an enemy's; in the order given."""
    faults = list(off_map(bases))
    for one, other in combinations(bases, 2):
        steps = one.at.distance(other.at)
        if steps == 0:
            faults.append(_same_square(one, other))
        elif one.side is not other.side and steps < LEAST_DISTANCE:
            squares = "1 square" if steps == 1 else f"{steps} squares"
            said = (
                f"{one.name} on {one.at} is {squares} from {other.name} on {other.at}, its enemy's; "
                f"{LEAST_DISTANCE} is the least."
            )
            faults.append(SiteFault((one.name, other.name), "2.5.1.1", said))
    return tuple(faults)


def forbidden_squares(enemies: Iterable[Base]) -> tuple[Square, ...]:
    """2.5.1.1: the squares, row by row, that are less than 3 squares from one of the enemy's bases."""
    places = tuple(base.at for base in enemies)
    return tuple(s for s in all_squares() if any(s.distance(place) < LEAST_DISTANCE for place in places))


def off_map(sites: Iterable[Base | Town]) -> Iterable[SiteFault]:
    """1.2: the sites whose square is not on the map."""
    for site in sites:
        if not site.at.on_map:
            said = f"{site.name}: {site.at} is not on the map, which ends at 38 and at N."
            yield SiteFault((site.name,), "1.2", said)


def enemy_of(side: Side) -> Side:
    """1.1: the other of the two teams."""
    return Side.PHYREXIA if side is Side.COALITION else Side.COALITION


def _same_square(one: Base, other: Base) -> SiteFault:
    return SiteFault((one.name, other.name), "2.5.1.1", f"{one.name} and {other.name} are both on {one.at}.")
