"""A settled turn of a simulation, with all that was given for it, as the invariants look at it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wargame.rules.core.dice import Dice, turn_dice
from wargame.rules.core.position import Army, Position
from wargame.rules.core.turn import TurnInput
from wargame.rules.settlement import Moves, Settlement, carry_out, settle

CONTEXT = "simulation"


@dataclass(frozen=True)
class PlayedTurn:
    """R18: `moves` are the draft after step 6, `settled` the whole settlement."""

    number: int
    seed: bytes
    before: Position
    given: TurnInput
    moves: Moves
    settled: Settlement

    @cached_property
    def after(self) -> Position:
        return self.settled.position

    @cached_property
    def lasting(self) -> tuple[Army, ...]:
        """The armies after the turn that were on the map before it; the others have just appeared (6.3.2)."""
        return tuple(army for army in self.after.armies if army.name in self.before.by_name)

    def dice(self) -> Dice:
        """R38: the turn's dice, from the beginning."""
        return turn_dice(self.seed, CONTEXT, self.number)


def settle_turn(number: int, seed: bytes, before: Position, given: TurnInput) -> PlayedTurn:
    """R18: the draft and the settlement of a turn, each with dice of its own."""
    draft, final = (turn_dice(seed, CONTEXT, number) for _ in range(2))
    return PlayedTurn(number, seed, before, given, carry_out(before, given, draft), settle(before, given, final))
