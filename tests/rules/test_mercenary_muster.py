"""2.5.3, 6.1 to 6.3: the mercenaries with which a round begins."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.catalogue import barracks, demo_board
from wargame.rules.armies.army_names import name_faults
from wargame.rules.armies.creatures import Creature
from wargame.rules.armies.muster import Muster, MusterEntry, Surroundings, room_left
from wargame.rules.core.board import PLAINS, Board, Square, Town, read_square
from wargame.rules.core.dice import Dice, setup_dice
from wargame.rules.core.sides import Faction
from wargame.rules.mercenaries.faults import Planned, judge_mercenary, mercenary_faults, rank_of
from wargame.rules.mercenaries.muster import (
    NEAR,
    POST_OF,
    POSTS,
    RAIDER_NAMES,
    THEME_NAMES,
    defender_names,
    hire,
    place_mercenaries,
)

SEEDS = st.integers(0, 2**32)
FIELD = [post for post in POSTS if post.faction is not Faction.TOWN_DEFENDER]


def dice(seed: int = 1) -> Dice:
    return setup_dice(seed.to_bytes(32, "big"), "trial")


def faults(places: Mapping[str, Square | None], board: Board | None = None) -> list[tuple[str, bool]]:
    planned = [Planned(post, post.lot, places[post.lot]) for post in POSTS]
    return [(fault.cites, fault.is_breach) for fault in mercenary_faults(board or demo_board(), planned)]


def test_there_are_three_defenders_four_themes_and_three_raiders() -> None:
    """6.1, 6.2, 6.3: with the ranks that the rules name: 6 is 1/1, 5 is 2/2, 4 is 3/3."""
    found = [(post.faction.value, post.tier) for post in POSTS]

    assert found == [
        *[("town_defender", 5)] * 3, *[("theme", 4)] * 3, ("ocean_theme", 4),
        ("raider", 6), ("raider", 6), ("raider", 5),
    ]  # fmt: skip


@settings(max_examples=15)
@given(SEEDS)
def test_every_draw_places_them_by_the_rules(seed: int) -> None:
    """6.1, 6.2, 6.3: in the towns; not near a base, the ocean's on the ocean; away from what is built."""
    board = demo_board()
    places = place_mercenaries(board, (), dice(seed))

    assert faults(places) == []
    assert {places[f"town defender {n}"] for n in (1, 2, 3)} == set(board.town_by_square)
    near = [base.at.distance(at) for post in FIELD for base in board.bases if (at := places[post.lot])]
    assert min(near) > NEAR
    themes = [at for n in (1, 2, 3) if (at := places[f"theme army {n}"])]
    assert len({board.terrain_at(at) for at in themes}) == 3
    assert all(one.distance(other) > 6 for one in themes for other in themes if one != other)


@settings(max_examples=15)
@given(SEEDS)
def test_they_keep_out_of_the_armies_reach(seed: int) -> None:
    """3.2.2.1: as long as there is room."""
    armies = [read_square(text) for text in ("20C", "26I", "12I", "35E", "2C", "22N")]
    places = place_mercenaries(demo_board(), armies, dice(seed))

    assert all(at.distance(army) > 3 for post in FIELD for army in armies if (at := places[post.lot]))


def test_those_that_are_kept_stay_and_one_is_drawn_again() -> None:
    first = place_mercenaries(demo_board(), (), dice())
    kept = {lot: at for lot, at in first.items() if lot != "raider 2" and at}
    moved = {place_mercenaries(demo_board(), (), dice(), number, kept)["raider 2"] for number in range(2, 12)}
    again = place_mercenaries(demo_board(), (), dice(), 2, kept)

    assert len(moved) > 5
    assert {lot: at for lot, at in again.items() if lot != "raider 2"} == kept


def test_on_a_map_without_an_ocean_its_theme_army_has_no_square() -> None:
    board = Board(PLAINS, towns=(Town("Oakvale", read_square("7G")),))
    places = place_mercenaries(board, (), dice())

    assert places["ocean theme army"] is None
    assert places["town defender 2"] is None
    assert ("6.2", True) in faults(places, board)


@settings(max_examples=15)
@given(SEEDS)
def test_every_army_that_is_drawn_is_legal_and_full(seed: int) -> None:
    """2.1, 2.2, 6.1 to 6.3."""
    board, throws = demo_board(), dice(seed)
    places = place_mercenaries(board, (), throws)
    names: list[str] = []
    serving: dict[str, str] = {}
    for post in POSTS:
        made = hire(post, places[post.lot], board, barracks(), throws, names=names, serving=serving)
        muster = Muster(rank_of(post), (), made.entries, made.legend, made.name)
        assert judge_mercenary(post, muster, Surroundings(names=tuple(names), serving=serving)) == ()
        assert room_left(muster) == (0, 0, 0, 0)
        assert made.legend is None or post.faction is not Faction.RAIDER
        names.append(made.name)
        serving |= {made.legend.name: made.name} if made.legend else {}
    assert len({name.casefold() for name in names}) == 10


def test_an_army_suits_its_terrain() -> None:
    """6.2: the ocean's creatures are blue, and a forest's are green."""
    board = demo_board()
    ocean = hire(POST_OF["ocean theme army"], read_square("21H"), board, barracks(), dice(), names=(), serving=())
    forest = hire(POST_OF["theme army 1"], read_square("35D"), board, barracks(), dice(), names=(), serving=())

    assert {color for entry in ocean.entries for color in entry.creature.colors} == {"blue"}
    assert {color for entry in forest.entries for color in entry.creature.colors} == {"green"}
    assert ocean.name in THEME_NAMES["ocean"]
    assert forest.name in THEME_NAMES["forest"]


def test_a_defender_has_its_towns_name_unless_orders_could_not_bear_it() -> None:
    """6.1, 3.2.2.5."""
    assert all(name.startswith("Oakvale ") for name in defender_names("Oakvale"))
    for town in ("Ford: upper", "A very long name for such a small town"):
        assert all(not name_faults(name, ()) and town not in name for name in defender_names(town))


@pytest.mark.parametrize("names", [RAIDER_NAMES, *THEME_NAMES.values(), defender_names("")])
def test_every_mercenary_can_be_named_in_an_order(names: tuple[str, ...]) -> None:
    """3.2.2.5."""
    assert [name for name in names if name_faults(name, ())] == []


@pytest.mark.parametrize(
    ("lot", "at", "expected"),
    [
        ("town defender 1", "20F", [("6.1", True)]),
        ("town defender 1", "20E", []),
        ("theme army 1", "24E", [("6.2", True)]),
        ("theme army 1", "20E", [("6.1", True), ("6.2", False)]),
        ("theme army 1", "24F", [("6.2", True), ("6.2", False)]),
        ("theme army 1", "24G", [("6.2", False)]),
        ("ocean theme army", "22N", [("6.2", True)]),
        ("raider 1", "20F", [("6.3.1", True), ("6.3", False)]),
        ("raider 1", "40A", [("1.2", True)]),
        ("raider 3", "", [("6.3", True)]),
    ],
)
def test_what_is_wrong_with_a_square_is_told(lot: str, at: str, expected: list[tuple[str, bool]]) -> None:
    planned = [Planned(POST_OF[lot], "Rag", read_square(at) if at else None)]
    found = [(fault.cites, fault.is_breach) for fault in mercenary_faults(demo_board(), planned)]

    assert found == expected


def test_two_mercenaries_on_one_square_are_told() -> None:
    """R3, 3.3.1."""
    at = read_square("22N")
    planned = [Planned(POST_OF[lot], lot, at) for lot in ("raider 1", "raider 2")]

    assert "3.3.1" in {fault.cites for fault in mercenary_faults(demo_board(), planned)}


def test_a_mercenary_may_have_all_colours_and_no_larger_creatures_than_its_rank() -> None:
    """2.2.1 binds the teams; 6.3: a 1/1 raider has 1/1 creatures in its first slot."""
    post = POST_OF["raider 1"]
    wolf = Creature("Watchwolf", ("white", "green"), "3/3")
    muster = Muster(rank_of(post), (), (MusterEntry(3, wolf, 1500),), None, "Rag")

    assert judge_mercenary(post, muster, Surroundings(names=())) == ()
    found = judge_mercenary(post, replace(muster, entries=(MusterEntry(1, wolf, 100),)), Surroundings(names=()))
    assert [(finding.cites, finding.sentence) for finding in found] == [
        ("2.1.6", "Watchwolf is 3/3; slot 1 of a raider takes creatures up to 1/1. It would fit slot 3.")
    ]
