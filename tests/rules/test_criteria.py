"""R54: the criteria by which a strategy bonus is reasoned, as a judge types them."""

import pytest

from wargame.rules.battle.criteria import (
    DEFAULT_CRITERIA,
    Criterion,
    default_criteria,
    departs,
    offered_bonus,
    read_criteria,
)

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
        ("Plan\nLand", ["A round needs 3 to 6 criteria, one per line; you entered 2 (R54)."]),
        ("a\nb\nc\nd\ne\nf\ng", ["A round needs 3 to 6 criteria, one per line; you entered 7 (R54)."]),
        ("", ["A round needs 3 to 6 criteria, one per line; you entered 0 (R54)."]),
        (f"{THREE}\nPLAN", ["“PLAN” appears twice (R54)."]),
        (f"{THREE}\nLuck: 10", ["The weight of “Luck” must be 1 to 9, not 10 (R54)."]),
        (f"{THREE}\nLuck: 0", ["The weight of “Luck” must be 1 to 9, not 0 (R54)."]),
        (f"{THREE}\n: 3", ["“: 3” is not a criterion: write 1 to 60 characters, one criterion per line (R54)."]),
        (
            f"{THREE}\n{'x' * 61}",
            [f"“{'x' * 40}” is not a criterion: write 1 to 60 characters, one criterion per line (R54)."],
        ),
        (
            ": 3\nPlan\nplan\nLuck: 99",
            [
                "“: 3” is not a criterion: write 1 to 60 characters, one criterion per line (R54).",
                "“plan” appears twice (R54).",
                "The weight of “Luck” must be 1 to 9, not 99 (R54).",
            ],
        ),
    ],
)
def test_what_can_not_be_taken_is_told_line_by_line(text: str, faults: list[str]) -> None:
    assert list(read_criteria(text)[1]) == faults


@pytest.mark.parametrize(
    ("marks", "offered"),
    [
        ([(4, 1), (5, 1), (6, 1)], 5),
        ([(4, 1), (5, 1)], 5),
        ([(-4, 1), (-5, 1)], -5),
        ([(10, 3), (0, 1)], 8),
        ([(10, 9), (-10, 1), (0, 1), (0, 1)], 7),
        ([(1, 1), (-1, 1), (0, 1)], 0),
        ([], 0),
    ],
)
def test_marks_offer_their_weighted_mean_rounded(marks: list[tuple[int, int]], offered: int) -> None:
    """R54: halves away from 0, so that neither side gains by the rounding."""
    assert offered_bonus(marks) == offered
    assert offered_bonus([(-mark, weight) for mark, weight in marks]) == -offered


@pytest.mark.parametrize(("offered", "bonus", "says_why"), [(4, 6, False), (4, 7, True), (4, 1, True), (-2, 1, True)])
def test_a_bonus_more_than_two_away_from_the_offered_one_departs(offered: int, bonus: int, says_why: bool) -> None:
    assert departs(offered, bonus) is says_why
