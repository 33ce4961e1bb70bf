"""2.5.1.4: where the neutral towns lie, and whether that gives a side an advantage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from .base_positions import SiteFault, off_map
from .board import Base, Town
from .sides import Side

TOWNS = 3
"""2.5.1.4: how many towns there are."""

NOTICEABLE = 3
"""2.5.1.4: an average difference of a whole turn's move (3.2.2.1) counts as a noticeable advantage here."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """2.5.1.4: the base or portal of a side that is nearest to a town, and how many steps it is away."""

    name: str
    steps: int


@dataclass(frozen=True, slots=True)
class TownWay:
    """2.5.1.4: a town and the ways to it from each side's nearest base."""

    town: Town
    coalition: Nearest
    phyrexia: Nearest

    @property
    def difference(self) -> int:
        """By how many steps one way is shorter."""
        return abs(self.coalition.steps - self.phyrexia.steps)

    @property
    def nearer(self) -> Side | None:
        """The side that has the shorter way; None if both are as long."""
        if self.coalition.steps == self.phyrexia.steps:
            return None
        return Side.COALITION if self.coalition.steps < self.phyrexia.steps else Side.PHYREXIA


@dataclass(frozen=True, slots=True)
class Fairness:
    """2.5.1.4: the ways to all towns. Averages and the difference are in steps."""

    ways: tuple[TownWay, ...]

    @property
    def coalition(self) -> Fraction:
        """The average way from the Coalition's nearest base."""
        return Fraction(sum(way.coalition.steps for way in self.ways), len(self.ways))

    @property
    def phyrexia(self) -> Fraction:
        """The average way from Phyrexia's nearest portal."""
        return Fraction(sum(way.phyrexia.steps for way in self.ways), len(self.ways))

    @property
    def difference(self) -> Fraction:
        """By how much the shorter average is shorter, never below 0."""
        return abs(self.coalition - self.phyrexia)

    @property
    def favours(self) -> Side | None:
        """The side whose average way is shorter; None if both are as long."""
        if self.coalition == self.phyrexia:
            return None
        return Side.COALITION if self.coalition < self.phyrexia else Side.PHYREXIA

    @property
    def is_noticeable(self) -> bool:
        """2.5.1.4: whether the difference is as large as a whole turn's move."""
        return self.difference >= NOTICEABLE


def town_faults(towns: Sequence[Town], bases: Sequence[Base]) -> tuple[SiteFault, ...]:
    """2.5.1.4: towns off the map, or on one square with a base or another town."""
    faults = list(off_map(towns))
    built = {base.at: base for base in reversed(bases)}
    for town in towns:
        if town.at in built:
            name = built[town.at].name
            faults.append(SiteFault((town.name, name), "2.5.1.4", f"{town.name} and {name} are both on {town.at}."))
    for one, other in combinations(towns, 2):
        if one.at == other.at:
            said = f"{one.name} and {other.name} are both on {one.at}."
            faults.append(SiteFault((one.name, other.name), "2.5.1.4", said))
    return tuple(faults)


def fairness(towns: Sequence[Town], bases: Sequence[Base]) -> Fairness | None:
    """2.5.1.4: how far each town is from each side's nearest base; None without towns or bases of both sides.

    Of two bases that are as near, the one that is given first counts.
    """
    sides = {side: [base for base in bases if base.side is side] for side in (Side.COALITION, Side.PHYREXIA)}
    if not towns or not all(sides.values()):
        return None
    return Fairness(
        tuple(
            TownWay(town, _nearest(town, sides[Side.COALITION]), _nearest(town, sides[Side.PHYREXIA])) for town in towns
        )
    )


def _nearest(town: Town, bases: Sequence[Base]) -> Nearest:
    base = min(bases, key=lambda base: base.at.distance(town.at))
    return Nearest(base.name, base.at.distance(town.at))
