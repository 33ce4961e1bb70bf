"""1.3, 3.3.3: what a judge decides of a turn. A ruling is an input of it, like a post, never an edit of a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from wargame.rules.core.board import Square
from wargame.rules.core.orders import Order


@dataclass(frozen=True, slots=True)
class RulingOn:
    """3.3.3: a ruling on an army. `number` counts those of a turn, `cites` is the rule that the judge names."""

    kind: ClassVar[str] = ""
    number: int
    cites: str
    reason: str
    army: str

    @property
    def what(self) -> str:
        """What is ruled, as the beginning of a sentence."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class TakenAsGiven(RulingOn):
    """An order that counts in the place of what was posted, legal or not. `text` is the order in its canonical form."""

    kind: ClassVar[str] = "order"
    order: Order
    text: str

    @property
    def what(self) -> str:
        return f"the order of {self.army} is taken to be “{self.text}”"


@dataclass(frozen=True, slots=True)
class RefusalLifted(RulingOn):
    """The army's last order is carried out although R14 refused it. `text` is the order, for whoever reads of it."""

    kind: ClassVar[str] = "lifted"
    text: str = ""

    @property
    def what(self) -> str:
        order = f" (“{self.text}”)" if self.text else ""
        return f"the refusal of the order of {self.army}{order} is lifted"


@dataclass(frozen=True, slots=True)
class SetAside(RulingOn):
    """The army's orders are ignored, a long move too, and it stays."""

    kind: ClassVar[str] = "aside"

    @property
    def what(self) -> str:
        return f"{self.army} is set aside and stays, whatever was ordered for it"


@dataclass(frozen=True, slots=True)
class EndsOn(RulingOn):
    """The army ends its move on a square, after all partial moves are worked out."""

    kind: ClassVar[str] = "square"
    at: Square

    @property
    def what(self) -> str:
        return f"{self.army} ends its move on {self.at}"


@dataclass(frozen=True, slots=True)
class WinsSquare(RulingOn):
    """3.3.1: the army has a square that friends of it want too."""

    kind: ClassVar[str] = "winner"
    at: Square

    @property
    def what(self) -> str:
        return f"{self.army} has {self.at} before its friends"


@dataclass(frozen=True, slots=True)
class DaysSet(RulingOn):
    """1.5: the days that the army has after this settlement; healing follows from them."""

    kind: ClassVar[str] = "days"
    days: int

    @property
    def what(self) -> str:
        return f"the days of {self.army} are set to {self.days}"


@dataclass(frozen=True, slots=True)
class TroopsSet(RulingOn):
    """4.3.1: the living troops of a creature (None: the slot has one alone) after the battles, before the new ones."""

    kind: ClassVar[str] = "troops"
    slot: int
    alive: int
    creature: str | None = None

    @property
    def what(self) -> str:
        of = self.creature or f"slot {self.slot}"
        return f"the living troops of {self.army} in {of} are set to {self.alive}"


Ruling = TakenAsGiven | RefusalLifted | SetAside | EndsOn | WinsSquare | DaysSet | TroopsSet
