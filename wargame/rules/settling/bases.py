"""1.7.1, 1.7.2, 1.7.3: destroying bases, and winning the round."""

from wargame.rules.core.board import Board
from wargame.rules.core.position import Position
from wargame.rules.core.sides import OTHER_TEAM, SIDE_TITLES, TEAMS, Side
from wargame.rules.settling.days import SIEGE_DAYS, is_besieging
from wargame.rules.settling.events import BaseDestroyed, WhyWon, Won
from wargame.rules.settling.scene import Scene


def destroy_bases(scene: Scene) -> Board:
    """1.7.1, R33: an army that had counted four days on an enemy base before this settlement, and has neither
    moved nor lost a battle since, destroys it, even if it is attacked."""
    board = scene.before.board
    fallen = set()
    for army in scene.armies.values():
        before = scene.before.by_name[army.name]
        if before.days < SIEGE_DAYS:
            continue
        stayed = before.at == army.at and army.name not in scene.lost
        if not stayed or not is_besieging(army, board):
            continue
        base = board.base_by_square[army.at]
        scene.events.append(BaseDestroyed(base.name, army.at, army.name))
        fallen.add(base.name)
    return board.with_destroyed(frozenset(fallen)) if fallen else board


def count_winning_days(scene: Scene, counted: set[str], board: Board) -> None:
    """1.7.2, R34: days counted on an own win condition after the other team's last one fell."""
    for name in sorted(counted):
        army = scene.armies[name]
        base = board.base_by_square.get(army.at)
        if base is None or not base.win or base.destroyed or base.side is not army.side:
            continue
        if army.side.is_team and OTHER_TEAM[army.side] in scene.before.fallen:
            scene.change(name, winning_days=army.winning_days + 1)


def fallen_teams(board: Board) -> tuple[Side, ...]:
    """1.7.2: the teams whose win conditions are all destroyed."""
    return tuple(side for side in TEAMS if _has_fallen(board, side))


def winners(scene: Scene) -> tuple[Side, ...]:
    """1.7.2, 1.7.3, R34: the team that has won with this settlement; both, if both have."""
    sides = []
    for side in TEAMS:
        counting = [a.name for a in scene.armies.values() if a.side is side and a.winning_days >= SIEGE_DAYS]
        if counting:
            why = WhyWon.DAYS(army=counting[0])
            scene.events.append(Won(side, why, "1.7.2"))
            sides.append(side)
        elif _has_lost_its_leaders(scene.before, scene, OTHER_TEAM[side]):
            why = WhyWon.NO_LEADERS(team=SIDE_TITLES[OTHER_TEAM[side]])
            scene.events.append(Won(side, why, "1.7.3"))
            sides.append(side)
    return tuple(sides)


def _has_fallen(board: Board, side: Side) -> bool:
    conditions = [base for base in board.bases if base.side is side and base.win]
    return bool(conditions) and all(base.destroyed for base in conditions)


def _has_lost_its_leaders(before: Position, scene: Scene, side: Side) -> bool:
    """1.7.3: it had armies of rank Captain/Evincar or higher, and has none now."""
    had_leaders = any(army.is_leading and army.side is side for army in before.armies)
    return had_leaders and not any(army.is_leading and army.side is side for army in scene.armies.values())
