"""The cases of Seize, in the order of its headings and rulings."""

import re
from pathlib import Path

import pytest

from tables.cases import check_case, read_cases

CASES = Path(__file__).parent / "cases"
FILES = sorted((CASES / "seize").glob("*.yaml"))
LAST_RULING = 88
OUTSIDE_OF_CASES = {50, 51, 53}
"""S50 (boosters) and S51 (the phases) stand in other tests; S53 is the clock's, and no rule of the game."""


def _cases() -> list[object]:
    return [pytest.param(document, id=str(document["case"])) for path in FILES for document in read_cases(path)]


@pytest.mark.parametrize("document", _cases())
def test_what_comes_is_what_the_case_expects(document):
    assert check_case(document) == []


def test_no_two_cases_share_a_name():
    names = [document["case"] for path in FILES for document in read_cases(path)]

    assert sorted(set(names)) == sorted(names)


def test_every_ruling_has_a_case():
    told = " ".join(path.read_text(encoding="utf-8") for path in FILES)
    found = {int(number) for number in re.findall(r"\bS(\d+)\b", told)}

    assert set(range(1, LAST_RULING + 1)) - found <= OUTSIDE_OF_CASES
