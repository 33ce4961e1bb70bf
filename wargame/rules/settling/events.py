"""R18, 2.3.2, 2.6, 5.4.1, R47: the events of steps 7 to 11 of a settlement: battles, transfers and days, accepted
changes of troops, and penalties."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from wargame.rules.armies.findings import MusterFinding, reasons_in_english, reasons_in_words
from wargame.rules.core.board import Square
from wargame.rules.core.events import ArmyName, ArmyNames, Event
from wargame.rules.core.phrases import Phrase, Phrases
from wargame.rules.core.saying import counted, grouped, said
from wargame.rules.core.sides import Side
from wargame.rules.core.turn import draw_name
from wargame.rules.core.wording import FULL, count, how_many, listed, troops_by_creature


@dataclass(frozen=True, slots=True)
class Fought(Event):
    """4.2.5: a battle that was fought this turn, and its losses."""

    kind: ClassVar[str] = "fought"
    cites: ClassVar[str] = "4.2.5"
    armies_in: ClassVar[tuple[str, ...]] = ("losers", "winners")
    at: Square
    winners: ArmyNames
    losers: ArmyNames
    losses: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def sentence(self) -> str:
        return counted(
            "%(winners)s defeated %(losers)s on %(at)s; lost: %(losses)s.",
            "%(winners)s defeated %(losers)s on %(at)s; lost: %(losses)s.",
            len(self.winners),
            winners=listed(self.winners),
            losers=listed(self.losers),
            at=self.at,
            losses="; ".join(_lost(name, by_slot) for name, by_slot in self.losses),
        )


def _lost(name: str, by_slot: Sequence[int]) -> str:
    """4.2.5: an army's losses, all together and by the slots that lost any."""
    parts = (_of_slot(loss, slot) for slot, loss in enumerate(by_slot, 1) if loss)
    return f"{name} {grouped(sum(by_slot))}" + (f" ({', '.join(parts)})" if sum(by_slot) else "")


def _of_slot(number: int, slot: int) -> str:
    return said("%(number)s from slot %(slot)s", number=grouped(number), slot=slot)


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
            "free": said(", picked at random from %(squares)s", squares=count(self.options, "free square")),
            "onto an enemy": said(", where an enemy was, because no neighbouring square was free"),
            "farther out": said(", because no neighbouring square was free"),
        }
        if self.how == "nowhere":
            return said("%(army)s couldn't leave %(start)s: %(why)s.", army=self.army, start=self.start, why=said(FULL))
        text = said("%(army)s retreated from %(start)s to %(to)s", army=self.army, start=self.start, to=self.to)
        return f"{text}{ways[self.how]}."


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
        killed = said("%(by)s killed %(army)s on %(at)s.", army=self.army, at=self.at, by=listed(self.by))
        how = said("The killed army had no troops left.")
        return f"{killed} {how}" if self.cites == "4.3.1" else killed


@dataclass(frozen=True, slots=True)
class Captured(Event):
    """4.5, R40: an army that changes sides, and its new square."""

    kind: ClassVar[str] = "captured"
    cites: ClassVar[str] = "4.5"
    army: ArmyName
    by: ArmyName
    side: Side
    to: Square

    @property
    def sentence(self) -> str:
        return said(
            "%(by)s captured %(army)s and took the army to %(to)s. Partially converted, it now belongs to %(side)s.",
            army=self.army,
            by=self.by,
            to=self.to,
            side=self.side.title,
        )


@dataclass(frozen=True, slots=True)
class Liberated(Event):
    """4.5: a partially converted army that lost and returns to its old side and its old controllers."""

    kind: ClassVar[str] = "liberated"
    cites: ClassVar[str] = "4.5"
    army: ArmyName
    side: Side
    controllers: tuple[str, ...]

    @property
    def sentence(self) -> str:
        return said(
            "%(army)s lost before being fully converted, and went back to %(side)s.",
            army=self.army,
            side=self.side.title,
        )


@dataclass(frozen=True, slots=True)
class Converted(Event):
    """4.5: a captured army that has counted its two days."""

    kind: ClassVar[str] = "converted"
    cites: ClassVar[str] = "4.5"
    army: ArmyName
    side: Side

    @property
    def sentence(self) -> str:
        return said(
            "%(army)s counted two days and converted fully to %(side)s.",
            army=self.army,
            side=self.side.title,
        )


def attack(sides: tuple[tuple[str, ...], ...], defends: int | None, at: Square) -> str:
    """R25: the attacker, the attacked and the square, in the past, without a full stop."""
    if defends is None:
        first, second = listed(sides[0]), listed(sides[1])
        return said("%(first)s and %(second)s met on %(at)s: no attacker", first=first, second=second, at=at)
    return counted(
        "%(attackers)s attacked %(defenders)s on %(at)s",
        "%(attackers)s attacked %(defenders)s on %(at)s",
        how_many(sides[1 - defends]),
        attackers=listed(sides[1 - defends]),
        defenders=listed(sides[defends]),
        at=at,
    )


def coming_attack(sides: tuple[tuple[str, ...], ...], defends: int | None, at: Square) -> str:
    """R25: the attacker, the attacked and the square, in the future, without a full stop."""
    if defends is None:
        first, second = listed(sides[0]), listed(sides[1])
        return said("%(first)s and %(second)s will meet on %(at)s: no attacker", first=first, second=second, at=at)
    return counted(
        "%(attackers)s will attack %(defenders)s on %(at)s",
        "%(attackers)s will attack %(defenders)s on %(at)s",
        how_many(sides[1 - defends]),
        attackers=listed(sides[1 - defends]),
        defenders=listed(sides[defends]),
        at=at,
    )


@dataclass(frozen=True, slots=True)
class Engaged(Event):
    """3.3.1, R25: a new battle. `why` says why the side that came is there."""

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
        return said(
            "%(receiver)s received %(troops)s from %(sender)s.",
            receiver=self.receiver,
            troops=troops_by_creature(self.troops),
            sender=self.sender,
        )


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
        return said(
            "%(sender)s sent %(troops)s to %(receiver)s. The troops will arrive after the receiver's battle.",
            sender=self.sender,
            troops=troops_by_creature(self.troops),
            receiver=self.receiver,
        )


class WhyCut(Phrases):
    """2.3.3, R28: why troops are not sent."""

    NOT_THERE = "the sender did not have them"
    TOO_LARGE = "they were too large for the receiver"
    FOREIGN_COLOR = "the receiver could not have their colour"
    OTHER_SIZE = "the receiver had them at another size"
    NO_ROOM = "the receiver had no room for them"


@dataclass(frozen=True, slots=True)
class TransferCut(Event):
    """2.3.3, R28: the part of a manifest that was not sent, and why."""

    kind: ClassVar[str] = "transfer_cut"
    cites: ClassVar[str] = "2.3.3"
    sender: ArmyName
    receiver: ArmyName
    slot: int
    number: int
    why: Annotated[Phrase, WhyCut]

    @property
    def sentence(self) -> str:
        return said(
            "%(sender)s did not send %(number)s from slot %(slot)s to %(receiver)s: %(why)s.",
            number=self.number,
            slot=self.slot,
            sender=self.sender,
            receiver=self.receiver,
            why=self.why,
        )


@dataclass(frozen=True, slots=True)
class NotTransferred(Event):
    """3.2.4.1: a transfer whose receiver is gone; nothing is sent."""

    kind: ClassVar[str] = "not_transferred"
    cites: ClassVar[str] = "3.2.4.1"
    sender: ArmyName
    receiver: ArmyName

    @property
    def sentence(self) -> str:
        return said(
            "%(receiver)s had left the square, so %(sender)s transferred nothing.",
            receiver=self.receiver,
            sender=self.sender,
        )


class WhyLost(Phrases):
    """3.2.4.3, R28, R71, R73: why troops that were sent are lost. The last two only occur in turns settled by rules
    before 1.2."""

    KILLED = "the receiver was killed"
    CHANGED_SIDES = "the receiver changed sides"
    DEFEATED = "the receiver lost the battle"
    NO_ROOM = "the receiver had no room for them"
    OTHER_SIZE = "the receiver had them at another size"
    KILLED_OR_CAPTURED = "the receiver was killed or captured"
    FOREIGN_COLOR = "the receiver could not have their colour"


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
        return said(
            "%(sender)s lost %(troops)s on the way to %(receiver)s: %(why)s.",
            troops=troops_by_creature(self.troops),
            sender=self.sender,
            receiver=self.receiver,
            why=self.why,
        )


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
        facts = {"army": self.army, "days": self.days, "place": self.place}
        if self.won:
            return said("%(army)s counted day %(days)s in %(place)s by winning the battle.", **facts)
        return said("%(army)s counted day %(days)s in %(place)s.", **facts)


class WhyNoDay(Phrases):
    """R30: the reason why an army counts no day."""

    DEFEATED = "it lost its battle"
    ATTACKED = "it was attacked and had to win first"
    SIEGE_IS_OVER = "all four days were counted"


@dataclass(frozen=True, slots=True)
class DayNotCounted(Event):
    """1.5, R30: why an army on a square where it could count a day did not, or lost its earlier ones."""

    kind: ClassVar[str] = "day_not_counted"
    cites: ClassVar[str] = "1.5"
    army: ArmyName
    at: Square
    days: int
    why: Annotated[Phrase, WhyNoDay]

    @property
    def sentence(self) -> str:
        return said(
            "%(army)s counted no day on %(at)s, because %(why)s; the count is %(days)s.",
            army=self.army,
            at=self.at,
            why=self.why,
            days=count(self.days, "day"),
        )


@dataclass(frozen=True, slots=True)
class Healed(Event):
    """2.3.1, 6.1.2: troops that were healed."""

    kind: ClassVar[str] = "healed"
    army: ArmyName
    at: Square
    troops: tuple[tuple[int, str, int], ...]
    cites: str

    @property
    def sentence(self) -> str:
        troops = troops_by_creature(self.troops)
        return said("%(army)s healed on %(at)s and got back %(troops)s.", army=self.army, at=self.at, troops=troops)


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
        return said("%(by)s destroyed %(base)s on %(at)s.", by=self.by, base=self.base, at=self.at)


class WhyWon(Phrases):
    """1.7.2, 1.7.3: the reasons for winning a round."""

    DAYS = "{army} counted four days in one of its win conditions"
    NO_LEADERS = "{team:said} lost its last army of rank Captain/Evincar or higher"


@dataclass(frozen=True, slots=True)
class Won(Event):
    """1.7.2, 1.7.3, R34: a round that is won; only a proposal until the battle judge confirms it."""

    kind: ClassVar[str] = "won"
    side: Side
    why: Annotated[Phrase, WhyWon]
    cites: str

    @property
    def sentence(self) -> str:
        title = self.side.title
        return said("%(side)s won the round: %(why)s.", side=f"{title[0].upper()}{title[1:]}", why=self.why)


Troops = tuple[tuple[int, str, int, int], ...]
"""Slot, creature, alive, strength."""


def _with_strengths(troops: Troops) -> str:
    parts = [
        said("%(alive)s of %(of)s %(creature)s", alive=grouped(alive), of=grouped(total), creature=creature)
        for _, creature, alive, total in troops
    ]
    return ", ".join(parts) or said("none")


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
        return said("%(army)s changed troops: %(troops)s.", army=self.army, troops=_with_strengths(self.troops))


@dataclass(frozen=True, slots=True)
class Personalised(Event):
    """2.6: an army that a new player personalised. `name` is its name from the unlock on, empty if it keeps its
    name; `legend` is empty if it keeps that."""

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
        name_part = said(", called %(name)s from the unlock on", name=self.name) if self.name else ""
        legend = said(", with %(legend)s as its legend", legend=self.legend) if self.legend else ""
        opening = said("%(player)s made %(army)s their own", army=self.army, player=self.player)
        return f"{opening}{name_part}{legend}: {_with_strengths(self.troops)}."


@dataclass(frozen=True, slots=True)
class ChangeRefused(Event):
    """2.3.2, 2.6: an accepted change that can no longer be carried out, and why."""

    kind: ClassVar[str] = "change_refused"
    is_doubtful: ClassVar[bool] = True
    told_as: ClassVar[Mapping[str, str]] = {"why": "reasons"}
    army: ArmyName
    cites: str
    why: tuple[MusterFinding, ...]
    at: Square | None = None

    @property
    def reasons(self) -> str:
        return reasons_in_words(self.why, self.cites)

    @property
    def sentence(self) -> str:
        return said("The change to %(army)s was not carried out. %(why)s", army=self.army, why=self.reasons)

    @property
    def compared(self) -> tuple[object, ...]:
        return self.kind, self.army, self.cites, reasons_in_english(self.why, self.cites)


def loss_words(lost: Sequence[int]) -> str:
    """Losses by slot: “600, 300, 150 and 60 of slots 1 to 4”, “600 of slot 1 and 60 of slot 4”, “no troops”."""
    if all(lost):
        numbers = listed([grouped(number) for number in lost])
        return said("%(numbers)s from slots 1 to %(slots)s", numbers=numbers, slots=len(lost))
    return listed([_of_slot(number, slot) for slot, number in enumerate(lost, 1) if number]) or said("no troops")


class WhyNotPenalised(Phrases):
    """5.4.1: why a penalty takes nothing."""

    ARMY_GONE = "it was no longer on the map"


@dataclass(frozen=True, slots=True)
class Penalised(Event):
    """5.4.1: an army that lost troops (`lost`, slots 1 to 4) by a penalty for an act of `player`. `severity` and
    `roll` are 0 where nothing was rolled; `why_not` says why nothing could be taken."""

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
            return said(
                "Penalty %(number)s for %(player)s took nothing from %(army)s: %(why)s.",
                number=self.number,
                player=self.player,
                army=self.army,
                why=self.why_not,
            )
        facts = {"army": self.army, "number": self.number, "player": self.player}
        if any(self.lost):
            text = said(
                "%(army)s lost %(losses)s by penalty %(number)s for %(player)s", losses=loss_words(self.lost), **facts
            )
        else:
            text = said("%(army)s had nothing to lose by penalty %(number)s for %(player)s", **facts)
        return f"{text}{self._factors}. {self.reason}"

    @property
    def _factors(self) -> str:
        """R47: the factors, and the name of the draw by which everybody can recompute the die."""
        if not self.severity:
            return ""
        return said(
            ": severity %(severity)s times %(roll)s, drawn as %(draw)s",
            severity=self.severity,
            roll=self.roll,
            draw=draw_name(self.number),
        )
