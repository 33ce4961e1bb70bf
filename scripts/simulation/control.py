"""5.2, R40: who controls an army after a turn of a simulation."""

from __future__ import annotations

from random import Random

from scripts.simulation.commanding import JUDGE
from wargame.rules.core.events import Event
from wargame.rules.core.position import Position
from wargame.rules.settling.events import Captured, Liberated

Control = dict[str, tuple[str, ...]]


def control_after(control: Control, position: Position, events: tuple[Event, ...], random: Random) -> Control:
    """R40: nobody controls a captured army until its captors assign somebody, here a turn later; a liberated one
    goes back to those who controlled it. A raider that appears is the mercenary judge's."""
    after = {army.name: control.get(army.name, (JUDGE,)) for army in position.armies}
    for event in events:
        if isinstance(event, Captured) and event.army in after:
            after[event.army] = ()
        elif isinstance(event, Liberated) and event.army in after:
            after[event.army] = event.controllers
    taken = {event.army for event in events if isinstance(event, Captured)}
    for army in position.armies:
        if not after[army.name] and army.name not in taken:
            players = sorted({by for a in position.armies if a.side is army.side for by in after[a.name]})
            after[army.name] = (random.choice(players),) if players else ()
    return after
