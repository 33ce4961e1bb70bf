"""4.2.4: the four dice of each side, and the side that they favour."""

from enum import Enum
from itertools import repeat
from typing import NamedTuple

from wargame.rules.book.book import Book
from wargame.rules.book.ratios import Ratio
from wargame.rules.core.dice import Dice
from wargame.rules.core.saying import counted, forms

DICE = 4
DIE_SIDES = 20
"""4.2.4: four 20-sided dice for each side."""

SIDE_DICE = ("d20 side 1", "d20 side 2")
"""R38: the names under which a side's dice are drawn: 1 to 4 in the first round, 5 to 8 in the next, ..."""

COIN = "coin"
"""R37: the draw that ends an otherwise undecided battle: 1 or 2, the side that wins."""

Faces = tuple[int, ...]
"""4.2.4: the four dice of one side as they fell, without bonuses."""

Round = tuple[Faces, Faces]
"""4.2.4: the dice of both sides, in the order of the sides."""


class Why(Enum):
    """4.2.4, R37: the reason for the winner of a battle; with its citation and its sentence about the winner."""

    MOST_DICE = "4.2.4", *forms("won more of the four dice", "won more of the four dice")
    HIGHER_SUM = (
        "R37",
        *forms("tied on dice won and had the higher sum", "tied on dice won and had the higher sum"),
    )
    DEFENDER = "R37", *forms("tied on dice won and on sums, and defended", "tied on dice won and on sums, and defended")
    BOOK = (
        "R37",
        *forms(
            "tied on dice won and came out ahead by the formula book",
            "tied on dice won and came out ahead by the formula book",
        ),
    )
    COIN = (
        "R37",
        *forms(
            "won the coin toss, as no one defended and every round was tied",
            "won the coin toss, as no one defended and every round was tied",
        ),
    )
    STRATLESS = "4.2.4", *forms("sent a strat and the enemy sent none", "sent a strat and the enemy sent none")
    RAN = "4.2.6", *forms("stayed, and the enemy ran away", "stayed, and the enemy ran away")

    def __init__(self, cites: str, of_one: str, of_several: str) -> None:
        self.cites = cites
        self.of_one = of_one
        self.of_several = of_several

    def told(self, *, winners: int, sent: bool) -> tuple[str, str]:
        """The reason, worded for this number of winning armies, and its citation.

        `sent`: one of them sent a strat. A mercenary that sent none needs none (R49), and is never said to have sent
        one.
        """
        if self is Why.STRATLESS and not sent:
            needs = counted(
                "needed no strat, and the enemy sent none", "needed no strat, and the enemy sent none", winners
            )
            return needs, "4.2.4 R49"
        return counted(self.of_one, self.of_several, winners), self.cites


def roll_round(dice: Dice, before: int) -> Round:
    """4.2.4, R38: four dice for each side, after this number of earlier rounds."""
    numbers = range(before * DICE + 1, (before + 1) * DICE + 1)
    first, second = SIDE_DICE
    return (
        tuple([dice.roll(first, DIE_SIDES, number) for number in numbers]),
        tuple([dice.roll(second, DIE_SIDES, number) for number in numbers]),
    )


class Stand(NamedTuple):
    """4.2.4, R37: a side in a round of dice: its four dice with their bonuses, and the numbers that decide if the
    dice do not."""

    dice: Faces
    size: int
    strategy: int
    defends: bool


Stands = tuple[Stand, Stand]


def dice_won(stands: Stands, book: Book) -> tuple[int, int]:
    """R37: each side's win by its dice; by the default book one for each die that is higher than the enemy's."""
    return _points(stands[0], stands[1], book), _points(stands[1], stands[0], book)


def by_dice(stands: Stands, won: tuple[int, int], book: Book) -> tuple[int, Why] | None:
    """4.2.4, R37: the winner by (1) the dice won, (2) the formula for equal dice, (3) the one for a remaining tie;
    None: roll again."""
    if won[0] != won[1]:
        return int(won[1] > won[0]), Why.MOST_DICE
    sums = sum(stands[0].dice), sum(stands[1].dice)
    for name in ("equal_counts", "equal_sums"):
        first, second = book.value(name, _tied(stands, 0, sums)), book.value(name, _tied(stands, 1, sums))
        lead = first[0] * second[1] - second[0] * first[1]
        if lead:
            winner = int(lead < 0)
            return winner, _why_tied(stands, winner, sums)
    return None


def _points(stand: Stand, enemy: Stand, book: Book) -> int:
    return sum(map(book.die_points, stand.dice, enemy.dice, repeat(int(stand.defends))))


def _tied(scores: Stands, index: int, sums: tuple[int, int]) -> dict[str, Ratio]:
    """R37: the numbers of a side where both won equally many dice."""
    stand, enemy = scores[index], scores[1 - index]
    return {
        "sum": (sums[index], 1),
        "enemy_sum": (sums[1 - index], 1),
        "size": (stand.size, 1),
        "enemy_size": (enemy.size, 1),
        "strategy": (stand.strategy, 1),
        "enemy_strategy": (enemy.strategy, 1),
        "defends": (int(stand.defends), 1),
    }


def _why_tied(scores: Stands, winner: int, sums: tuple[int, int]) -> Why:
    """R37: the default book's reason for such a winner, if it is true of them."""
    if sums[winner] > sums[1 - winner]:
        return Why.HIGHER_SUM
    return Why.DEFENDER if sums[0] == sums[1] and scores[winner].defends else Why.BOOK
