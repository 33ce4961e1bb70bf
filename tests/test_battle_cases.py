"""docs/develop/cases.md: battle cases: what is read, refused and told."""

import copy
from pathlib import Path

import pytest
import yaml

from wargame.cases.battles import BATTLES, carry_out, tell
from wargame.cases.positions import army_from_case
from wargame.cases.reading import CaseError
from wargame.rules.core.sides import Faction, Rank
from wargame.rules.core.troops import alive_by_slot, strength_by_slot

OWN = Path(__file__).parent / "cases" / "4.2-battle.yaml"
CASES = list(yaml.safe_load_all(OWN.read_text(encoding="utf-8")))

ARMY = {
    "name": "Ilse",
    "team": "coalition",
    "rank": "captain",
    "at": "4D",
    "troops": [3000, 2500, 1500, 1000],
}


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_the_case_comes_out_as_expected(case):
    assert BATTLES.check(case) == []


def test_every_difference_is_told():
    case = copy.deepcopy(CASES[0])
    case["expect"] = {"winner": "Ilse", "bonus": {"Ilse": 1, "Gorm": 10}, "dice_won": {"Gorm": 4}}

    assert BATTLES.check(case) == [
        "winner: expected Ilse, came Gorm",
        "bonus of Ilse: expected 1, came 0",
        "dice_won of Gorm: expected 4, came 0",
    ]


def test_a_battle_is_told_as_a_judge_would_post_it():
    case = BATTLES.read(CASES[0])

    told = "\n".join(tell(case, carry_out(case)))

    assert "Gorm beat Ilse" in told
    assert "4.2.4" in told
    assert "20 20 20 20" in told


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("battel",), {}, "battel"),
        (("battle", "weather"), "rain", "weather"),
        (("battle", "sides", 0, "strats"), True, "strats"),
        (("battle", "sides", 0, "strat"), "maybe", "maybe"),
        (("battle", "sides", 0, "strat"), 1, "strat"),
        (("battle", "sides", 0, "runs"), "yes", "runs"),
        (("battle", "sides", 0, "risk"), "all", "all"),
        (("battle", "sides", 0, "armies"), ["Nobody"], "Nobody"),
        (("battle", "sides", 0, "armies"), ["Gorm"], "Ilse"),
        (("battle", "sides", 0, "armies"), ["Ilse", "Gorm"], "same side"),
        (("battle", "sides", 1, "defends"), True, "defends"),
        (("battle", "strategy"), {"Ilse": 11}, "strategy"),
        (("battle", "strategy"), {"Ilse": 1, "Gorm": 1}, "strategy"),
        (("battle", "size"), {"Nobody": 1}, "Nobody"),
        (("battle", "rolls"), {"Ilse": [1, 2, 3, 4]}, "rolls"),
        (("battle", "rolls", "Ilse"), [1, 2, 3], "four"),
        (("battle", "rolls", "Ilse"), [1, 2, 3, 21], "20"),
        (("battle", "armies", 0, "team"), "phyrexia", "rank"),
        (("expect", "losses"), "many", "losses"),
        (("expect", "winner"), "Nobody", "Nobody"),
        (("seed",), "x", "seed"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_key(path, value, said):
    case = copy.deepcopy(CASES[0])
    place = case
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value

    with pytest.raises(CaseError, match=said):
        BATTLES.check(case)


def test_an_army_of_numbers_is_anonymous_and_full_strength_by_default():
    army, fighting = army_from_case(ARMY)

    assert (army.rank, fighting) == (Rank.CAPTAIN, ())
    assert alive_by_slot(army.troops) == (3000, 2500, 1500, 1000)
    assert strength_by_slot(army.troops) == (5000, 2500, 1500, 1000)
    assert all(troop.anonymous and not troop.rested for troop in army.troops)


def test_an_army_with_days_lost_what_is_missing_before_them():
    army, _ = army_from_case({**ARMY, "days": 2})

    assert [troop.rested for troop in army.troops] == [2000, 0, 0, 0]


def test_an_army_may_be_written_in_full():
    troops = [
        {"slot": 1, "creature": "Brass walker", "alive": 10, "types": ["Artifact", "Creature"]},
        {"slot": 2, "creature": "Red one", "color": ["red"], "alive": 20, "of": 30, "size": "2/2"},
        {"slot": 2, "creature": "Plain one", "color": ["colorless"], "alive": 5, "of": 5},
    ]

    army, fighting = army_from_case({**ARMY, "troops": troops, "fighting": ["Gorm", "Vor"]})

    assert fighting == ("Gorm", "Vor")
    assert [troop.of for troop in army.troops] == [5000, 30, 5]
    assert [troop.colors for troop in army.troops] == [(), ("red",), ()]
    assert army.troops[0].is_artifact


def test_a_mercenary_has_a_faction_and_is_at_home_where_it_stands():
    army, _ = army_from_case(
        {"name": "Oak", "team": "mercenary", "faction": "raider", "at": "4D", "troops": [1, 1, 1, 1]}
    )

    assert (army.faction, army.rank, army.home) == (Faction.RAIDER, None, army.at)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": 7}, "name"),
        ({"team": "pirates"}, "pirates"),
        ({"rank": "drudge"}, "drudge"),
        ({"rank": "evincar"}, "evincar"),
        ({"faction": "raider"}, "faction"),
        ({"at": "99Z"}, "99Z"),
        ({"at": "here"}, "here"),
        ({"colors": ["pink"]}, "pink"),
        ({"troops": [1, 2, 3]}, "four"),
        ({"troops": [1, 2, 3, -4]}, "troops"),
        ({"troops": [5001, 0, 0, 0]}, "5001"),
        ({"troops": [{"slot": 5, "creature": "x", "alive": 1, "of": 1}]}, "slot"),
        ({"troops": [{"slot": 1, "creature": "x", "alive": 2, "of": 1}]}, "x"),
        (
            {"troops": [{"slot": 1, "creature": "x", "alive": 1}, {"slot": 1, "creature": "y", "alive": 1}]},
            "of",
        ),
        ({"troops": [{"slot": 1, "creature": "x", "alive": 1, "color": ["multicolor"]}]}, "multicolor"),
        ({"days": "two"}, "days"),
        ({"morale": 3}, "morale"),
    ],
)
def test_an_army_that_cannot_be_read_is_refused_by_its_key(change, said):
    with pytest.raises(CaseError, match=said):
        army_from_case({**ARMY, **change})
