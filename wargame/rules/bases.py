"""1.7.1: destroying bases."""

from __future__ import annotations

from .board import Board
from .days import SIEGE_DAYS, is_besieging
from .events import BaseDestroyed
from .scene import Scene


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
