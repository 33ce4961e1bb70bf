"""4.2.2, 4.2.5, R37, R38: the formula book: every number by which the battle judge decides a battle."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from .risks import Slots
from .troops import slot_size

MOST_BONUS = 10
"""4.2.1, 4.2.2: a strategy or size bonus is +0 to +10."""


@dataclass(frozen=True, slots=True)
class Formulas:
    """R37, R38: a book's parameters, all whole numbers, so that any machine works out the same battle.

    Percents are of 100, permilles of 1000. A value that makes no sense is a ValueError with a sentence.
    """

    creature_worth: tuple[int, ...] = (10, 18, 25, 31, 37, 42, 47, 52, 56)
    """4.2.2: what a creature of size 1/1 to 9/9 counts for an army's size. It grows more slowly than
    the creature, so that a high rank helps without deciding the battle alone."""

    size_steps: tuple[int, ...] = (108, 118, 130, 145, 165, 190, 225, 275, 350, 500)
    """4.2.2: the larger side gets +1 where its size is at least this many percent of the smaller one's, and
    so on up to +10. The steps grow wider: each further point needs more troops than the one before it."""

    pair_second_percent: int = 90
    """4.4: how much of its size the smaller army of a pair adds: two commanders are no single one."""

    color_bonus: int = 1
    """4.2.3: for a side whose living creatures share a colour or are all artifacts."""

    stratless_bonus: int = 10
    """4.2.1, R36: for a side whose enemy sent no strat."""

    stratless_loses: bool = True
    """4.2.4, R37: a side without a strat loses whatever the dice say, unless neither sent one."""

    sum_breaks_ties: bool = True
    """R37: where both sides win as many dice, the higher sum with bonuses wins."""

    defender_breaks_ties: bool = True
    """R37: where the sums are equal too, the defender wins."""

    most_rounds: int = 100
    """R37: how often the four dice are rolled in a battle that nothing decides; then a coin is tossed."""

    die_losses: int = 30
    """4.2.5: permille that each side loses by each of the four dice when the pair is equal."""

    die_slope: int = 2
    """4.2.5: permille more for the lower and less for the higher of a pair, by point of difference with
    bonuses: a close battle costs both about the same, a clear one costs the beaten side far more."""

    die_least: int = 6
    """4.2.5: permille that a die costs at least: hardly any victory is free."""

    winner_percent: int = 85
    """4.2.5: of its losses by the dice that the winner takes."""

    loser_percent: int = 115
    """4.2.5: of its losses by the dice that the loser takes: it is hunted as it leaves."""

    stratless_percent: int = 130
    """4.2.4: of its losses that a side without a strat takes from one that did: mauled, not wiped out."""

    runs_percent: int = 40
    """4.2.6, R41: of its losses that a side that runs away takes."""

    covering_percent: int = 150
    """4.4, R42: of its losses that a side that runs takes when it covers a partner without a strat."""

    pair_losses_percent: int = 110
    """4.4: of their losses that both sides take when a pair fights: casualties are higher than normal."""

    most_lost: int = 850
    """4.2.5: permille that the dice can cost a side at most, before the slots' part is taken."""

    slot_percent: tuple[int, ...] = (115, 100, 85, 65)
    """4.2.5: of a side's losses that each slot takes: the top slot is lost more slowly than the lowest."""

    def __post_init__(self) -> None:
        if problem := _problem(self):
            raise ValueError(problem)

    def army_size(self, tier: int, troops: Slots) -> int:
        """4.2.2: number and rank of the troops of one army of a tier (2.1), by slot, in the book's worth."""
        worth = self.creature_worth
        return sum(worth[slot_size(tier, slot) - 1] * number for slot, number in enumerate(troops, 1))

    def side_size(self, sizes: list[int]) -> int:
        """4.2.2, 4.4: a side's size, in hundredths of worth: its larger army whole, the other in part."""
        if len(sizes) == 1:
            return sizes[0] * 100
        return max(sizes) * 100 + (sum(sizes) - max(sizes)) * self.pair_second_percent

    def size_bonus(self, sizes: tuple[int, int]) -> tuple[int, int]:
        """4.2.2, R36: +0 to +10 to the larger side, nothing to the smaller one."""
        small, large = sorted(sizes)
        bonus = sum(large * 100 >= small * step for step in self.size_steps) if large else 0
        return (bonus, 0) if sizes[0] > sizes[1] else (0, bonus)

    def die_taken(self, ahead: int) -> int:
        """4.2.5: permille lost by one die, for a side that is `ahead` by so many points (behind: below 0)."""
        return max(self.die_losses - self.die_slope * ahead, self.die_least)

    def to_json(self) -> dict[str, Any]:
        """R38: the book as plain JSON, to be stored and hashed (`codec.digest`)."""
        return {key: list(it) if isinstance(it, tuple) else it for key, it in asdict(self).items()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Formulas:
        """The book that `to_json` wrote. ValueError where a parameter is missing, unknown or senseless."""
        names = {parameter.name for parameter in fields(cls)}
        if odd := sorted(names ^ set(data)):
            raise ValueError(f"a formula book has all parameters and no others; see {', '.join(odd)}")
        values: dict[str, Any] = {key: tuple(it) if isinstance(it, list) else it for key, it in data.items()}
        return cls(**values)


def _problem(book: Formulas) -> str | None:
    """R38: the first thing that makes a book senseless, in words."""
    for parameter in fields(book):
        value, pattern = getattr(book, parameter.name), parameter.default
        if not _fits(value, pattern):
            return f"{parameter.name} is {_wanted(pattern)}, not {value!r}"
    return _misfit(book)


def _fits(value: object, pattern: object) -> bool:
    """Whether a value is of the default's kind: true or false, a count, or as many counts."""
    if isinstance(pattern, tuple):
        return isinstance(value, tuple) and len(value) == len(pattern) and all(map(_fits, value, pattern))
    if isinstance(pattern, bool) or isinstance(value, bool):
        return isinstance(pattern, bool) and isinstance(value, bool)
    return isinstance(value, int) and value >= 0


def _wanted(pattern: object) -> str:
    if isinstance(pattern, bool):
        return "true or false"
    if isinstance(pattern, tuple):
        return f"a list of {len(pattern)} whole numbers from 0"
    return "a whole number from 0"


def _misfit(book: Formulas) -> str | None:
    if any(low >= high for low, high in zip((100, *book.size_steps), book.size_steps, strict=False)):
        return "size_steps grow from above 100: nobody gets a size bonus for being equal"
    if max(book.color_bonus, book.stratless_bonus) > MOST_BONUS:
        return f"color_bonus and stratless_bonus are at most {MOST_BONUS}"
    if book.most_rounds < 1:
        return "most_rounds is at least 1: the dice are rolled once"
    return None


DEFAULT = Formulas()
"""R37: the book of a round for which the battle judge wrote none."""
