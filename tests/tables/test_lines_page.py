"""T9, T10.3: the page of all lines and orders: it has all that the code knows, and the code reads all that it has."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tables.core.lines.actions import Ambiguous, Unreadable
from tables.core.lines.forms import CLAUSES, COUNTED, FORMS, SENTENCES, STEPS, Form
from tables.core.lines.notation import read_line, read_sentences
from tables.core.lists.vocabulary import ZONES
from tables.core.pace import never_asked, standing_orders
from tables.core.reasons import Refused
from tables.games import RULES
from tests.tables.test_pace import FIRST, table

PAGE = Path(__file__).parents[2] / "docs" / "play" / "cards" / "lines.md"
GAMES = {"Every game": ("kryptik", "seize", "altered", "free"), "Kryptik": ("kryptik",), "Seize": ("seize",),
         "Altered": ("altered",), "Free table": ("free",)}  # fmt: skip
OF_THE_SERVICE = {"offer draw", "accept draw", "refuse draw", "withdraw draw"}
"""Lines that the service takes before they come to the core (T11.9)."""
PARTS_OF_ORDERS = {"LAST", "THEN", "TEST", "EVENT"}
"""Patterns of `standing` that are no orders of their own."""
ALTERNATIVES = re.compile(r"\(\?P<(\w+)>([\w <>=]+(?:\|[\w <>=]+)+)\)")


def rows() -> Iterator[tuple[str, str, str]]:
    """Game, kind of the table and each line, as the page has them."""
    kind, games = "", ()
    for row in PAGE.read_text(encoding="utf-8").splitlines():
        if row.startswith("## "):
            games = GAMES[row[3:]]
        elif row.startswith("| ") and "`" not in row.split("|")[1] and "---" not in row:
            kind = row.split("|")[1].strip()
        elif row.startswith("| `"):
            for line in re.findall(r"`([^`]+)`", row.split("|")[1]):
                yield from ((game, kind, line) for game in games)


ROWS = tuple(rows())


def lines_of(game: str, kind: str) -> set[str]:
    return {line for each, of_kind, line in ROWS if (each, of_kind) == (game, kind)}


def check(game: str, order: str) -> None:
    """Gives an order at a table of a game. Refused where it can't be read, or would never fire in that game."""
    if (why := standing_orders.why_not_given(order)) is not None:
        raise Refused("unreadable", str(why), 1)
    state = replace(table(FIRST % ("Gull", "Null Word", "")), game=game, cards={})
    standing_orders.give(state, "A", order)
    if not standing_orders.OFF.fullmatch(order) and not standing_orders.UNTIL.fullmatch(order):
        never_asked.refuse(RULES[game], state, standing_orders.ENDING.sub(r"\g<rest>", order))


@pytest.fixture
def any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of the examples are on no table."""
    monkeypatch.setattr(never_asked, "_thing", lambda *_: None)


@pytest.mark.usefixtures("any_name")
def test_every_line_and_every_standing_order_of_the_page_is_read() -> None:
    for game, kind, line in ROWS:
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
            check(game, line)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.shown)
def test_every_form_of_a_line_is_on_the_page_for_each_of_its_games(form: Form) -> None:
    assert [game for game in form.games if form.shown not in lines_of(game, "line")] == []


@pytest.mark.parametrize("game", RULES)
def test_every_sentence_clause_number_step_and_zone_is_on_the_page(game: str) -> None:
    sentences = {form.shown.replace("to discard", "to hand") for form in SENTENCES if game in form.games}
    clauses = {form.shown for form in CLAUSES if game in form.games}
    assert sentences - lines_of(game, "sentence of a proposal") == set()
    assert clauses - lines_of(game, "part after a semicolon") == set()
    assert set(COUNTED) == lines_of(game, "number of a sentence")
    steps = {name for names in STEPS.get(game, {}).values() for name in names}
    assert steps == lines_of(game, "step after “pass to”")
    assert set(ZONES[game]) == lines_of(game, "zone of a sentence")  # type: ignore[index]


@pytest.mark.usefixtures("any_name")
@pytest.mark.parametrize("game", RULES)
def test_every_standing_order_is_on_the_page_for_each_game_that_takes_it(game: str) -> None:
    """T10.3: the patterns by which orders are read are the register of all orders."""
    patterns = {name: each for name, each in vars(standing_orders).items() if isinstance(each, re.Pattern)}
    orders = {line for _, kind, line in ROWS if kind == "standing order"}
    here = lines_of(game, "standing order")
    for name in patterns.keys() - PARTS_OF_ORDERS:
        examples = [order for order in orders if patterns[name].fullmatch(order)]
        assert examples, f"{name}: no order of this pattern is on the page"
        if any(is_taken(game, order) for order in examples):
            assert any(patterns[name].fullmatch(order) for order in here), (game, name)
    for name, pattern in patterns.items():
        for group, words in ALTERNATIVES.findall(pattern.pattern):
            for word in words.split("|"):
                assert any(has(pattern, group, word, order) for order in orders), (name, group, word)


def is_taken(game: str, order: str) -> bool:
    try:
        check(game, order)
    except Refused:
        return False
    return True


def has(pattern: re.Pattern[str], group: str, word: str, order: str) -> bool:
    """Whether an order, or the event or test in it, has that word in a group of the pattern."""
    parts = [order, *re.split(r"if | and | when | unless | or |: ", order)]
    return any((found := pattern.fullmatch(part)) is not None and found[group] == word for part in parts)
