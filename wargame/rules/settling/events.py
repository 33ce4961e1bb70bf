"""R18, 2.3.2, 2.6, 5.4.1, R47: what happened at the steps 7 to 11 of a settlement: battles, transfers and days, the
changes of troops that were accepted, and penalties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from wargame.rules.core.board import Square
from wargame.rules.core.events import ArmyName, ArmyNames, Event
from wargame.rules.core.phrases import Phrase, Words
from wargame.rules.core.sides import Side
from wargame.rules.core.turn import draw_name
from wargame.rules.core.wording import FULL, count, listed, listed_with, troops_by_creature


@dataclass(frozen=True, slots=True)
class Fought(Event):
    """4.2.5: a battle that was fought this turn, and what it cost."""

    kind: ClassVar[str] = "fought"
    cites: ClassVar[str] = "4.2.5"
    armies_in: ClassVar[tuple[str, ...]] = ("losers", "winners")
    at: Square
    winners: ArmyNames
    losers: ArmyNames
    losses: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def sentence(self) -> str:
        parts = [_lost(name, by_slot) for name, by_slot in self.losses]
        defeat = listed_with(self.winners, "defeats", "defeat")
        return f"{defeat} {listed(self.losers)} on {self.at}; lost: {'; '.join(parts)}."


def _lost(name: str, by_slot: Sequence[int]) -> str:
    """4.2.5: an army's losses, all together and by the slots that lost any."""
    parts = (f"{lost:,} of slot {slot}" for slot, lost in enumerate(by_slot, 1) if lost)
    return f"{name} {sum(by_slot):,}" + (f" ({', '.join(parts)})" if sum(by_slot) else "")


@dataclass(frozen=True, slots=True)
class Retreated(Event):
    """4.2.5, 4.4, R27: an army that left the square of its battle, or would have on a map that was not full."""

    kind: ClassVar[str] = "retreated"
    army: ArmyName
    start: Square
    to: Square
    how: Literal["given", "free", "onto an enemy", "farther out", "nowhere"]
    options: int
    cites: str = "4.2.5"

    @property
    def sentence(self) -> str:
        ways = {
            "given": "",
            "free": f", drawn out of {count(self.options, 'free square')}",
            "onto an enemy": ", where an enemy stands, for no neighbouring square is free",
            "farther out": ", for no neighbouring square is free",
        }
        if self.how == "nowhere":
            return f"{self.army} can't leave {self.start}: {FULL}."
        return f"{self.army} leaves {self.start} for {self.to}{ways[self.how]}."


@dataclass(frozen=True, slots=True)
class Killed(Event):
    """4.3: an army that is removed from the map."""

    kind: ClassVar[str] = "killed"
    army: ArmyName
    at: Square
    by: ArmyNames
    cites: str

    @property
    def sentence(self) -> str:
        how = " It had no troops left." if self.cites == "4.3.1" else ""
        return f"{self.army} is killed on {self.at} by {listed(self.by)}.{how}"


@dataclass(frozen=True, slots=True)
class Captured(Event):
    """4.5, R40: an army that changes sides, and where it is put."""

    kind: ClassVar[str] = "captured"
    cites: ClassVar[str] = "4.5"
    army: ArmyName
    by: ArmyName
    side: Side
    to: Square

    @property
    def sentence(self) -> str:
        taken = f"{self.army} is captured by {self.by} and taken to {self.to}"
        return f"{taken}; it is now of {self.side.title}, partially converted."


@dataclass(frozen=True, slots=True)
class Liberated(Event):
    """4.5: a partially converted army that lost and is its old side's again, and its old controllers'."""

    kind: ClassVar[str] = "liberated"
    cites: ClassVar[str] = "4.5"
    army: ArmyName
    side: Side
    controllers: tuple[str, ...]

    @property
    def sentence(self) -> str:
        return f"{self.army} lost before it was converted and is free: it is of {self.side.title} again."


@dataclass(frozen=True, slots=True)
class Converted(Event):
    """4.5: a captured army that has counted its two days."""

    kind: ClassVar[str] = "converted"
    cites: ClassVar[str] = "4.5"
    army: ArmyName
    side: Side

    @property
    def sentence(self) -> str:
        return f"{self.army} has counted its two days and is fully converted to {self.side.title}."


def attack(sides: tuple[tuple[str, ...], ...], defends: int | None, at: Square) -> str:
    """R25: who attacks whom where, without a full stop."""
    if defends is None:
        return f"{listed(sides[0])} and {listed(sides[1])} meet on {at}: no attacker"
    return f"{listed_with(sides[1 - defends], 'attacks', 'attack')} {listed(sides[defends])} on {at}"


@dataclass(frozen=True, slots=True)
class Engaged(Event):
    """3.3.1, R25: a new battle. `why` says how it came about for the side that came."""

    kind: ClassVar[str] = "engaged"
    cites: ClassVar[str] = "3.3.1"
    at: Square
    sides: tuple[ArmyNames, ArmyNames]
    defends: int | None

    @property
    def sentence(self) -> str:
        return f"{attack(self.sides, self.defends, self.at)}."


@dataclass(frozen=True, slots=True)
class Transferred(Event):
    """3.2.4.3: troops that a receiver got."""

    kind: ClassVar[str] = "transferred"
    sender: ArmyName
    receiver: ArmyName
    troops: tuple[tuple[int, str, int], ...]
    cites: str

    @property
    def sentence(self) -> str:
        return f"{self.receiver} receives {troops_by_creature(self.troops)} from {self.sender}."


@dataclass(frozen=True, slots=True)
class InTransit(Event):
    """3.2.4.3.2: troops that wait for the end of the receiver's battle."""

    kind: ClassVar[str] = "in_transit"
    cites: ClassVar[str] = "3.2.4.3.2"
    sender: ArmyName
    receiver: ArmyName
    troops: tuple[tuple[int, str, int], ...]

    @property
    def sentence(self) -> str:
        sent = f"{self.sender} sends {troops_by_creature(self.troops)} to {self.receiver}"
        return f"{sent}, which gets them after its battle."


class WhyCut(Words):
    """2.3.3, R28: why troops are not sent."""

    NOT_THERE = "the sender does not have them"
    TOO_LARGE = "they are too large for the receiver"
    FOREIGN_COLOR = "the receiver may not have their colour"
    NO_ROOM = "the receiver has no room for them"


@dataclass(frozen=True, slots=True)
class TransferCut(Event):
    """2.3.3, R28: what a manifest named and was not sent, and why."""

    kind: ClassVar[str] = "transfer_cut"
    cites: ClassVar[str] = "2.3.3"
    sender: ArmyName
    receiver: ArmyName
    slot: int
    number: int
    why: Annotated[Phrase, WhyCut]

    @property
    def sentence(self) -> str:
        return f"{self.number} of slot {self.slot} are not sent from {self.sender} to {self.receiver}: {self.why}."


@dataclass(frozen=True, slots=True)
class NotTransferred(Event):
    """3.2.4.1: a transfer whose receiver is gone; nothing is sent."""

    kind: ClassVar[str] = "not_transferred"
    cites: ClassVar[str] = "3.2.4.1"
    sender: ArmyName
    receiver: ArmyName

    @property
    def sentence(self) -> str:
        return f"{self.receiver} is gone from its square, so {self.sender} transfers nothing."


class WhyLost(Words):
    """3.2.4.3, R28: what of their receiver costs sent troops their lives."""

    KILLED = "it was killed"
    KILLED_OR_CAPTURED = "it was killed or captured"
    DEFEATED = "it lost its battle"
    NO_ROOM = "it has no room for them"


@dataclass(frozen=True, slots=True)
class TroopsLost(Event):
    """3.2.4.3.3, R28: sent troops that died on their way."""

    kind: ClassVar[str] = "troops_lost"
    cites: ClassVar[str] = "3.2.4.3.3"
    sender: ArmyName
    receiver: ArmyName
    troops: tuple[tuple[int, str, int], ...]
    why: Annotated[Phrase, WhyLost]

    @property
    def sentence(self) -> str:
        return f"{troops_by_creature(self.troops)}, sent by {self.sender} to {self.receiver}, are lost: {self.why}."


@dataclass(frozen=True, slots=True)
class DayCounted(Event):
    """1.5, R30: a day that an army counted."""

    kind: ClassVar[str] = "day_counted"
    cites: ClassVar[str] = "1.5"
    army: ArmyName
    at: Square
    days: int
    place: str
    won: bool = False

    @property
    def sentence(self) -> str:
        won = " by winning its battle" if self.won else ""
        return f"{self.army} counts day {self.days} in {self.place}{won}."


class WhyNoDay(Words):
    """R30: what keeps an army from counting a day."""

    DEFEATED = "it lost its battle"
    ATTACKED = "it is attacked and must win first"
    SIEGE_IS_OVER = "its four days are counted"


@dataclass(frozen=True, slots=True)
class DayNotCounted(Event):
    """1.5, R30: why an army on a square where it could count a day did not, or lost those it had."""

    kind: ClassVar[str] = "day_not_counted"
    cites: ClassVar[str] = "1.5"
    army: ArmyName
    at: Square
    days: int
    why: Annotated[Phrase, WhyNoDay]

    @property
    def sentence(self) -> str:
        return f"{self.army} counts no day on {self.at}, for {self.why}; it has {count(self.days, 'day')}."


@dataclass(frozen=True, slots=True)
class Healed(Event):
    """2.3.1, 6.1.2: troops that came back."""

    kind: ClassVar[str] = "healed"
    army: ArmyName
    at: Square
    troops: tuple[tuple[int, str, int], ...]
    cites: str

    @property
    def sentence(self) -> str:
        return f"{self.army} is healed on {self.at}: {troops_by_creature(self.troops)} back."


@dataclass(frozen=True, slots=True)
class BaseDestroyed(Event):
    """1.7.1, R33: a base or portal that fell."""

    kind: ClassVar[str] = "base_destroyed"
    cites: ClassVar[str] = "1.7.1"
    base: str
    at: Square
    by: ArmyName

    @property
    def sentence(self) -> str:
        return f"{self.by} destroys {self.base} on {self.at}."


class WhyWon(Words):
    """1.7.2, 1.7.3: what wins a round."""

    DAYS = "{army} has counted four days in one of its win conditions"
    NO_LEADERS = "{team} has lost its last army of rank Captain/Evincar or higher"


@dataclass(frozen=True, slots=True)
class Won(Event):
    """1.7.2, 1.7.3, R34: a round that is won, until the battle judge confirms it only a proposal."""

    kind: ClassVar[str] = "won"
    side: Side
    why: Annotated[Phrase, WhyWon]
    cites: str

    @property
    def sentence(self) -> str:
        title = self.side.title
        return f"{title[0].upper()}{title[1:]} wins the round: {self.why}."


Troops = tuple[tuple[int, str, int, int], ...]
"""Slot, creature, alive, strength."""


def _with_strengths(troops: Troops) -> str:
    return ", ".join(f"{alive:,} of {of:,} {creature}" for _, creature, alive, of in troops) or "none"


@dataclass(frozen=True, slots=True)
class TroopsChanged(Event):
    """2.3.2: an army with a new makeup."""

    kind: ClassVar[str] = "troops_changed"
    cites: ClassVar[str] = "2.3.2"
    not_compared: ClassVar[tuple[str, ...]] = ("at",)
    army: ArmyName
    at: Square
    troops: Troops

    @property
    def sentence(self) -> str:
        return f"{self.army} changes its troops: {_with_strengths(self.troops)}."


@dataclass(frozen=True, slots=True)
class Personalised(Event):
    """2.6: an army that a new player made his own. `name` is what it is called from the unlock on, empty where it
    keeps its name; `legend` is empty where it keeps that."""

    kind: ClassVar[str] = "personalised"
    cites: ClassVar[str] = "2.6"
    not_compared: ClassVar[tuple[str, ...]] = ("at",)
    army: ArmyName
    at: Square
    player: str
    name: str
    legend: str
    troops: Troops

    @property
    def sentence(self) -> str:
        called = f", called {self.name} from the unlock on" if self.name else ""
        legend = f", with {self.legend} as its legend" if self.legend else ""
        return f"{self.army} is {self.player}'s own now{called}{legend}: {_with_strengths(self.troops)}."


@dataclass(frozen=True, slots=True)
class ChangeRefused(Event):
    """2.3.2, 2.6: an accepted change that can't be carried out any more, and why."""

    kind: ClassVar[str] = "change_refused"
    is_doubtful: ClassVar[bool] = True
    not_compared: ClassVar[tuple[str, ...]] = ("at",)
    army: ArmyName
    cites: str
    why: str
    at: Square | None = None

    @property
    def sentence(self) -> str:
        return f"The change of {self.army} is not carried out. {self.why}"


def loss_words(lost: Sequence[int]) -> str:
    """Losses by slot: “600, 300, 150 and 60 of slots 1 to 4”, “600 of slot 1 and 60 of slot 4”, “no troops”."""
    if all(lost):
        return f"{listed([f'{number:,}' for number in lost])} of slots 1 to {len(lost)}"
    return listed([f"{number:,} of slot {slot}" for slot, number in enumerate(lost, 1) if number]) or "no troops"


class WhyNotPenalised(Words):
    """5.4.1: why a penalty takes nothing."""

    ARMY_GONE = "it is not on the map any more"


@dataclass(frozen=True, slots=True)
class Penalised(Event):
    """5.4.1: an army that lost troops (`lost`, slots 1 to 4) by a penalty for what `player` did. `severity` and `roll`
    are 0 where nothing was rolled; `why_not` says why nothing could be taken."""

    kind: ClassVar[str] = "penalised"
    not_compared: ClassVar[tuple[str, ...]] = ("at",)
    army: ArmyName
    number: int
    cites: str
    player: str
    severity: int
    roll: int
    lost: tuple[int, ...]
    reason: str
    why_not: Annotated[Phrase, WhyNotPenalised] | None = None
    at: Square | None = None

    @property
    def sentence(self) -> str:
        if self.why_not:
            return f"Penalty {self.number} for {self.player} takes nothing from {self.army}: {self.why_not}."
        lost = f"{self.army} loses {loss_words(self.lost)}" if any(self.lost) else f"{self.army} has nothing to lose"
        return f"{lost} by penalty {self.number} for {self.player}{self._drawn}. {self.reason}"

    @property
    def _drawn(self) -> str:
        """R47: the factors, and the name of the draw by which everybody can recompute the die."""
        if not self.severity:
            return ""
        return f": severity {self.severity} times {self.roll}, drawn as {draw_name(self.number)}"
