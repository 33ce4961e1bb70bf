"""docs/develop/cases.md: order cases are checked to the letter, and refused where they can't be read."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from wargame.cases.orders import ORDERS, tell
from wargame.cases.reading import CaseError

CASES = Path(__file__).parent / "cases" / "3.2.2.5-order-text.yaml"
OWN = list(yaml.safe_load_all(CASES.read_text(encoding="utf-8")))


def case(**more: Any) -> dict[str, Any]:
    move = {"army": "Mirane", "kind": "move", "steps": [{"from": "3D", "to": "5E", "engage": "Deep Rot"}]}
    order = "Mirane: 3D > 5E; engage Deep Rot"
    return {"case": "3.2.2.5-here", "order": order, "armies": ["Mirane", "Deep Rot"], "expect": move, **more}


@pytest.mark.parametrize("document", OWN, ids=[document["case"] for document in OWN])
def test_the_own_cases_are_read_as_they_say(document: dict[str, Any]) -> None:
    assert ORDERS.check(document) == []


@pytest.mark.parametrize(
    ("expect", "difference"),
    [
        ({"kind": "talk"}, "kind: expected talk, came move"),
        ({"kind": "move", "army": "Deep Rot"}, "army: expected Deep Rot, came Mirane"),
        ({"kind": "move", "column": 3}, "column: expected 3, came none"),
        (
            {"kind": "move", "steps": [{"from": "3D", "to": "e5"}]},
            "steps: expected [{'from': '3D', 'to': '5E'}], came [{'from': '3D', 'to': '5E', 'engage': 'Deep Rot'}]",
        ),
    ],
)
def test_a_difference_is_told_by_its_key(expect: dict[str, Any], difference: str) -> None:
    assert ORDERS.check(case(expect=expect)) == [difference]


def test_only_what_is_expected_is_compared() -> None:
    assert ORDERS.check(case(expect={"kind": "move"})) == []


def test_squares_are_expected_in_either_way_of_writing() -> None:
    expect = {"kind": "move", "steps": [{"from": "d3", "to": "E5", "engage": "Deep Rot"}]}
    assert ORDERS.check(case(expect=expect)) == []


def test_the_poster_may_leave_off_his_own_name_alone() -> None:
    """R10."""
    expect = {"kind": "hold", "army": "Mirane"}
    assert ORDERS.check(case(order="hold", by="mirane", expect=expect)) == []
    assert ORDERS.check(case(order="hold", by="Ana", expect={"kind": "unreadable", "column": 1})) == []


def test_a_case_without_armies_has_those_that_it_expects() -> None:
    document = case()
    del document["armies"]
    assert ORDERS.check(document) == []


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"armys": []}, "armys"),
        ({"seed": 1}, "seed"),
        ({"order": 5}, "order"),
        ({"by": ["Ana"]}, "by"),
        ({"armies": [3]}, "armies"),
        ({"expect": "talk"}, "expect"),
        ({"expect": {}}, "kind"),
        ({"expect": {"kind": "attack"}}, "attack"),
        ({"expect": {"kind": "talk", "colum": 2}}, "colum"),
        ({"expect": {"kind": "unreadable", "column": "2"}}, "column"),
        ({"expect": {"kind": "unreadable", "column": True}}, "column"),
        ({"expect": {"kind": "transfer", "target": 5}}, "target"),
        ({"expect": {"kind": "transfer", "at": "E"}}, "at"),
        ({"expect": {"kind": "move", "steps": {}}}, "steps"),
        ({"expect": {"kind": "move", "steps": [{"from": "3D"}]}}, "to"),
        ({"expect": {"kind": "move", "steps": [{"from": "3D", "to": "5E", "attack": "Mirane"}]}}, "attack"),
        ({"expect": {"kind": "move", "steps": [{"from": "3D", "to": "5E", "joint": "Mirane"}]}}, "joint"),
        ({"expect": {"kind": "move", "steps": [{"from": "3D", "to": "5E", "route": "3D"}]}}, "route"),
        (
            {"expect": {"kind": "move", "steps": [{"from": "3D", "to": "5E", "joint": True, "engage": "X"}]}},
            "joint",
        ),
    ],
)
def test_a_case_that_cannot_be_read_is_an_error_that_names_case_and_key(more: dict[str, Any], named: str) -> None:
    with pytest.raises(CaseError, match=f"“3.2.2.5-here”.*{named}"):
        ORDERS.check(case(**more))


def test_a_case_without_order_or_expect_is_an_error() -> None:
    with pytest.raises(CaseError, match="“expect” is missing"):
        ORDERS.check({"case": "3.2.2.5-here", "order": "hold"})


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("mirane:3d>5e", ["Mirane: 3D > 5E (3.2.2.5)"]),
        ("Hello", ["Talk (R8)."]),
        (
            "Mirane: intercept Deap Rot",
            [
                "Unreadable at column 19 (3.2.2.5): No army on the map is called “Deap Rot”.",
                "Expected: Write the name of an army on the map.",
                "Was it Deep Rot?",
            ],
        ),
    ],
)
def test_a_case_is_told_as_its_author_would_be(order: str, told: list[str]) -> None:
    assert tell(ORDERS.outcome(case(order=order))) == told
