"""Flow as data: the phases and steps of a game, each with the number that describes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """4: one phase or step. `then`: where it goes on; `priority`: whether anybody has it here (8.3)."""

    name: str
    cites: str
    then: str
    priority: bool = True
    main: bool = False
    """4.3, 4.5: citizens are cast and soul cards placed here; 10: whose turn it is, is usually asked in it."""
    words: tuple[str, ...] = ()
    """What a line may call it."""
