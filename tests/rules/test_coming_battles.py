"""R25, R26: the battles that the moves of a draft bring about, before its old battles are applied."""

from tests.rules.test_rulings import BOARD, army
from wargame.rules.core.board import read_square
from wargame.rules.core.position import Army, Battle, Position, sorted_armies
from wargame.rules.core.sides import Faction, Rank
from wargame.rules.core.troops import Troop
from wargame.rules.telling.coming_battles import ComingBattle, coming_battles

ANA, BEN = army("Ana", "3D"), army("Ben", "6D")
GAZ, HEX = army("Gaz", "3H", Rank.EVINCAR), army("Hex", "8H", Rank.CENTURION)


def ahead(armies: list[Army], places: dict[str, str], *battles: Battle) -> tuple[ComingBattle, ...]:
    position = Position(BOARD, sorted_armies(armies), battles)
    return coming_battles(position, {name: read_square(at) for name, at in places.items()})


def empty(one: Army) -> Army:
    return one._replace(troops=(Troop(1, "Elf", 0, 10),))


def told(*found: ComingBattle) -> list[str]:
    return [one.sentence for one in found]


def test_who_stood_on_the_square_before_the_moves_is_attacked() -> None:
    (one,) = ahead([ANA, GAZ], {"Gaz": "3D"})
    assert (one.sides, one.defends, one.cites) == ((("Ana",), ("Gaz",)), 0, "R25")
    assert one.sentence == "Gaz will attack Ana on 3D."


def test_where_both_came_nobody_attacks() -> None:
    (one,) = ahead([ANA, GAZ], {"Gaz": "3F", "Ana": "3F"})
    assert one.defends is None
    assert one.sentence == "Ana and Gaz will meet on 3F: no attacker."


def test_battles_are_foreseen_from_west_to_east_and_friends_bring_none_about() -> None:
    found = ahead([ANA, BEN, GAZ, HEX], {"Gaz": "6D", "Hex": "3D"})
    assert told(*found) == ["Hex will attack Ana on 3D.", "Gaz will attack Ben on 6D."]
    assert ahead([ANA, BEN], {"Ana": "6D"}) == ()


def test_an_army_without_troops_dies_at_once() -> None:
    """4.3.1."""
    (one,) = ahead([empty(ANA), GAZ], {"Gaz": "3D"})
    assert (one.dying, one.is_fought, one.cites) == (("Ana",), False, "R25 4.3.1")
    assert (
        one.sentence
        == "Gaz will attack Ana on 3D. With no troops left, Ana will die right away. No battle will take place."
    )


def test_of_two_armies_without_troops_the_defender_dies_and_without_attacker_both_do() -> None:
    """R26."""
    assert ahead([empty(ANA), empty(GAZ)], {"Gaz": "3D"})[0].dying == ("Ana",)
    (both,) = ahead([empty(ANA), empty(GAZ)], {"Gaz": "3F", "Ana": "3F"})
    assert both.sentence.endswith("With no troops left, Ana and Gaz will die right away. No battle will take place.")


def test_of_a_pair_the_one_with_troops_fights_on() -> None:
    (one,) = ahead([empty(ANA), BEN, GAZ], {"Ana": "3H", "Ben": "3H"})
    assert (one.dying, one.is_fought) == (("Ana",), True)
    assert one.sentence == "Ana and Ben will attack Gaz on 3H. With no troops left, Ana will die right away."


def test_who_moves_onto_an_old_battle_meets_whoever_is_left_of_it() -> None:
    """R19: the armies that fought there are not told of as a new battle."""
    raiders = army("Raiders", "3D", Faction.RAIDER)
    old = Battle(ANA.at, (("Ana",), ("Raiders",)), 0)
    assert ahead([ANA, raiders, GAZ], {}, old) == ()
    (one,) = ahead([ANA, raiders, GAZ], {"Gaz": "3D"}, old)
    assert (one.rest_of, one.cites) == (("Ana", "Raiders"), "R25 R19")
    assert one.sentence == "Gaz will attack the survivors of the battle between Ana and Raiders on 3D."
