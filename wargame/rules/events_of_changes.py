"""2.3.2, 2.6: what came of the changes of troops that a settlement was given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .board import Square

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
