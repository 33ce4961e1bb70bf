"""R38: the odds of a battle under a book, by trials with separate dice: never with its own."""

from dataclasses import dataclass

from wargame.rules.battle.battle import BattleSide, fight
from wargame.rules.battle.kills_and_captures import work_out
from wargame.rules.book.book import Book
from wargame.rules.core.dice import Dice

SEED = b"wargame-odds-1"
"""The public seed of all trials: the same battle always has the same odds."""

TRIALS = 200


@dataclass(frozen=True, slots=True)
class Odds:
    """R38: over all trials: how often each side won, in permille; each army's mean losses by slot; how often it was
    killed or captured, in permille, where that ever happened."""

    trials: int
    wins: tuple[int, int]
    losses: dict[str, tuple[int, ...]]
    killed: dict[str, int]
    captured: dict[str, int]


def odds(
    sides: tuple[BattleSide, BattleSide], defends: int | None, book: Book, severity: int = 0, trials: int = TRIALS
) -> Odds:
    """R38: the battle fought `trials` times, each time with other dice of the public seed. The usual 200 trials take
    about a fifth of a second."""
    won = [0, 0]
    totals = {fighter.army.name: [0, 0, 0, 0] for side in sides for fighter in side.fighters}
    killed: dict[str, int] = {}
    captured: dict[str, int] = {}
    for number in range(trials):
        dice = Dice(SEED, f"{SEED.decode()}\n{number}")
        outcome = fight(sides, defends, book, dice, severity=severity)
        conquest = work_out(sides, outcome, book, dice)
        won[outcome.winner] += 1
        for name, losses in outcome.losses.items():
            totals[name] = [before + more for before, more in zip(totals[name], losses, strict=True)]
        for names, count in ((conquest.killed, killed), (conquest.captured, captured)):
            for name in names:
                count[name] = count.get(name, 0) + 1
    first = round(1000 * won[0] / trials)
    return Odds(
        trials=trials,
        wins=(first, 1000 - first),
        losses={name: tuple(number // trials for number in numbers) for name, numbers in totals.items()},
        killed={name: round(1000 * times / trials) for name, times in killed.items()},
        captured={name: round(1000 * times / trials) for name, times in captured.items()},
    )
