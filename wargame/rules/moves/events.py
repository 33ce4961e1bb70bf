"""R18, steps 1 to 6: what happened to the orders and on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from wargame.rules.core.board import Square
from wargame.rules.core.reasons import Reason

Names = tuple[str, ...]
DecidedBy = Literal["stays", "distance", "time", "place", "ruling"]
Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """R14: an order that was not carried out. `counts` is False for a void line beside a valid order (R13).

    `at` is where the army stands, `would_do` the nearest legal form of the order, if there is one.
    """

    kind: ClassVar[str] = "refused"
    army: str
    reason: Reason
    facts: Facts
    by: str
    order: str
    counts: bool = True
    at: Square | None = None
    would_do: str = ""

    @property
    def cites(self) -> str:
        return self.reason.cites

    @property
    def sentence(self) -> str:
        return self.reason.explain({"army": self.army, "by": self.by, **dict(self.facts)}, self.would_do)


@dataclass(frozen=True, slots=True)
class Held:
    """R29: an army that was told to stay, or whose player said that it fights."""

    kind: ClassVar[str] = "held"
    cites: ClassVar[str] = "3.2.1"
    army: str
    at: Square
    word: Literal["hold", "in battle"]


@dataclass(frozen=True, slots=True)
class Moved:
    """3.2.2: a move that reached its square. `paths` is how many routes it was drawn from; 0: it was given."""

    kind: ClassVar[str] = "moved"
    cites: ClassVar[str] = "3.2.2"
    army: str
    start: Square
    to: Square
    route: tuple[Square, ...]
    paths: int = 0
    later: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True)
class Contested:
    """3.3.1, R21: friends that wanted one square: who got it and by what."""

    kind: ClassVar[str] = "contested"
    cites: ClassVar[str] = "3.3.1"
    at: Square
    winner: str
    losers: Names
    by: DecidedBy
    distances: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class MovedPartially:
    """3.3.2, R24: an army that could not reach its square; `why` is the rule that kept it from there."""

    kind: ClassVar[str] = "moved_partially"
    cites: ClassVar[str] = "3.3.2"
    army: str
    start: Square
    meant: Square
    to: Square
    why: str
    how: Literal["back", "caught", "aside", "stays"]


@dataclass(frozen=True, slots=True)
class Pushed:
    """3.3.5, R22, R40: an army that had to leave its square to others."""

    kind: ClassVar[str] = "pushed"
    army: str
    start: Square
    to: Square
    cites: str
    options: int = 1


@dataclass(frozen=True, slots=True)
class Intercepted:
    """3.2.3, R20: an army that was stopped on its way. `rivals` wanted to engage on that square."""

    kind: ClassVar[str] = "intercepted"
    cites: ClassVar[str] = "3.2.3.1"
    army: str
    by: str
    start: Square
    meant: Square
    at: Square
    rivals: Names = ()
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class PassedBy:
    """3.2.3.2: an army that crossed an interceptor, which had to fight a nearer enemy."""

    kind: ClassVar[str] = "passed_by"
    cites: ClassVar[str] = "3.2.3.2"
    army: str
    by: str
    at: Square
    rivals: Names
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class JointEngaged:
    """3.2.5.2, R23: the joint engagement that goes through."""

    kind: ClassVar[str] = "joint_engaged"
    cites: ClassVar[str] = "3.2.5.2"
    armies: Names
    at: Square


@dataclass(frozen=True, slots=True)
class JointFailed:
    """3.2.5.3, 3.2.5.4: two armies whose joint engagement became ordinary or partial moves."""

    kind: ClassVar[str] = "joint_failed"
    armies: Names
    at: Square
    cites: str


@dataclass(frozen=True, slots=True)
class PlanCancelled:
    """R17: the rest of a long move that is not carried out."""

    kind: ClassVar[str] = "plan_cancelled"
    cites: ClassVar[str] = "3.2.2.3"
    army: str
    rest: tuple[Square, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """3.3.3: a judge's ruling: what was decided, citing his rule, and his reason; `why_not`: why it changes nothing."""

    kind: ClassVar[str] = "ruled"
    army: str
    number: int
    cites: str
    what: str
    reason: str
    why_not: str = ""
    start: Square | None = None
    to: Square | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """R38: a draw from the turn's committed seed."""

    kind: ClassVar[str] = "drawn"
    cites: ClassVar[str] = "R38"
    name: str
    sides: int
    value: int
