"""Every rule of movement and settlement, every ruling and every reason is shown by a case or a test."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from wargame.cases.running import read_cases
from wargame.cases.turns import TURNS
from wargame.rules.core.reasons import Reason
from wargame.rules.moves.events import Refused

TESTS = Path(__file__).parent
ROOT = TESTS.parent
CASES = sorted((TESTS / "cases").glob("*.yaml"))
RULES = ROOT / "wargame" / "rules"

CHAPTERS = ("1.5", "1.7", "2.3.1", "2.3.3", "3", "4", "5.4", "6")
"""The chapters of which every paragraph has a case."""

_NUMBER = r"R\d+|\d+(?:\.\d+)+"
_PARAGRAPH = re.compile(r"^\s*(?:•\s*)?(\d+(?:\.\d+)+)\s?\S", re.MULTILINE)
_RULING = re.compile(r"^\*\*(R\d+)\.", re.MULTILINE)

WITHOUT_A_CASE = {
    "3.3.3": "it gives the judges authority and decides nothing by itself",
    **dict.fromkeys(("4.1.2.1", "4.1.2.2"), "what a strat may tell; the battle judge scores it as a whole"),
    "4.1.2.4": "a battle's terrain is announced for the strats, and no formula uses it; tests/pages/test_battles.py",
    "4.1.2.5": "the weather is announced with the battle and changes no case's battle; tests/rules/test_weather.py",
    "R5": "who may move a deadline is not in a turn's input; tests/services hold it",
    "R63": "a result that is refused comes into no case; tests/rules/test_results.py holds it",
    "R7": "an edit re-stamps lines before they become a turn's input; tests/services hold it",
}
"""Paragraphs of `CHAPTERS` and rulings on movement and settlement that a case can't show, and why."""

LATER = {
    **dict.fromkeys(("R35", "R38", "R42"), "battles: tests of battles and services hold it"),
    **dict.fromkeys(("R43", "R44", "R45", "R47"), "chapter 5 beyond 5.4: not played yet"),
    **dict.fromkeys(
        ("R53", "R54", "R55", "R56", "R57", "R58", "R59"),
        "how the judges judge is not in a turn's input: tests/services",
    ),
    "R60": "when a turn locks is not in its input; tests/services/test_done.py",
    "R74": "a strat is not in a turn's input: tests/services",
    "R76": "a formula book is not in a turn's input: tests/rules/test_book.py",
    "R78": "what is drawn; tests/rules/test_mercenary_draws.py",
}
"""Rulings that no turn or order case shows, and why."""

NAMED_NOWHERE = dict.fromkeys(("1.1.2", "2.5.1.4", "4.1.2.4"), "it gives a thing its name; nothing is decided by it")
"""Numbers that open a docstring in `wargame/rules` and are named by no case or test, and why."""


@cache
def _case_numbers() -> frozenset[str]:
    """The number that each case's name starts with."""
    return frozenset(document["case"].partition("-")[0] for path in CASES for document in read_cases(path))


def _is_among(number: str, numbers: frozenset[str]) -> bool:
    """A paragraph is also shown by what shows a paragraph below it."""
    return any(shown == number or shown.startswith(f"{number}.") for shown in numbers)


def _paragraphs() -> list[str]:
    text = (ROOT / "fixtures" / "rules" / "coalition-wargame.txt").read_text(encoding="utf-8")
    found = dict.fromkeys(_PARAGRAPH.findall(text))
    return [number for number in found if any(number == c or number.startswith(f"{c}.") for c in CHAPTERS)]


def _rulings() -> list[str]:
    return _RULING.findall((ROOT / "fixtures" / "rules" / "rulings.md").read_text(encoding="utf-8"))


@cache
def _refusals() -> frozenset[Reason]:
    """The reasons of all refusals that come when our own cases are played."""
    documents = (document for path in CASES for document in read_cases(path))
    turns = (turn for document in documents if "turns" in document for turn in TURNS.outcome(document))
    return frozenset(event.reason for turn in turns for event in turn.events if isinstance(event, Refused))


def _docstring_numbers() -> Iterator[tuple[str, str]]:
    """(number, where) of every number before the colon of a docstring in the rules."""
    for path in sorted(RULES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                head = (ast.get_docstring(node) or "").partition(":")[0]
                if re.match(_NUMBER, head):
                    name = path.name if isinstance(node, ast.Module) else f"{path.name}: {node.name}"
                    yield from ((number, name) for number in re.findall(_NUMBER, head))


@cache
def _named_in_tests() -> frozenset[str]:
    """All numbers in the text of the cases and the tests, this file aside."""
    files = [*CASES, *(path for path in TESTS.rglob("*.py") if path != Path(__file__))]
    return frozenset(number for path in files for number in re.findall(_NUMBER, path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("number", _paragraphs())
def test_a_paragraph_of_the_rules_has_a_case(number):
    assert number in WITHOUT_A_CASE or _is_among(number, _case_numbers())


@pytest.mark.parametrize("number", _rulings())
def test_a_ruling_has_a_case(number):
    assert number in WITHOUT_A_CASE or number in LATER or _is_among(number, _case_numbers())


@pytest.mark.parametrize("reason", list(Reason), ids=lambda reason: reason.name)
def test_a_reason_comes_about_in_a_case(reason):
    assert reason in _refusals()


def test_a_number_that_opens_a_docstring_is_named_by_a_case_or_a_test():
    opened = {}
    for number, where in _docstring_numbers():
        opened.setdefault(number, where)

    known = _named_in_tests() | set(NAMED_NOWHERE)
    assert {number: where for number, where in opened.items() if not _is_among(number, known)} == {}
