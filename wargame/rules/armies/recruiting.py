"""2.1, 2.5.2.2: troops for an army without a list: drawn from the catalogue, legal, and well matched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from wargame.rules.armies.creatures import Creature, name_key, with_ruling
from wargame.rules.armies.muster import MusterEntry
from wargame.rules.core.dice import Dice
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, slot_size

KINDS_BY_SLOT = ((2, 2, 1, 1), (2, 1, 2, 1), (2, 1, 1, 1), (2, 1, 1, 2), (1, 2, 1, 1), (1, 1, 1, 1))
"""2.1: the number of different creatures in the slots 1 to 4 of an army: six at most."""

SHARES = (50, 60, 70, 80)
"""The share of the first of two creatures in a slot, in percent."""

KIN, OF_MAIN_COLOR, WELL_BUILT = 4, 3, 2
"""The extra weight of a creature that is kin to one already in, of the army's main colour, or with equal power and
toughness."""

PHYREXIAN = "Phyrexian"
"""The creature type of those who come through the portals."""


@dataclass(frozen=True, slots=True)
class Recruit:
    """2.2.1: a creature of the catalogue. `kinds` are its creature types, like Goblin."""

    creature: Creature
    kinds: tuple[str, ...] = ()


Allowed = Callable[[Recruit], bool]


@dataclass(frozen=True)
class Barracks:
    """2.2.1: the creatures from which armies are drawn, in the order of their names.

    No legends, no banned ones, and none that would need a judge's answer: those are for people to choose.
    """

    recruits: tuple[Recruit, ...] = field(repr=False)

    @classmethod
    def of(cls, recruits: Iterable[Recruit]) -> Barracks:
        """The catalogue, sorted; a name that comes twice counts once."""
        by_key = {name_key(recruit.creature.name): recruit for recruit in recruits}
        return cls(tuple(by_key[key] for key in sorted(by_key)))

    @cached_property
    def troops(self) -> dict[int, tuple[Recruit, ...]]:
        """2.1: the creatures that can be troops, by the smallest slot that they fit."""
        by_size: dict[int, list[Recruit]] = {}
        for recruit in self.recruits:
            creature = with_ruling(recruit.creature)
            if _is_plain(creature):
                by_size.setdefault(creature.sizes[0].least, []).append(recruit)
        return {least: tuple(group) for least, group in by_size.items()}

    @cached_property
    def legends(self) -> tuple[Recruit, ...]:
        """2.1: the creatures that can lead an army."""
        return tuple(r for r in self.recruits if r.creature.is_legend and not with_ruling(r.creature).banned)

    def fitting(self, size: int, allowed: Allowed) -> tuple[Recruit, ...]:
        """2.1: the allowed ones that fill a slot of that size; where there are none, those of the next smaller size."""
        for least in range(size, -1, -1):
            if recruits := tuple(r for r in self.troops.get(least, ()) if allowed(r)):
                return recruits
        return ()


def draw_troops(
    barracks: Barracks, tier: int, allowed: Allowed, main_color: str, dice: Dice, lot: str, number: int = 1
) -> tuple[MusterEntry, ...]:
    """2.1, 2.5.2.2: a full army of that tier. `lot` names its draws, `number` grows with each new draw.

    A slot that no allowed creature fits stays empty.
    """
    kinds_by_slot = dice.choose(f"{lot}: kinds by slot", KINDS_BY_SLOT, number)
    recruits: list[Recruit] = []
    entries: list[MusterEntry] = []
    for slot, kinds in zip(SLOTS, kinds_by_slot, strict=True):
        here: list[Recruit] = []
        for place in range(kinds):
            pool = [r for r in barracks.fitting(slot_size(tier, slot), allowed) if r not in here]
            if pool:
                draw = f"{lot}: creature {place + 1} of slot {slot}"
                here.append(_choose(pool, recruits, main_color, slot_size(tier, slot), dice, draw, number))
                recruits.append(here[-1])
        share = dice.choose(f"{lot}: share in slot {slot}", SHARES, number) if len(here) > 1 else 100
        entries += _entries(slot, here, share)
    return tuple(entries)


def draw_legend(
    barracks: Barracks, allowed: Allowed, serving: Iterable[str], dice: Dice, lot: str, number: int = 1
) -> Creature | None:
    """2.1: an allowed legend that serves no other army; None if all of them serve, since an army may do without."""
    used_keys = {name_key(name) for name in serving}
    free = [r.creature for r in barracks.legends if allowed(r) and name_key(r.creature.name) not in used_keys]
    return dice.choose(f"{lot}: legend", free, number) if free else None


def _is_plain(creature: Creature) -> bool:
    """2.2.1: of one size, and without any question for a judge."""
    if creature.is_legend or creature.banned or creature.asks or creature.uses or not creature.is_listed:
        return False
    return len(creature.sizes) == 1 and not creature.varies and creature.sizes[0].least > 0


def _choose(
    pool: Sequence[Recruit], recruits: Sequence[Recruit], main: str, size: int, dice: Dice, draw: str, number: int
) -> Recruit:
    """Draw one of the pool: each has one lot in the urn, and further ones the better it suits the others."""
    kin = {kind for recruit in recruits for kind in recruit.kinds}
    urn = [recruit for recruit in pool for _ in range(_weight(recruit, kin, main, size))]
    return dice.choose(draw, urn, number)


def _weight(recruit: Recruit, kin: set[str], main: str, size: int) -> int:
    colors = recruit.creature.colors or ("colorless",)
    built = recruit.creature.sizes[0]
    return (
        1
        + KIN * any(kind in kin for kind in recruit.kinds)
        + OF_MAIN_COLOR * (main in colors or (main == "multicolor" and len(colors) > 1))
        + WELL_BUILT * (built.power == built.toughness == size)
    )


def _entries(slot: int, here: Sequence[Recruit], share: int) -> list[MusterEntry]:
    most = SLOT_MAXIMUM[slot - 1]
    first = most * share // 100
    numbers = (first, most - first)
    return [MusterEntry(slot, recruit.creature, number) for recruit, number in zip(here, numbers, strict=False)]
