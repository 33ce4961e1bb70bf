"""4.2.5, 4.4: who loses how many troops in a battle."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from .formulas import Formulas
from .risks import NO_TROOPS, Slots

PERCENT = 100
PERMILLE = 1000
MILLIONTHS = PERMILLE * PERMILLE


@dataclass(slots=True)
class Ordeal:
    """4.2.5: what decides how hard a side is hit. `ahead` holds its lead on each die, with bonuses, below 0
    where it is behind; `size` and `enemy_size` are of one measure."""

    won: bool
    stratless: bool
    runs: bool
    covers: bool
    enemy_runs: bool
    pair_fights: bool
    ahead: tuple[int, ...]
    size: int
    enemy_size: int


def loss_rate(ordeal: Ordeal, book: Formulas) -> int:
    """4.2.5, R41: millionths of its troops that a side loses, before the slots' part; 0 if its enemy runs
    (where both run, nobody loses anything), never 0 for a side that runs from an enemy that stays.

    By the dice, who won, strats and running; then by the square root of how many times larger the enemy is,
    so that what both lose, measured in size, depends on how they fought and not on which one is larger.
    """
    if ordeal.enemy_runs or not ordeal.size or not ordeal.enemy_size:
        return 0
    rate = sum([book.die_taken(ahead) for ahead in ordeal.ahead])
    scale = 1
    for percent in _percents(ordeal, book):
        rate *= percent
        scale *= PERCENT
    pressure = isqrt(ordeal.enemy_size * MILLIONTHS // ordeal.size)
    return min(max(rate * pressure // scale, int(ordeal.runs)), book.most_lost * PERMILLE)


def side_losses(fighting: list[Slots], involved: list[int], rate: int, book: Formulas) -> list[Slots]:
    """4.2.5, 4.4, R42: the losses of each army of a side, by slot, from the side's rate in millionths.

    Never more than fights in the slot; rounded up, so that a side that is hit never loses nothing. A pair
    shares the losses of each slot by its troops there, times how `involved` the judge says each army was.
    """
    if not rate:
        return [NO_TROOPS] * len(fighting)
    columns = []
    for slot, percent in enumerate(book.slot_percent):
        present = [troops[slot] for troops in fighting]
        total = sum(present)
        lost = min(-(-total * rate * percent // (MILLIONTHS * PERCENT)), total)
        columns.append(_share(lost, present, involved))
    return [(a, b, c, d) for a, b, c, d in zip(*columns, strict=True)]


def _percents(ordeal: Ordeal, book: Formulas) -> list[int]:
    """4.2.4, 4.2.6, 4.4: the book's percents that apply to a side."""
    percents = [book.winner_percent if ordeal.won else book.loser_percent]
    if ordeal.stratless:
        percents.append(book.stratless_percent)
    if ordeal.runs:
        percents.append(book.runs_percent)
    if ordeal.runs and ordeal.covers:
        percents.append(book.covering_percent)
    if ordeal.pair_fights:
        percents.append(book.pair_losses_percent)
    return percents


def _share(lost: int, present: list[int], involved: list[int]) -> list[int]:
    """4.4: one slot's losses among a side's armies; nobody loses more than he has, halves go to the first."""
    if len(present) == 1:
        return [lost]
    first, second = present
    weight = first * involved[0], second * involved[1]
    part = (2 * lost * weight[0] + sum(weight)) // (2 * sum(weight)) if any(weight) else lost
    part = min(max(part, lost - second), first)
    return [part, lost - part]
