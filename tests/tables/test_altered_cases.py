"""13: the cases of Altered, in the order of its document, and our own."""

from pathlib import Path

import pytest

from tables.cases import check_case, read_cases

FILES = sorted((Path(__file__).parent / "cases" / "altered").glob("*.yaml"))


def _cases() -> list[object]:
    return [pytest.param(document, id=str(document["case"])) for path in FILES for document in read_cases(path)]


@pytest.mark.parametrize("document", _cases())
def test_what_comes_is_what_the_case_expects(document):
    assert check_case(document) == []


def test_no_two_cases_share_a_name():
    names = [document["case"] for path in FILES for document in read_cases(path)]

    assert sorted(set(names)) == sorted(names)
