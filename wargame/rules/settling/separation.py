"""4.2.5, 4.4, 4.5: the armies that leave the square of a battle, and their destinations."""

from typing import Literal

from wargame.rules.core.board import Square, nearest_free, neighbours
from wargame.rules.core.draws import Draw, by_lot
from wargame.rules.core.position import Army, Battle, Captivity
from wargame.rules.core.sides import RANKS, Side
from wargame.rules.core.turn import Result
from wargame.rules.moves.events import Pushed
from wargame.rules.settling.events import Captured, Retreated
from wargame.rules.settling.losses import battles_in_order, is_captured
from wargame.rules.settling.scene import Scene

How = Literal["given", "free", "onto an enemy", "farther out", "nowhere"]


def separate(scene: Scene, results: dict[Battle, Result]) -> None:
    """4.2.5, R27: captives are taken away first (R77); then battle by battle a winning pair splits, and each loser
    leaves."""
    _take_captives(scene, results)
    for battle in battles_in_order(results):
        _split(scene, battle, results[battle])
        losers = [name for name in battle.armies if name in scene.lost and name in scene.armies]
        leavers = [name for name in losers if not is_captured(scene, name, results[battle])]
        for name in _leaving_order(scene, battle.at, leavers, results[battle]):
            _leave(scene, battle.at, name, results[battle].retreat.get(name), "4.2.5")


def _take_captives(scene: Scene, results: dict[Battle, Result]) -> None:
    """4.5, R77: where one place is the nearest for two, lots decide which is taken first. A pair that captures
    splits before (4.4)."""
    captives = {
        name: battle
        for battle in battles_in_order(results)
        for name in battle.armies
        if name in scene.armies and is_captured(scene, name, results[battle])
    }
    for battle in dict.fromkeys(captives.values()):
        _split(scene, battle, results[battle])
    goals = {name: set(_prisons(scene, battle)) for name, battle in captives.items()}
    for name in by_lot(scene.dice, goals):
        _capture(scene, captives[name], name, results[captives[name]])


def _leaving_order(scene: Scene, square: Square, losers: list[str], result: Result) -> list[str]:
    """R27: where two losers can't both go to a free neighbour a draw decides which goes first, unless the given
    squares decide it; elsewhere the order is irrelevant."""
    if len(losers) < 2:
        return losers
    options, how = _ways_out(scene, square, scene.armies[losers[0]].side)
    can_go = {name: 0 if result.retreat[name] in options else 2 for name in losers if name in result.retreat}
    first, second = sorted(losers, key=lambda name: can_go.get(name, 1))
    if can_go.get(first, 1) != can_go.get(second, 1) or how == "free" and len(options) > 1:
        return [first, second]
    leaver = scene.dice.choose(Draw.FIRST.value.format(square=square), losers)
    return sorted(losers, key=lambda name: name != leaver)


def _split(scene: Scene, battle: Battle, result: Result) -> None:
    """4.4, R70: one of two winners must leave: one that took no part leaves the area; else the army that a strat
    names, in the direction that it names, or both are drawn. Where two strats name different ones a draw decides
    which counts."""
    square, winners = battle.at, _winners_there(scene, battle)
    if len(winners) < 2:
        return
    absent = [name for name in winners if name in result.absent]
    names = absent or [name for name in winners if name in result.retreat or name == result.leaves]
    if len(names) > 1:
        names = [scene.dice.choose(Draw.STRAT.value.format(square=square), names)]
    target = result.retreat.get(names[0]) if names else None
    free = target is None or (target in neighbours(square) and target not in scene.squares)
    leaver = names[0] if absent or (names and free) else scene.dice.choose(f"who leaves {square}", winners)
    _leave(scene, square, leaver, target if free else None, "4.4")


def _winners_there(scene: Scene, battle: Battle) -> list[str]:
    return [army.name for army in scene.on(battle.at) if army.name in battle.armies and army.name in scene.won]


def _leave(scene: Scene, square: Square, name: str, target: Square | None, cites: str) -> None:
    to, how, options = _way_out(scene, square, name, target)
    scene.events.append(Retreated(name, square, to, how, options, cites))


def _way_out(scene: Scene, square: Square, name: str, target: Square | None = None) -> tuple[Square, How, int]:
    """R27: move an army off a square: to the square `target`, if it might be drawn; or to a drawn one."""
    options, how = _ways_out(scene, square, scene.armies[name].side)
    to = target if target in options else scene.dice.choose(f"retreat of {name}", options)
    scene.change(name, at=to, days=0, winning_days=0)
    if how == "onto an enemy":
        scene.pushed_onto.add(name)
    return to, "given" if to == target else how, len(options)


def _ways_out(scene: Scene, square: Square, side: Side) -> tuple[tuple[Square, ...], How]:
    """R27: the free neighbours; else those with an enemy and no friend; else the nearest free squares.

    A neighbour on which two sides already meet is no way out. On a full map, it stays on its square, and fights on with
    the enemy there.
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
    """4.5, R40: to the nearest free base of its captors, else the nearest free town, else it stays and they leave.
    Of two winners the one that risked its troops for it is its captor; a draw decides if the result names none."""
    captors = [other for other in battle.armies if other in scene.won]
    by = result.taken_by.get(name)
    captor = scene.armies[by if by in captors else scene.dice.choose(Draw.CAPTOR.value.format(army=name), captors)]
    army = scene.armies[name]
    to = scene.dice.choose(f"where {name} is taken", _prisons(scene, battle))
    scene.change(name, **_as_captive(scene, army, captor), at=to, days=0, winning_days=0, plan=None)
    scene.events.append(Captured(name, captor.name, captor.side, to))
    friends = [other.name for other in scene.on(to) if other.side is captor.side and other.name != name]
    for other in friends:
        destination, _, options = _way_out(scene, to, other)
        scene.events.append(Pushed(other, to, destination, "4.5", options))


def _prisons(scene: Scene, battle: Battle) -> list[Square]:
    """4.5: the nearest places for a captive of this battle; its own square if no base and no town is free."""
    board = scene.before.board
    side = scene.before.by_name[next(name for name in battle.armies if name in scene.won)].side
    bases = [base.at for base in board.bases if base.side is side and not base.destroyed]
    for places in (bases, [town.at for town in board.towns]):
        free = [square for square in places if square not in scene.squares]
        if free:
            distance = min(battle.at.distance(square) for square in free)
            return sorted(square for square in free if battle.at.distance(square) == distance)
    return [battle.at]


def _as_captive(scene: Scene, army: Army, captor: Army) -> dict[str, object]:
    """4.5: its side, rank and colours under its captors; it keeps its native colours for ever."""
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
