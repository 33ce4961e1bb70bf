"""3.2.2.5: what holds for every text that is read, and every order that is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargame.rules.core.board import Square
from wargame.rules.core.names import key, names_of
from wargame.rules.core.orders import (
    Hold,
    InBattle,
    Intercept,
    Line,
    Move,
    Order,
    ReadOrder,
    Step,
    Suffix,
    Transfer,
    Unreadable,
    write_order,
)
from wargame.rules.core.typography import plain_line
from wargame.rules.posts.grammar import mark_names, parse
from wargame.rules.posts.notation import LONGEST_LINE, read_line, read_plain, read_post

NAMES = ("Deep Rot", "Mirane", "Mira's Host", "Legion 7", "Hold", "St. Ives", "Anti-Mage", "Émile")


letters = st.characters(codec="utf-8", exclude_categories=("C", "Z"))
words = st.sampled_from(
    [
        "engage",
        "replace",
        "joint",
        "transfer",
        "to",
        "at",
        "intercept",
        "hold",
        "in",
        "battle",
        "3D",
        "d3",
        "Old",
        "Tom",
    ]
) | st.text(letters, min_size=1, max_size=6)
army_names = (
    st.lists(words, min_size=1, max_size=3)
    .map(" ".join)
    .filter(lambda name: plain_line(name).text[:1] not in ("", ">") and key(name) != "")
)
rosters = st.lists(army_names, min_size=1, max_size=5, unique_by=key)
plain_names = st.sampled_from(NAMES)
Part = tuple[tuple[Square, tuple[Square, ...] | None], tuple[Suffix | None, str | None]]
squares = st.builds(Square, st.integers(0, 25), st.integers(0, 999))


def orders(names: st.SearchStrategy[str]) -> st.SearchStrategy[Order]:
    ends = st.tuples(squares, st.none() | st.lists(squares, min_size=1, max_size=5).map(tuple))
    suffixes = (
        st.just((None, None))
        | st.tuples(st.sampled_from(("engage", "replace")), names)
        | st.tuples(st.just("joint engage"), st.none() | names)
    )
    steps = st.lists(st.tuples(ends, suffixes), min_size=1, max_size=4)
    return (
        st.builds(move_of, squares, steps)
        | st.builds(Intercept, names)
        | st.builds(Transfer, names, squares)
        | st.sampled_from((Hold(), InBattle()))
    )


def move_of(start: Square, parts: list[Part]) -> Move:
    steps = []
    for (to, route), (suffix, target) in parts:
        steps.append(Step(start, to, route, suffix, target))
        start = to
    return Move(tuple(steps))


fragments = st.lists(
    st.sampled_from(
        [
            "Mirane",
            "Deep Rot",
            "hold",
            "Legion 7",
            "3D",
            "e5",
            "40",
            ">",
            "->",
            "→",
            ";",
            ",",
            ":",
            "(",
            ")",
            " - ",
            ".",
            "engage ",
            "replace ",
            "joint engage ",
            "intercept ",
            "transfer to ",
            " at ",
            "in battle",
            " ",
            "\xa0",
            "**",
            "[b]",
            "'",
            "“",
            "”",
            "x",
            "\u200b",
            "\x00",
            "é",
            "1. ",
            "no move",
        ]
    ),
    max_size=14,
).map("".join)


@given(st.data(), rosters)
def test_what_is_written_reads_back_to_the_same_order(data: st.DataObject, names: list[str]) -> None:
    army = data.draw(st.sampled_from(names))
    order = data.draw(orders(st.sampled_from(names)))
    text = write_order(army, order)
    line = read_line(text, names) if len(text) <= LONGEST_LINE else ReadOrder(1, text, army, order)
    assert line == ReadOrder(1, text, army, order)


@given(fragments)
def test_what_is_read_is_written_in_a_form_that_reads_the_same(text: str) -> None:
    line = read_line(text, NAMES, own="Mirane")
    if isinstance(line, ReadOrder):
        again = read_line(write_order(line.army, line.order), NAMES)
        assert isinstance(again, ReadOrder)
        assert (again.army, again.order) == (line.army, line.order)


@given(st.text() | fragments, st.sampled_from(("", "Mirane")))
def test_any_text_gets_an_answer_and_any_column_lies_within_the_line(text: str, own: str) -> None:
    for line in read_post(text, NAMES, own):
        assert_answers(line)


@given(fragments | st.builds(write_order, plain_names, orders(plain_names)))
def test_plain_lines_are_read_as_the_grammar_reads_them(text: str) -> None:
    names = names_of(NAMES)
    short = read_plain(text, names, "Mirane")
    line = plain_line(text)
    if short is not None:
        army, order = parse(mark_names(line.text, line.start, names))  # type: ignore[misc]
        assert short == (army or "Mirane", order)


def assert_answers(line: Line) -> None:
    if isinstance(line, Unreadable):
        assert 1 <= line.column <= len(line.text) + 1
        assert line.text[line.column - 1 : line.column].strip() or not line.text[line.column - 1 :].strip()
        assert line.wrong
        assert line.expected


@pytest.mark.parametrize(
    "text",
    [
        "x" * 200_000,
        ">" * 1_000_000,
        "a" + ">" * 1_000_000,
        ": " * 100_000 + "hold" + " " * 100_000 + "x",
        "joint" + " " * 200_000 + "engaged",
        ("Mirane: " + "engage " * 60)[:LONGEST_LINE],
        ("Mirane: 3D > 5E; engage " + "'" * 400)[:LONGEST_LINE],
        "Mirane: 3D > 5E; engage " + "\ufdfa" * 370,
        "\x00> \x00",
        "\u202eMirane: 3D > 5E",
        "\ue000: 3D > 5E",
        "Mirane: 3D > 5E; engage \ue001\ue000",
        "⚔️ Mirane: 3D > 5E ⚔️",
    ],
)
def test_no_line_is_too_strange_to_be_answered(text: str) -> None:
    """Also by a line that could make a careless reader slow: this test would not end."""
    assert read_post(text, NAMES, own="Mirane")
