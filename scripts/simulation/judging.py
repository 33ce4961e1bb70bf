"""4.1, 4.2: the results of a turn's battles, with random strats and scores, by the default formula book."""

from __future__ import annotations

from random import Random

from wargame.rules.battle.battle import BattleSide, Fighter, Outcome, fight
from wargame.rules.battle.conquest import Conquest, work_out
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.book.formulas import MOST_BONUS
from wargame.rules.book.risks import Risk, Slots
from wargame.rules.core.board import neighbours
from wargame.rules.core.dice import battle_dice
from wargame.rules.core.position import Battle, Position
from wargame.rules.core.turn import Result

STRAT = 0.92
RUNS = 0.05
RISKS = 0.5
DIRECTS = 0.1
"""How often a strat comes, runs away or risks troops, and a judge says who leaves the square and where to."""


def judge_battles(position: Position, random: Random, seed: bytes, turn: int) -> tuple[Result, ...]:
    """4.2: all battles of the turn."""
    return tuple(_judge(position, battle, random, seed, turn, no) for no, battle in enumerate(position.battles, 1))


def _judge(position: Position, battle: Battle, random: Random, seed: bytes, turn: int, number: int) -> Result:
    favoured, strategy = random.randrange(2), random.randint(0, MOST_BONUS)
    first, second = (
        BattleSide(tuple(_fighter(position, name, random) for name in side), strategy if index == favoured else 0)
        for index, side in enumerate(battle.sides)
    )
    dice = battle_dice(seed, "simulation", turn, number, [])
    outcome = fight((first, second), battle.defends, DEFAULT, dice)
    return _result(battle, outcome, work_out((first, second), outcome, DEFAULT, dice), random)


def _fighter(position: Position, name: str, random: Random) -> Fighter:
    risk = random.choice(tuple(Risk)) if random.random() < RISKS else None
    return Fighter(position.by_name[name], random.random() < STRAT, risk, random.random() < RUNS)


def _result(battle: Battle, outcome: Outcome, conquest: Conquest, random: Random) -> Result:
    winners = battle.sides[outcome.winner]
    return Result(
        at=battle.at,
        winner=winners,
        losses=_losses(outcome, conquest),
        killed=conquest.killed,
        captured=conquest.captured,
        retreat={name: random.choice(neighbours(battle.at)) for name in battle.armies if random.random() < DIRECTS},
        leaves=random.choice(winners) if random.random() < DIRECTS else None,
    )


def _losses(outcome: Outcome, conquest: Conquest) -> dict[str, Slots]:
    """4.2.5, R39: the casualties, and the risked troops that died."""
    losses = dict(outcome.losses)
    for attempt in conquest.attempts:
        a, b, c, d = (fell + more for fell, more in zip(losses[attempt.army], attempt.lost, strict=True))
        losses[attempt.army] = a, b, c, d
    return losses
