"""3.3.1, 4.3.1: the new battles, and empty armies."""

from __future__ import annotations

from .board import Square
from .events import Contested, DecidedBy, Engaged, Killed
from .partial import part_one
from .position import Army, Battle
from .scene import Scene
from .sides import Side


def engage(scene: Scene) -> None:
    """3.3.1, R25, R26: enemies on one square fight next turn; armies without troops die at once."""
    for square, armies in sorted(scene.standing().items(), key=lambda item: (item[0].column, item[0].row)):
        sides = _by_side(armies)
        if len(sides) == 2:
            _meet(scene, square, sides)
    for square, armies in scene.standing().items():
        if len(armies) == 2 and armies[0].side is armies[1].side:
            _keep_one(scene, square, armies)


def _by_side(armies: list[Army]) -> list[tuple[Army, ...]]:
    groups = (tuple(army for army in armies if army.side is side) for side in Side)
    return [group for group in groups if group]


def _meet(scene: Scene, square: Square, sides: list[tuple[Army, ...]]) -> None:
    defends = _defender(scene, sides)
    first, second = _survivors(sides, defends)
    gone = [army for side in sides for army in side if army not in (*first, *second)]
    for army in gone:
        enemy = sides[1] if army in sides[0] else sides[0]
        del scene.armies[army.name]
        scene.events.append(Killed(army.name, square, tuple(other.name for other in enemy), "4.3.1"))
    if first and second:
        names = tuple(army.name for army in first), tuple(army.name for army in second)
        battle = Battle(square, names, defends)
        scene.battles.append(battle)
        scene.events.append(Engaged(square, battle.sides, battle.defends))


def _defender(scene: Scene, sides: list[tuple[Army, ...]]) -> int | None:
    """R25: a side that stood there before the moves defends, and so does one that an army was pushed onto."""
    for index, side in enumerate(sides):
        if any(army.name in scene.pushed_onto for army in side):
            return 1 - index
    for index, side in enumerate(sides):
        if any(scene.stood_before(army) for army in side):
            return index
    return None


def _survivors(sides: list[tuple[Army, ...]], defends: int | None) -> tuple[tuple[Army, ...], tuple[Army, ...]]:
    """4.3.1, R26: the empty ones die; if both sides are empty the defender does, or both without one."""
    living = [tuple(army for army in side if not army.is_empty) for side in sides]
    if any(living):
        return living[0], living[1]
    if defends is None:
        return (), ()
    return ((), sides[1]) if defends == 0 else (sides[0], ())


def _keep_one(scene: Scene, square: Square, pair: list[Army]) -> None:
    """R26, R21: a pair left alone: the nearer stays, then the earlier; the other moves partially."""
    marches = scene.moves.marches
    first, second = sorted((marches[army.name] for army in pair), key=lambda m: (m.start.distance(square), m.when))
    distances = tuple((march.army.name, march.start.distance(square)) for march in (first, second))
    by: DecidedBy = "distance" if distances[0][1] != distances[1][1] else "time"
    scene.events.append(Contested(square, first.army.name, (second.army.name,), by, distances))
    _bring_in_line(scene)
    before = len(scene.moves.events)
    part_one(scene.moves, second, "3.3.1")
    scene.events.extend(scene.moves.events[before:])
    del scene.moves.events[before:]
    scene.change(second.army.name, at=second.to)


def _bring_in_line(scene: Scene) -> None:
    """Before a late partial move: the marches end where the armies stand by now; the dead end nowhere."""
    marches = scene.moves.marches
    for name in [name for name in marches if name not in scene.armies]:
        del marches[name]
    for name, army in scene.armies.items():
        marches[name].to = army.at
