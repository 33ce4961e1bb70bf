"""T9, T10.3: the page of all lines and orders: each one stands there, and each that stands there is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tables.core.lines.actions import Ambiguous, Unreadable
from tables.core.lines.forms import CLAUSES, FORMS, SENTENCES
from tables.core.lines.notation import read_line, read_sentences
from tables.core.pace import standing
from tests.tables.test_pace import FIRST, table

PAGE = Path(__file__).parents[2] / "docs" / "lines.md"
GAMES = {"Every game": ("kryptik", "seize", "altered", "free"), "Kryptik": ("kryptik",), "Seize": ("seize",),
         "Altered": ("altered",), "Free table": ("free",)}  # fmt: skip
OF_THE_SERVICE = {"offer draw", "accept draw", "refuse draw", "withdraw draw"}
"""Lines that the service takes before they come to the core (T11.9)."""


def written() -> Iterator[tuple[str, str, str]]:
    """Game, kind of the table and each line, as the page has them."""
    kind, games = "", ()
    for row in PAGE.read_text(encoding="utf-8").splitlines():
        if row.startswith("## "):
            games = GAMES[row[3:]]
        elif row.startswith("| ") and "`" not in row and "---" not in row:
            kind = row.split("|")[1].strip()
        elif row.startswith("| `"):
            for line in re.findall(r"`([^`]+)`", row.split("|")[1]):
                yield from ((game, kind, line) for game in games)


def test_every_line_and_every_standing_order_of_the_page_is_read() -> None:
    state = table(FIRST % ("Gull", "Null Word", ""))
    kinds = set()
    for game, kind, line in written():
        kinds.add(kind)
        if kind == "line" and line not in OF_THE_SERVICE:
            assert not isinstance(read_line(line, game, (), ("A", "B")), Unreadable | Ambiguous), (game, line)
        elif kind == "part after a semicolon":
            played = {"altered": "play Kuwat", "free": "", "seize": "play Raider"}.get(game, "cast Gull")
            if played:
                read = read_line(f"{played}; {line}", game, (), ("A", "B"))
                assert not isinstance(read, Unreadable | Ambiguous), (game, line)
        elif kind == "sentence of a proposal":
            assert isinstance(read_sentences(line, game, (), ("A", "B")), tuple), (game, line)
        elif kind == "standing order" and not line.startswith("off"):
            here = replace(state, game=game, cards={})
            assert standing.why_not_given(line) is None, line
            standing.give(here, "A", line)
    assert kinds == {"line", "part after a semicolon", "sentence of a proposal", "standing order"}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.shown)
def test_every_form_of_a_line_stands_on_the_page_for_each_of_its_games(form: object) -> None:
    lines = {(game, line.partition(";")[0].split(" ")[0]) for game, kind, line in written() if kind == "line"}
    for game in form.games:  # type: ignore[attr-defined]
        assert (game, form.shown.partition(";")[0].split(" ")[0]) in lines  # type: ignore[attr-defined]


def test_every_sentence_and_every_clause_stands_on_the_page() -> None:
    shown = {line for _, _, line in written()}
    forms = [form for form in (*SENTENCES, *CLAUSES) if form.games != ("altered",)]
    assert {form.shown.replace("to discard", "to hand") for form in forms} - shown == set()
