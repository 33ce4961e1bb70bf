"""2.6: an army gets another name at the unlock, wherever a position names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from wargame.rules.core.position import Army, Battle, Plan, PlannedStep, Position, Transit, sorted_armies

Renames = Mapping[str, str]
"""Old name to new name; none of the new ones is the name of another army."""


def renamed(position: Position, names: Renames) -> Position:
    """The position with armies under their new names: in the lists, in battles, on the way, and in long moves."""
    if not names:
        return position
    return replace(
        position,
        armies=sorted_armies([_army(army, names) for army in position.armies]),
        battles=tuple(_battle(battle, names) for battle in position.battles),
        transits=tuple(_transit(transit, names) for transit in position.transits),
    )


def otherwise_called(position: Position, than_in: Position) -> dict[str, str]:
    """2.6, 3.3.3: of two outcomes of one settlement, the armies that have another name in the other one: name here to
    name there."""
    pairs = ((army, _same(army, than_in)) for army in position.armies)
    return {army.name: other.name for army, other in pairs if other and other.name != army.name}


def _same(army: Army, position: Position) -> Army | None:
    found = position.called(army.name)
    return found or next((position.by_name[old] for old in army.former if old in position.by_name), None)


def _army(army: Army, names: Renames) -> Army:
    name = names.get(army.name)
    if name is not None:
        army = army._replace(name=name, former=_former(army, name))
    if army.plan:
        army = army._replace(plan=_plan(army.plan, names))
    if army.campaign and not names.keys().isdisjoint(army.campaign.fought):
        fought = tuple(names.get(other, other) for other in army.campaign.fought)
        army = army._replace(campaign=replace(army.campaign, fought=fought))
    return army


def _former(army: Army, name: str) -> tuple[str, ...]:
    """R10: the names that it had, so that who writes one of them still means it; each once."""
    return tuple(old for old in dict.fromkeys((*army.former, army.name)) if old != name)


def _plan(plan: Plan, names: Renames) -> Plan:
    """R15: who stood on the squares of a long move, and whom its steps name."""
    return replace(plan, steps=tuple(_planned(planned, names) for planned in plan.steps))


def _planned(planned: PlannedStep, names: Renames) -> PlannedStep:
    step, target = planned.step, planned.step.target
    if target is not None and target in names:
        step = step._replace(target=names[target])
    return PlannedStep(step, tuple((names.get(name, name), side) for name, side in planned.stood))


def _battle(battle: Battle, names: Renames) -> Battle:
    first, second = (tuple(sorted(names.get(name, name) for name in side)) for side in battle.sides)
    return replace(battle, sides=(first, second))


def _transit(transit: Transit, names: Renames) -> Transit:
    sender, receiver = (names.get(name, name) for name in (transit.sender, transit.receiver))
    return replace(transit, sender=sender, receiver=receiver)
