"""2.3.2, 2.6: accepted changes of troops, carried out at step 10 of R18, after healing."""

from __future__ import annotations

from collections.abc import Iterator

from wargame.rules.armies.changing import (
    change_faults,
    changed_troops,
    living_faults,
    personalise_faults,
    strength_faults,
)
from wargame.rules.armies.creatures import Creature
from wargame.rules.armies.findings import MusterFault, MusterFinding, breaches
from wargame.rules.armies.muster import Entry, Muster, Surroundings, judge_muster
from wargame.rules.armies.names import name_faults
from wargame.rules.core.position import Army
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import TroopChange, TurnInput
from wargame.rules.settling.events import ChangeRefused, Personalised, Troops, TroopsChanged
from wargame.rules.settling.scene import Scene


def carry_out_changes(scene: Scene, given: TurnInput) -> None:
    """2.3.2, 2.6: every change in the order of acceptance, judged once more as the army stands now; one event each.

    The armies keep their names while the turn is settled; `new_names` of the scene are for the unlock.
    """
    for change in given.changes:
        army = scene.armies.get(change.army)
        faults = _faults(scene, given, change, army)
        if army is None or faults:
            at = army.at if army else None
            scene.events.append(ChangeRefused(change.army, change.cites, _why(faults, change.cites), at))
            continue
        troops = changed_troops(army.troops, change.makeup)
        scene.change(army.name, troops=troops)
        if change.newcomer is None:
            scene.events.append(TroopsChanged(army.name, army.at, _told(troops)))
            continue
        name = change.name if change.name != army.name else ""
        if name:
            scene.new_names[army.name] = name
        who = change.newcomer.name
        scene.events.append(Personalised(army.name, army.at, who, name, change.legend, _told(troops)))


def _faults(scene: Scene, given: TurnInput, change: TroopChange, army: Army | None) -> tuple[MusterFinding, ...]:
    """2.3.2, 2.6: why it can't be carried out; empty if it can."""
    if army is None or army.rank is None:
        return (MusterFinding(MusterFault.ARMY_GONE, {"cites": change.cites}),)
    found = [*_makeup_faults(scene, change, army), *strength_faults(army.troops, change.makeup)]
    if change.newcomer is None:
        if change.by not in given.control.get(army.name, ()):
            found.insert(0, MusterFinding(MusterFault.NOT_CONTROLLED, {"player": change.by}))
        return (*change_faults(army, scene.before.board), *found)
    if army.is_partially_converted:
        found.insert(0, MusterFinding(MusterFault.CONVERTED, {"army": army.name}))
    found += living_faults(army.troops, change.makeup)
    found += name_faults(change.name or army.name, _taken(scene, given, army))
    return (*personalise_faults(army.name, army.rank, change.newcomer), *found)


def _makeup_faults(scene: Scene, change: TroopChange, army: Army) -> tuple[MusterFinding, ...]:
    """2.1, 2.2: what is wrong with the new troops themselves; 2.3.2: colours of destroyed bases."""
    assert army.rank is not None
    entries = tuple(Entry(t.slot, _creature(t), t.of, "" if "*" in t.size else t.size) for t in change.makeup)
    lost: tuple[str, ...] = ()
    if change.newcomer is None:
        lost = tuple(base.color for base in scene.before.board.bases if base.destroyed and base.color)
    given = Surroundings(lost=lost, had=tuple(troop.creature for troop in army.troops))
    return breaches(judge_muster(Muster(army.rank, army.colors, entries), given))


def _creature(troop: Troop) -> Creature:
    """A creature as the request has it; what its printed card says besides was judged when it was accepted."""
    return Creature(troop.creature, troop.colors, troop.size, troop.types)


def _taken(scene: Scene, given: TurnInput, army: Army) -> Iterator[str]:
    """R10: the names of the other armies, dead and former ones too, and those that this settlement gives away."""
    for other in (*scene.before.armies, *scene.armies.values()):
        if other.name != army.name:
            yield from (other.name, *other.former)
    yield from given.buried
    yield from (new for old, new in scene.new_names.items() if old != army.name)


def _why(faults: tuple[MusterFinding, ...], cites: str) -> str:
    """The reasons as sentences, each with its rule where that is another one."""
    return " ".join(f.sentence if f.cites == cites else f"{f.sentence} ({f.cites})" for f in faults)


def _told(troops: tuple[Troop, ...]) -> Troops:
    return tuple((troop.slot, troop.creature, troop.alive, troop.of) for troop in troops)
