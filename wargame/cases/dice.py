"""Dice cases (docs/develop/cases.md): the draws of a committed seed.

The key `dice` has the `seed` (a number, as 32 bytes), the `round` (its name in addresses), `turn` and `battle`, 0 for
draws outside of battles; the receipts of the `strats` that count, and in `mix` the hashes of everything received after
the score was locked. `draws` are {name, sides, number}, in drawing order. `expect` may name the `commitment` that is
published before, and `rolls`: the numbers drawn, in that order.
"""

from typing import Annotated, NamedTuple

from wargame.cases.kinds import Kind, Part
from wargame.cases.reading import CaseError, Free, built, differences
from wargame.rules.core.dice import WORD, battle_dice, commitment, turn_dice

SEED_BYTES = 32


class Draw(NamedTuple):
    """One draw: a number from 1 to `sides`."""

    name: Free
    sides: int
    number: int = 1


class DiceTable(NamedTuple):
    draws: list[Draw]
    seed: int = 0
    round: Free = "case"
    turn: int = 1
    battle: int = 1
    strats: tuple[str, ...] = ()
    mix: tuple[str, ...] = ()


class ExpectedDice(NamedTuple):
    """Expected dice; a key that is None is not checked."""

    commitment: Free | None = None
    rolls: list[int] | None = None


class Drawn(NamedTuple):
    commitment: str
    rolls: list[int]
    told: list[str]


def _draw(table: DiceTable) -> Drawn:
    if not 0 <= table.seed < 1 << 8 * SEED_BYTES:
        raise CaseError(f"seed: it has {SEED_BYTES} bytes")
    seed = table.seed.to_bytes(SEED_BYTES, "big")
    if table.battle:
        dice = battle_dice(seed, table.round, table.turn, table.battle, table.strats, table.mix)
    else:
        dice = turn_dice(seed, table.round, table.turn)
    for draw in table.draws:
        if not 1 <= draw.sides <= WORD:
            raise CaseError(f"draws: {draw.name} has {draw.sides} outcomes, not 1 to {WORD}")
        dice.roll(draw.name, draw.sides, draw.number)
    lines = [f"{roll.name}, number {roll.number}: {roll.value} of {roll.sides}." for roll in dice.rolls]
    return Drawn(commitment(seed), [roll.value for roll in dice.rolls], lines)


class DiceCase(NamedTuple):
    case: str
    dice: Annotated[Drawn, built(DiceTable, _draw)]
    expect: ExpectedDice
    about: Free = ""


def _differences(case: DiceCase, result: Drawn) -> list[str]:
    return differences(case.expect, _came(result), " ".join(result.told))


def _parts(case: DiceCase, result: Drawn) -> list[Part]:
    return [Part("Dice", [f"Committed to as {result.commitment}.", *result.told], _came(result))]


def _came(result: Drawn) -> dict[str, object]:
    return {"commitment": result.commitment, "rolls": result.rolls}


DICE = Kind(DiceCase, lambda case: case.dice, _differences, _parts)
