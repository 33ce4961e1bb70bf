"""R48, 6.3.2: what the mercenary judge decides himself in a turn. Inputs of it, like posts."""

from __future__ import annotations

from dataclasses import dataclass

from ..board import Square
from ..orders import Order


@dataclass(frozen=True, slots=True)
class Replacement:
    """R48: an order given before the lock in the place of the guideline's. It is checked like a player's line;
    `at` is when it was given, as in `PostedLine`, and `place` breaks ties."""

    by: str
    army: str
    order: Order
    text: str
    at: int = 0
    place: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class DisbandingOrder:
    """6.3.2: a raider that is to disband; it takes its turn."""

    by: str
    army: str
    reason: str


@dataclass(frozen=True, slots=True)
class SpawningOrder:
    """6.3.2: a raider that is to appear at the end of the turn, besides those that the d20 brings.

    `tier` is 6 for 1/1 rank and 5 for 2/2 rank; if the square is taken by then, it appears on the nearest free one.
    """

    by: str
    at: Square
    tier: int
    reason: str


@dataclass(frozen=True, slots=True)
class AfterLockOrder:
    """6.3.2: the order that changes one raider's movement after the lock."""

    by: str
    army: str
    order: Order
    text: str


MercenaryAct = Replacement | DisbandingOrder | SpawningOrder | AfterLockOrder
