"""2.3.1: what an army may hope for where it stands: when its lost troops come back."""

from __future__ import annotations

from .board import Board
from .days import counting_place
from .healing import DAYS_TO_HEAL, has_color, heals_by_twos, heals_here
from .position import Army


def days_to_healing(army: Army, board: Board) -> int | None:
    """2.3.1.1, 2.3.1.2, 2.3.1.3: how many more counted days, none of them won in battle, bring troops back.

    None if nobody is missing, or if the army can't be healed on its square.
    """
    missing = [troop for troop in army.troops if troop.missing]
    if not missing or counting_place(army, board) is None or not heals_here(army, board):
        return None
    rested = any(troop.rested for troop in missing)
    if heals_by_twos(army):
        ahead = DAYS_TO_HEAL - army.days % DAYS_TO_HEAL
        return ahead if ahead > 1 or rested else ahead + DAYS_TO_HEAL
    base = board.base_by_square.get(army.at)
    in_color = base is not None and any(has_color(troop, base) for troop in missing)
    return 1 if rested or in_color else DAYS_TO_HEAL
