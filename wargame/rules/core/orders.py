"""3.2, 3.2.2.5, R9: the actions that a player can post for an army, as values, and their canonical form as text."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from wargame.rules.core.board import Square
from wargame.rules.core.names import Names

Suffix = Literal["engage", "replace", "joint engage"]

HOLD_WORDS = ("hold", "no move", "stay")
IN_BATTLE_WORDS = ("in battle", "fighting", "cannot move", "can not move", "can't move", "cant move")
"""R29: players' words for an army that stays, or that fights."""


class Step(NamedTuple):
    """3.2.2: one turn's part of a move. `route`, if given, runs from `start` to `to`, including both."""

    start: Square
    to: Square
    route: tuple[Square, ...] | None = None
    suffix: Suffix | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """3.2.2, 3.2.5: a move of one or, with 3.2.2.3, of several turns."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Intercept:
    """3.2.3: stop an enemy that crosses the army's square."""

    target: str


@dataclass(frozen=True, slots=True)
class Transfer:
    """3.2.4: give troops to a friend next to the army."""

    target: str
    at: Square


@dataclass(frozen=True, slots=True)
class Hold:
    """3.2.1, R29: the army does not move."""


@dataclass(frozen=True, slots=True)
class InBattle:
    """3.2.1, R29: the player mentions that the army is fighting."""


Order = Move | Intercept | Transfer | Hold | InBattle


@dataclass(frozen=True, slots=True)
class Disband:
    """6.3.2: a raider leaves the map, which takes its turn. Nobody posts it; `by` is the mercenary judge, if they
    ordered it, for a `reason`."""

    by: str = ""
    reason: str = ""


IDLE = (Hold, InBattle)
"""R29: the orders that do nothing."""


@dataclass(frozen=True, slots=True)
class Talk:
    """R8: a line that is not an order."""

    number: int
    text: str


MISREAD, READER_FAILED = "misread", "reader-failed"
"""R8: why a line is unreadable: its text is no order, or the reader itself failed on it."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """R8: a line that was meant as an order and can't be read; `fault` is MISREAD or READER_FAILED.

    `column` is 1-based, of the first wrong character that is not a blank; `wrong` says what is wrong and `expected`
    what would be accepted, both in words for the player; `unknown` is the name that none of `names` is.
    """

    number: int
    text: str
    column: int
    wrong: str
    expected: str = ""
    unknown: str = ""
    fault: str = MISREAD
    names: Names | None = field(default=None, repr=False, compare=False)

    @property
    def suggestions(self) -> tuple[str, ...]:
        """R10: names that may have been meant. They are only searched on access: that takes longer than to read the
        line, and no settlement needs them."""
        return self.names.like(self.unknown) if self.names and self.unknown else ()

    @property
    def cites(self) -> str:
        """The rule that makes the line no order."""
        return cites_of(self.fault)


def cites_of(fault: str) -> str:
    """3.2.2.5, R8: the rule of an unreadable line, by its fault."""
    return "R8" if fault == READER_FAILED else "3.2.2.5"


class ReadOrder(NamedTuple):
    """R9: a line that was read as an order for an army."""

    number: int
    text: str
    army: str
    order: Order


Line = Talk | Unreadable | ReadOrder


def write_order(army: str, order: Order) -> str:
    """R9: an order in its canonical form, which reads back to the same value.

    Each step of a move starts where the one before ends.
    """
    return f"{army}: {write_action(order)}"


def write_action(order: Order) -> str:
    """R9: an order in its canonical form, without the army's name."""
    match order:
        case Move(steps):
            return f"{steps[0].start}{''.join(map(_write_step, steps))}"
        case Intercept(target):
            return f"intercept {target}"
        case Transfer(target, at):
            return f"transfer to {target} at {at}"
        case Hold():
            return "hold"
        case InBattle():
            return "in battle"


def _write_step(step: Step) -> str:
    route = f" ({' - '.join(map(str, step.route))})" if step.route is not None else ""
    suffix = " ".join(filter(None, (step.suffix, step.target)))
    return f" > {step.to}{route}{'; ' if suffix else ''}{suffix}"
