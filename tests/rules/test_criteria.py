"""R54: the criteria by which a strategy bonus is reasoned, as a judge types them."""

from __future__ import annotations

import pytest

from wargame.rules.battle.criteria import DEFAULT_CRITERIA, Criterion, default_criteria, read_criteria

THREE = "Plan\nLand\nTroops"


def test_what_is_usual_is_four_criteria_that_count_alike() -> None:
    found, faults = read_criteria(DEFAULT_CRITERIA)
    assert [criterion.name for criterion in found] == [
        "Plan against this enemy",
        "Use of the land and weather",
        "Use of its own creatures",
        "What may go wrong",
    ]
    assert {criterion.weight for criterion in found} == {1}
    assert faults == ()
    assert default_criteria() == DEFAULT_CRITERIA


def test_a_line_is_a_criterion_with_its_weight_behind_a_colon() -> None:
    found, faults = read_criteria("  Plan : 2 \n\nUse of land: by day:9\nTroops:1  \n")
    assert found == (Criterion("Plan", 2), Criterion("Use of land: by day", 9), Criterion("Troops", 1))
    assert faults == ()


def test_from_three_to_six_criteria_of_sixty_signs_are_taken() -> None:
    six = [f"{number} {'x' * 58}" for number in range(6)]
    assert read_criteria("\n".join(six)) == (tuple(Criterion(name) for name in six), ())
    assert read_criteria("\n".join(six[:3])) == (tuple(Criterion(name) for name in six[:3]), ())


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("Plan\nLand", ["A round has 3 to 6 criteria, one a line; these are 2 (R54)."]),
        ("a\nb\nc\nd\ne\nf\ng", ["A round has 3 to 6 criteria, one a line; these are 7 (R54)."]),
        ("", ["A round has 3 to 6 criteria, one a line; these are 0 (R54)."]),
        (f"{THREE}\nPLAN", ["“PLAN” stands there twice (R54)."]),
        (f"{THREE}\nLuck: 10", ["The weight of “Luck” is 1 to 9, not 10 (R54)."]),
        (f"{THREE}\nLuck: 0", ["The weight of “Luck” is 1 to 9, not 0 (R54)."]),
        (f"{THREE}\n: 3", ["“: 3” is no criterion: write 1 to 60 signs, one criterion a line (R54)."]),
        (
            f"{THREE}\n{'x' * 61}",
            [f"“{'x' * 40}” is no criterion: write 1 to 60 signs, one criterion a line (R54)."],
        ),
        (
            ": 3\nPlan\nplan\nLuck: 99",
            [
                "“: 3” is no criterion: write 1 to 60 signs, one criterion a line (R54).",
                "“plan” stands there twice (R54).",
                "The weight of “Luck” is 1 to 9, not 99 (R54).",
            ],
        ),
    ],
)
def test_what_can_not_be_taken_is_told_line_by_line(text: str, faults: list[str]) -> None:
    assert list(read_criteria(text)[1]) == faults
