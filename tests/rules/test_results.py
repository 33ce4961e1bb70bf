"""4.2.5: a settlement takes only results that are about the battles that were fought."""

import pytest

from wargame.rules.core.board import PLAINS, Board, Square
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.position import Army, Battle, Position, sorted_armies
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.turn import Result, TurnInput
from wargame.rules.settlement import settle
from wargame.rules.settling.events import Killed

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


def fight_of(loser: Army) -> Position:
    """Orla fights an army of that name on its square."""
    orla = Army("Orla", Side.COALITION, AT, Rank.CAPTAIN)
    return Position(Board(PLAINS), sorted_armies([orla, loser]), (Battle(AT, (("Orla",), (loser.name,))),))


@pytest.mark.parametrize(
    ("loser", "why"),
    [
        (Army("Wolfpack", Side.MERCENARY, AT, faction=Faction.RAIDER), "mercenaries have no rank"),
        (Army("Herd", Side.MERCENARY, AT, faction=Faction.THEME), "mercenaries have no rank"),
        (Army("Grutch", Side.PHYREXIA, AT, Rank.PLAGUELORD), "its rank is too high"),
        (Army("Grutch", Side.PHYREXIA, AT, Rank.CHIEF_PRAETOR), "its rank is too high"),
    ],
)
def test_a_result_by_which_an_army_is_captured_that_can_not_be_is_refused(loser: Army, why: str) -> None:
    """4.5, R63."""
    result = Result(AT, ("Orla",), {}, captured=(loser.name,))

    with pytest.raises(ValueError, match=rf"has {loser.name} captured, and {why} \(4\.5, R63\)"):
        settle(fight_of(loser), TurnInput(results=(result,)), turn_dice(b"seed", "a", 1))


@pytest.mark.parametrize("rank", [Rank.CPL, Rank.CENTURION])
def test_an_army_of_the_lowest_two_ranks_is_captured(rank: Rank) -> None:
    """4.5."""
    result = Result(AT, ("Orla",), {}, captured=("Grutch",))
    fight = fight_of(Army("Grutch", Side.PHYREXIA, AT, rank))

    settled = settle(fight, TurnInput(results=(result,)), turn_dice(b"seed", "a", 1))

    assert settled.position.by_name["Grutch"].is_partially_converted


@pytest.mark.parametrize(("taken_by", "by"), [({"Grutch": "Zed"}, ("Zed",)), ({}, ("Abe", "Zed"))])
def test_of_two_winners_the_one_that_went_for_the_kill_is_said_to_have_killed(
    taken_by: dict[str, str], by: tuple[str, ...]
) -> None:
    """4.3.2, 4.4."""
    pair = [Army(name, Side.COALITION, AT, Rank.LIEUTENANT) for name in ("Abe", "Zed")]
    position = Position(
        Board(PLAINS),
        sorted_armies([*pair, Army("Grutch", Side.PHYREXIA, AT, Rank.EVINCAR)]),
        (Battle(AT, (("Abe", "Zed"), ("Grutch",))),),
    )
    result = Result(AT, ("Abe", "Zed"), {}, killed=("Grutch",), taken_by=taken_by)

    settled = settle(position, TurnInput(results=(result,)), turn_dice(b"seed", "a", 1))

    assert [event.by for event in settled.events if isinstance(event, Killed)] == [by]
