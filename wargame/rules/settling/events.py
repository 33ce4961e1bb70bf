"""R18, steps 7 to 11: what battles, transfers and days brought.

2.3.2, 2.6: what came of the changes of troops that a settlement was given.

5.4.1, R47: what came of the penalties that a turn was given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from wargame.rules.core.board import Square
from wargame.rules.core.sides import Side

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fought:
    """4.2.5: a battle that was fought this turn, and what it cost."""

    kind: ClassVar[str] = "fought"
    cites: ClassVar[str] = "4.2.5"
    at: Square
    winners: Names
    losers: Names
    losses: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Retreated:
    """4.2.5, 4.4, R27: an army that left the square of its battle, or would have on a map that was not full."""

    kind: ClassVar[str] = "retreated"
    army: str
    start: Square
    to: Square
    how: Literal["given", "free", "onto an enemy", "farther out", "nowhere"]
    options: int
    cites: str = "4.2.5"


@dataclass(frozen=True, slots=True)
class Killed:
    """4.3: an army that is removed from the map."""

    kind: ClassVar[str] = "killed"
    army: str
    at: Square
    by: Names
    cites: str


@dataclass(frozen=True, slots=True)
class Captured:
    """4.5, R40: an army that changes sides, and where it is put."""

    kind: ClassVar[str] = "captured"
    cites: ClassVar[str] = "4.5"
    army: str
    by: str
    side: Side
    to: Square


@dataclass(frozen=True, slots=True)
class Liberated:
    """4.5: a partially converted army that lost and is its old side's again, and its old controllers'."""

    kind: ClassVar[str] = "liberated"
    cites: ClassVar[str] = "4.5"
    army: str
    side: Side
    controllers: Names


@dataclass(frozen=True, slots=True)
class Converted:
    """4.5: a captured army that has counted its two days."""

    kind: ClassVar[str] = "converted"
    cites: ClassVar[str] = "4.5"
    army: str
    side: Side


@dataclass(frozen=True, slots=True)
class Engaged:
    """3.3.1, R25: a new battle. `why` says how it came about for the side that came."""

    kind: ClassVar[str] = "engaged"
    cites: ClassVar[str] = "3.3.1"
    at: Square
    sides: tuple[Names, Names]
    defends: int | None


@dataclass(frozen=True, slots=True)
class Transferred:
    """3.2.4.3: troops that a receiver got."""

    kind: ClassVar[str] = "transferred"
    sender: str
    receiver: str
    troops: tuple[tuple[int, str, int], ...]
    cites: str


@dataclass(frozen=True, slots=True)
class InTransit:
    """3.2.4.3.2: troops that wait for the end of the receiver's battle."""

    kind: ClassVar[str] = "in_transit"
    cites: ClassVar[str] = "3.2.4.3.2"
    sender: str
    receiver: str
    troops: tuple[tuple[int, str, int], ...]


@dataclass(frozen=True, slots=True)
class TransferCut:
    """2.3.3, R28: what a manifest named and was not sent, and why."""

    kind: ClassVar[str] = "transfer_cut"
    cites: ClassVar[str] = "2.3.3"
    sender: str
    receiver: str
    slot: int
    number: int
    why: str


@dataclass(frozen=True, slots=True)
class NotTransferred:
    """3.2.4.1: a transfer whose receiver is gone; nothing is sent."""

    kind: ClassVar[str] = "not_transferred"
    cites: ClassVar[str] = "3.2.4.1"
    sender: str
    receiver: str


@dataclass(frozen=True, slots=True)
class TroopsLost:
    """3.2.4.3.3, R28: sent troops that died on their way."""

    kind: ClassVar[str] = "troops_lost"
    cites: ClassVar[str] = "3.2.4.3.3"
    sender: str
    receiver: str
    troops: tuple[tuple[int, str, int], ...]
    why: str


@dataclass(frozen=True, slots=True)
class DayCounted:
    """1.5, R30: a day that an army counted."""

    kind: ClassVar[str] = "day_counted"
    cites: ClassVar[str] = "1.5"
    army: str
    at: Square
    days: int
    place: str
    won: bool = False


@dataclass(frozen=True, slots=True)
class DayNotCounted:
    """1.5, R30: why an army on a square where it could count a day did not, or lost those it had."""

    kind: ClassVar[str] = "day_not_counted"
    cites: ClassVar[str] = "1.5"
    army: str
    at: Square
    days: int
    why: str


@dataclass(frozen=True, slots=True)
class Healed:
    """2.3.1, 6.1.2: troops that came back."""

    kind: ClassVar[str] = "healed"
    army: str
    at: Square
    troops: tuple[tuple[int, str, int], ...]
    cites: str


@dataclass(frozen=True, slots=True)
class BaseDestroyed:
    """1.7.1, R33: a base or portal that fell."""

    kind: ClassVar[str] = "base_destroyed"
    cites: ClassVar[str] = "1.7.1"
    base: str
    at: Square
    by: str


@dataclass(frozen=True, slots=True)
class Won:
    """1.7.2, 1.7.3, R34: a round that is won, until the battle judge confirms it only a proposal."""

    kind: ClassVar[str] = "won"
    side: Side
    why: str
    cites: str


Troops = tuple[tuple[int, str, int, int], ...]
"""Slot, creature, alive, strength."""


@dataclass(frozen=True, slots=True)
class TroopsChanged:
    """2.3.2: an army with a new makeup."""

    kind: ClassVar[str] = "troops_changed"
    cites: ClassVar[str] = "2.3.2"
    army: str
    at: Square
    troops: Troops


@dataclass(frozen=True, slots=True)
class Personalised:
    """2.6: an army that a new player made his own. `name` is what it is called from the unlock on, empty where it
    keeps its name; `legend` is empty where it keeps that."""

    kind: ClassVar[str] = "personalised"
    cites: ClassVar[str] = "2.6"
    army: str
    at: Square
    player: str
    name: str
    legend: str
    troops: Troops


@dataclass(frozen=True, slots=True)
class ChangeRefused:
    """2.3.2, 2.6: an accepted change that can't be carried out any more, and why."""

    kind: ClassVar[str] = "change_refused"
    army: str
    cites: str
    why: str
    at: Square | None = None


@dataclass(frozen=True, slots=True)
class Penalised:
    """5.4.1: an army that lost troops (`lost`, slots 1 to 4) by a penalty for what `player` did. `severity` and `roll`
    are 0 where nothing was rolled; `why_not` says why nothing could be taken."""

    kind: ClassVar[str] = "penalised"
    army: str
    number: int
    cites: str
    player: str
    severity: int
    roll: int
    lost: tuple[int, ...]
    reason: str
    why_not: str = ""
    at: Square | None = None
