"""1.2, 2: the state of a round between two turns, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from wargame.rules.core.board import Board, Square
from wargame.rules.core.names import Names
from wargame.rules.core.orders import Step
from wargame.rules.core.saying import said
from wargame.rules.core.sides import LEADING_TIER, LOWEST_TWO_TIERS, Faction, Rank, Side
from wargame.rules.core.troops import Troop


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """R15, R17: a later step of a long move, with the army on its end when the line was posted."""

    step: Step
    stood: tuple[tuple[str, Side], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """3.2.2.3: the rest of a long move, its author and its time (as in `PostedLine`)."""

    by: str
    steps: tuple[PlannedStep, ...]
    at: int = 0
    place: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Captivity:
    """4.5, R40: a captured army: its former side, colours and controllers, and the colours it had when it was
    created (`native`). `converted` after two days."""

    side: Side
    colors: tuple[str, ...]
    native: tuple[str, ...]
    controllers: tuple[str, ...] = ()
    converted: bool = False


@dataclass(frozen=True, slots=True)
class Campaign:
    """6.2: the state that a theme army keeps from turn to turn: the teams it is at war with, and whether it has
    healed for it (6.2.2); for the ocean's also its last opponent, and the number of battles in an ocean area
    (6.2.1)."""

    at_war: tuple[Side, ...] = ()
    has_healed: bool = False
    fought: tuple[str, ...] = ()
    area: Square | None = None
    battles: int = 0


class Army(NamedTuple):
    """2.1: an army on the map. `rank` for the teams' armies, `faction` for mercenaries; `days` as in 1.5; `former`
    are its earlier names (2.6); `sent` counts the troops that it sent away from slots 1 to 4 since it was made
    (R65), and is empty if it sent nothing."""

    name: str
    side: Side
    at: Square
    rank: Rank | None = None
    faction: Faction | None = None
    mercenary_tier: int = 0
    colors: tuple[str, ...] = ()
    troops: tuple[Troop, ...] = ()
    days: int = 0
    winning_days: int = 0
    plan: Plan | None = None
    captivity: Captivity | None = None
    home: Square | None = None
    former: tuple[str, ...] = ()
    campaign: Campaign | None = None
    sent: tuple[int, ...] = ()

    @property
    def tier(self) -> int:
        """2.1.1 to 2.1.6: 1 for General/Chief Praetor, 6 for Lieutenant/Centurion and the weakest raiders."""
        if self.rank is not None:
            return self.rank.tier
        return self.mercenary_tier or (self.faction.tier if self.faction else LOWEST_TWO_TIERS[-1])

    @property
    def title(self) -> str:
        """1.1, 6: the rank or the faction in words."""
        if self.rank is not None:
            return self.rank.title
        return self.faction.title if self.faction else said("Mercenary")

    @property
    def is_leading(self) -> bool:
        """3.2.5.4, 1.7.3: whether the army is of rank Captain/Evincar or higher."""
        return self.rank is not None and self.rank.tier <= LEADING_TIER

    @property
    def is_low(self) -> bool:
        """2.3.1.3, 4.5: whether the army is of one of the lowest two ranks of a team."""
        return self.rank is not None and self.rank.tier in LOWEST_TWO_TIERS

    @property
    def is_partially_converted(self) -> bool:
        """4.5: captured, and not yet converted by two days."""
        return self.captivity is not None and not self.captivity.converted

    @property
    def is_empty(self) -> bool:
        """4.3.1: no troops left in any slot."""
        return not any(troop.alive for troop in self.troops)

    def is_enemy(self, other: Army) -> bool:
        """R3: whether the other army is of another side; all mercenaries are one side."""
        return self.side is not other.side


@dataclass(frozen=True, slots=True)
class Battle:
    """4.1, R25: a battle that is fought this turn. `defends` is the index of the defending side, None for a
    no-attacker battle; the names of a side are sorted."""

    at: Square
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    defends: int | None = None

    @property
    def armies(self) -> tuple[str, ...]:
        return self.sides[0] + self.sides[1]


@dataclass(frozen=True, slots=True)
class Transit:
    """3.2.4.3.2: troops on their way to an army that was attacked; they arrive after its battle."""

    sender: str
    receiver: str
    troops: tuple[Troop, ...]


@dataclass(frozen=True)
class Position:
    """1.5: everything that the rules need to know between two turns. Armies are sorted by name."""

    board: Board
    armies: tuple[Army, ...] = ()
    battles: tuple[Battle, ...] = ()
    transits: tuple[Transit, ...] = ()
    fallen: tuple[Side, ...] = ()
    won_by: tuple[Side, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, Army]:
        return {army.name: army for army in self.armies}

    @cached_property
    def names(self) -> Names:
        """3.2.2.5, 2.6: the names on the map; a former one means the army under its current name."""
        return Names(self.by_name, {old: army.name for old, army in self._by_former.items()})

    def called(self, name: str) -> Army | None:
        """2.6: the army with that current or former name, or None."""
        return self.by_name.get(name) or self._by_former.get(name)

    @cached_property
    def _by_former(self) -> dict[str, Army]:
        return {old: army for army in self.armies for old in army.former}

    @cached_property
    def by_square(self) -> dict[Square, tuple[Army, ...]]:
        squares: dict[Square, tuple[Army, ...]] = {}
        for army in self.armies:
            squares[army.at] = (*squares.get(army.at, ()), army)
        return squares

    @cached_property
    def battle_of(self) -> dict[str, Battle]:
        """3.2.1: the battle that an army fights this turn, by the army's name."""
        return {name: battle for battle in self.battles for name in battle.armies}


def sorted_armies(armies: list[Army]) -> tuple[Army, ...]:
    """Stable order everywhere: armies by their names."""
    return tuple(sorted(armies, key=lambda army: army.name))
