"""5.4.1, R47: penalties carried out: before everything else in a turn, or after the army's battle."""

from collections.abc import Iterable
from dataclasses import replace

from wargame.rules.core.position import Army, Position, sorted_armies
from wargame.rules.core.turn import NOTHING, Penalty
from wargame.rules.settling.events import Penalised, WhyNotPenalised
from wargame.rules.settling.losses import fall
from wargame.rules.settling.scene import Scene


def punish(position: Position, penalties: Iterable[Penalty]) -> tuple[Position, list[Penalised]]:
    """5.4.1: the map on which the turn is played: its map without the troops that penalties take, and the loss by each.
    Those that wait for a battle's end are left to `punish_after_battles`.

    An army without remaining troops stays, and fights a battle that was announced with none: R26 is for new battles.
    """
    armies = dict(position.by_name)
    events = []
    for penalty in _in_order(penalties, after_battle=False):
        army = armies.get(penalty.army)
        if army is None:
            events.append(_event_of(penalty, None, NOTHING))
            continue
        armies[army.name], losses = _without_penalty(army, penalty)
        events.append(_event_of(penalty, army, losses))
    if not events:
        return position, []
    return replace(position, armies=sorted_armies([*armies.values()])), events


def punished(position: Position, penalties: Iterable[Penalty]) -> Position:
    """5.4.1: the map on which a turn with these penalties is played."""
    return punish(position, penalties)[0]


def count_as_lost(scene: Scene, unpunished: Position) -> None:
    """R32: losses by penalties before everything else count as lost in this turn, like its casualties."""
    for before in unpunished.armies:
        after = scene.before.by_name[before.name]
        if after is not before:
            scene.lose(before.name, _fell(before, after))


def punish_after_battles(scene: Scene, penalties: Iterable[Penalty]) -> None:
    """5.4.1: penalties handed down after the army's battle was over; they heal like losses in the battle (R32)."""
    for penalty in _in_order(penalties, after_battle=True):
        army = scene.armies.get(penalty.army)
        if army is None:
            scene.events.append(_event_of(penalty, None, NOTHING))
            continue
        after, losses = _without_penalty(army, penalty)
        scene.lose(army.name, _fell(army, after))
        scene.change(army.name, troops=after.troops)
        scene.events.append(_event_of(penalty, army, losses))


def _fell(before: Army, after: Army) -> list[int]:
    """R32: the losses of each troop."""
    return [was.alive - now.alive for was, now in zip(before.troops, after.troops, strict=True)]


def _in_order(penalties: Iterable[Penalty], *, after_battle: bool) -> list[Penalty]:
    matches = (penalty for penalty in penalties if penalty.after_battle is after_battle)
    return sorted(matches, key=lambda penalty: penalty.number)


def _without_penalty(army: Army, penalty: Penalty) -> tuple[Army, tuple[int, ...]]:
    """R47, R32: the army after a penalty, never below zero, and the loss of slots 1 to 4."""
    troops, falls = fall(army.troops, penalty.takes)
    losses = list(NOTHING)
    for troop, fell in zip(army.troops, falls, strict=True):
        losses[troop.slot - 1] += fell
    return army._replace(troops=troops), tuple(losses)


def _event_of(penalty: Penalty, army: Army | None, lost: tuple[int, ...]) -> Penalised:
    return Penalised(
        army=penalty.army,
        number=penalty.number,
        cites=penalty.cites,
        player=penalty.by,
        severity=penalty.severity,
        roll=penalty.roll,
        lost=lost,
        reason=penalty.reason,
        why_not=None if army else WhyNotPenalised.ARMY_GONE(),
        at=army.at if army else None,
    )
