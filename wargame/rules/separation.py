"""4.2.5, 4.4, 4.5: who leaves the square of a battle, and where to."""

from __future__ import annotations

from typing import Literal

from .aftermath import battles_in_order
from .board import Square, neighbours
from .contests import nearest_free
from .events import Captured, Pushed, Retreated
from .position import Army, Battle, Captivity
from .scene import Scene
from .sides import RANKS, Side
from .turn import Result

How = Literal["given", "free", "onto an enemy", "farther out"]


def separate(scene: Scene, results: dict[Battle, Result]) -> None:
    """4.2.5, R27: battle by battle; a winning pair splits first, then each loser leaves or is captured."""
    for battle in battles_in_order(tuple(results)):
        result = results[battle]
        winners = [name for name in battle.armies if name in scene.won and name in scene.armies]
        if len(winners) == 2:
            _split(scene, battle.at, winners, result)
        for name in battle.armies:
            if name not in scene.lost or name not in scene.armies:
                continue
            if name in result.captured:
                _capture(scene, battle, name, result)
            else:
                _leave(scene, battle.at, name, result, "4.2.5")


def _split(scene: Scene, square: Square, winners: list[str], result: Result) -> None:
    """4.4: one of two winners must leave: the army and direction that its strat names, else at random."""
    named = [name for name in winners if name in result.retreat or name == result.leaves]
    given = result.retreat.get(named[0]) if named else None
    free = given is None or (given.on_map and given not in scene.standing())
    chosen = named[0] if named and free else scene.dice.choose(f"who leaves {square}", winners)
    _leave(scene, square, chosen, result if free else _without_retreat(result), "4.4")


def _without_retreat(result: Result) -> Result:
    return Result(result.at, result.winner, result.losses)


def _leave(scene: Scene, square: Square, name: str, result: Result, cites: str) -> None:
    to, how, options = _way_out(scene, square, scene.armies[name], result.retreat.get(name))
    scene.change(name, at=to, days=0, winning_days=0)
    if how == "onto an enemy":
        scene.pushed_onto.add(name)
    scene.events.append(Retreated(name, square, to, how, options, cites))


def _way_out(scene: Scene, square: Square, army: Army, given: Square | None) -> tuple[Square, How, int]:
    """R27: a free neighbour at random; else one that holds an enemy and no friend; else the nearest free square.

    A neighbour on which two sides meet already is no way out.
    """
    if given is not None:
        return given, "given", 1
    standing = scene.standing()
    around = neighbours(square)
    free = tuple(s for s in around if s not in standing)
    if free:
        return scene.dice.choose(f"retreat of {army.name}", free), "free", len(free)
    hostile = tuple(s for s in around if _is_one_enemy_side(standing[s], army.side))
    if hostile:
        return scene.dice.choose(f"retreat of {army.name}", hostile), "onto an enemy", len(hostile)
    far = nearest_free(square, set(standing))
    return scene.dice.choose(f"retreat of {army.name}", far), "farther out", len(far)


def _is_one_enemy_side(there: list[Army], side: Side) -> bool:
    sides = {army.side for army in there}
    return len(sides) == 1 and side not in sides


def _capture(scene: Scene, battle: Battle, name: str, result: Result) -> None:
    """4.5, R40: to the nearest free base of its captors, else the nearest free town, else it stays."""
    captors = [other for other in battle.armies if other in scene.won and other in scene.armies]
    captor = scene.armies[captors[0]]
    army = scene.armies[name]
    to = _prison(scene, army, captor.side)
    scene.change(name, **_as_captive(scene, army, captor), at=to or army.at, days=0, winning_days=0, plan=None)
    scene.events.append(Captured(name, captor.name, captor.side, to or army.at))
    if to is not None:
        return
    for other in captors:
        if scene.armies[other].at == battle.at:
            way, how, options = _way_out(scene, battle.at, scene.armies[other], None)
            scene.change(other, at=way, days=0, winning_days=0)
            if how == "onto an enemy":
                scene.pushed_onto.add(other)
            scene.events.append(Pushed(other, battle.at, way, "4.5", options))


def _prison(scene: Scene, army: Army, side: Side) -> Square | None:
    board, standing = scene.before.board, scene.standing()
    bases = [base.at for base in board.bases if base.side is side and not base.destroyed]
    for places in (bases, [town.at for town in board.towns]):
        free = [square for square in places if square not in standing]
        if free:
            near = min(army.at.distance(square) for square in free)
            nearest = sorted(square for square in free if army.at.distance(square) == near)
            return scene.dice.choose(f"where {army.name} is taken", nearest)
    return None


def _as_captive(scene: Scene, army: Army, captor: Army) -> dict[str, object]:
    """4.5: its side, rank and colours under its captors; the colours of its creation are its own for ever."""
    old = army.captivity
    native = old.native if old else army.colors
    captivity = Captivity(army.side, army.colors, native, scene.control.get(army.name, ()))
    rank = army.rank
    if rank is not None and captor.side in RANKS:
        rank = RANKS[captor.side][rank.tier - 1]
    colors = _colors_under(captor, native)
    return {"side": captor.side, "rank": rank, "colors": colors, "captivity": captivity}


def _colors_under(captor: Army, native: tuple[str, ...]) -> tuple[str, ...]:
    """4.5: a Coalition army that comes home has its old colours, a Phyrexian one its captor's first."""
    if captor.side is not Side.COALITION:
        return ()
    return native or captor.colors[:1]
