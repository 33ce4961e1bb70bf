"""4.2.6, R42: the special cases in which a judge changes a battle, with a reason and never with other dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from wargame.rules.battle.battle import BattleSide, Fighter, Outcome
from wargame.rules.book.risked_troops import NO_TROOPS, Slots
from wargame.rules.core.troops import alive_by_slot

MOST_PERCENT = 300


class Special(StrEnum):
    """4.2.6: damage of those who run, and R42: the part of each of a pair; both in percent of what is usual."""

    LOSSES = "losses"
    INVOLVED = "involved"


CITES = {Special.LOSSES: "4.2.6", Special.INVOLVED: "R42"}


@dataclass(frozen=True, slots=True)
class Adjustment:
    """4.2.6, R42: one change: 100 percent changes nothing."""

    kind: Special
    army: str
    percent: int


def adjusted_sides(
    sides: tuple[BattleSide, BattleSide], adjustments: Iterable[Adjustment]
) -> tuple[BattleSide, BattleSide]:
    """R42: the sides with each army as much involved as the judge says."""
    involved = {one.army: one.percent for one in adjustments if one.kind is Special.INVOLVED}
    first, second = (replace(side, fighters=_involved(side.fighters, involved)) for side in sides)
    return first, second


def adjusted_losses(sides: Sequence[BattleSide], outcome: Outcome, adjustments: Iterable[Adjustment]) -> Outcome:
    """4.2.6: the outcome with an army's losses changed; never more than fight, and never none for one that runs."""
    losses = dict(outcome.losses)
    for one in adjustments:
        if one.kind is Special.LOSSES:
            fighter = next(f for side in sides for f in side.fighters if f.army.name == one.army)
            losses[one.army] = _scaled(fighter, losses[one.army], outcome.risked.get(one.army, NO_TROOPS), one.percent)
    return outcome._replace(losses=losses)


def _involved(fighters: tuple[Fighter, ...], involved: dict[str, int]) -> tuple[Fighter, ...]:
    return tuple(replace(one, involved=involved.get(one.army.name, one.involved)) for one in fighters)


def _scaled(fighter: Fighter, lost: Slots, risked: Slots, percent: int) -> Slots:
    fights = [alive - risk for alive, risk in zip(alive_by_slot(fighter.army.troops), risked, strict=True)]
    scaled = [min(number * percent // 100, most) for number, most in zip(lost, fights, strict=True)]
    if fighter.runs and any(lost) and not any(scaled):
        slot = next(slot for slot in range(4) if lost[slot])
        scaled[slot] = 1
    return scaled[0], scaled[1], scaled[2], scaled[3]
