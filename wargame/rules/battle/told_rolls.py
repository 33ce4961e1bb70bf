"""R38: the rolls in the outcome of a battle, under the names by which they were drawn."""

from collections.abc import Iterator, Mapping
from typing import Any

from wargame.rules.battle.four_dice import COIN, DICE, DIE_SIDES, SIDE_DICE, Why
from wargame.rules.book.formulas import PERCENT
from wargame.rules.core.codec import Json
from wargame.rules.core.dice import Roll


def told_rolls(outcome: Mapping[str, Any]) -> tuple[Roll, ...]:
    """R38: every roll of an outcome as JSON: the dice of both sides, the coin, those of kills and captures, and the
    draws between equals (R70, R75)."""
    draws = (Roll(**draw) for draw in outcome.get("draws", ()))
    return (*_dice(outcome["rolls"]), *_coin(outcome), *_attempts(outcome["attempts"]), *draws)


def _dice(rounds: list[list[list[int]]]) -> Iterator[Roll]:
    """4.2.4, R37: four a side; the numbers continue in further rounds."""
    for before, faces in enumerate(rounds):
        for name, side in zip(SIDE_DICE, faces, strict=True):
            for number, face in enumerate(side, before * DICE + 1):
                yield Roll(name, DIE_SIDES, face, number)


def _coin(outcome: Mapping[str, Any]) -> Iterator[Roll]:
    """R37: the toss, where it decided the battle."""
    if outcome["why"] == Why.COIN.name:
        yield Roll(COIN, 2, outcome["winner"] + 1)


def _attempts(attempts: list[Json]) -> Iterator[Roll]:
    """4.3.3, 4.5, R39: the pair of rolls of each attempt, and the one for the risked troops."""
    for attempt in attempts:
        for number, face in enumerate(attempt["rolls"], 1):
            yield Roll(f"{attempt['risk']} by {attempt['army']}", DIE_SIDES, face, number)
        if attempt["fate"]:
            yield Roll(f"risked by {attempt['army']}", PERCENT, attempt["fate"])
