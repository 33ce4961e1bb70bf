"""4.2.5, 4.4, 4.5: who leaves the square of a battle, and where to."""

from __future__ import annotations

from typing import Literal

from wargame.rules.core.board import Square, nearest_free, neighbours
from wargame.rules.core.position import Army, Battle, Captivity
from wargame.rules.core.sides import RANKS, Side
from wargame.rules.core.turn import Result
from wargame.rules.moves.events import Pushed
from wargame.rules.settling.events import Captured, Retreated
from wargame.rules.settling.losses import battles_in_order, is_captured
from wargame.rules.settling.scene import Scene

How = Literal["given", "free", "onto an enemy", "farther out", "nowhere"]


def separate(scene: Scene, results: dict[Battle, Result]) -> None:
    """4.2.5, R27: battle by battle; a winning pair splits first, then each loser leaves or is captured."""
    for battle in battles_in_order(results):
        result = results[battle]
        winners = [name for name in battle.armies if name in scene.won and name in scene.armies]
        if len(winners) == 2:
            _split(scene, battle.at, winners, result)
        for name in _losers(scene, battle):
            if is_captured(scene, name, result):
                _capture(scene, battle, name, result)
            else:
                _leave(scene, battle.at, name, result.retreat.get(name), "4.2.5")


def _losers(scene: Scene, battle: Battle) -> list[str]:
    """R27: those that have to leave. Where two can't both go to a free neighbour it is drawn who goes first; elsewhere
    that is all the same."""
    losers = [name for name in battle.armies if name in scene.lost and name in scene.armies]
    free = [square for square in neighbours(battle.at) if square not in scene.squares]
    if len(losers) == 2 and len(free) < 2 and scene.dice.choose(f"who leaves {battle.at} first", losers) != losers[0]:
        losers.reverse()
    return losers


def _split(scene: Scene, square: Square, winners: list[str], result: Result) -> None:
    """4.4: one of two winners must leave: one that took no part leaves the area; else the army that a strat names, in
    the direction that it names, or both are drawn."""
    absent = [name for name in winners if name in result.absent]
    named = absent or [name for name in winners if name in result.retreat or name == result.leaves]
    given = result.retreat.get(named[0]) if named else None
    free = given is None or (given in neighbours(square) and given not in scene.squares)
    is_clear = bool(absent) or (bool(named) and free)
    chosen = named[0] if is_clear else scene.dice.choose(f"who leaves {square}", winners)
    _leave(scene, square, chosen, given if free else None, "4.4")


def _leave(scene: Scene, square: Square, name: str, given: Square | None, cites: str) -> None:
    to, how, options = _way_out(scene, square, name, given)
    scene.events.append(Retreated(name, square, to, how, options, cites))


def _way_out(scene: Scene, square: Square, name: str, given: Square | None = None) -> tuple[Square, How, int]:
    """R27: moves an army off a square: to the square `given`, if it is one of those that might be drawn; or drawn."""
    options, how = _ways_out(scene, square, scene.armies[name].side)
    to = given if given in options else scene.dice.choose(f"retreat of {name}", options)
    scene.change(name, at=to, days=0, winning_days=0)
    if how == "onto an enemy":
        scene.pushed_onto.add(name)
    return to, "given" if to == given else how, len(options)


def _ways_out(scene: Scene, square: Square, side: Side) -> tuple[tuple[Square, ...], How]:
    """R27: the free neighbours; else those that hold an enemy and no friend; else the nearest free squares.

    A neighbour on which two sides meet already is no way out. On a map that is full, it stays on its square, and
    fights on with the enemy there.
    """
    around = neighbours(square)
    if free := tuple(s for s in around if s not in scene.squares):
        return free, "free"
    if hostile := tuple(s for s in around if _is_one_enemy_side(scene.on(s), side)):
        return hostile, "onto an enemy"
    if farther := nearest_free(square, scene.squares):
        return farther, "farther out"
    return (square,), "nowhere"


def _is_one_enemy_side(there: list[Army], side: Side) -> bool:
    sides = {army.side for army in there}
    return len(sides) == 1 and side not in sides


def _capture(scene: Scene, battle: Battle, name: str, result: Result) -> None:
    """4.5, R40: to the nearest free base of its captors, else the nearest free town, else it stays. Of two winners the
    one that risked its troops for it is its captor; the first by name where the result names none."""
    captors = [other for other in battle.armies if other in scene.won and other in scene.armies]
    by = result.taken_by.get(name)
    captor = scene.armies[by if by in captors else captors[0]]
    army = scene.armies[name]
    to = _prison(scene, army, captor.side)
    scene.change(name, **_as_captive(scene, army, captor), at=to or army.at, days=0, winning_days=0, plan=None)
    scene.events.append(Captured(name, captor.name, captor.side, to or army.at))
    if to is not None:
        return
    for other in captors:
        if scene.armies[other].at == battle.at:
            way, _, options = _way_out(scene, battle.at, other)
            scene.events.append(Pushed(other, battle.at, way, "4.5", options))


def _prison(scene: Scene, army: Army, side: Side) -> Square | None:
    board = scene.before.board
    bases = [base.at for base in board.bases if base.side is side and not base.destroyed]
    for places in (bases, [town.at for town in board.towns]):
        free = [square for square in places if square not in scene.squares]
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
