"""2.5.1.1, 2.5.1.4: the board before a round: the valid squares of bases and portals, and whether the places of the
neutral towns give one side an advantage."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from wargame.rules.core.board import Base, Square, Town, all_squares
from wargame.rules.core.faults import Fault, Finding
from wargame.rules.core.sides import TEAMS, Side
from wargame.rules.core.wording import count

LEAST_DISTANCE = 3
"""2.5.1.1: no base is less than 3 squares from an enemy base, counted in orthogonal steps (3.2.2.1)."""

BASES, PORTALS = 7, 5
"""1.1.2, 1.1.1: the number of the Coalition's bases, and of Phyrexia's portals."""


class SiteFault(Fault):
    """1.2, 2.5.1: the faults of bases, portals and towns."""

    NO_NAME = "{rule}", "Give {site} a name."
    LONG_NAME = "{rule}", "“{name:.30}…” has more than {most} characters."
    NAME_TWICE = "{rule}", "Two sites are called {name}."
    NO_SQUARE = "1.2", "{name}: “{at:.20}” is not a square. Write its number and letter, like 3D."
    OFF_MAP = "1.2", "{name}: {at} isn't on the map. Squares run from 1A to 38N."
    TOO_NEAR = "2.5.1.1", "{name} on {at} is {away} from the enemy's {other} on {there}; the minimum is {least}."
    SAME_SQUARE = "{rule}", "{name} and {other} are both on {at}."


@dataclass(frozen=True, slots=True)
class SiteFinding(Finding):
    """A fault of the site that the facts call `name`, and of the one that they call `other`, if any."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(self.facts[key]) for key in ("name", "other") if key in self.facts)


def position_faults(bases: Sequence[Base]) -> tuple[SiteFinding, ...]:
    """2.5.1.1: bases off the map, on one square, or less than 3 squares from an enemy's; in the order given."""
    faults = list(off_map(bases))
    for one, other in combinations(bases, 2):
        steps = one.at.distance(other.at)
        if steps == 0:
            faults.append(_same_square(one, other, "2.5.1.1"))
        elif one.side is not other.side and steps < LEAST_DISTANCE:
            facts = {"name": one.name, "at": one.at, "other": other.name, "there": other.at}
            away = {"away": count(steps, "square"), "least": LEAST_DISTANCE}
            faults.append(SiteFinding(SiteFault.TOO_NEAR, {**facts, **away}))
    return tuple(faults)


def forbidden_squares(enemies: Iterable[Base]) -> tuple[Square, ...]:
    """2.5.1.1: the squares, row by row, that are less than 3 squares from one of the enemy's bases."""
    places = tuple(base.at for base in enemies)
    return tuple(s for s in all_squares() if any(s.distance(place) < LEAST_DISTANCE for place in places))


def off_map(sites: Iterable[Base | Town]) -> Iterable[SiteFinding]:
    """1.2: the sites whose square is not on the map."""
    for site in sites:
        if not site.at.on_map:
            yield SiteFinding(SiteFault.OFF_MAP, {"name": site.name, "at": site.at})


def _same_square(one: Base | Town, other: Base | Town, rule: str) -> SiteFinding:
    facts = {"name": one.name, "other": other.name, "at": one.at, "rule": rule}
    return SiteFinding(SiteFault.SAME_SQUARE, facts)


TOWNS = 3
"""2.5.1.4: the number of towns."""

NOTICEABLE = 3
"""2.5.1.4: an average difference of a whole turn's move (3.2.2.1) counts as a noticeable advantage here."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """2.5.1.4: the base or portal of a side that is nearest to a town, and its distance in steps."""

    name: str
    steps: int


@dataclass(frozen=True, slots=True)
class TownWay:
    """2.5.1.4: a town and its distances from each side's nearest base."""

    town: Town
    coalition: Nearest
    phyrexia: Nearest

    @property
    def difference(self) -> int:
        """The difference between the two teams' distances, in steps."""
        return abs(self.coalition.steps - self.phyrexia.steps)

    @property
    def nearer(self) -> Side | None:
        """The side with the shorter way; None if both are equal."""
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
        return Fraction(sum(route.coalition.steps for route in self.ways), len(self.ways))

    @property
    def phyrexia(self) -> Fraction:
        """The average way from Phyrexia's nearest portal."""
        return Fraction(sum(route.phyrexia.steps for route in self.ways), len(self.ways))

    @property
    def difference(self) -> Fraction:
        """The difference of the average ways, in steps; 0 if they are equal."""
        return abs(self.coalition - self.phyrexia)

    @property
    def favours(self) -> Side | None:
        """The side whose average way is shorter; None if both are equal."""
        if self.coalition == self.phyrexia:
            return None
        return Side.COALITION if self.coalition < self.phyrexia else Side.PHYREXIA

    @property
    def is_noticeable(self) -> bool:
        """2.5.1.4: whether the difference is at least a whole turn's move."""
        return self.difference >= NOTICEABLE


def town_faults(towns: Sequence[Town], bases: Sequence[Base]) -> tuple[SiteFinding, ...]:
    """2.5.1.4: towns off the map, or on one square with a base or another town."""
    faults = list(off_map(towns))
    built = {base.at: base for base in reversed(bases)}
    for town in towns:
        if town.at in built:
            faults.append(_same_square(town, built[town.at], "2.5.1.4"))
    for one, other in combinations(towns, 2):
        if one.at == other.at:
            faults.append(_same_square(one, other, "2.5.1.4"))
    return tuple(faults)


def fairness(towns: Sequence[Town], bases: Sequence[Base]) -> Fairness | None:
    """2.5.1.4: the distance of each town from each side's nearest base; None without towns or bases of both sides.

    Of two equally near bases, the first one counts.
    """
    sides = {side: [base for base in bases if base.side is side] for side in TEAMS}
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
