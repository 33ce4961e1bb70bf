"""1.3, 3.3.3: what a judge decides of a turn. A ruling is an input of it, like a post, never an edit of a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from wargame.rules.core.board import Square, read_square
from wargame.rules.core.orders import Hold, Order

Said = tuple[int, str, str, str]
"""Of a ruling: its number, the rule that it cites, the reason, the army."""


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


def ruling_of(kind: str, said: Said, square: str, data: Mapping[str, Any], order: Order | None = None) -> Ruling:
    """A ruling by its kind, as it is stored: the square of one that has one, and in `data` what else it has.

    `order` is the one that the text of a ruling on an order says; to be told of, it is not needed. ValueError for an
    unknown kind.
    """
    match kind:
        case TakenAsGiven.kind:
            return TakenAsGiven(*said, order or Hold(), data["order"])
        case RefusalLifted.kind:
            return RefusalLifted(*said, data.get("order", ""))
        case SetAside.kind:
            return SetAside(*said)
        case EndsOn.kind:
            return EndsOn(*said, read_square(square))
        case WinsSquare.kind:
            return WinsSquare(*said, read_square(square))
        case DaysSet.kind:
            return DaysSet(*said, data["days"])
        case TroopsSet.kind:
            return TroopsSet(*said, data["slot"], data["alive"], data["creature"] or None)
    raise ValueError(f"no ruling is of the kind {kind}")
