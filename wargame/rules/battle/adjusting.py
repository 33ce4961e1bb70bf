"""4.2.6, R42, R53: the special cases in which a judge changes a battle, with a reason and never with other dice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from wargame.rules.battle.battle import BattleSide, Fighter, Outcome
from wargame.rules.book.risked_troops import NO_TROOPS, Slots
from wargame.rules.core.saying import said
from wargame.rules.core.troops import alive_by_slot

MOST_PERCENT = 300
UNCHANGED = 100
"""Percent: as the dice gave it."""

USUAL_PART = (50, 150)
"""R53: percent: the limits for one judge's change of a part in a pair, unless a round says otherwise."""


class Special(StrEnum):
    """4.2.6: damage of a running side, and R42: the part of each of a pair; both in percent of the usual value."""

    LOSSES = "losses"
    INVOLVED = "involved"


CITES = {Special.LOSSES: "4.2.6", Special.INVOLVED: "R42"}


class Bounds(NamedTuple):
    """R53: the limits for one judge alone, in percent: the minimum that they may leave of a runner's losses (R41),
    and the minimum and maximum of one army's part in a pair (R42). A round publishes its own."""

    runner_least: int = 1
    pair_least: int = USUAL_PART[0]
    pair_most: int = USUAL_PART[1]


@dataclass(frozen=True, slots=True)
class Adjustment:
    """4.2.6, R42: one change: 100 percent changes nothing. `rounds_up`: a runner's losses are rounded up, so that they
    are never below that percentage (R53); changes of older services were rounded down."""

    kind: Special
    army: str
    percent: int
    rounds_up: bool = True


def why_two(sides: Sequence[BattleSide], change: Adjustment, bounds: Bounds) -> str:
    """R53: why one judge may not make a change alone, in a sentence; empty if they may. 100 percent, which takes a
    change back, needs no second judge."""
    if change.percent == UNCHANGED:
        return ""
    side = _side_of(sides, change.army)
    if change.kind is Special.INVOLVED:
        if change.army not in side.names or len(side.present) < 2:
            return said(
                "There is no second army on the side of %(army)s to share the losses with.",
                army=change.army,
            )
        if bounds.pair_least <= change.percent <= bounds.pair_most:
            return ""
        return said(
            "In this round, one judge alone can set an army's share to between %(least)s and %(most)s percent.",
            least=bounds.pair_least,
            most=bounds.pair_most,
        )
    if not side.runs or change.army not in side.names:
        return said("%(army)s didn't run away; one judge alone can't change the losses.", army=change.army)
    if bounds.runner_least <= change.percent <= UNCHANGED:
        return ""
    return said(
        "In this round, one judge alone can set the losses of a side that ran away to between %(least)s and "
        "%(most)s percent of what the side would have lost.",
        least=bounds.runner_least,
        most=UNCHANGED,
    )


def adjusted_sides(
    sides: tuple[BattleSide, BattleSide], adjustments: Iterable[Adjustment]
) -> tuple[BattleSide, BattleSide]:
    """R42: the sides with each army's involvement as set by the judge."""
    involved = {one.army: one.percent for one in adjustments if one.kind is Special.INVOLVED}
    first, second = (replace(side, fighters=_involved(side.fighters, involved)) for side in sides)
    return first, second


def adjusted_losses(sides: Sequence[BattleSide], outcome: Outcome, adjustments: Iterable[Adjustment]) -> Outcome:
    """4.2.6, R41: the outcome with an army's losses changed; never more than fight, and never zero for one that
    runs."""
    losses = dict(outcome.losses)
    for one in adjustments:
        if one.kind is Special.LOSSES:
            fighter = next(f for side in sides for f in side.fighters if f.army.name == one.army)
            risked = outcome.risked.get(one.army, NO_TROOPS)
            losses[one.army] = _scaled(fighter, losses[one.army], risked, one)
    return outcome._replace(losses=losses)


def _side_of(sides: Sequence[BattleSide], army: str) -> BattleSide:
    return next(side for side in sides if any(fighter.army.name == army for fighter in side.fighters))


def _involved(fighters: tuple[Fighter, ...], involved: dict[str, int]) -> tuple[Fighter, ...]:
    return tuple(replace(one, involved=involved.get(one.army.name, one.involved)) for one in fighters)


def _scaled(fighter: Fighter, losses: Slots, risked: Slots, change: Adjustment) -> Slots:
    fights = [alive - risk for alive, risk in zip(alive_by_slot(fighter.army.troops), risked, strict=True)]
    more = 99 if fighter.runs and change.rounds_up else 0
    scaled = [min((number * change.percent + more) // 100, most) for number, most in zip(losses, fights, strict=True)]
    if fighter.runs and any(losses) and not any(scaled):
        slot = next(slot for slot in range(4) if losses[slot])
        scaled[slot] = 1
    return scaled[0], scaled[1], scaled[2], scaled[3]
