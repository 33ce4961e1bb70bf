"""4.2.5, 4.4: the troops that each army loses in a battle."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from wargame.rules.battle.four_dice import Stand
from wargame.rules.book.book import Book
from wargame.rules.book.formulas import PERMILLE
from wargame.rules.book.ratios import NOTHING, Ratio, greater, lesser, reduced, total
from wargame.rules.book.risked_troops import NO_TROOPS, Slots

LEAST_RUNNING: Ratio = (1, PERMILLE)
"""4.2.6, R41: the minimum loss of a side that runs, in permille: one troop of each slot, since slots are rounded up."""


Draw = Callable[[int], bool]
"""Whether the first of two armies loses the odd troop of a slot."""


class Ordeal(NamedTuple):
    """4.2.5: the factors of a side's losses: its own and the enemy's stand in the last round of dice, and the dice
    won; `severity` is the weather's (4.1.2.5)."""

    won: bool
    stratless: bool
    runs: bool
    covers: bool
    enemy_runs: bool
    pair_fights: bool
    own: Stand
    enemy: Stand
    dice_won: int = 0
    enemy_dice_won: int = 0
    severity: int = 0


def loss_rate(ordeal: Ordeal, book: Book) -> Ratio:
    """4.2.5, R41: permille of its troops that a side loses, before the slots' part; 0 if its enemy runs (where both
    run, neither loses anything), never 0 for a side that runs from an enemy that stays."""
    if ordeal.enemy_runs or not ordeal.own.size or not ordeal.enemy.size:
        return NOTHING
    env = _env(ordeal, book)
    loss = reduced(*book.value("side_loss", env))
    for name in _special(ordeal):
        loss = reduced(*book.value(name, {**env, "loss": loss}))
    result = lesser(loss, book.value("most_lost", env))
    return greater(result, LEAST_RUNNING) if ordeal.runs else result


def side_losses(
    fighting: list[Slots], involved: list[int], rate: Ratio, won: bool, book: Book, draw: Draw
) -> list[Slots]:
    """4.2.5, 4.4, R42: the losses of each army of a side, by slot, from the side's rate in permille.

    Never more than fights in the slot; rounded up, so that a side that is hit always loses something. A pair shares the
    losses of each slot by its troops there, times how `involved` the judge says each army was. `draw` says of a slot
    whether the first army loses the odd troop where each would lose a half (R75).
    """
    if not rate[0]:
        return [NO_TROOPS] * len(fighting)
    if len(fighting) == 1:
        return [_slot_losses(fighting[0], rate, won, book)]
    first, second = fighting
    together = [one + other for one, other in zip(first, second, strict=True)]
    losses = _slot_losses(together, rate, won, book)
    parts = [
        _part(*numbers, involved, slot, draw) for slot, numbers in enumerate(zip(losses, first, second, strict=True), 1)
    ]
    a, b, c, d = parts
    return [(a, b, c, d), (losses[0] - a, losses[1] - b, losses[2] - c, losses[3] - d)]


def _env(ordeal: Ordeal, book: Book) -> dict[str, Ratio]:
    """4.2.5: the numbers that the formulas of losses may use."""
    stand, enemy = ordeal.own, ordeal.enemy
    return {
        "dice": total(map(book.die_loss, stand.dice, enemy.dice)),
        "ahead": (sum(stand.dice) - sum(enemy.dice), 1),
        "won": (int(ordeal.won), 1),
        "dice_won": (ordeal.dice_won, 1),
        "enemy_dice_won": (ordeal.enemy_dice_won, 1),
        "size": (stand.size, 1),
        "enemy_size": (enemy.size, 1),
        "strategy": (stand.strategy, 1),
        "enemy_strategy": (enemy.strategy, 1),
        "defends": (int(stand.defends), 1),
        "severity": (ordeal.severity, 1),
    }


def _special(ordeal: Ordeal) -> list[str]:
    """4.2.4, 4.2.6, 4.4, 4.1.2.5: the formulas of special cases that apply to a side, in their order."""
    names = []
    if ordeal.stratless:
        names.append("stratless_loss")
    if ordeal.runs:
        names.append("running_loss")
        if ordeal.covers:
            names.append("covering_loss")
    if ordeal.pair_fights:
        names.append("pair_loss")
    if ordeal.severity > 0:
        names.append("weather_loss")
    return names


def _slot_losses(fighting: Sequence[int], rate: Ratio, won: bool, book: Book) -> Slots:
    """4.2.5: the losses of a side by slot; rounded up, in integers only."""
    slot_loss, has_won = book.formula("slot_loss"), (int(won), 1)
    losses = []
    for slot, troops in enumerate(fighting, 1):
        env = {"loss": rate, "slot": (slot, 1), "troops": (troops, 1), "won": has_won}
        over, under = slot_loss(env) if troops else NOTHING
        losses.append(-(-troops * over // (under * PERMILLE)))
    return losses[0], losses[1], losses[2], losses[3]


def _part(loss: int, first: int, second: int, involved: list[int], slot: int, draw: Draw) -> int:
    """4.4, R75: the first army's part of a pair's losses in one slot. Neither army loses more than it has there; a
    half goes to a drawn one."""
    weight = first * involved[0], second * involved[1]
    if not any(weight):
        part = loss
    else:
        part, rest = divmod(2 * loss * weight[0] + sum(weight), 2 * sum(weight))
        part -= not rest and not draw(slot)
    return min(max(part, loss - second), first)
