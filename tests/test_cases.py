"""docs/develop/cases.md: the project's own cases, and the shared ones where they are at hand."""

from pathlib import Path

import pytest

from wargame.cases.reading import CaseError
from wargame.cases.running import check_case, read_cases

OWN = Path(__file__).parent / "cases"
SHARED = Path(__file__).parents[2] / "shared" / "cases"


def _cases_of(folder: Path) -> list[object]:
    return [
        pytest.param(document, id=document["case"])
        for path in sorted(folder.glob("*.yaml"))
        for document in read_cases(path)
    ]


@pytest.mark.parametrize("document", _cases_of(OWN))
def test_what_comes_is_what_the_case_expects(document):
    assert check_case(document) == []


def test_no_two_of_our_cases_share_a_name():
    names = [document["case"] for path in sorted(OWN.glob("*.yaml")) for document in read_cases(path)]

    assert sorted(set(names)) == sorted(names)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside this checkout")
@pytest.mark.parametrize("document", _cases_of(SHARED))
def test_what_comes_is_what_the_shared_case_expects(document):
    assert check_case(document) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("case: a\nturns: []\norder: x", "exactly one"),
        ("case: a\narmies: []\nturns: [{post: []}]", "“post”"),
        (
            "case: a\narmies: [{name: X, team: coalition, rank: captian, at: 3D, troops: [1, 1, 1, 1]}]\nturns: []",
            "captian",
        ),
        (
            "case: a\narmies: [{name: X, team: coalition, rank: captain, at: 40D, troops: [1, 1, 1, 1]}]\nturns: []",
            "40D",
        ),
        ("case: a\narmies: []\nturns: [{expect: {att: {}}}]", "“att”"),
        ("- not a case", "document 1"),
        ("case: [", "a.yaml"),
    ],
)
def test_a_case_that_cannot_be_read_says_where(tmp_path, text, named):
    path = tmp_path / "a.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(CaseError, match=named):
        _check_all(path)


def _check_all(path):
    for document in read_cases(path):
        check_case(document)
