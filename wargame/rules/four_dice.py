"""4.2.4: the four dice of each side, and whom they favour."""

from __future__ import annotations

from enum import Enum

from .dice import Dice
from .formulas import Formulas

DICE = 4
DIE_SIDES = 20
"""4.2.4: four 20-sided dice for each side."""

SIDE_DICE = ("d20 side 1", "d20 side 2")
"""R38: the names under which a side's dice are drawn: 1 to 4 in the first round, 5 to 8 in the next, ..."""

COIN = "coin"
"""R37: the draw that ends a battle which nothing else decides: 1 or 2, the side that wins."""

Faces = tuple[int, ...]
"""4.2.4: the four dice of one side as they fell, without bonuses."""

Round = tuple[Faces, Faces]
"""4.2.4: the dice of both sides, in the order of the sides."""


class Why(Enum):
    """4.2.4, R37: what decided a battle; each with its citation and what there is to say of the winner."""

    MOST_DICE = "4.2.4", "won more of the four dice"
    HIGHER_SUM = "R37", "had the higher sum, with as many dice won"
    DEFENDER = "R37", "defends, with dice won and sums equal"
    COIN = "R37", "won the toss, with nobody to defend and every round even"
    STRATLESS = "4.2.4", "sent a strat and the enemy sent none"
    RAN = "4.2.6", "stayed, and the enemy ran away"

    def __init__(self, cites: str, sentence: str) -> None:
        self.cites = cites
        self.sentence = sentence


def roll_round(dice: Dice, before: int) -> Round:
    """4.2.4, R38: four dice for each side, after so many rounds before."""
    numbers = range(before * DICE + 1, (before + 1) * DICE + 1)
    first, second = (tuple([dice.roll(name, DIE_SIDES, number) for number in numbers]) for name in SIDE_DICE)
    return first, second


def leads_of(faces: Round, bonus: tuple[int, int]) -> tuple[int, ...]:
    """4.2.4: by how much the first side is ahead on each die, with bonuses."""
    more = bonus[0] - bonus[1]
    return tuple([first - second + more for first, second in zip(*faces, strict=True)])


def dice_won(leads: tuple[int, ...]) -> tuple[int, int]:
    """R37: how many dice each side won; an equal pair counts for neither."""
    return sum([lead > 0 for lead in leads]), sum([lead < 0 for lead in leads])


def by_dice(leads: tuple[int, ...], defends: int | None, book: Formulas) -> tuple[int, Why] | None:
    """4.2.4, R37: the winner by (1) more dice, (2) the higher sum, (3) defending; None: roll again."""
    first, second = dice_won(leads)
    if first != second:
        return int(second > first), Why.MOST_DICE
    if sum(leads) and book.sum_breaks_ties:
        return int(sum(leads) < 0), Why.HIGHER_SUM
    if defends is not None and book.defender_breaks_ties:
        return defends, Why.DEFENDER
    return None
