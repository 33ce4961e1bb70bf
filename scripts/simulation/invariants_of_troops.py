"""What holds after every settlement of the troops and the days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from scripts.simulation.played import PlayedTurn
from wargame.rules.core.position import Army, Position
from wargame.rules.core.troops import MOST_CREATURES, SLOT_MAXIMUM, SLOTS, Troop, alive_by_slot, strength_by_slot
from wargame.rules.mercenaries.events import Disbanded, Spawned
from wargame.rules.settling.events import Fought, Healed, Killed, TroopsLost


def troops_are_between_none_and_strength(turn: PlayedTurn) -> Iterator[str]:
    """2.1, 2.3.1, 2.3.3: also a slot within its maximum, and six creatures at most."""
    for army in turn.after.armies:
        if not all(0 <= troop.alive <= troop.of and 0 <= troop.rested <= troop.missing for troop in army.troops):
            yield f"{army.name} has {army.troops}"
        if any(held > most for held, most in zip(strength_by_slot(army.troops), SLOT_MAXIMUM, strict=True)):
            yield f"{army.name} has a strength of {strength_by_slot(army.troops)}"
        if len({troop.creature for troop in army.troops}) > MOST_CREATURES:
            yield f"{army.name} has more than {MOST_CREATURES} creatures"


def troops_are_conserved(turn: PlayedTurn) -> Iterator[str]:
    """3.2.4, 4.2.5: what there was, less the fallen, the killed and the lost, and the healed, is what there is."""
    expected = _creatures(turn.before)
    fallen = dict(_fallen(turn))
    for fell in fallen.values():
        expected.subtract(fell)
    for event in turn.settled.events:
        if isinstance(event, Disbanded):
            expected.subtract(_listed(event.troops))
        elif isinstance(event, Spawned):
            expected.update(_count(turn.after.by_name[event.army].troops))
        elif isinstance(event, Killed):
            army = turn.before.by_name[event.army]
            expected.subtract(_count(army.troops))
            expected.update(fallen.get(event.army, Counter()))
        elif isinstance(event, TroopsLost):
            expected.subtract(_listed(event.troops))
        elif isinstance(event, Healed):
            expected.update(_listed(event.troops))
    there = _creatures(turn.after)
    for creature in sorted({*expected, *there}):
        if expected[creature] != there[creature]:
            yield f"there are {there[creature]} {creature}, but {expected[creature]} are left by the events"


def losses_are_those_of_the_results(turn: PlayedTurn) -> Iterator[str]:
    """4.2.5: nobody loses more than he has, and nobody who did not fight loses anything without an event."""
    fell = dict(_fallen(turn))
    quiet = {event.receiver for event in turn.settled.events if isinstance(event, TroopsLost)}
    quiet |= {name for command in turn.given.manifests for name in (command.sender, command.receiver)}
    quiet |= {transit.receiver for transit in turn.before.transits}
    for army in turn.lasting:
        if army.name in quiet:
            continue
        before = turn.before.by_name[army.name]
        healed = _healed(turn, army)
        for slot, was, now in zip(SLOTS, alive_by_slot(before.troops), alive_by_slot(army.troops), strict=True):
            lost = sum(fell.get(army.name, Counter())[t.creature] for t in before.troops if t.slot == slot)
            if now != was - lost + healed[slot]:
                yield f"slot {slot} of {army.name} went from {was} to {now}; {lost} fell, {healed[slot]} were healed"


def days_grow_by_one_where_an_army_stays(turn: PlayedTurn) -> Iterator[str]:
    """1.5, R30: at most one a turn, and from none where it moved or lost."""
    lost = {name for event in turn.settled.events if isinstance(event, Fought) for name in event.losers}
    for army in turn.lasting:
        before = turn.before.by_name[army.name]
        kept = before.days if before.at == army.at and army.name not in lost else 0
        if army.days not in (kept, kept + 1) or army.winning_days > army.days:
            yield f"{army.name} has {army.days} days after {before.days}"


def _fallen(turn: PlayedTurn) -> Iterator[tuple[str, Counter[str]]]:
    """R32: who lost how many of each creature: within a slot in the order of the list."""
    for event in turn.settled.events:
        if isinstance(event, Fought):
            for name, losses in event.losses:
                left, fell = list(losses), Counter[str]()
                for troop in turn.before.by_name[name].troops:
                    falls = min(troop.alive, left[troop.slot - 1])
                    left[troop.slot - 1] -= falls
                    fell[troop.creature] += falls
                yield name, fell


def _healed(turn: PlayedTurn, army: Army) -> Counter[int]:
    healed: Counter[int] = Counter()
    for event in turn.settled.events:
        if isinstance(event, Healed) and event.army == army.name:
            for slot, _, number in event.troops:
                healed[slot] += number
    return healed


def _creatures(position: Position) -> Counter[str]:
    """How many of each creature are alive, on the map and in transit."""
    parts = [army.troops for army in position.armies] + [transit.troops for transit in position.transits]
    return sum((_count(troops) for troops in parts), Counter())


def _count(troops: Iterable[Troop]) -> Counter[str]:
    count: Counter[str] = Counter()
    for troop in troops:
        count[troop.creature] += troop.alive
    return count


def _listed(troops: Iterable[tuple[int, str, int]]) -> Counter[str]:
    count: Counter[str] = Counter()
    for _, creature, number in troops:
        count[creature] += number
    return count
