"""5: the formats as a table needs them: who may sit at it, and how many games a match has.

S49, S79: how many cards a deck has, and the Legendary Rule for the card beside it too, stand with the core's decks.
S53: minutes are the table's clock's, and no rule of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PARTNERS = ("A1", "B1", "A2", "B2")
"""S47: the seats of two against two, in turn order."""


@dataclass(frozen=True, slots=True)
class Playing:
    """5: one format: the seats that it may have, the games of a match, and whether partners share a turn (5.3)."""

    cites: str
    seats: tuple[tuple[str, ...], ...]
    best_of: int
    shared: bool = False


TWO = ("A", "B")
FORMATS: Mapping[str, Playing] = {
    "standard": Playing("5.1", (TWO, PARTNERS), 1),
    "draft": Playing("5.2", (TWO,), 1),
    "arena": Playing("5.3", (TWO, PARTNERS), 3, shared=True),
    "guild master": Playing("5.4", (TWO, ("A", "B", "C"), ("A", "B", "C", "D")), 1),
}
"""5.1 to 5.4: by the format's key; deck sizes and Vaults stand with the core's formats of decks."""
