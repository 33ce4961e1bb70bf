"""The documentation names places of the code that are there."""

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
DOCUMENTS = (
    *("CONTRIBUTING.md", "docs/play/mercenaries.md", "docs/host/round-files.md"),
    *(f"docs/develop/{name}.md" for name in ("README", "adding", "cases")),
)
PLACE = re.compile(r"`((?:judging|wargame|scripts|tests|templates|docs|fixtures)/[\w./-]*)`")
NAMED_IN = re.compile(r"`(\w+)` in `([\w./]+\.py)`")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_place_that_a_document_names_is_there(name: str) -> None:
    text = (PROJECT / name).read_text(encoding="utf-8")
    places = PLACE.findall(text)
    assert places, "a document of this list that names no place"
    assert [place for place in places if not (PROJECT / place).exists()] == []


def test_every_function_that_the_tours_name_is_where_they_say() -> None:
    text = (PROJECT / "docs" / "develop" / "README.md").read_text(encoding="utf-8")
    named = NAMED_IN.findall(text)
    assert len(named) >= 3
    for function, place in named:
        assert f"def {function}(" in (PROJECT / place).read_text(encoding="utf-8"), f"{function} is not in {place}"
