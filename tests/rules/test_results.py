"""4.2.5: a settlement takes only results that are about the battles that were fought."""

from __future__ import annotations

import pytest

from wargame.rules.core.board import PLAINS, Board, Square
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.position import Army, Battle, Position
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.turn import Result, TurnInput
from wargame.rules.settlement import settle

AT = Square(6, 12)
FIGHT = Position(
    Board(PLAINS),
    (Army("Grutch", Side.PHYREXIA, AT, Rank.EVINCAR), Army("Orla", Side.COALITION, AT, Rank.CAPTAIN)),
    (Battle(AT, (("Orla",), ("Grutch",))),),
)


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ((), "no result for the battle on 12G"),
        ((Result(Square(0, 1), ("Orla",), {}),), "no result for the battle on 12G"),
        ((Result(AT, ("Imke",), {}),), "names Imke"),
        ((Result(AT, ("Orla",), {"Imke": (1, 0, 0, 0)}),), "names Imke"),
        ((Result(AT, ("Orla",), {}, killed=("Imke",)),), "names Imke"),
        ((Result(AT, (), {}),), "one winning side"),
        ((Result(AT, ("Orla", "Grutch"), {}),), "one winning side"),
    ],
)
def test_a_result_that_does_not_fit_its_battle_is_an_error_that_says_so(results, said):
    with pytest.raises(ValueError, match=said):
        settle(FIGHT, TurnInput(results=results), turn_dice(b"seed", "a", 1))
