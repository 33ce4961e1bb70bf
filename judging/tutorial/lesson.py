"""R18, 4.2: the tutorial's small war, and the results of a visitor's order and strat by the rules. Nothing is
stored."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext_noop

from judging.svg.terrain import CELL
from wargame.rules.battle.battle import BattleSide, Fighter, Outcome, fight, receipt
from wargame.rules.battle.kills_and_captures import work_out
from wargame.rules.battle.weather import Weather, first_sky, weather_at
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.core.board import COLUMNS, ROWS, Base, Board, Town, read_square
from wargame.rules.core.dice import Dice, battle_dice, commitment, turn_dice
from wargame.rules.core.orders import Hold, Line, Move, Order, ReadOrder, Step, Talk
from wargame.rules.core.position import Army, Battle, Position, sorted_armies
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import PostedLine, Result, TurnInput
from wargame.rules.moves.commands import refusal_of_line
from wargame.rules.moves.legality import Refusal
from wargame.rules.moves.reach import reach_of
from wargame.rules.posts.notation import read_line, split_lines
from wargame.rules.settlement import Settlement, settle

NAME = "sandbox"
"""Replaces a round's slug in draws of dice."""

SEED = bytes.fromhex("8f3c1b7a52e94d06b1c7a9e8d4f25063907be1aa4c6d38f2155e0c9b7d42a6f1")
"""The one seed of all turns in the sandbox (R38)."""

COMMITMENT = commitment(SEED)

OWN, ENEMY, FRIEND, STRANGER = "Lantern Guard", "Rust Choir", "Mill Company", "Grave Ferry"
VISITOR = "You"

WIDE, HIGH = 10, 7
"""The columns and rows of the map."""

_CORNER = (
    "pppffmmmoo",
    "ppfffpmmpo",
    "pppfppppps",
    "oppppppsss",
    "oopppfpsps",
    "opppfffppp",
    "ppppffpppm",
)


class Card(NamedTuple):
    """2.2: a creature of the sandbox, with its abilities."""

    name: str
    size: str
    colors: tuple[str, ...]
    text: str


CARDS = {
    card.name: card
    for card in (
        Card(
            "Lantern Pike",
            "1/1",
            ("white",),
            gettext_noop("When it stands its ground, it strikes first at anything that charges it."),
        ),
        Card("Marsh Runner", "2/2", ("green",), gettext_noop("Swamps don't slow it; it crosses water on foot.")),
        Card("Bridge Griffin", "3/3", ("white",), gettext_noop("It flies. It sees in the dark.")),
        Card("Old Stone Ox", "4/4", ("green",), gettext_noop("It can't be moved by anything smaller than itself.")),
        Card(
            "Rust Thrall", "1/1", ("black",), gettext_noop("It doesn't feel fear, and can't see farther than its arm.")
        ),
        Card("Ember Hound", "2/2", ("red",), gettext_noop("It is the first to bite. It hates the rain.")),
        Card(
            "Iron Digger",
            "3/3",
            (),
            gettext_noop("It digs, and can come up behind a line that has stood still for an hour."),
        ),
        Card(
            "Choir Bell", "4/4", (), gettext_noop("While it rings, thralls don't run away. It can be heard for miles.")
        ),
    )
}
"""2.2.3: their rules text is their abilities."""


def _troops(*counts: tuple[str, int, int]) -> tuple[Troop, ...]:
    """Slots 1 to 4: the creature, the living, and the strength."""
    return tuple(
        Troop(slot, name, alive, strength, CARDS[name].colors, CARDS[name].size, _types(CARDS[name]))
        for slot, (name, alive, strength) in enumerate(counts, 1)
    )


def _types(card: Card) -> tuple[str, ...]:
    """4.2.3: a colourless creature is an artifact here."""
    return ("Creature",) if card.colors else ("Artifact", "Creature")


_GUARD = (("Lantern Pike", 4800, 5000), ("Marsh Runner", 2500, 2500), ("Bridge Griffin", 1450, 1500))
_CHOIR = (("Rust Thrall", 5000, 5000), ("Ember Hound", 1900, 2500), ("Iron Digger", 1300, 1500))

BOARD = Board(
    terrain=tuple(row + "o" * (COLUMNS - WIDE) for row in _CORNER) + ("o" * COLUMNS,) * (len(ROWS) - HIGH),
    bases=(
        Base("White Base", read_square("1B"), Side.COALITION, "white"),
        Base("Portal", read_square("10F"), Side.PHYREXIA),
    ),
    towns=(Town("Millford", read_square("6F")),),
)

POSITION = Position(
    board=BOARD,
    armies=sorted_armies(
        [
            Army(
                OWN,
                Side.COALITION,
                read_square("4D"),
                Rank.LIEUTENANT,
                colors=("white", "green"),
                troops=_troops(*_GUARD, ("Old Stone Ox", 1000, 1000)),
            ),
            Army(
                FRIEND,
                Side.COALITION,
                read_square("2F"),
                Rank.LIEUTENANT,
                colors=("white",),
                troops=_troops(*_GUARD, ("Old Stone Ox", 400, 1000)),
            ),
            Army(
                ENEMY,
                Side.PHYREXIA,
                read_square("6C"),
                Rank.CENTURION,
                troops=_troops(*_CHOIR, ("Choir Bell", 900, 1000)),
            ),
            Army(
                STRANGER,
                Side.PHYREXIA,
                read_square("9B"),
                Rank.CENTURION,
                troops=_troops(*_CHOIR, ("Choir Bell", 700, 1000)),
            ),
        ]
    ),
)

OTHERS: tuple[tuple[str, Order], ...] = (
    (FRIEND, Move((Step(read_square("2F"), read_square("4F")),))),
    (STRANGER, Move((Step(read_square("9B"), read_square("8C")),))),
    (ENEMY, Hold()),
)
"""3.3.4: the others' orders for the same turn."""

WRONG = f"{OWN}: 4D > 9D"
RIGHT = f"{OWN}: 4D > 6C; engage {ENEMY}"
STRAT = gettext_noop(
    "My Griffins fly at dawn and look for dug earth: where the Diggers come up, the Oxen stand already. The Pikes hold "
    "the tree line and let the Thralls, who can't see, run into them. The Runners go round through the swamp and "
    "silence the Bell; without it the Thralls run."
)
THEIR_STRAT = "Dig under the trees, ring the bell, and go straight at them."
SALT = NAME
"""R35: hashed with a strat into its receipt. There is nothing to hide here, so it is not secret."""


LONGEST_ORDER, LONGEST_STRAT = 200, 600
"""Characters: the input is kept only in the page's URL."""

BONUS = 4
"""4.2.1: the bonus of the visitor's strat here, where nobody reads it. In a round a judge gives 0 to 10."""

CONTROL = {OWN: (VISITOR,), **{name: (name,) for name, _ in OTHERS}}
FIRST_TURN, SECOND_TURN, BATTLE = 1, 2, 1


@dataclass(frozen=True)
class SquareChoice:
    """3.2.2: a possible square for the visitor's army, and the order for it."""

    at: str
    x: int
    y: int
    line: str
    attacks: bool


@dataclass(frozen=True)
class Lesson:
    """A turn in the sandbox: the input, cut to the allowed length. All else follows from it."""

    order: str = ""
    strat: str = ""

    @classmethod
    def of(cls, order: str, strat: str) -> Lesson:
        """The lesson with the order and the strat from a URL, each cut to its allowed length."""
        lines = [line for line in split_lines(order[:LONGEST_ORDER]) if line.strip()]
        return cls(lines[0].strip() if lines else "", strat[:LONGEST_STRAT].strip())

    @cached_property
    def line(self) -> Line | None:
        """R8: the parsed order; None if there is none."""
        return read_line(self.order, POSITION.names, OWN) if self.order else None

    @property
    def is_talk(self) -> bool:
        """R8: whether the line was apparently not meant as an order."""
        return isinstance(self.line, Talk)

    @cached_property
    def posted(self) -> PostedLine | None:
        """R7: the order as posted; None if it can't be read as one."""
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
        lines = tuple(PostedLine(name, name, order, 0) for name, order in OTHERS)
        return settle(POSITION, TurnInput((*lines, self.posted), CONTROL), turn_dice(SEED, NAME, FIRST_TURN))

    @cached_property
    def battle(self) -> Battle | None:
        """4.1: the battle caused by the order."""
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
        """4.2: the outcome of the battle; None before it has a strat."""
        if not self.strat or self.battle is None or self.sides is None or self.weather is None:
            return None
        return fight(self.sides, self.battle.defends, DEFAULT, self.dice, severity=self.weather.severity)

    @property
    def own_side(self) -> int:
        return 0 if self.battle and OWN in self.battle.sides[0] else 1

    @property
    def has_won(self) -> bool:
        return self.outcome is not None and self.outcome.winner == self.own_side

    @cached_property
    def second(self) -> Settlement | None:
        """R18: the turn that applies the losses and separates the fighters."""
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
        inputs = TurnInput(control=CONTROL, results=(result,))
        return settle(self.first.position, inputs, turn_dice(SEED, NAME, SECOND_TURN))


def choices() -> tuple[SquareChoice, ...]:
    """3.2.2: the possible orders for the visitor's army, square by square, the first legal one for each."""
    squares = []
    for goal in reach_of(POSITION, POSITION.by_name[OWN]):
        legal = [choice for choice in goal.choices if choice.refusal is None and choice.kind in ("move", "engage")]
        if legal:
            line, attacks = f"{OWN}: {legal[0].action}", legal[0].kind == "engage"
            squares.append(SquareChoice(str(goal.at), (goal.at.column - 1) * CELL, goal.at.row * CELL, line, attacks))
    return tuple(squares)


def _receipt(text: str) -> str:
    return receipt(salt=SALT, text=text, risk="", runs=False, leaves="", leaves_to="")
