"""R51, R78: what the mercenaries draw: over many seeds each thing that may come does, and nothing else."""

from itertools import permutations

import pytest

from tests.rules.test_mercenaries import mercenary, team
from wargame.rules.core.board import PLAINS, Board, read_square
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.orders import Move, Step
from wargame.rules.core.position import Army, Campaign, Position, sorted_armies
from wargame.rules.core.sides import Faction, Rank
from wargame.rules.core.turn import PostedLine, TurnInput
from wargame.rules.mercenaries.events import MercenaryDecided
from wargame.rules.mercenaries.guidelines import decide_all
from wargame.rules.mercenaries.outlook import Decision
from wargame.rules.settlement import carry_out

SEEDS = range(150)
WEAK = (10, 0, 0, 0)


def over_seeds(*armies: Army, board: Board | None = None) -> list[tuple[Decision, ...]]:
    position = Position(board or Board(PLAINS), sorted_armies(list(armies)))
    return [decide_all(position, turn_dice(b"seed", "draws", seed), {}) for seed in SEEDS]


def targets(found: list[tuple[Decision, ...]], name: str) -> set[str]:
    """Whom the mercenary engages, or where it goes."""
    steps = [one.step for each in found for one in each if one.army == name]
    return {step.target or str(step.to) if step else "stays" for step in steps}


@pytest.mark.parametrize("faction", [Faction.TOWN_DEFENDER, Faction.THEME, Faction.RAIDER])
def test_within_a_faction_every_order_of_choosing_occurs(faction: Faction) -> None:
    """R78."""
    names = ("Aaa", "Mmm", "Zzz")
    found = over_seeds(*(mercenary(name, faction, at) for name, at in zip(names, ("3B", "18G", "35M"), strict=True)))
    assert {tuple(one.army for one in each) for each in found} == set(permutations(names))


def test_defenders_choose_before_theme_armies_and_those_before_raiders() -> None:
    """R78: the ocean's army is one of the theme armies (6.2)."""
    found = over_seeds(
        mercenary("A", Faction.RAIDER, "3B"), mercenary("B", Faction.OCEAN_THEME, "18B"),
        mercenary("C", Faction.THEME, "35B"), mercenary("D", Faction.TOWN_DEFENDER, "18M"),
    )  # fmt: skip
    assert {"".join(one.army for one in each) for each in found} == {"DBCA", "DCBA"}


@pytest.mark.parametrize("names", [("Aaa", "Zzz"), ("Zzz", "Aaa")])
def test_of_two_raiders_that_want_one_prey_either_may_get_it(names: tuple[str, str]) -> None:
    """R78: whatever they are called."""
    west, east = names
    found = over_seeds(
        mercenary(west, Faction.RAIDER, "10G"), mercenary(east, Faction.RAIDER, "14G"), team("Zed", "12G", WEAK)
    )
    engaging = {tuple(sorted(one.army for one in each if one.course == "engages")) for each in found}
    assert engaging == {(west,), (east,)}


def test_the_ocean_army_attacks_any_army_in_range_and_not_the_one_that_it_fought_last() -> None:
    """6.2.1, R51."""
    board = Board(tuple("o" * 38 for _ in range(14)))
    saltfin = mercenary("Saltfin", Faction.OCEAN_THEME, "12G")
    enemies = team("Near", "12H"), team("Middle", "14G"), team("Far", "9G"), team("Beyond", "16G")
    assert targets(over_seeds(saltfin, *enemies, board=board), "Saltfin") == {"Near", "Middle", "Far"}
    fought = saltfin._replace(campaign=Campaign(fought=("Near",)))
    assert targets(over_seeds(fought, *enemies, board=board), "Saltfin") == {"Middle", "Far"}


def test_the_ocean_army_goes_back_to_any_of_the_nearest_ocean_squares() -> None:
    """R22: north or south, west or east."""
    rows = [*PLAINS]
    rows[1] = "p" * 11 + "o" + "p" * 26
    rows[11] = rows[1]
    found = over_seeds(mercenary("Saltfin", Faction.OCEAN_THEME, "12G"), board=Board(tuple(rows)))
    assert targets(found, "Saltfin") == {"12D", "12J"}


def test_a_theme_army_attacks_the_nearest_army_around_its_starting_square() -> None:
    """6.2.1, R51: of those within a move of its start, the nearest to itself; of equally near ones any."""
    herd = mercenary("Herd", Faction.THEME, "12G")
    near = team("North", "12F"), team("East", "13G"), team("Farther", "12I")
    assert targets(over_seeds(herd, *near), "Herd") == {"North", "East"}
    away = herd._replace(at=read_square("9G"))
    assert targets(over_seeds(away, team("Home", "12G"), team("Outside", "8G")), "Herd") == {"Home"}


def test_a_theme_army_that_cannot_reach_it_goes_as_near_as_it_can() -> None:
    """R51: no other mercenary's square, and by any of the squares that are nearest."""
    away = mercenary("Herd", Faction.THEME, "7G")._replace(home=read_square("10G"))
    intruder = team("Ana", "13G")
    assert targets(over_seeds(away, intruder), "Herd") == {"10G"}
    aside = team("Ana", "12H")
    assert targets(over_seeds(away, aside), "Herd") == {"10G", "9H"}
    blocked = over_seeds(away, intruder, mercenary("Other", Faction.RAIDER, "10G"))
    assert targets(blocked, "Herd") == {"9G"}


def test_a_raider_looks_for_any_of_the_nearest_weaker_armies() -> None:
    """6.3.1, R78."""
    found = over_seeds(
        mercenary("Wolfpack", Faction.RAIDER, "18G"), team("West", "12G", WEAK), team("East", "24G", WEAK)
    )
    assert targets(found, "Wolfpack") == {"16G", "20G"}


def test_of_two_mercenaries_that_step_back_to_one_square_the_one_that_chose_first_gets_it() -> None:
    """R24, R78: nobody posted their orders, so none is the earlier but by their turn; 7E is the square before both."""
    armies = [mercenary("Aaa", Faction.RAIDER, "5E"), mercenary("Zzz", Faction.RAIDER, "7C")]
    armies += [team("Ana", "8E", WEAK, Rank.LIEUTENANT), team("Ben", "7F", WEAK, Rank.LIEUTENANT)]
    armies += [team("Gaz", "10E"), team("Hex", "7H")]
    position = Position(Board(PLAINS), sorted_armies(armies))
    orders = {"Gaz": Step(read_square("10E"), read_square("8E"), None, "engage", "Ana")}
    orders["Hex"] = Step(read_square("7H"), read_square("7F"), None, "engage", "Ben")
    lines = tuple(PostedLine(name, name, Move((step,)), 0, (0, n)) for n, (name, step) in enumerate(orders.items()))
    given = TurnInput(lines, {name: (name,) for name in orders}, guidelines=True)
    ends = set()
    for seed in SEEDS:
        moves = carry_out(position, given, turn_dice(b"seed", "draws", seed))
        chose = [event for event in moves.events if isinstance(event, MercenaryDecided)]
        if {(event.army, event.target) for event in chose} == {("Aaa", "Ana"), ("Zzz", "Ben")}:
            ends.add((chose[0].army, next(name for name, at in moves.places.items() if str(at) == "7E")))

    assert ends == {("Aaa", "Aaa"), ("Zzz", "Zzz")}
