"""6, R48: one sentence for each kind of event of the mercenaries."""

from __future__ import annotations

from .events_of_mercenaries import (
    Disbanded,
    MercenaryDecided,
    NotDisbanded,
    NotSpawned,
    OrderedAfterLock,
    Spawned,
    SpawningRolled,
    WentToWar,
)

RANKS = {6: "1/1", 5: "2/2"}
"""6.3: the rank of a raider by its tier."""


def mercenary_decided(event: MercenaryDecided) -> str:
    if not event.judge:
        return event.why
    return f"{event.judge} orders “{event.ordered}” for {event.army}. By the guidelines: {event.why}"


def ordered_after_lock(event: OrderedAfterLock) -> str:
    return f"After the lock {event.judge} changes {event.army}'s order from “{event.instead_of}” to “{event.order}”."


def went_to_war(event: WentToWar) -> str:
    drawn = f", drawn out of {event.options} theme armies," if event.options > 1 else ""
    return f"{event.army}{drawn} goes to war with {event.side.title}, for {event.killed} was killed by the other team."


def spawning_rolled(event: SpawningRolled) -> str:
    on = "on 1" if event.upto == 1 else f"on 1 to {event.upto}"
    count = "1 raider" if event.raiders == 1 else f"{event.raiders} raiders"
    came = "one appears" if event.roll <= event.upto else "none appears"
    return f"The d20 for a new raider shows {event.roll}; with {count} on the map one comes {on}: {came}."


def spawned(event: Spawned) -> str:
    came = f"{event.army}, a raider of {RANKS[event.tier]} rank, appears on {event.at}"
    if event.judge:
        return f"{came}, called up by {event.judge}: {event.reason}"
    return f"{came}, drawn out of {event.options} squares; its d20 for the rank shows {event.roll}."


def not_spawned(event: NotSpawned) -> str:
    return f"The raider that {event.judge} called up to {event.at} does not appear: {event.why}."


def disbanded(event: Disbanded) -> str:
    left = sum(number for _, _, number in event.troops)
    leaves = f"{event.army} disbands on {event.at} with {left:,} soldiers left"
    return f"{leaves}, by order of {event.judge}: {event.reason}" if event.judge else f"{leaves}."


def not_disbanded(event: NotDisbanded) -> str:
    return f"{event.army} can't disband on {event.at}: it is attacked by {' and '.join(event.by)} and has to fight."
