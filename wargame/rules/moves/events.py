"""R18, steps 1 to 6: what happened to the orders and on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from wargame.rules.core.board import Square
from wargame.rules.core.events import ArmyName, ArmyNames, Event
from wargame.rules.core.phrases import Phrase, Words
from wargame.rules.core.reasons import Reason
from wargame.rules.core.wording import FULL, count, listed, listed_with

DecidedBy = Literal["stays", "distance", "time", "place", "ruling"]
Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """R14: an order that was not carried out. `counts` is False for a void line beside a valid order (R13).

    `at` is where the army stands, `would_do` the nearest legal form of the order, if there is one.
    """

    kind: ClassVar[str] = "refused"
    is_doubtful: ClassVar[bool] = True
    not_compared: ClassVar[tuple[str, ...]] = ("counts", "at")
    army: ArmyName
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
class Held(Event):
    """R29: an army that was told to stay, or whose player said that it fights."""

    kind: ClassVar[str] = "held"
    cites: ClassVar[str] = "3.2.1"
    army: ArmyName
    at: Square
    word: Literal["hold", "in battle"]

    @property
    def sentence(self) -> str:
        if self.word == "hold":
            return f"{self.army} stays on {self.at}, as ordered."
        return f"{self.army} is in battle on {self.at}."


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """3.2.2: a move that reached its square. `paths` is how many routes it was drawn from; 0: it was given."""

    kind: ClassVar[str] = "moved"
    cites: ClassVar[str] = "3.2.2"
    army: ArmyName
    start: Square
    to: Square
    route: tuple[Square, ...]
    paths: int = 0
    later: tuple[Square, ...] = ()

    @property
    def sentence(self) -> str:
        route = ", ".join(str(square) for square in self.route[1:-1])
        over = f" over {route}" if route else ""
        drawn = f" (the route was drawn out of {self.paths})" if self.paths > 1 else ""
        later = f"; then on to {', '.join(str(square) for square in self.later)}" if self.later else ""
        return f"{self.army} moves from {self.start} to {self.to}{over}{drawn}{later}."


@dataclass(frozen=True, slots=True)
class Contested(Event):
    """3.3.1, R21: friends that wanted one square: who got it and by what."""

    kind: ClassVar[str] = "contested"
    cites: ClassVar[str] = "3.3.1"
    is_doubtful: ClassVar[bool] = True
    at: Square
    winner: ArmyName
    losers: ArmyNames
    by: DecidedBy
    distances: tuple[tuple[str, int], ...]

    @property
    def sentence(self) -> str:
        ways = {
            "stays": "it stands there and stays",
            "distance": "it is the nearest",
            "time": "it is as near and was ordered earlier",
            "place": "it is as near and stands first in the post",
            "ruling": "a judge ruled so",
        }
        steps = listed([f"{name} {count(distance, 'step')}" for name, distance in self.distances])
        return f"{self.winner} has {self.at} before {listed(self.losers)}: {ways[self.by]} ({steps})."


RULES = {
    "3.3.1": "a friend has that square",
    "3.3.2": "it had to make room",
    "3.3.5": "both teams are on that square",
    "3.2.3.2": "a nearer enemy fights there",
    "3.2.5.4": "only one joint engagement is allowed each turn",
}
"""Why a partial move came about, by the rule that kept the army from its square."""


@dataclass(frozen=True, slots=True)
class MovedPartially(Event):
    """3.3.2, R24: an army that could not reach its square; `why` is the rule that kept it from there."""

    kind: ClassVar[str] = "moved_partially"
    cites: ClassVar[str] = "3.3.2"
    is_doubtful: ClassVar[bool] = True
    squares_in: ClassVar[tuple[str, ...]] = ("start", "to", "meant")
    army: ArmyName
    start: Square
    meant: Square
    to: Square
    why: str
    how: Literal["back", "caught", "aside", "stays"]

    @property
    def sentence(self) -> str:
        why = RULES.get(self.why, "it could not get there")
        start = f"{self.army} meant to reach {self.meant} from {self.start}, but {why}"
        ends = {
            "back": f"it stops on {self.to}",
            "caught": f"it is caught on its own square {self.to} by the enemy that came there",
            "aside": f"every square on its way is taken, so it goes to {self.to}, the nearest free one",
            "stays": f"no square near it is free, so it stays on {self.to}",
        }
        return f"{start} ({self.why}); {ends[self.how]}."


@dataclass(frozen=True, slots=True)
class Pushed(Event):
    """3.3.5, R22, R40: an army that had to leave its square to others."""

    kind: ClassVar[str] = "pushed"
    is_doubtful: ClassVar[bool] = True
    army: ArmyName
    start: Square
    to: Square
    cites: str
    options: int = 1

    @property
    def sentence(self) -> str:
        drawn = f", drawn out of {self.options} squares" if self.options > 1 else ""
        if self.to == self.start:
            return f"{self.army} can't leave {self.start}: {FULL}."
        why = "its captive keeps the square" if self.cites == "4.5" else "both teams are on its square"
        return f"{self.army} has to leave {self.start} for {self.to}{drawn}: {why}."


@dataclass(frozen=True, slots=True)
class Intercepted(Event):
    """3.2.3, R20: an army that was stopped on its way. `rivals` wanted to engage on that square."""

    kind: ClassVar[str] = "intercepted"
    cites: ClassVar[str] = "3.2.3.1"
    is_doubtful: ClassVar[bool] = True
    squares_in: ClassVar[tuple[str, ...]] = ("start", "at", "meant")
    army: ArmyName
    by: ArmyName
    start: Square
    meant: Square
    at: Square
    rivals: ArmyNames = ()
    drawn: bool = False

    @property
    def sentence(self) -> str:
        near = "as near, and the draw chose" if self.drawn else "nearer"
        rivals = f" It is {near}, so {listed_with(self.rivals, 'moves', 'move')} partially." if self.rivals else ""
        way = f"on its way from {self.start} to {self.meant}"
        return f"{self.by} intercepts {self.army} on {self.at}, {way}.{rivals}"


@dataclass(frozen=True, slots=True)
class PassedBy(Event):
    """3.2.3.2: an army that crossed an interceptor, which had to fight a nearer enemy."""

    kind: ClassVar[str] = "passed_by"
    cites: ClassVar[str] = "3.2.3.2"
    is_doubtful: ClassVar[bool] = True
    army: ArmyName
    by: ArmyName
    at: Square
    rivals: ArmyNames
    drawn: bool = False

    @property
    def sentence(self) -> str:
        why = "as near, and the draw chose it" if self.drawn else "nearer"
        return f"{self.army} crosses {self.at} in spite of {self.by}, which fights {listed(self.rivals)}: {why}."


@dataclass(frozen=True, slots=True)
class JointEngaged(Event):
    """3.2.5.2, R23: the joint engagement that goes through."""

    kind: ClassVar[str] = "joint_engaged"
    cites: ClassVar[str] = "3.2.5.2"
    armies: ArmyNames
    at: Square

    @property
    def sentence(self) -> str:
        return f"{listed(self.armies)} joint engage {self.at}."


@dataclass(frozen=True, slots=True)
class JointFailed(Event):
    """3.2.5.3, 3.2.5.4: two armies whose joint engagement became ordinary or partial moves."""

    kind: ClassVar[str] = "joint_failed"
    is_doubtful: ClassVar[bool] = True
    armies: ArmyNames
    at: Square
    cites: str

    @property
    def sentence(self) -> str:
        if self.cites == "3.2.5.4":
            return (
                f"{listed(self.armies)} were not the first to joint engage this turn and move partially to {self.at}."
            )
        return f"No enemy is on {self.at}, so the joint engagement of {listed(self.armies)} is two ordinary moves."


class WhyCancelled(Words):
    """R17, 3.3.3: what ends a long move."""

    ORDERED_ANEW = "it was ordered anew"
    STEP_REFUSED = "the step before it was refused"
    RULED = "a judge ruled on its orders"
    JOINT_IGNORED = "its joint engage was ignored"
    FIGHTS = "the army has to fight"
    PARTED = "the army moved only partially"
    INTERCEPTED = "the army was intercepted"
    ELSEWHERE = "the army is not where its next step starts"


@dataclass(frozen=True, slots=True)
class PlanCancelled(Event):
    """R17: the rest of a long move that is not carried out."""

    kind: ClassVar[str] = "plan_cancelled"
    cites: ClassVar[str] = "3.2.2.3"
    is_doubtful: ClassVar[bool] = True
    army: ArmyName
    rest: tuple[Square, ...]
    why: Annotated[Phrase, WhyCancelled]

    @property
    def sentence(self) -> str:
        rest = " > ".join(str(square) for square in self.rest)
        return f"The rest of {self.army}'s long move (> {rest}) is cancelled: {self.why}."
