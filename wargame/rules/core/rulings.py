"""1.3, 3.3.3: a judge's decisions on a turn. A ruling is an input of it, like a post, never an edit of a result."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from wargame.rules.core.board import Square, read_square
from wargame.rules.core.orders import Hold, Order
from wargame.rules.core.phrases import Phrase, Phrases

Said = tuple[int, str, str, str]
"""Parts of a ruling: its number, the rule that it cites, the reason, the army."""


class WhatIsRuled(Phrases):
    """3.3.3: the text of a ruling, as the beginning of a sentence."""

    ORDER = "the order of {army} is taken to be “{order}”"
    LIFTED = "the order of {army} (“{order}”) is no longer refused"
    LIFTED_UNNAMED = "the order of {army} is no longer refused"
    ASIDE = "the orders of {army} are set aside, and the army stays"
    SQUARE = "the move of {army} ends on {at}"
    WINNER = "{army} must get {at} before any friend"
    DAYS = "the days of {army} are set to {days:d}"
    TROOPS = "for {army}, the number of living {creature} is set to {alive:d}"
    TROOPS_OF_SLOT = "for {army}, the number of living troops in slot {slot:d} is set to {alive:d}"


class WhyNothing(Phrases):
    """3.3.3: why a ruling changes nothing."""

    NO_ARMY = "no army on the map is called {army}"
    ARMY_GONE = "the army is no longer on the map"
    KILLED = "the army was killed"
    BEATEN = "ruling {number:d} on the same thing counts instead"
    BEATEN_THERE = "ruling {number:d} on that contest counts instead"
    NOT_REFUSED = "none of the army's orders was refused (R14)"
    NO_ORDER = "the army has no order to carry out"
    ORDERED_SO = "the army was already ordered to do that"
    STAYS_ANYWAY = "the army would stay on its square anyway"
    ENDS_THERE_ANYWAY = "the army's move would end there anyway"
    OFF_MAP = "{at} is not on the map (1.2)"
    FIGHTS = "the army is in battle this turn (3.2.1)"
    FIGHTS_AND_STAYS = "the army is in battle this turn and stays (R19)"
    NO_ENEMY = "only an enemy can be intercepted, not {target} (3.2.3.1)"
    NO_FRIEND = "troops can only go to a friend, not to {target} (3.2.4.1)"
    HELD_BY_FIGHTER = "that square is held by {army}, in battle there (R19)"
    HAS_IT_ANYWAY = "by the rules, the army gets that square anyway (3.3.1)"
    NO_CONTEST = "the army did not contest that square with a friend"
    NOT_LEFT_ALONE = "the army was not left alone there with a friend (R26)"
    FRIEND_THERE = "the move of {friend} ends there, and two friends can't share a square (3.3.1)"
    SIDES_THERE = "two other sides meet there (3.3.5)"
    DAYS_SO_ANYWAY = "the army has that many anyway"
    TROOPS_SO_ANYWAY = "that many are alive anyway"
    NO_SUCH_TROOPS = "the army has no such troops in slot {slot:d}"
    SEVERAL_CREATURES = "slot {slot:d} has several creatures ({creatures}); name one"
    ABOVE_STRENGTH = "the army's strength there is only {of:d}"
    DAYS_OUT_OF_RANGE = "days must be 0 to {most:d}"
    NO_DAYS_THERE = "days on {at} don't count for this army (1.5)"
    SIEGE_IS_OVER = "a siege counts at most {days:d} days (1.7.1)"


@dataclass(frozen=True, slots=True)
class RulingOn:
    """3.3.3: a ruling on an army. `number` counts those of a turn, `cites` is the rule that the judge names."""

    kind: ClassVar[str] = ""
    number: int
    cites: str
    reason: str
    army: str

    @property
    def what(self) -> Phrase:
        """The decision of the ruling, as a phrase."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class TakenAsGiven(RulingOn):
    """An order that replaces the posted one, legal or not. `text` is the order in its canonical form."""

    kind: ClassVar[str] = "order"
    order: Order
    text: str

    @property
    def what(self) -> Phrase:
        return WhatIsRuled.ORDER(army=self.army, order=self.text)


@dataclass(frozen=True, slots=True)
class RefusalLifted(RulingOn):
    """The army's last order is carried out although R14 refused it. `text` is the order, for readers."""

    kind: ClassVar[str] = "lifted"
    text: str = ""

    @property
    def what(self) -> Phrase:
        if self.text:
            return WhatIsRuled.LIFTED(army=self.army, order=self.text)
        return WhatIsRuled.LIFTED_UNNAMED(army=self.army)


@dataclass(frozen=True, slots=True)
class SetAside(RulingOn):
    """The army's orders are ignored, including a long move, and it stays."""

    kind: ClassVar[str] = "aside"

    @property
    def what(self) -> Phrase:
        return WhatIsRuled.ASIDE(army=self.army)


@dataclass(frozen=True, slots=True)
class EndsOn(RulingOn):
    """The army ends its move on a square, after all partial moves are worked out."""

    kind: ClassVar[str] = "square"
    at: Square

    @property
    def what(self) -> Phrase:
        return WhatIsRuled.SQUARE(army=self.army, at=str(self.at))


@dataclass(frozen=True, slots=True)
class WinsSquare(RulingOn):
    """3.3.1: the army gets a square that friends of it also want."""

    kind: ClassVar[str] = "winner"
    at: Square

    @property
    def what(self) -> Phrase:
        return WhatIsRuled.WINNER(army=self.army, at=str(self.at))


@dataclass(frozen=True, slots=True)
class DaysSet(RulingOn):
    """1.5: the days that the army has after this settlement; healing follows from them."""

    kind: ClassVar[str] = "days"
    days: int

    @property
    def what(self) -> Phrase:
        return WhatIsRuled.DAYS(army=self.army, days=self.days)


@dataclass(frozen=True, slots=True)
class TroopsSet(RulingOn):
    """4.3.1: the living troops of a creature (None: the only one in the slot) after the battles, before the new
    ones."""

    kind: ClassVar[str] = "troops"
    slot: int
    alive: int
    creature: str | None = None

    @property
    def what(self) -> Phrase:
        if self.creature:
            return WhatIsRuled.TROOPS(army=self.army, creature=self.creature, alive=self.alive)
        return WhatIsRuled.TROOPS_OF_SLOT(army=self.army, slot=self.slot, alive=self.alive)


Ruling = TakenAsGiven | RefusalLifted | SetAside | EndsOn | WinsSquare | DaysSet | TroopsSet


def ruling_of(kind: str, said: Said, square: str, data: Mapping[str, Any], order: Order | None = None) -> Ruling:
    """A ruling from its stored form: its kind, the square of one that has one, and other values in `data`.

    `order` is the order in the text of such a ruling; it isn't needed for showing it. ValueError for an unknown kind.
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
