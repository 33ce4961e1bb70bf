"""6, R48: the decisions of the mercenaries and their results."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from wargame.rules.core.board import Square
from wargame.rules.core.events import ArmyName, ArmyNames, Event
from wargame.rules.core.phrases import Phrase, Phrases
from wargame.rules.core.saying import counted, grouped, said
from wargame.rules.core.sides import Side
from wargame.rules.mercenaries.reasoning import Course, Why


@dataclass(frozen=True, slots=True)
class MercenaryDecided(Event):
    """R48: the guidelines' decision for a mercenary, `cites` the one that it follows and `ruling` its interpretation.

    `order` is in the form of a post, without the army's name; `considered` are the alternatives, each with the reason
    against it; `draws` are those between equals: name, outcomes, outcome, number. If the mercenary `judge` ordered
    otherwise, `ordered` is their order, which counts.
    """

    kind: ClassVar[str] = "mercenary_decided"
    not_compared: ClassVar[tuple[str, ...]] = ("at", "order", "to", "considered", "draws")
    army: ArmyName
    faction: str
    at: Square
    course: str
    order: str
    to: Square
    target: ArmyName
    cites: str
    ruling: str
    why: Annotated[Phrase, Why]
    considered: tuple[tuple[Annotated[Phrase, Course], Annotated[Phrase, Why]], ...] = ()
    draws: tuple[tuple[str, int, int, int], ...] = ()
    judge: str = ""
    ordered: str = ""

    @property
    def sentence(self) -> str:
        if not self.judge:
            return self.why.text
        return said(
            "%(judge)s ordered “%(order)s” for %(army)s. The guidelines would have said: %(why)s",
            judge=self.judge,
            order=self.ordered,
            army=self.army,
            why=self.why,
        )


@dataclass(frozen=True, slots=True)
class OrderedAfterLock(Event):
    """6.3.2: the raider whose movement the mercenary judge changed after the lock, and its earlier order."""

    kind: ClassVar[str] = "ordered_after_lock"
    cites: ClassVar[str] = "6.3.2"
    not_compared: ClassVar[tuple[str, ...]] = ("at",)
    army: ArmyName
    at: Square
    judge: str
    order: str
    instead_of: str

    @property
    def sentence(self) -> str:
        return said(
            "After the lock, %(judge)s changed the order of %(army)s from “%(before)s” to “%(order)s”.",
            judge=self.judge,
            army=self.army,
            before=self.instead_of,
            order=self.order,
        )


@dataclass(frozen=True, slots=True)
class WentToWar(Event):
    """6.2.2: a theme army that goes to war with a team, because the other one killed a town defender.

    It was drawn out of `options`.
    """

    kind: ClassVar[str] = "went_to_war"
    cites: ClassVar[str] = "6.2.2"
    not_compared: ClassVar[tuple[str, ...]] = ("at",)
    army: ArmyName
    at: Square
    side: Side
    killed: ArmyName
    options: int

    @property
    def sentence(self) -> str:
        facts = {"army": self.army, "side": said(self.side.title), "killed": self.killed}
        if self.options > 1:
            return said(
                "%(army)s, picked at random from %(options)s theme armies, went to war with %(side)s, because "
                "the other team killed %(killed)s.",
                options=self.options,
                **facts,
            )
        return said("%(army)s went to war with %(side)s, because the other team killed %(killed)s.", **facts)


@dataclass(frozen=True, slots=True)
class SpawningRolled(Event):
    """6.3.2: the turn's d20 for a new raider, which comes on 1 to `upto`, with the number of raiders on the map."""

    kind: ClassVar[str] = "spawning_rolled"
    cites: ClassVar[str] = "6.3.2"
    raiders: int
    roll: int
    upto: int

    @property
    def sentence(self) -> str:
        return said(
            "The d20 for a new raider showed %(roll)s. With %(raiders)s on the map, one appears %(on)s: %(came)s.",
            roll=self.roll,
            raiders=counted("%(number)s raider", "%(number)s raiders", self.raiders),
            on=said("on 1") if self.upto == 1 else said("on 1 to %(upto)s", upto=self.upto),
            came=said("one appeared") if self.roll <= self.upto else said("none appeared"),
        )


RANKS = {6: "1/1", 5: "2/2"}
"""6.3: the rank of a raider by its tier."""


@dataclass(frozen=True, slots=True)
class Spawned(Event):
    """6.3.2: a raider that appears. `roll` is the d20 for its rank, `options` the squares it was drawn out of; if
    the mercenary `judge` ordered it, `reason` is theirs."""

    kind: ClassVar[str] = "spawned"
    cites: ClassVar[str] = "6.3.2"
    army: ArmyName
    at: Square
    tier: int
    roll: int
    options: int
    judge: str = ""
    reason: str = ""

    @property
    def sentence(self) -> str:
        facts = {"army": self.army, "rank": RANKS[self.tier], "at": self.at}
        if self.judge:
            return said(
                "%(army)s, a raider of rank %(rank)s, appeared on %(at)s, called up by %(judge)s: %(reason)s",
                judge=self.judge,
                reason=self.reason,
                **facts,
            )
        return said(
            "%(army)s, a raider of rank %(rank)s, appeared on %(at)s, picked at random from %(options)s squares; "
            "the d20 for the rank showed %(roll)s.",
            options=self.options,
            roll=self.roll,
            **facts,
        )


class WhyNotSpawned(Phrases):
    """6.3: why no raider can appear."""

    ENOUGH = "there were {raiders:d} raiders on the map"
    NO_SQUARE = "no square was free"


@dataclass(frozen=True, slots=True)
class NotSpawned(Event):
    """6.3: why the raider ordered by the mercenary judge does not appear."""

    kind: ClassVar[str] = "not_spawned"
    cites: ClassVar[str] = "6.3"
    at: Square
    judge: str
    why: Annotated[Phrase, WhyNotSpawned]

    @property
    def sentence(self) -> str:
        return said(
            "The raider that %(judge)s called up to %(at)s did not appear: %(why)s.",
            judge=self.judge,
            at=self.at,
            why=self.why,
        )


@dataclass(frozen=True, slots=True)
class Disbanded(Event):
    """6.3.2, R52: a raider that leaves the map with its remaining `troops` (slot, creature, number); by the
    mercenary judge's order, with their `reason`."""

    kind: ClassVar[str] = "disbanded"
    cites: ClassVar[str] = "6.3.2"
    army: ArmyName
    at: Square
    troops: tuple[tuple[int, str, int], ...]
    judge: str = ""
    reason: str = ""

    @property
    def sentence(self) -> str:
        soldiers = sum(number for _, _, number in self.troops)
        facts = {"army": self.army, "at": self.at, "left": grouped(soldiers)}
        if not self.judge:
            return counted(
                "%(army)s disbanded on %(at)s with %(left)s soldier left.",
                "%(army)s disbanded on %(at)s with %(left)s soldiers left.",
                soldiers,
                **facts,
            )
        return counted(
            "%(army)s disbanded on %(at)s with %(left)s soldier left, by order of %(judge)s: %(reason)s",
            "%(army)s disbanded on %(at)s with %(left)s soldiers left, by order of %(judge)s: %(reason)s",
            soldiers,
            judge=self.judge,
            reason=self.reason,
            **facts,
        )


@dataclass(frozen=True, slots=True)
class NotDisbanded(Event):
    """6.3.2: a raider that was to disband, was attacked on its way, and has to fight."""

    kind: ClassVar[str] = "not_disbanded"
    cites: ClassVar[str] = "6.3.2"
    army: ArmyName
    at: Square
    by: ArmyNames

    @property
    def sentence(self) -> str:
        return said(
            "%(army)s had to fight on %(at)s instead of disbanding: %(by)s attacked.",
            army=self.army,
            at=self.at,
            by=_all(self.by),
        )


def _all(names: Sequence[str]) -> str:
    text, *rest = names
    for name in rest:
        text = said("%(first)s and %(last)s", first=text, last=name)
    return text
