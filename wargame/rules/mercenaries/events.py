"""6, R48: what the mercenaries decided and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from wargame.rules.core.board import Square
from wargame.rules.core.sides import Side

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MercenaryDecided:
    """R48: what the guidelines gave a mercenary, `cites` the one that it follows and `ruling` how that is read.

    `order` is as it would be posted, without the army's name; `considered` what else it might have done, each with
    why not; `draws` what was drawn between equals: name, outcomes, outcome, number. If the mercenary `judge` ordered
    otherwise, `ordered` is his order, which counts.
    """

    kind: ClassVar[str] = "mercenary_decided"
    army: str
    faction: str
    at: Square
    course: str
    order: str
    to: Square
    target: str
    cites: str
    ruling: str
    why: str
    considered: tuple[tuple[str, str], ...] = ()
    draws: tuple[tuple[str, int, int, int], ...] = ()
    judge: str = ""
    ordered: str = ""


@dataclass(frozen=True, slots=True)
class OrderedAfterLock:
    """6.3.2: the raider whose movement the mercenary judge changed after the lock, and from what."""

    kind: ClassVar[str] = "ordered_after_lock"
    cites: ClassVar[str] = "6.3.2"
    army: str
    at: Square
    judge: str
    order: str
    instead_of: str


@dataclass(frozen=True, slots=True)
class WentToWar:
    """6.2.2: a theme army that is at war with a team from now on, for the other one killed a town defender.

    It was drawn out of `options`.
    """

    kind: ClassVar[str] = "went_to_war"
    cites: ClassVar[str] = "6.2.2"
    army: str
    at: Square
    side: Side
    killed: str
    options: int


@dataclass(frozen=True, slots=True)
class SpawningRolled:
    """6.3.2: the turn's d20 for a new raider, which comes on 1 to `upto`, with so many raiders on the map."""

    kind: ClassVar[str] = "spawning_rolled"
    cites: ClassVar[str] = "6.3.2"
    raiders: int
    roll: int
    upto: int


@dataclass(frozen=True, slots=True)
class Spawned:
    """6.3.2: a raider that appears. `roll` is the d20 for its rank, `options` the squares it was drawn out of; if the
    mercenary `judge` had it appear, his `reason`."""

    kind: ClassVar[str] = "spawned"
    cites: ClassVar[str] = "6.3.2"
    army: str
    at: Square
    tier: int
    roll: int
    options: int
    judge: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NotSpawned:
    """6.3: why the raider that the mercenary judge wanted does not appear."""

    kind: ClassVar[str] = "not_spawned"
    cites: ClassVar[str] = "6.3"
    at: Square
    judge: str
    why: str


@dataclass(frozen=True, slots=True)
class Disbanded:
    """6.3.2, R52: a raider that leaves the map with the `troops` that it has left (slot, creature, number); by the
    mercenary judge's order, with his `reason`."""

    kind: ClassVar[str] = "disbanded"
    cites: ClassVar[str] = "6.3.2"
    army: str
    at: Square
    troops: tuple[tuple[int, str, int], ...]
    judge: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NotDisbanded:
    """6.3.2: a raider that was to disband, was attacked on its way, and has to fight."""

    kind: ClassVar[str] = "not_disbanded"
    cites: ClassVar[str] = "6.3.2"
    army: str
    at: Square
    by: Names
