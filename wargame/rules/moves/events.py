"""R18, steps 1 to 6: the results of the orders and of the movement."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from wargame.rules.core.board import Square
from wargame.rules.core.events import ArmyName, ArmyNames, Event
from wargame.rules.core.phrases import Phrase, Phrases
from wargame.rules.core.reasons import Reason
from wargame.rules.core.saying import counted, marked, said
from wargame.rules.core.wording import FULL, count, how_many, listed

DecidedBy = Literal["stays", "distance", "time", "place", "ruling"]
Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """R14: an order that was not carried out. `counts` is False for a void line beside a valid order (R13).

    `at` is the army's square, `would_do` the nearest legal form of the order, if there is one.
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
    """R29: an army that was ordered to stay, or whose player said that it fights."""

    kind: ClassVar[str] = "held"
    cites: ClassVar[str] = "3.2.1"
    army: ArmyName
    at: Square
    word: Literal["hold", "in battle"]

    @property
    def sentence(self) -> str:
        facts = {"army": self.army, "at": self.at}
        number = how_many((self.army,))
        if self.word == "hold":
            return counted(
                "%(army)s stayed on %(at)s, as ordered.", "%(army)s stayed on %(at)s, as ordered.", number, **facts
            )
        return counted("%(army)s stayed in battle on %(at)s.", "%(army)s stayed in battle on %(at)s.", number, **facts)


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """3.2.2: a move that reached its square. `paths` is the number of routes it was drawn from; 0: it was given."""

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
        route = [str(square) for square in self.route[1:-1]]
        via = said(" via %(route)s", route=listed(route)) if route else ""
        draw_note = said(" (a route picked at random from %(paths)s)", paths=self.paths) if self.paths > 1 else ""
        squares = ", ".join(str(square) for square in self.later)
        later = said("; next: %(squares)s", squares=squares) if squares else ""
        moves = counted(
            "%(army)s moved from %(start)s to %(to)s",
            "%(army)s moved from %(start)s to %(to)s",
            how_many((self.army,)),
            army=self.army,
            start=self.start,
            to=self.to,
        )
        return f"{moves}{via}{draw_note}{later}."


@dataclass(frozen=True, slots=True)
class Contested(Event):
    """3.3.1, R21: friends that wanted one square: the winner and the reason."""

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
            "stays": said("already there and staying"),
            "distance": said("nearest"),
            "time": said("equally near and ordered earlier"),
            "place": said("equally near and first in the post"),
            "ruling": said("by a judge's ruling"),
        }
        steps = listed([f"{name} {count(distance, 'step')}" for name, distance in self.distances])
        return said(
            "%(army)s got %(at)s before %(others)s: %(why)s (%(steps)s).",
            army=self.winner,
            at=self.at,
            others=listed(self.losers),
            why=ways[self.by],
            steps=steps,
        )


RULES = {
    "3.3.1": marked("a friend had that square"),
    "3.3.2": marked("the army had to make room"),
    "3.3.5": marked("both teams were on that square"),
    "3.2.3.2": marked("a nearer enemy fought there"),
    "3.2.5.4": marked("only one joint engagement is allowed each turn"),
}
"""The reasons of a partial move, by the rule that kept the army from its square."""

_NOWHERE = marked("the army could not get there")


@dataclass(frozen=True, slots=True)
class MovedPartially(Event):
    """3.3.2, R24: an army that could not reach its square; `why` is the rule against it."""

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
        ends = {
            "back": said("the army stopped on %(to)s", to=self.to),
            "caught": said("the enemy that arrived there caught the army on its own square %(to)s", to=self.to),
            "aside": said(
                "every square on the way was taken, so the army went to %(to)s, the nearest free one", to=self.to
            ),
            "stays": said("no square nearby was free, so the army stayed on %(to)s", to=self.to),
        }
        return said(
            "%(army)s meant to reach %(meant)s from %(start)s, but %(why)s (%(rule)s); %(end)s.",
            army=self.army,
            meant=self.meant,
            start=self.start,
            why=said(RULES.get(self.why, _NOWHERE)),
            rule=self.why,
            end=ends[self.how],
        )


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
        draw_note = (
            said(", picked at random from %(options)s squares", options=self.options) if self.options > 1 else ""
        )
        if self.to == self.start:
            return said("%(army)s couldn't leave %(start)s: %(why)s.", army=self.army, start=self.start, why=said(FULL))
        captive = self.cites == "4.5"
        return said(
            "%(army)s had to leave %(start)s for %(to)s%(drawn)s: %(why)s.",
            army=self.army,
            start=self.start,
            to=self.to,
            drawn=draw_note,
            why=said("the captive kept the square") if captive else said("both teams were on that square"),
        )


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
        stopped = counted(
            "%(by)s intercepted %(army)s on %(at)s, on the way from %(start)s to %(meant)s.",
            "%(by)s intercepted %(army)s on %(at)s, on the way from %(start)s to %(meant)s.",
            how_many((self.by,)),
            by=self.by,
            army=self.army,
            at=self.at,
            start=self.start,
            meant=self.meant,
        )
        return f"{stopped} {self._nearer}" if self.rivals else stopped

    @property
    def _nearer(self) -> str:
        rivals, number = listed(self.rivals), len(self.rivals)
        if self.drawn:
            return counted(
                "They were equally near, and the intercepted army was picked at random, so %(rivals)s moved only "
                "part of the way.",
                "They were equally near, and the intercepted army was picked at random, so %(rivals)s moved only "
                "part of the way.",
                number,
                rivals=rivals,
            )
        return counted(
            "The intercepted army was nearer, so %(rivals)s moved only part of the way.",
            "The intercepted army was nearer, so %(rivals)s moved only part of the way.",
            number,
            rivals=rivals,
        )


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
        return said(
            "%(army)s crossed %(at)s unopposed, because %(by)s fought %(rivals)s: %(why)s.",
            army=self.army,
            at=self.at,
            by=self.by,
            rivals=listed(self.rivals),
            why=said("equally near, and picked at random") if self.drawn else said("nearer"),
        )


@dataclass(frozen=True, slots=True)
class JointEngaged(Event):
    """3.2.5.2, R23: the joint engagement that goes through."""

    kind: ClassVar[str] = "joint_engaged"
    cites: ClassVar[str] = "3.2.5.2"
    armies: ArmyNames
    at: Square

    @property
    def sentence(self) -> str:
        return said("%(armies)s joint engaged %(at)s.", armies=listed(self.armies), at=self.at)


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
            return said(
                "%(armies)s were not the first to joint engage this turn, so they moved only part of the way, to "
                "%(at)s.",
                armies=listed(self.armies),
                at=self.at,
            )
        return said(
            "No enemy was on %(at)s, so the joint engagement of %(armies)s counted as two ordinary moves.",
            armies=listed(self.armies),
            at=self.at,
        )


class WhyCancelled(Phrases):
    """R17, 3.3.3: the reasons for the end of a long move."""

    ORDERED_ANEW = "the army got a new order"
    STEP_REFUSED = "the previous step was refused"
    RULED = "a judge ruled on its orders"
    JOINT_IGNORED = "its joint engage was ignored"
    FIGHTS = "the army had to fight"
    PARTED = "the army moved only partially"
    INTERCEPTED = "the army was intercepted"
    ELSEWHERE = "the army was not where its next step started"


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
        return said(
            "The rest of %(army)s's long move (> %(rest)s) was cancelled: %(why)s.",
            army=self.army,
            rest=rest,
            why=self.why,
        )
