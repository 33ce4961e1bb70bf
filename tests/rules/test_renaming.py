"""2.6: an army that is renamed is known by its new name wherever a position names it."""

import json
from dataclasses import replace

from wargame.rules.core.board import PLAINS, Board, Square, read_square
from wargame.rules.core.codec import position_from_json, position_to_json
from wargame.rules.core.names import Names
from wargame.rules.core.orders import Step
from wargame.rules.core.position import Army, Battle, Campaign, Plan, PlannedStep, Position, Transit
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.troops import Troop
from wargame.rules.settling.accepted_changes import otherwise_called, renamed


def at(text: str) -> Square:
    return read_square(text)


def position() -> Position:
    """Bob is fought, helped, followed, replaced and remembered."""
    step = Step(at("5E"), at("8E"), None, "engage", "Bob")
    plan = Plan("Gaz", (PlannedStep(step, (("Bob", Side.COALITION), ("Ann", Side.COALITION))),))
    ann = Army("Ann", Side.COALITION, at("3D"), Rank.LIEUTENANT)
    bob = Army("Bob", Side.COALITION, at("8E"), Rank.LIEUTENANT, troops=(Troop(1, "Bog Imp", 5, 5),))
    gaz = Army("Gaz", Side.PHYREXIA, at("8E"), Rank.EVINCAR, plan=plan)
    ocean = Army("Tide", Side.MERCENARY, at("1A"), None, Faction.OCEAN_THEME, campaign=Campaign(fought=("Bob", "Ann")))
    return Position(
        board=Board(PLAINS),
        armies=(ann, bob, gaz, ocean),
        battles=(Battle(at("8E"), (("Ann", "Bob"), ("Gaz",)), 0),),
        transits=(Transit("Ann", "Bob", ()), Transit("Bob", "Ann", ())),
    )


def test_the_old_name_stands_nowhere_but_among_the_former_ones() -> None:
    after = position_to_json(renamed(position(), {"Bob": "Aaron"}))
    army = next(army for army in after["armies"] if army["name"] == "Aaron")
    assert army["former"] == ["Bob"]
    army["former"] = []

    assert "Bob" not in json.dumps(after)
    assert json.dumps(after).count("Aaron") == json.dumps(position_to_json(position())).count("Bob")


def test_nothing_but_the_one_name_is_another() -> None:
    """Whoever else is named keeps his name, and everything keeps its place."""
    before, after = position(), renamed(position(), {"Bob": "Carl"})
    written = json.dumps(position_to_json(after)).replace('"former": ["Bob"]', '"former": []')

    assert written.replace("Carl", "Bob") == json.dumps(position_to_json(before))


def test_who_follows_a_plan_is_renamed_with_it() -> None:
    """3.2.2.3: the long move goes on, and so does the memory of a theme army's battles."""
    after = renamed(position(), {"Gaz": "Hex", "Tide": "Wave"})

    assert after.by_name["Hex"].plan == position().by_name["Gaz"].plan
    assert after.by_name["Wave"].campaign == Campaign(fought=("Bob", "Ann"))


def test_the_armies_and_the_sides_of_battles_are_in_the_order_of_the_new_names() -> None:
    after = renamed(position(), {"Bob": "Aaron"})

    assert [army.name for army in after.armies] == ["Aaron", "Ann", "Gaz", "Tide"]
    assert after.battles[0].sides == (("Aaron", "Ann"), ("Gaz",))
    assert position_from_json(position_to_json(after)) == after


def test_nothing_changes_without_a_new_name() -> None:
    before = position()

    assert renamed(before, {}) is before


def test_whoever_writes_a_former_name_means_the_army() -> None:
    once = renamed(position(), {"Bob": "Carl"})
    twice = renamed(once, {"Carl": "Dora"})

    assert twice.by_name["Dora"].former == ("Bob", "Carl")
    assert [twice.names.get(text) for text in ("bob", "CARL", "Dora", "Zed")] == ["Dora", "Dora", "Dora", None]
    assert twice.called("Bob") is twice.by_name["Dora"]
    assert list(twice.names) == ["Ann", "Dora", "Gaz", "Tide"]


def test_the_name_that_an_army_has_again_is_no_former_one() -> None:
    back = renamed(renamed(position(), {"Bob": "Carl"}), {"Carl": "Bob"})

    assert back.by_name["Bob"].former == ("Carl",)


def test_a_name_that_is_on_the_map_is_nobody_elses_former_one() -> None:
    """Should a case file have both, the army that is called so now is meant."""
    names = Names(["Ann", "Bob"], {"Ann": "Bob"})

    assert names.get("ann") == "Ann"


def test_two_outcomes_of_a_settlement_know_who_is_who() -> None:
    """3.3.3."""
    before = position()
    after = renamed(before, {"Bob": "Carl"})

    assert otherwise_called(after, before) == {"Carl": "Bob"}
    assert otherwise_called(before, after) == {"Bob": "Carl"}
    assert otherwise_called(after, after) == {}


def test_an_army_of_one_outcome_alone_is_nobody_in_the_other() -> None:
    """3.3.3: it was killed there, or never appeared; one that was renamed twice is known by any of its names."""
    before = position()
    twice = renamed(renamed(before, {"Bob": "Carl"}), {"Carl": "Dora"})
    without = replace(before, armies=tuple(army for army in before.armies if army.name != "Bob"))

    assert otherwise_called(twice, renamed(before, {"Bob": "Carl"})) == {"Dora": "Carl"}
    assert otherwise_called(twice, before) == {"Dora": "Bob"}
    assert otherwise_called(twice, without) == {}
