"""13: the cases of Kryptik, in the order of its document, and those that belong to no game."""

from pathlib import Path

import pytest

from tables.cases import CaseError, check_case, read_cases

CASES = Path(__file__).parent / "cases"
FILES = [CASES / "common.yaml", *sorted((CASES / "free").glob("*.yaml")), *sorted((CASES / "kryptik").glob("*.yaml"))]


def _cases() -> list[object]:
    return [pytest.param(document, id=str(document["case"])) for path in FILES for document in read_cases(path)]


@pytest.mark.parametrize("document", _cases())
def test_what_comes_is_what_the_case_expects(document):
    assert check_case(document) == []


def test_no_two_cases_share_a_name():
    names = [document["case"] for path in FILES for document in read_cases(path)]

    assert sorted(set(names)) == sorted(names)


GULL = "cards: [{name: Gull, type: citizen, attack: 1, defense: 1}]\n"
START = "position: {turn: {number: 3, of: A, at: first}, A: {eleven: 6}, B: {eleven: 6}}\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (f"case: a\ngame: kryptik\n{START}windws: ask\n", "windws"),
        (f"case: a\ngame: chess\n{START}", "chess"),
        ("case: a\ngame: kryptik\nposition: {turn: {number: 3, of: A, at: dawn}, A: {}, B: {}}\n", "dawn"),
        (
            f"case: a\ngame: kryptik\n{GULL}position: {{turn: {{of: A, at: first}}, A: {{hand: [Gul]}}, B: {{}}}}\n",
            "Gul",
        ),
        (f"case: a\ngame: kryptik\n{START}posts: [{{by: A, did: pass}}]\n", "did"),
        (f"case: a\ngame: kryptik\n{START}expect: {{zonse: {{}}}}\n", "zonse"),
    ],
)
def test_a_case_that_cannot_be_read_says_where(tmp_path, text, named):
    path = tmp_path / "a.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(CaseError, match=named):
        [check_case(document) for document in read_cases(path)]


def test_what_differs_is_told(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(
        f"case: a\ngame: kryptik\n{START}expect: {{zones: {{A.eleven: 5}}, log: ['4.1']}}\n", encoding="utf-8"
    )

    told = [text for document in read_cases(path) for text in check_case(document)]

    assert [text.split(":")[0] for text in told] == ["A.eleven", "log"]
