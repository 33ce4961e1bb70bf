"""R18, 4.2: what comes of the order and the strat that a visitor tries, by the rules that judge every round.

Apart from `pages`, because it is rules from one end to the other, and keeps and asks nothing of the site.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from judging.drawing.terrain import CELL
from judging.sandbox.board import (
    NAME,
    OTHERS,
    OWN,
    POSITION,
    SALT,
    SEED,
    THEIR_STRAT,
    VISITOR,
)
from wargame.rules.battle.battle import BattleSide, Fighter, Outcome, fight, receipt
from wargame.rules.battle.kills_and_captures import work_out
from wargame.rules.battle.weather import Weather, first_sky, weather_at
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.core.dice import Dice, battle_dice, turn_dice
from wargame.rules.core.orders import Line, ReadOrder, Talk
from wargame.rules.core.position import Battle, Position
from wargame.rules.core.turn import PostedLine, Result, TurnInput
from wargame.rules.moves.commands import refusal_of_line
from wargame.rules.moves.legality import Refusal
from wargame.rules.moves.reach import reach_of
from wargame.rules.posts.notation import read_line, split_lines
from wargame.rules.settlement import Settlement, settle

LONGEST_ORDER, LONGEST_STRAT = 200, 600
"""Signs: what is tried is kept in the page's address, and nowhere else."""

BONUS = 4
"""4.2.1: what the visitor's strat gets here, where nobody reads it. In a round a judge gives 0 to 10."""

CONTROL = {OWN: (VISITOR,), **{name: (name,) for name, _ in OTHERS}}
FIRST_TURN, SECOND_TURN, BATTLE = 1, 2, 1


@dataclass(frozen=True)
class SquareChoice:
    """3.2.2: a square that the visitor's army may go to, and the order that says so."""

    at: str
    x: int
    y: int
    line: str
    attacks: bool


@dataclass(frozen=True)
class Lesson:
    """A turn that is tried: what was typed, cut to what is allowed. All else follows from it."""

    order: str = ""
    strat: str = ""

    @classmethod
    def of(cls, order: str, strat: str) -> Lesson:
        """The lesson with the order and the strat that an address holds, each cut to what it may be long."""
        lines = [line for line in split_lines(order[:LONGEST_ORDER]) if line.strip()]
        return cls(lines[0].strip() if lines else "", strat[:LONGEST_STRAT].strip())

    @cached_property
    def line(self) -> Line | None:
        """R8: how the order is read; None if there is none."""
        return read_line(self.order, POSITION.names, OWN) if self.order else None

    @property
    def is_talk(self) -> bool:
        """R8: whether the line was not meant as an order, as far as one can see."""
        return isinstance(self.line, Talk)

    @cached_property
    def posted(self) -> PostedLine | None:
        """R7: the order as it is posted; None if it can't be read as one."""
        if not isinstance(self.line, ReadOrder):
            return None
        return PostedLine(VISITOR, self.line.army, self.line.order, 1, controlled=self.line.army == OWN)

    @cached_property
    def refusal(self) -> Refusal | None:
        """R14: why the order is refused."""
        return refusal_of_line(POSITION, self.posted, CONTROL) if self.posted else None

    @property
    def is_legal(self) -> bool:
        return self.posted is not None and self.refusal is None

    @cached_property
    def first(self) -> Settlement | None:
        """R18: the turn in which all orders are carried out at once; None without a legal one."""
        if self.posted is None or not self.is_legal:
            return None
        others = tuple(PostedLine(name, name, order, 0) for name, order in OTHERS)
        return settle(POSITION, TurnInput((*others, self.posted), CONTROL), turn_dice(SEED, NAME, FIRST_TURN))

    @cached_property
    def battle(self) -> Battle | None:
        """4.1: the battle that the order brings about."""
        return self.first.position.battle_of.get(OWN) if self.first else None

    @property
    def met(self) -> Position:
        """The map on which the battle is fought."""
        return self.first.position if self.first else POSITION

    @cached_property
    def weather(self) -> Weather | None:
        """4.1.2.5: the battle's weather."""
        sky = first_sky(turn_dice(SEED, NAME, FIRST_TURN))
        return weather_at(POSITION.board, self.battle.at, sky, SECOND_TURN) if self.battle else None

    @cached_property
    def receipts(self) -> tuple[str, str]:
        """R35: the hashes of both strats, the visitor's first."""
        return _receipt(self.strat), _receipt(THEIR_STRAT)

    @cached_property
    def dice(self) -> Dice:
        """R38: the battle's dice, into which the strats are mixed."""
        return battle_dice(SEED, NAME, SECOND_TURN, BATTLE, self.receipts)

    @cached_property
    def sides(self) -> tuple[BattleSide, BattleSide] | None:
        """4.2: both sides; the visitor's strat has the bonus."""
        if self.battle is None:
            return None
        first, second = (
            BattleSide(tuple(Fighter(self.met.by_name[name]) for name in names), BONUS if OWN in names else 0)
            for names in self.battle.sides
        )
        return first, second

    @cached_property
    def outcome(self) -> Outcome | None:
        """4.2: how the battle went; None before it has a strat."""
        if not self.strat or self.battle is None or self.sides is None or self.weather is None:
            return None
        return fight(self.sides, self.battle.defends, DEFAULT, self.dice, severity=self.weather.severity)

    @property
    def own_side(self) -> int:
        """Which side of the battle the visitor's army is on."""
        return 0 if self.battle and OWN in self.battle.sides[0] else 1

    @property
    def has_won(self) -> bool:
        return self.outcome is not None and self.outcome.winner == self.own_side

    @cached_property
    def second(self) -> Settlement | None:
        """R18: the turn that takes the losses and parts those who fought."""
        if self.outcome is None or self.sides is None or self.battle is None or self.first is None:
            return None
        conquest = work_out(self.sides, self.outcome, DEFAULT, self.dice)
        result = Result(
            at=self.battle.at,
            winner=self.battle.sides[self.outcome.winner],
            losses=self.outcome.losses,
            killed=conquest.killed,
            captured=conquest.captured,
            taken_by=conquest.taken_by,
        )
        given = TurnInput(control=CONTROL, results=(result,))
        return settle(self.first.position, given, turn_dice(SEED, NAME, SECOND_TURN))


def choices() -> tuple[SquareChoice, ...]:
    """3.2.2: what the visitor's army may be ordered to do, square by square, the first legal order for each."""
    found = []
    for goal in reach_of(POSITION, POSITION.by_name[OWN]):
        legal = [choice for choice in goal.choices if choice.refusal is None and choice.kind in ("move", "engage")]
        if legal:
            line, attacks = f"{OWN}: {legal[0].action}", legal[0].kind == "engage"
            found.append(SquareChoice(str(goal.at), (goal.at.column - 1) * CELL, goal.at.row * CELL, line, attacks))
    return tuple(found)


def _receipt(text: str) -> str:
    return receipt(salt=SALT, text=text, risk="", runs=False, leaves="", leaves_to="")
