"""A turn with the two teams swapped, and what must follow from it."""

from dataclasses import replace
from typing import Any

from wargame.rules.core.events import Event
from wargame.rules.core.position import Army, Battle, Campaign, Captivity, Plan, Position
from wargame.rules.core.sides import OTHER_TEAM, RANKS, Side
from wargame.rules.mercenaries.events import Disbanded, Spawned, SpawningRolled
from wargame.rules.moves.events import (
    Contested,
    Intercepted,
    JointEngaged,
    JointFailed,
    Moved,
    MovedPartially,
    PassedBy,
    PlanCancelled,
    Pushed,
    Refused,
)
from wargame.rules.settling.events import BaseDestroyed, Captured, Engaged, Fought, Killed, Liberated, Retreated

SAME_FOR_BOTH = (
    BaseDestroyed,
    Captured,
    Contested,
    Disbanded,
    Engaged,
    Fought,
    Intercepted,
    JointEngaged,
    JointFailed,
    Killed,
    Liberated,
    Moved,
    MovedPartially,
    PassedBy,
    PlanCancelled,
    Pushed,
    Refused,
    Retreated,
    Spawned,
    SpawningRolled,
)
"""The events that have no team. Those with a team are days, healing and transfers: 1.5, 2.2.1, 2.3.1."""


def mirrored(position: Position) -> Position:
    """1.1: the position with Coalition and Phyrexia swapped; names, squares and troops stay."""
    board = position.board
    bases = tuple(replace(base, side=OTHER_TEAM[base.side]) for base in board.bases)
    return replace(
        position,
        board=replace(board, bases=bases),
        armies=tuple(_army(army) for army in position.armies),
        battles=tuple(_battle(position, battle) for battle in position.battles),
        fallen=tuple(OTHER_TEAM[side] for side in position.fallen),
    )


def outline(position: Position) -> dict[str, Any]:
    """What a mirrored settlement must have in common: the place, side and opponents of each army."""
    return {
        "armies": {army.name: (army.at, army.side, army.captivity is not None) for army in position.armies},
        "battles": sorted((battle.at, sorted(battle.sides), defenders(battle)) for battle in position.battles),
        "destroyed": sorted(base.name for base in position.board.bases if base.destroyed),
    }


def told(events: tuple[Event, ...], *, swapped: bool) -> list[str]:
    """The events that have no team, in a form that does not depend on which side is named first."""
    return sorted(_line(event, swapped) for event in events if isinstance(event, SAME_FOR_BOTH))


def defenders(battle: Battle) -> tuple[str, ...]:
    return () if battle.defends is None else battle.sides[battle.defends]


def _line(event: Event, swapped: bool) -> str:
    if isinstance(event, Engaged):
        defends = () if event.defends is None else event.sides[event.defends]
        return f"engaged {event.at} {sorted(event.sides)} {defends}"
    if isinstance(event, Fought):
        event = replace(event, losses=tuple(sorted(event.losses)))
    if swapped and isinstance(event, Captured | Liberated):
        event = replace(event, side=_other(event.side))
    return repr(event)


def _army(army: Army) -> Army:
    rank = army.rank and RANKS[OTHER_TEAM[army.rank.side]][army.rank.tier - 1]
    captivity = army.captivity and _captivity(army.captivity)
    campaign = army.campaign and _campaign(army.campaign)
    plan = army.plan and _plan(army.plan)
    return army._replace(side=_other(army.side), rank=rank, plan=plan, captivity=captivity, campaign=campaign)


def _campaign(campaign: Campaign) -> Campaign:
    return replace(campaign, at_war=tuple(_other(side) for side in campaign.at_war))


def _captivity(captivity: Captivity) -> Captivity:
    return replace(captivity, side=_other(captivity.side))


def _plan(plan: Plan) -> Plan:
    """R15: the sides of the occupants of a long move's squares."""
    steps = (replace(p, stood=tuple((name, _other(side)) for name, side in p.stood)) for p in plan.steps)
    return replace(plan, steps=tuple(steps))


def _battle(position: Position, battle: Battle) -> Battle:
    """R25: the sides of a battle are in the order of the sides of the war."""
    sides = tuple(Side)
    first, second = (_other(position.by_name[side[0]].side) for side in battle.sides)
    if sides.index(first) < sides.index(second):
        return battle
    return Battle(battle.at, battle.sides[::-1], None if battle.defends is None else 1 - battle.defends)


def _other(side: Side) -> Side:
    return OTHER_TEAM.get(side, side)
