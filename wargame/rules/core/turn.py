"""1.5, 3.1, 2.3.2, 2.6, 5.4.1, R47, R48, 6.3.2: the whole input of a turn.

These are the posted lines, the control list, manifests, results of battles, rulings, the changes of troops that a judge
accepted, their penalties, and the mercenary judge's own decisions. Each is an input of the turn in which it was given,
and stays one for ever: a turn can be computed again from its inputs alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from wargame.rules.core.board import Square
from wargame.rules.core.orders import Order
from wargame.rules.core.position import Position
from wargame.rules.core.rulings import Ruling
from wargame.rules.core.troops import Troop


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """2.6: a player who wants to personalise an army. `offered` and `turn` are the numbers of the turn in which
    their leaders chose the army and of the one in which the player asked for it."""

    name: str
    joined_later: bool
    battles: int
    offered: int
    turn: int


@dataclass(frozen=True, slots=True)
class TroopChange:
    """2.3.2: an army's new makeup with its strengths (`of`), requested by the player `by`.

    With a `newcomer` it is 2.6's: they may also change `name` and `legend` (empty: as before).
    """

    army: str
    by: str
    makeup: tuple[Troop, ...]
    newcomer: NewPlayer | None = None
    name: str = ""
    legend: str = ""

    @property
    def cites(self) -> str:
        return "2.6" if self.newcomer else "2.3.2"


DIE = 6
SEVERITIES = (1, 2, 3, 4, 5)
PER_SLOT = (100, 50, 25, 10)
"""5.4.1: the factors of severity times die, for slots 1 to 4."""

NOTHING = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Penalty:
    """5.4.1: a penalty that takes troops. `number` counts those of a turn, `by` is the player who acted.

    With a `severity` the loss follows from it and the `roll`; without, the judge states it (`stated`, slots 1 to 4).
    `after_battle`: the army's battle was over already, so that it is taken from the survivors.
    """

    number: int
    army: str
    by: str
    cites: str
    reason: str
    severity: int = 0
    roll: int = 0
    stated: tuple[int, ...] = NOTHING
    after_battle: bool = False

    @property
    def takes(self) -> tuple[int, ...]:
        """The number of troops that it takes from slots 1 to 4 of such an army."""
        return losses_of(self.severity, self.roll) if self.severity else self.stated


def losses_of(severity: int, roll: int) -> tuple[int, ...]:
    """R47: severity times die times 100, 50, 25 and 10 troops."""
    return tuple(severity * roll * each for each in PER_SLOT)


def draw_name(number: int) -> str:
    """R38: the name under which the die of a penalty is drawn with its turn's seed."""
    return f"penalty/{number}"


@dataclass(frozen=True, slots=True)
class Replacement:
    """R48: an order given before the lock that replaces the guideline's. It is checked like a player's line; `at` is
    when it was given, as in `PostedLine`, and `place` breaks ties."""

    by: str
    army: str
    order: Order
    text: str
    at: int = 0
    place: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class DisbandingOrder:
    """6.3.2: a raider that is to disband; it takes its turn."""

    by: str
    army: str
    reason: str


@dataclass(frozen=True, slots=True)
class SpawningOrder:
    """6.3.2: a raider that is to appear at the end of the turn, in addition to those by the d20.

    `tier` is 6 for 1/1 rank and 5 for 2/2 rank; if the square is taken by then, it appears on the nearest free one.
    """

    by: str
    at: Square
    tier: int
    reason: str


@dataclass(frozen=True, slots=True)
class AfterLockOrder:
    """6.3.2: the order that changes one raider's movement after the lock."""

    by: str
    army: str
    order: Order
    text: str


MercenaryAct = Replacement | DisbandingOrder | SpawningOrder | AfterLockOrder


class PostedLine(NamedTuple):
    """R7, R12: an order as it counts at the lock.

    `at` is when the line was last changed, in seconds since any fixed moment; `place` is (post, line) and breaks ties.
    `controlled` says whether `by` controlled the army when they posted (R13).
    """

    by: str
    army: str
    order: Order
    at: int
    place: tuple[int, int] = (0, 0)
    controlled: bool = True
    text: str = ""

    @property
    def when(self) -> tuple[int, tuple[int, int]]:
        """3.3.1, R12: time, then post, then line."""
        return self.at, self.place


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """3.2.4.2: a number of a creature; without a creature, of any in the slot."""

    slot: int
    number: int
    creature: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """3.2.4.2: the exact troops that a transfer sends."""

    by: str
    sender: str
    receiver: str
    entries: tuple[ManifestEntry, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """4.2.5: a battle's result as handed in by the battle judge. `losses` are by army and slot 1 to 4; `retreat`
    names squares instead of drawing them, also for the winner of a pair that leaves (4.4); `leaves` names that
    winner without a square. `taken_by`: which of two winners killed or captured an army (4.3, 4.5), by its name;
    `absent`: an army that took no part, as its partner alone sent a strat (4.4)."""

    at: Square
    winner: tuple[str, ...]
    losses: Mapping[str, tuple[int, ...]]
    killed: tuple[str, ...] = ()
    captured: tuple[str, ...] = ()
    retreat: Mapping[str, Square] = field(default_factory=dict)
    leaves: str | None = None
    taken_by: Mapping[str, str] = field(default_factory=dict)
    absent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnInput:
    """R18: the input of a turn besides the position and the seed.

    `guidelines`: the mercenaries without an order follow those of their factions, and raiders appear (R48, 6.3.2);
    without it they stay. `mercenaries` are their judge's decisions, `buried` the names of armies that are gone.
    `penalties` take their troops before anything else is worked out (5.4.1).
    """

    lines: tuple[PostedLine, ...] = ()
    control: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    manifests: tuple[Manifest, ...] = ()
    results: tuple[Result, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    changes: tuple[TroopChange, ...] = ()
    mercenaries: tuple[MercenaryAct, ...] = ()
    guidelines: bool = False
    buried: tuple[str, ...] = ()
    penalties: tuple[Penalty, ...] = ()

    def after_all(self, position: Position) -> int:
        """3.3.1: the time of an order that nobody posted: after all posted ones, including those of long moves,
        which were posted in an earlier turn."""
        plans = [army.plan.at for army in position.armies if army.plan]
        return max([*plans, *(line.at for line in self.lines)], default=0) + 1
