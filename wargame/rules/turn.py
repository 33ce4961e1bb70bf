"""1.5, 3.1: what a turn was given: lines, control, manifests, results, rulings, changes of troops, penalties. All of
it is an input, for ever."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from .board import Square
from .changes import TroopChange
from .mercenaries.acts import MercenaryAct
from .orders import Order
from .penalties import Penalty
from .rulings import Ruling


class PostedLine(NamedTuple):
    """R7, R12: an order as it counts at the lock.

    `at` is when the line was last changed, in seconds since any fixed moment; `place` is (post, line) and
    breaks ties. `controlled` says whether `by` controlled the army when he posted (R13).
    """

    by: str
    army: str
    order: Order
    at: int
    place: tuple[int, int] = (0, 0)
    controlled: bool = True
    text: str = ""

    @property
    def when(self) -> tuple[int, tuple[int, int]]:
        """3.3.1, R12: time, then post, then line."""
        return self.at, self.place


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """3.2.4.2: how many of which creature; without a creature, of the slot as it comes."""

    slot: int
    number: int
    creature: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """3.2.4.2: what exactly a transfer sends."""

    by: str
    sender: str
    receiver: str
    entries: tuple[ManifestEntry, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """4.2.5: a battle's result as the battle judge handed it in. `losses` are by army and slot 1 to 4;
    `retreat` names squares instead of drawing them, also for the winner of a pair that leaves (4.4);
    `leaves` names that winner without a square."""

    at: Square
    winner: tuple[str, ...]
    losses: Mapping[str, tuple[int, ...]]
    killed: tuple[str, ...] = ()
    captured: tuple[str, ...] = ()
    retreat: Mapping[str, Square] = field(default_factory=dict)
    leaves: str | None = None


@dataclass(frozen=True, slots=True)
class TurnInput:
    """R18: everything that decides a turn besides the position and the seed.

    `guidelines`: the mercenaries without an order follow those of their factions, and raiders appear (R48, 6.3.2);
    without it they stay. `mercenaries` is what their judge decided, `buried` the names of armies that are gone.
    `penalties` take their troops before anything else is worked out (5.4.1).
    """

    lines: tuple[PostedLine, ...] = ()
    control: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    manifests: tuple[Manifest, ...] = ()
    results: tuple[Result, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    changes: tuple[TroopChange, ...] = ()
    mercenaries: tuple[MercenaryAct, ...] = ()
    guidelines: bool = False
    buried: tuple[str, ...] = ()
    penalties: tuple[Penalty, ...] = ()

    @property
    def after_all(self) -> int:
        """3.3.1: when an order counts as given that nobody posted: after all that were."""
        return max([line.at for line in self.lines], default=0) + 1
