"""2.3.1: when an army is healed next, held against what the settlement does."""

import pytest

from wargame.rules.core.board import PLAINS, Base, Board, Square, Town
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import TurnInput
from wargame.rules.settlement import settle
from wargame.rules.settling.healing import days_to_healing

AT = Square(3, 9)
PORTAL = Board(PLAINS, (Base("Portal 1", AT, Side.PHYREXIA, None, True),))
RED_BASE = Board(PLAINS, (Base("Red Base", AT, Side.COALITION, "red", True),))
TOWN = Board(PLAINS, (), (Town("Oakvale", AT),))
NOWHERE = Board(PLAINS)


def army(rank: Rank, color: str, *, days: int = 0, rested: int = 0, alive: int = 800, lost: int = 0) -> Army:
    troops = (Troop(1, "Creature", alive, 1000, (color,), rested=rested, lost_in_day=lost),)
    return Army("Mirelle", rank.side, AT, rank, colors=("red", "green"), troops=troops, days=days)


@pytest.mark.parametrize(
    ("board", "one", "days"),
    [
        (PORTAL, army(Rank.EVINCAR, "black"), 2),
        (PORTAL, army(Rank.EVINCAR, "black", days=1, rested=200), 1),
        (PORTAL, army(Rank.EVINCAR, "black", days=1), 3),
        (PORTAL, army(Rank.EVINCAR, "black", days=2, rested=200), 2),
        (RED_BASE, army(Rank.CAPTAIN, "red"), 1),
        (RED_BASE, army(Rank.CAPTAIN, "green"), 2),
        (RED_BASE, army(Rank.CAPTAIN, "green", days=1, rested=200), 1),
        (RED_BASE, army(Rank.CAPTAIN, "red", lost=200), 2),
        (RED_BASE, army(Rank.CAPTAIN, "green", lost=200), 3),
        (TOWN, army(Rank.LIEUTENANT, "red"), 2),
        (TOWN, army(Rank.LIEUTENANT, "red", days=1, rested=200), 1),
    ],
)
def test_the_next_healing_comes_after_as_many_quiet_days_as_were_told(board, one, days):
    """2.3.1.1, 2.3.1.2, 2.3.1.3, R69."""
    assert days_to_healing(one, board) == days
    position = Position(board, (one,))
    for turn in range(days):
        assert position.armies[0].troops[0].alive == 800
        position = settle(position, TurnInput(), turn_dice(b"seed", "quiet", turn)).position
    assert position.armies[0].troops[0].alive == 1000


@pytest.mark.parametrize(
    ("board", "one"),
    [
        (RED_BASE, army(Rank.CAPTAIN, "red", alive=1000)),
        (TOWN, army(Rank.CAPTAIN, "red")),
        (NOWHERE, army(Rank.CAPTAIN, "red")),
        (RED_BASE, army(Rank.EVINCAR, "black")),
    ],
)
def test_no_healing_is_promised_where_there_is_none(board, one):
    """2.3.1.3, 1.7.1: nobody missing, too high a rank for a town, an open field, an enemy's base."""
    assert days_to_healing(one, board) is None
