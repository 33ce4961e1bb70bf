"""4.2.5, 4.3, 4.5: the consequences of the battles that were fought this turn."""

from collections.abc import Iterable
from dataclasses import replace

from wargame.rules.core.position import Battle
from wargame.rules.core.sides import RANKS
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import Result
from wargame.rules.settling.events import Fought, Liberated
from wargame.rules.settling.scene import Scene


def battles_in_order(battles: Iterable[Battle]) -> list[Battle]:
    """R27: the order in which battles are announced: west to east, then north to south."""
    return sorted(battles, key=lambda battle: (battle.at.column, battle.at.row))


def take_losses(scene: Scene, results: dict[Battle, Result]) -> None:
    """4.2.5, 4.3.3, R40: losses, kills and liberations of all battles, before any army leaves a square."""
    for battle, result in results.items():
        winners = _winning_side(battle, result)
        losers = tuple(name for name in battle.armies if name not in winners)
        losses = tuple((name, tuple(result.losses.get(name, (0, 0, 0, 0)))) for name in battle.armies)
        scene.events.append(Fought(battle.at, winners, losers, losses))
        scene.won.update(winners)
        scene.lost.update(losers)
        for name, slots in losses:
            _lose(scene, name, slots)
        for name in result.killed:
            by = result.taken_by.get(name)
            scene.kill(name, (by,) if by in winners else winners, "4.3.3")
        for name in losers:
            if name in scene.armies and not is_captured(scene, name, result):
                _liberate(scene, name)


def is_captured(scene: Scene, name: str, result: Result) -> bool:
    """4.5, R40: a partially converted army is never captured again: losing the battle frees it."""
    return name in result.captured and not scene.before.by_name[name].is_partially_converted


def _winning_side(battle: Battle, result: Result) -> tuple[str, ...]:
    return next(side for side in battle.sides if set(result.winner) & set(side))


def _lose(scene: Scene, name: str, losses: tuple[int, ...]) -> None:
    """4.2.5, R32: within a slot, losses fall on the creatures in the order of the list."""
    troops, falls = fall(scene.armies[name].troops, losses)
    scene.lose(name, falls)
    scene.change(name, troops=troops)


def fall(troops: tuple[Troop, ...], lost: tuple[int, ...]) -> tuple[tuple[Troop, ...], tuple[int, ...]]:
    """R32: the troops after losses by slot 1 to 4, and how many fell of each; never more than were alive."""
    remaining = list(lost)
    after, falls = [], []
    for troop in troops:
        fallen = min(troop.alive, remaining[troop.slot - 1])
        remaining[troop.slot - 1] -= fallen
        after.append(troop._replace(alive=troop.alive - fallen) if fallen else troop)
        falls.append(fallen)
    return tuple(after), tuple(falls)


def _liberate(scene: Scene, name: str) -> None:
    """4.5: a partially converted loser returns to its old side. A loser's days end when it leaves (R27)."""
    army = scene.armies[name]
    captivity = army.captivity
    if captivity is None or captivity.converted:
        return
    rank = RANKS[captivity.side][army.rank.tier - 1] if army.rank and captivity.side.is_team else army.rank
    past = None if captivity.colors == captivity.native else replace(captivity, converted=True)
    scene.change(name, side=captivity.side, rank=rank, colors=captivity.colors, captivity=past)
    scene.events.append(Liberated(name, captivity.side, captivity.controllers))
