"""4.2.5, 4.4: who loses how many troops in a battle."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .book import Book
from .expression_functions import Number
from .formulas import PERMILLE
from .risks import NO_TROOPS, Slots

LEAST_RUNNING = Fraction(1, PERMILLE)
"""4.2.6, R41: permille that a side which runs loses at least: one troop of each slot, since slots are rounded up."""


@dataclass(slots=True)
class Ordeal:
    """4.2.5: what decides how hard a side is hit. `dice` and `enemy_dice` are the four of each side as the formulas
    see them, with bonuses; `severity` is the weather's (4.1.2.5)."""

    won: bool
    stratless: bool
    runs: bool
    covers: bool
    enemy_runs: bool
    pair_fights: bool
    dice: tuple[int, ...]
    enemy_dice: tuple[int, ...]
    size: int
    enemy_size: int
    dice_won: int = 0
    enemy_dice_won: int = 0
    strategy: int = 0
    enemy_strategy: int = 0
    defends: bool = False
    severity: int = 0


def loss_rate(ordeal: Ordeal, book: Book) -> Number:
    """4.2.5, R41: permille of its troops that a side loses, before the slots' part; 0 if its enemy runs (where both
    run, nobody loses anything), never 0 for a side that runs from an enemy that stays."""
    if ordeal.enemy_runs or not ordeal.size or not ordeal.enemy_size:
        return 0
    env = _env(ordeal, book)
    loss = book.value("side_loss", env)
    for name in _special(ordeal):
        loss = book.value(name, {**env, "loss": loss})
    return max(min(loss, book.value("most_lost", env)), LEAST_RUNNING if ordeal.runs else 0)


def side_losses(fighting: list[Slots], involved: list[int], rate: Number, won: bool, book: Book) -> list[Slots]:
    """4.2.5, 4.4, R42: the losses of each army of a side, by slot, from the side's rate in permille.

    Never more than fights in the slot; rounded up, so that a side that is hit never loses nothing. A pair
    shares the losses of each slot by its troops there, times how `involved` the judge says each army was.
    """
    if not rate:
        return [NO_TROOPS] * len(fighting)
    columns = []
    for slot in (1, 2, 3, 4):
        present = [troops[slot - 1] for troops in fighting]
        columns.append(_share(_slot_losses(slot, sum(present), rate, won, book), present, involved))
    return [(a, b, c, d) for a, b, c, d in zip(*columns, strict=True)]


def _env(ordeal: Ordeal, book: Book) -> dict[str, Number]:
    """4.2.5: the numbers that the formulas of losses may use."""
    pairs = list(zip(ordeal.dice, ordeal.enemy_dice, strict=True))
    dice = sum([book.value("die_loss", {"die": die, "enemy_die": other, "ahead": die - other}) for die, other in pairs])
    return {
        "dice": dice,
        "ahead": sum(ordeal.dice) - sum(ordeal.enemy_dice),
        "won": int(ordeal.won),
        "dice_won": ordeal.dice_won,
        "enemy_dice_won": ordeal.enemy_dice_won,
        "size": ordeal.size,
        "enemy_size": ordeal.enemy_size,
        "strategy": ordeal.strategy,
        "enemy_strategy": ordeal.enemy_strategy,
        "defends": int(ordeal.defends),
        "severity": ordeal.severity,
    }


def _special(ordeal: Ordeal) -> list[str]:
    """4.2.4, 4.2.6, 4.4, 4.1.2.5: the formulas of special cases that apply to a side, in their order."""
    applies = {
        "stratless_loss": ordeal.stratless,
        "running_loss": ordeal.runs,
        "covering_loss": ordeal.runs and ordeal.covers,
        "pair_loss": ordeal.pair_fights,
        "weather_loss": ordeal.severity > 0,
    }
    return [name for name, is_so in applies.items() if is_so]


def _slot_losses(slot: int, troops: int, rate: Number, won: bool, book: Book) -> int:
    if not troops:
        return 0
    # rounded up, by whole numbers alone
    permille = book.value("slot_loss", {"loss": rate, "slot": slot, "troops": troops, "won": int(won)})
    lost = -(-troops * permille.numerator // (permille.denominator * PERMILLE))
    return min(lost, troops)


def _share(lost: int, present: list[int], involved: list[int]) -> list[int]:
    """4.4: one slot's losses among a side's armies; nobody loses more than he has, halves go to the first."""
    if len(present) == 1:
        return [lost]
    first, second = present
    weight = first * involved[0], second * involved[1]
    part = (2 * lost * weight[0] + sum(weight)) // (2 * sum(weight)) if any(weight) else lost
    part = min(max(part, lost - second), first)
    return [part, lost - part]
