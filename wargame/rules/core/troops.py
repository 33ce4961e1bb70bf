"""2.1, 2.2: the creatures of an army, slot by slot."""

from __future__ import annotations

from typing import NamedTuple

SLOTS = (1, 2, 3, 4)
SLOT_MAXIMUM = (5000, 2500, 1500, 1000)
"""2.1.1 to 2.1.6: how many troops the slots 1 to 4 may hold."""

MOST_CREATURES = 6
"""2.1: how many different creatures an army may have."""


DAYS_TO_HEAL = 2
"""2.3.1.1, 2.3.1.2, 4.5: days after which all lost troops are healed, or a captive converted."""


def slot_size(tier: int, slot: int) -> int:
    """2.1.1 to 2.1.6: the largest power and toughness in a slot; tier 1 is General, tier 6 Lieutenant."""
    return 6 - tier + slot


class Troop(NamedTuple):
    """2.1: one creature type in one slot.

    `of` is the strength that healing restores (2.3.1); `of - alive` are missing. `rested` of the missing
    have waited one counted day already (R32), and `lost_in_day` were lost in the army's current day (R69).
    `colors` is empty for colourless creatures.
    `anonymous` troops are numbers alone: they pass every colour limit (docs/develop/cases.md).
    """

    slot: int
    creature: str
    alive: int
    of: int
    colors: tuple[str, ...] = ()
    size: str = ""
    types: tuple[str, ...] = ("Creature",)
    rested: int = 0
    anonymous: bool = False
    lost_in_day: int = 0

    def with_numbers(self, alive: int, of: int) -> Troop:
        """R28, R32: the troop with other numbers; no more of the missing can have waited than are left."""
        rested, losses = min(self.rested, of - alive), min(self.lost_in_day, of - alive)
        return self._replace(alive=alive, of=of, rested=rested, lost_in_day=losses)

    @property
    def missing(self) -> int:
        return self.of - self.alive

    @property
    def is_artifact(self) -> bool:
        return "Artifact" in self.types


def alive_by_slot(troops: tuple[Troop, ...]) -> tuple[int, int, int, int]:
    """4.2.2: the living troops of slots 1 to 4."""
    counts = [0, 0, 0, 0]
    for troop in troops:
        counts[troop.slot - 1] += troop.alive
    return counts[0], counts[1], counts[2], counts[3]


def strength_by_slot(troops: tuple[Troop, ...]) -> tuple[int, int, int, int]:
    """2.3.1: the strength to which healing restores slots 1 to 4."""
    counts = [0, 0, 0, 0]
    for troop in troops:
        counts[troop.slot - 1] += troop.of
    return counts[0], counts[1], counts[2], counts[3]
