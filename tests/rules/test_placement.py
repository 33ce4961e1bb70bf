"""2.5.2.3: armies are dropped near their bases, and everything that is wrong with a square is told."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.catalogue import demo_board
from wargame.rules.armies.placement import NEARBY, PlacedArmy, StartingArmy, drop_armies, place_faults, shared_squares
from wargame.rules.core.board import PLAINS, Base, Board, Square, read_square
from wargame.rules.core.dice import Dice, setup_dice
from wargame.rules.core.sides import Rank, Side

RED = Base("Red Base", read_square("5E"), Side.COALITION, "red")
BLUE = Base("Blue Base", read_square("20E"), Side.COALITION, "blue")
PORTAL = Base("Portal 1", read_square("30E"), Side.PHYREXIA)
BOARD = Board(PLAINS, (RED, BLUE, PORTAL))
COLORS = ("white", "blue", "black", "red", "green", "multicolor", "colorless")


def dice(seed: int = 1) -> Dice:
    return setup_dice(seed.to_bytes(32, "big"), "trial")


def side_of_45() -> list[StartingArmy]:
    """2.5.2.1: both sides with the recommended armies, which ask for nothing."""
    numbers = {1: 1, 2: 2, 3: 7, 4: 7, 5: 14, 6: 14}
    starters = []
    for rank in Rank:
        for place in range(numbers[rank.tier]):
            own = tuple(COLORS[(place + step * 2) % 7] for step in range(3)) if rank.side is Side.COALITION else ()
            starters.append(StartingArmy(f"{rank.value} {place}", rank.side, rank.tier, own))
    return starters


def told(board: Board, army: StartingArmy, at: str, *others: PlacedArmy) -> list[tuple[str, str, bool]]:
    found = place_faults(board, [PlacedArmy(army, read_square(at) if at else None), *others])
    return [(f.sentence, f.cites, f.is_breach) for f in found if f.army == army.name]


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_ninety_armies_are_dropped_without_a_fault(seed: int) -> None:
    """2.5.2.3: nearby, never two on a square, on nothing that is built, and nobody in an enemy's reach."""
    starters = side_of_45()
    dropped = drop_armies(demo_board(), starters, {}, dice(seed))
    at = {one.name: one.at for one in dropped}

    assert len(set(at.values())) == 90
    assert not [square for square in at.values() if demo_board().is_built(square)]
    assert place_faults(demo_board(), [PlacedArmy(starter, at[starter.name]) for starter in starters]) == ()


def test_the_armies_are_spread_over_the_bases() -> None:
    dropped = drop_armies(demo_board(), side_of_45(), {}, dice())
    portals = [one.base for one in dropped if one.base in {b.name for b in demo_board().bases if not b.color}]

    assert sorted(portals.count(name) for name in set(portals)) == [9, 9, 9, 9, 9]


def test_the_same_seed_drops_the_same_and_another_draw_drops_otherwise() -> None:
    """R38."""
    armies = side_of_45()

    assert drop_armies(demo_board(), armies, {}, dice()) == drop_armies(demo_board(), armies, {}, dice())
    assert drop_armies(demo_board(), armies, {}, dice()) != drop_armies(demo_board(), armies, {}, dice(), 2)


def test_the_order_in_which_the_armies_come_is_irrelevant() -> None:
    armies = side_of_45()
    one, other = (
        {(d.name, d.at) for d in drop_armies(demo_board(), each, {}, dice())} for each in (armies, armies[::-1])
    )
    assert one == other


def test_an_army_that_stands_already_stays_and_counts_for_its_base() -> None:
    una = StartingArmy("Una", Side.COALITION, 3, ("red", "blue"))
    bob = StartingArmy("Bob", Side.COALITION, 6, ("red", "blue"))
    dropped = {d.name: d for d in drop_armies(BOARD, [una, bob], {"Una": read_square("5F")}, dice())}

    assert str(dropped["Una"].at) == "5F"
    assert dropped["Una"].base == "Red Base"
    assert dropped["Bob"].base == "Blue Base"


def test_the_highest_ranks_choose_first() -> None:
    """The four squares next to the portal go to those of the highest rank."""
    armies = [StartingArmy(f"Low {n}", Side.PHYREXIA, 6) for n in range(9)]
    armies += [StartingArmy(f"High {n}", Side.PHYREXIA, 1) for n in range(4)]
    at = {d.name: d.at for d in drop_armies(BOARD, armies, {}, dice())}

    assert {PORTAL.at.distance(at[f"High {n}"]) for n in range(4)} == {1}
    assert {PORTAL.at.distance(at[f"Low {n}"]) for n in range(8)} == {2}


def test_where_there_is_no_room_nearby_an_army_stands_farther_out() -> None:
    armies = [StartingArmy(f"A {n}", Side.PHYREXIA, 6) for n in range(60)]
    at = [d.at for d in drop_armies(BOARD, armies, {}, dice())]

    assert len(set(at)) == 60
    assert max(PORTAL.at.distance(square) for square in at) > NEARBY


def test_an_army_without_a_base_of_its_colours_is_left_out_and_told() -> None:
    green = StartingArmy("Ivy", Side.COALITION, 6, ("green",))

    assert drop_armies(BOARD, [green], {}, dice()) == ()
    assert told(BOARD, green, "7C") == [("There is no base in the colours of Ivy to start near.", "2.5.2.3", True)]


UNA = StartingArmy("Una", Side.COALITION, 3, ("red", "blue"), "Red Base")
GAZ = StartingArmy("Gaz", Side.PHYREXIA, 3)


@pytest.mark.parametrize(
    ("army", "at", "expected"),
    [
        (UNA, "", [("There is no square for Una yet.", "2.5.2.3", True)]),
        (UNA, "40D", [("Una would start on 40D, which isn't on the map. Squares run from 1A to 38N.", "1.2", True)]),
        (UNA, "5E", []),
        (UNA, "5F", []),
        (GAZ, "5E", [
            ("Gaz would start on Red Base, an enemy base.", "2.5.2.3", True),
            ("Gaz would start 25 steps from Portal 1, the nearest base it can start near (up to 4 counts as nearby).",
             "2.5.2.3", False),
        ]),
        (UNA, "12E", [
            ("Una would start 7 steps from Red Base, the nearest base it can start near (up to 4 counts as nearby).",
             "2.5.2.3", False),
        ]),
        (UNA, "20F", [("Una asked to start near Red Base but would start near Blue Base.", "2.5.2.3", False)]),
        (replace(UNA, colors=("red",)), "20F", [
            ("Una would start 16 steps from Red Base, the nearest base it can start near (up to 4 counts as nearby).",
             "2.5.2.3", True),
        ]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_square_is_told(
    army: StartingArmy, at: str, expected: list[tuple[str, str, bool]]
) -> None:
    assert told(BOARD, army, at) == expected


def test_an_enemy_within_a_move_is_worth_a_thought() -> None:
    """3.2.2.1: a battle could begin in the first turn; that alone is no breach."""
    enemy = PlacedArmy(GAZ, read_square("8E"))

    assert told(BOARD, UNA, "5E", enemy) == [
        ("Una would start within a move of Gaz, 3 squares away.", "3.2.2.1", False)
    ]
    assert told(BOARD, UNA, "5D", enemy) == []


def test_mercenaries_are_met_but_not_judged_here() -> None:
    una = PlacedArmy(UNA, read_square("5F"))
    raider = PlacedArmy(StartingArmy("Rag", Side.MERCENARY, 6), read_square("5F"))

    assert [fault.cites for fault in place_faults(BOARD, [una], [raider])] == ["3.2.1"]
    assert place_faults(BOARD, [], [raider]) == ()


def test_two_on_a_square_are_told_once() -> None:
    """3.3.1."""
    one, other = (PlacedArmy(StartingArmy(name, Side.COALITION, 6, ("red",)), Square(4, 6)) for name in "AB")

    assert len(shared_squares([one, other])) == 1
    assert shared_squares([one]) == ()
