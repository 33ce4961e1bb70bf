"""2.3.2, 2.6: the changes of troops and names that a judge accepted, carried out at the unlock."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from wargame.rules.armies.army_names import name_faults
from wargame.rules.armies.change_rules import (
    change_faults,
    changed_troops,
    living_faults,
    personalise_faults,
    sent_faults,
    strength_faults,
)
from wargame.rules.armies.creatures import Creature
from wargame.rules.armies.findings import MusterFault, MusterFinding, breaches
from wargame.rules.armies.muster import Muster, MusterEntry, Surroundings, judge_muster
from wargame.rules.core.position import Army, Battle, Plan, PlannedStep, Position, Transit, sorted_armies
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import TroopChange, TurnInput
from wargame.rules.settling.events import ChangeRefused, Personalised, Troops, TroopsChanged
from wargame.rules.settling.scene import Scene


def carry_out_changes(scene: Scene, given: TurnInput) -> None:
    """2.3.2, 2.6: every change in the order of acceptance, judged again by the army's current state; one event each. Of
    two requests of one kind for one army the later counts (R65).

    The armies keep their names while the turn is settled; `new_names` of the scene are for the unlock.
    """
    last = {(change.army, change.cites): place for place, change in enumerate(given.changes)}
    for place, change in enumerate(given.changes):
        army = scene.armies.get(change.army)
        is_last = last[change.army, change.cites] == place
        faults = _faults(scene, given, change, army) if is_last else (MusterFinding(MusterFault.SUPERSEDED, {}),)
        if army is None or faults:
            at = army.at if army else None
            scene.events.append(ChangeRefused(change.army, change.cites, _without_places(faults), at))
            continue
        troops = changed_troops(army.troops, change.makeup)
        scene.change(army.name, troops=troops)
        if change.newcomer is None:
            scene.events.append(TroopsChanged(army.name, army.at, _plain_troops(troops)))
            continue
        name = change.name if change.name != army.name else ""
        if name:
            scene.new_names[army.name] = name
        player = change.newcomer.name
        scene.events.append(Personalised(army.name, army.at, player, name, change.legend, _plain_troops(troops)))


def _faults(scene: Scene, turn_input: TurnInput, change: TroopChange, army: Army | None) -> tuple[MusterFinding, ...]:
    """2.3.2, 2.6: why it can't be carried out; empty if it can."""
    if army is None or army.rank is None:
        return (MusterFinding(MusterFault.ARMY_GONE, {"cites": change.cites}),)
    faults = list(_makeup_faults(scene, change, army))
    if change.newcomer is None:
        faults += sent_faults(army.troops, army.sent, change.makeup)
        if change.by not in turn_input.control.get(army.name, ()):
            faults.insert(0, MusterFinding(MusterFault.NOT_CONTROLLED, {"player": change.by}))
        return (*change_faults(army, scene.before.board), *faults)
    faults += strength_faults(army.troops, change.makeup)
    if army.is_partially_converted:
        faults.insert(0, MusterFinding(MusterFault.CONVERTED, {"army": army.name}))
    faults += living_faults(army.troops, change.makeup)
    faults += name_faults(change.name or army.name, _names_taken(scene, turn_input, army))
    return (*personalise_faults(army.name, army.rank, change.newcomer), *faults)


def _makeup_faults(scene: Scene, change: TroopChange, army: Army) -> tuple[MusterFinding, ...]:
    """2.1, 2.2: the faults of the new troops themselves; 2.3.2: colours of destroyed bases."""
    assert army.rank is not None
    entries = tuple(MusterEntry(t.slot, _creature(t), t.of, "" if "*" in t.size else t.size) for t in change.makeup)
    lost_colors: tuple[str, ...] = ()
    if change.newcomer is None:
        lost_colors = tuple(base.color for base in scene.before.board.bases if base.destroyed and base.color)
    context = Surroundings(lost=lost_colors, had=tuple(troop.creature for troop in army.troops))
    return breaches(judge_muster(Muster(army.rank, army.colors, entries), context))


def _creature(troop: Troop) -> Creature:
    """A creature in the request's form; the rest of its printed card was judged when it was accepted."""
    return Creature(troop.creature, troop.colors, troop.size, troop.types)


def _names_taken(scene: Scene, turn_input: TurnInput, army: Army) -> Iterator[str]:
    """R10: the names of the other armies, including dead and former ones, and the new names of this settlement."""
    for other in (*scene.before.armies, *scene.armies.values()):
        if other.name != army.name:
            yield from (other.name, *other.former)
    yield from turn_input.buried
    yield from (new for old, new in scene.new_names.items() if old != army.name)


def _without_places(faults: Iterable[MusterFinding]) -> tuple[MusterFinding, ...]:
    """The reasons of a refused change, without the lines of the request, which are not shown."""
    return tuple(replace(fault, place=None) for fault in faults)


def _plain_troops(troops: tuple[Troop, ...]) -> Troops:
    return tuple((troop.slot, troop.creature, troop.alive, troop.of) for troop in troops)


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
    """2.6, 3.3.3: the armies of one outcome of a settlement that have another name in another outcome of it
    (`than_in`): for each name here, the name there."""
    pairs = ((army, _same(army, than_in)) for army in position.armies)
    return {army.name: other.name for army, other in pairs if other and other.name != army.name}


def _same(army: Army, position: Position) -> Army | None:
    same_army = position.called(army.name)
    return same_army or next((position.by_name[old] for old in army.former if old in position.by_name), None)


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
    """R10: the army's former names, each once, so that an order with one of them still means it."""
    return tuple(old for old in dict.fromkeys((*army.former, army.name)) if old != name)


def _plan(plan: Plan, names: Renames) -> Plan:
    """R15: the names in a long move: of the armies on its squares, and in its steps."""
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
