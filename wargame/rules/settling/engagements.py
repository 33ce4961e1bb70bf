"""3.3.1, 4.3.1: the new battles, and empty armies."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from wargame.rules.core.board import Square
from wargame.rules.core.position import Army, Battle
from wargame.rules.core.sides import Side
from wargame.rules.moves.events import Contested, DecidedBy
from wargame.rules.moves.marches import Field
from wargame.rules.moves.partial import part_one
from wargame.rules.moves.ruled import report_pairs_not_left_alone, ruled_winner
from wargame.rules.settling.events import Engaged
from wargame.rules.settling.scene import Scene


def engage(scene: Scene) -> None:
    """3.3.1, R25, R26: armies without troops die at once; enemies on one square fight next turn."""
    for armies in _crowds(scene, sides=2):
        _bury(scene, armies)
    for armies in _crowds(scene, sides=1):
        _leave_one(scene, armies[0].at)
    for armies in _crowds(scene, sides=2):
        sides = by_side(armies)
        first, second = (tuple(army.name for army in side) for side in sides)
        scene.battles.append(Battle(armies[0].at, (first, second), _defender(scene, sides)))
    report_pairs_not_left_alone(scene.moves, scene.events)
    scene.events.extend(Engaged(battle.at, battle.sides, battle.defends) for battle in scene.battles)


def _crowds(scene: Scene, sides: int) -> list[list[Army]]:
    """R27: several armies of that many sides on one square, from west to east, then from north to south."""
    squares = [square for square, names in scene.squares.items() if len(names) > 1]
    crowds = [_rivals(scene.on(square)) for square in sorted(squares, key=lambda square: (square.column, square.row))]
    return [armies for armies in crowds if len({army.side for army in armies}) == sides]


def _rivals(armies: list[Army]) -> list[Army]:
    """R22: those that may fight: a mercenary for which the map had no other square stands aside of both teams."""
    return [army for army in armies if army.side.is_team] if len(by_side(armies)) == len(Side) else armies


def by_side(armies: list[Army]) -> list[tuple[Army, ...]]:
    """R3: the armies of each side on the square, in the order of the sides."""
    groups = (tuple(army for army in armies if army.side is side) for side in Side)
    return [group for group in groups if group]


def _bury(scene: Scene, armies: list[Army]) -> None:
    """4.3.1, R26: where enemies meet, those without troops are killed."""
    sides = by_side(armies)
    if len(sides) != 2:
        return
    first, second = survivors(sides, _defender(scene, sides))
    for side, enemy in (sides, sides[::-1]):
        for army in side:
            if army not in (*first, *second):
                scene.kill(army.name, tuple(other.name for other in enemy), "4.3.1")


def _defender(scene: Scene, sides: list[tuple[Army, ...]]) -> int | None:
    """R25: a side that was there before the moves defends, and so does one that an army was pushed onto. For a
    battle that is fought this is decided after the immediate deaths (R79)."""
    for index, side in enumerate(sides):
        if any(army.name in scene.pushed_onto for army in side):
            return 1 - index
    return stood_first(sides, scene.stood_before)


def stood_first(sides: Sequence[tuple[Army, ...]], stood: Callable[[Army], bool]) -> int | None:
    """R25: the index of the side that was on the square before the moves, or None."""
    return next((index for index, side in enumerate(sides) if any(map(stood, side))), None)


def survivors(sides: list[tuple[Army, ...]], defends: int | None) -> tuple[tuple[Army, ...], tuple[Army, ...]]:
    """4.3.1, R26: the empty ones die; if both sides are empty the defender does, or both without one."""
    living = [tuple(army for army in side if not army.is_empty) for side in sides]
    if any(living):
        return living[0], living[1]
    if defends is None:
        return (), ()
    return ((), sides[1]) if defends == 0 else (sides[0], ())


def _leave_one(scene: Scene, square: Square) -> None:
    """R26, R21: of a pair left alone the nearer stays, then the earlier, unless a judge rules; the other moves
    partially."""
    pair = scene.on(square)
    if len(pair) != 2 or pair[0].side is not pair[1].side:
        return
    event_count = len(scene.moves.events)
    field = scene.moves = _as_they_stand(scene)
    marches = [field.marches[army.name] for army in pair]
    first, second = sorted(marches, key=lambda march: (march.start.distance(square), march.when))
    by: DecidedBy = "distance" if first.start.distance(square) != second.start.distance(square) else "time"
    if ruled_winner(field, square, marches, first):
        first, second, by = second, first, "ruling"
    distances = tuple((march.army.name, march.start.distance(square)) for march in (first, second))
    field.events.append(Contested(square, first.army.name, (second.army.name,), by, distances))
    part_one(field, second, "3.3.1")
    scene.events.extend(field.events[event_count:])
    scene.change(second.army.name, at=second.to)
    _bury(scene, scene.on(second.to))


def _as_they_stand(scene: Scene) -> Field:
    """Before a late partial move: the marches end on the armies' current squares; the dead end nowhere."""
    before = scene.moves
    marches = {name: replace(before.marches[name], to=army.at) for name, army in scene.armies.items()}
    return Field(before.position, scene.dice, marches, list(before.events), before.rulings)
