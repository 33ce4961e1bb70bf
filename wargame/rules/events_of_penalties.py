"""5.4.1, R47: what came of the penalties that a turn was given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .board import Square


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
