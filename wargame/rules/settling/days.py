"""1.5: days, counted army by army."""

from wargame.rules.core.board import Board
from wargame.rules.core.phrases import Phrase
from wargame.rules.core.position import Army
from wargame.rules.settling.events import DayCounted, DayNotCounted, WhyNoDay
from wargame.rules.settling.scene import Scene

SIEGE_DAYS = 4
"""1.7.1, 1.7.2: the number of days that bring a base down, or win the round."""


def forget_days(scene: Scene) -> None:
    """R30, R32, R69: an army that left its square loses its days, and without days none of its losses has waited for
    one. On another square, and for other captors, a new day begins, without losses so far. An army whose partial
    move ended on its start has not left (R66)."""
    for name, army in list(scene.armies.items()):
        waits = any(troop.rested or troop.lost_in_day for troop in army.troops)
        if not (army.days or waits or name in scene.fresh_losses):
            continue
        has_left = not scene.stood_before(army) or army.side is not scene.before.by_name[name].side
        if has_left:
            scene.fresh_losses.pop(name, None)
        elif army.days:
            continue
        if army.days or waits:
            troops = (t._replace(rested=0, lost_in_day=0 if has_left else t.lost_in_day) for t in army.troops)
            scene.change(name, days=0, winning_days=0, troops=tuple(troops))


def count_days(scene: Scene) -> set[str]:
    """1.5, R30: at most one day for each army, on the square where it ends; returns the names of those that counted
    one."""
    names = set()
    for name, army in list(scene.armies.items()):
        place = counting_place(army, scene.before.board)
        if place is None:
            continue
        why = _why_not(scene, army)
        if why:
            scene.events.append(DayNotCounted(name, army.at, army.days, why))
            continue
        days = army.days + 1
        scene.change(name, days=days)
        scene.events.append(DayCounted(name, army.at, days, place, name in scene.won))
        names.add(name)
    return names


def counting_place(army: Army, board: Board) -> str | None:
    """R30: the name of the place where the army counts days, or None."""
    if army.is_partially_converted:
        return _name_of_place(board, army)
    if not army.side.is_team:
        return None
    base = board.base_by_square.get(army.at)
    if base is not None and not base.destroyed:
        is_own = base.side is army.side
        return base.name if not is_own or base.color is None or base.color in army.colors else None
    town = board.town_by_square.get(army.at)
    return town.name if town is not None and army.is_low else None


def is_besieging(army: Army, board: Board) -> bool:
    """1.7.1: whether the army is on an undestroyed base or portal of the other team, and is no captive."""
    base = board.base_by_square.get(army.at)
    if base is None or base.destroyed or not army.side.is_team:
        return False
    return base.side is not army.side and not army.is_partially_converted


def _why_not(scene: Scene, army: Army) -> Phrase | None:
    """R30: a day counts in peace, or for the winner of a battle; a besieger stops at four."""
    if army.name in scene.lost:
        return WhyNoDay.DEFEATED()
    if army.name not in scene.won and scene.is_attacked(army.name):
        return WhyNoDay.ATTACKED()
    if is_besieging(army, scene.before.board) and army.days >= SIEGE_DAYS:
        return WhyNoDay.SIEGE_IS_OVER()
    return None


def _name_of_place(board: Board, army: Army) -> str:
    """4.5, R72: the place where a captive counts its days; the ruins of a base have no name."""
    if not board.is_built(army.at):
        return f"captivity on {army.at}"
    return (board.town_by_square.get(army.at) or board.base_by_square[army.at]).name
