"""2.3.2, 2.6: a change of troops that the judge accepted. It is an input of the turn in which he did."""

from __future__ import annotations

from dataclasses import dataclass

from .troops import Troop


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """2.6: who wants to personalise an army. `offered` and `turn` are the numbers of the turn in which his leaders
    chose the army and of the one in which he asked for it."""

    name: str
    joined_later: bool
    battles: int
    offered: int
    turn: int


@dataclass(frozen=True, slots=True)
class TroopChange:
    """2.3.2: an army's new makeup with its strengths (`of`), asked for by the player `by`.

    With a `newcomer` it is 2.6's: he may change `name` and `legend` too (empty: as before).
    """

    army: str
    by: str
    makeup: tuple[Troop, ...]
    newcomer: NewPlayer | None = None
    name: str = ""
    legend: str = ""

    @property
    def cites(self) -> str:
        """The rule by which it is asked for."""
        return "2.6" if self.newcomer else "2.3.2"
