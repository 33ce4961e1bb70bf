"""R37: the results of a book for two armies: the winner, and the cost, by strategy bonus and by size."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from wargame.rules.battle.battle import BattleSide, Fighter, fight
from wargame.rules.battle.four_dice import Round, roll_round
from wargame.rules.book.book import Book
from wargame.rules.book.formulas import MOST_BONUS
from wargame.rules.core.dice import Dice
from wargame.rules.core.position import Army
from wargame.rules.core.troops import alive_by_slot

SEED = b"wargame-curves-1"
"""The public seed of the rounds of dice: the same armies always have the same curves."""

ROUNDS = 60
PERMILLE = 1000
RATIOS = (25, 33, 50, 67, 80, 100, 125, 150, 200, 300, 400)
"""4.2.2: percent: the sizes of the first army relative to the second one at which the curves are computed."""


@dataclass(frozen=True, slots=True)
class Point:
    """At `x`: how often the first army wins, and the mean losses of each; all in permille."""

    x: int
    wins: int
    lost: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Curves:
    """R37: by the strategy bonus, below 0 where the second army has it; and by size, in percent, without any bonus
    for a strategy. An army of size zero has no second curve."""

    by_bonus: tuple[Point, ...]
    by_ratio: tuple[Point, ...]

    @property
    def even(self) -> Point:
        """The armies' odds without a bonus."""
        return next(point for point in self.by_bonus if point.x == 0)


def curves(first: Army, second: Army, book: Book) -> Curves:
    """R37: both curves, in a battle that the second army defends. About 4000 battles: half a second."""
    return Curves(tuple(_by_bonus(first, second, book)), tuple(_by_ratio(first, second, book)))


def _by_bonus(first: Army, second: Army, book: Book) -> Iterator[Point]:
    for bonus in range(-MOST_BONUS, MOST_BONUS + 1):
        yield _point(bonus, first, second, bonus, book)


def _by_ratio(first: Army, second: Army, book: Book) -> Iterator[Point]:
    """The army that is too large for a ratio fights with fewer of its troops."""
    sizes = [book.army_size(army.tier, alive_by_slot(army.troops)) for army in (first, second)]
    for ratio in RATIOS if all(sizes) else ():
        over, under = ratio * sizes[1], 100 * sizes[0]
        one = _fewer(first, over, under) if over < under else first
        other = _fewer(second, under, over) if under < over else second
        yield _point(ratio, one, other, 0, book)


def _point(x: int, first: Army, second: Army, bonus: int, book: Book) -> Point:
    sides = BattleSide((Fighter(first),), max(bonus, 0)), BattleSide((Fighter(second),), max(-bonus, 0))
    won, losses = 0, [0, 0]
    for number, rolls in enumerate(_rounds()):
        outcome = fight(sides, 1, book, Dice(SEED, f"further rounds {number}"), rolls)
        won += outcome.winner == 0
        for index, army in enumerate((first, second)):
            losses[index] += sum(outcome.losses[army.name])
    living = [sum(alive_by_slot(army.troops)) * 2 * ROUNDS for army in (first, second)]
    shares = [losses[index] * PERMILLE // living[index] if living[index] else 0 for index in (0, 1)]
    return Point(x, won * PERMILLE // (2 * ROUNDS), (shares[0], shares[1]))


@cache
def _rounds() -> tuple[Round, ...]:
    """Rounds of dice, each also with the sides swapped, so that equal armies get equal results."""
    dice = Dice(SEED, "rounds")
    rolled = [roll_round(dice, number) for number in range(ROUNDS)]
    return tuple(both for faces in rolled for both in (faces, (faces[1], faces[0])))


def _fewer(army: Army, over: int, under: int) -> Army:
    """The army with this part of its troops, rounded up."""
    return army._replace(troops=tuple(troop._replace(alive=-(-troop.alive * over // under)) for troop in army.troops))
