"""1.2: a turn's map as plain data."""

from __future__ import annotations

from typing import Any

from judging.game.rounds import position_of
from wargame.models import Turn
from wargame.rules.core.board import COLUMNS, ROWS, TERRAINS, Base
from wargame.rules.core.position import Army, Position
from wargame.rules.core.troops import alive_by_slot, strength_by_slot


def map_data(turn: Turn) -> dict[str, Any]:
    """The map as the turn opened, less what penalties took (5.4.1), in the shape of `MapOut`."""
    position = position_of(turn)
    board = position.board
    return {
        "round": turn.round.slug,
        "turn": turn.number,
        "position_hash": turn.position_hash,
        "rows": ROWS,
        "columns": COLUMNS,
        "terrain": list(board.terrain),
        "terrains": dict(TERRAINS),
        "bases": [_base_data(base) for base in board.bases],
        "towns": [{"name": town.name, "at": str(town.at)} for town in board.towns],
        "armies": [_army_data(position, army) for army in position.armies],
        "battles": [
            {"at": str(battle.at), "sides": [list(side) for side in battle.sides], "defends": battle.defends}
            for battle in position.battles
        ],
    }


def _base_data(base: Base) -> dict[str, Any]:
    return {
        "name": base.name,
        "at": str(base.at),
        "side": base.side.value,
        "color": base.color or "",
        "win": base.win,
        "destroyed": base.destroyed,
    }


def _army_data(position: Position, army: Army) -> dict[str, Any]:
    return {
        "name": army.name,
        "side": army.side.value,
        "title": army.title,
        "at": str(army.at),
        "alive": list(alive_by_slot(army.troops)),
        "strength": list(strength_by_slot(army.troops)),
        "days": army.days,
        "fights": army.name in position.battle_of,
        "captured": army.captivity is not None,
    }
