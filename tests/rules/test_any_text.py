"""R8: no text breaks a reader, whatever signs of all of Unicode it has; `make probe` does the same for hours."""

import re
import sys
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wargame.rules.armies.muster_list import distribute, read_lines, split_list
from wargame.rules.armies.sizes import read_size
from wargame.rules.armies.terrain_text import read_terrain
from wargame.rules.book.expressions import FormulaError, read_expression
from wargame.rules.command.holidays import read_holidays
from wargame.rules.command.screen_names import screen_name_faults
from wargame.rules.core.board import Square, read_square
from wargame.rules.core.orders import READER_FAILED, ReadOrder, Unreadable
from wargame.rules.core.sides import Rank
from wargame.rules.posts import notation
from wargame.rules.posts.notation import read_line, read_post

NAMES = ("Sai Rei", "Mira", "\u0130stanbul", "\ufb01ne")
LOOKS_LATIN = re.findall(r"[a-z]|\d", "".join(map(chr, range(128, sys.maxunicode + 1))), re.IGNORECASE)
"""The signs outside of ASCII that a pattern takes for a letter or a digit, if nobody forbids it."""

SHAPES = (
    "Sai Rei: 5E > {}9",
    "Sai Rei: {}5 > 6E",
    "5E > 5F (5E - {}4)",
    "Mira: transfer to Sai Rei at 9{}",
    "5{} > 6E",
)

pieces = st.sampled_from(
    [
        *(
            "Sai Rei: ",
            "Mira: ",
            "3D",
            "d3",
            " > ",
            "; engage ",
            "; replace ",
            "(5E - 5F)",
            "intercept ",
            "transfer to ",
        ),
        *(
            " at ",
            "joint engage",
            "hold",
            "Slot 1\n",
            "100 ",
            "1/1",
            "(",
            ")",
            "if ",
            "min(",
            "2026-12-25",
            "\n",
            " x ",
        ),
    ]
)
signs = st.characters() | st.sampled_from(LOOKS_LATIN)
texts = st.lists(pieces | st.text(signs, max_size=4), max_size=12).map("".join)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_letter_that_only_looks_latin_makes_no_square(shape: str) -> None:
    for sign in LOOKS_LATIN:
        line = read_line(shape.format(sign), NAMES, "Sai Rei")
        plain = notation.plain(sign)
        if plain.isascii():  # full width, which is read as what it looks like
            continue
        assert isinstance(line, Unreadable), hex(ord(sign))
        assert line.fault != READER_FAILED, hex(ord(sign))


def test_a_digit_of_another_script_is_no_number() -> None:
    for sign in LOOKS_LATIN:
        with pytest.raises(ValueError):
            read_square(f"{sign}D")
        assert read_size(f"{sign}/{sign}") is None
        _, faults = read_holidays(f"2026-12-2{sign}")
        assert faults


def test_a_line_at_which_the_reader_breaks_down_is_unreadable_by_a_fault_of_its_own(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*given: object) -> None:
        raise ValueError("Mira: 5E > 6E")

    monkeypatch.setattr(notation, "mark_names", fail)
    lines = read_post("Sai Rei: 3D > 5E\ntransfer Mira 5E\ntalk", NAMES)
    assert lines[0] == ReadOrder(1, "Sai Rei: 3D > 5E", "Sai Rei", lines[0].order)  # type: ignore[union-attr]
    assert isinstance(lines[1], Unreadable)
    assert (lines[1].fault, lines[1].cites, lines[1].number) == (READER_FAILED, "R8", 2)
    assert "ValueError in " in caplog.text
    assert "5E" not in caplog.text


def test_a_letter_that_is_two_in_small_letters_is_one_sign_of_a_map() -> None:
    rows, faults = read_terrain("p" * 37 + "\u0130")
    assert len(rows[0]) == 38
    assert "“\u0130” is not a terrain" in faults[0].sentence


@settings(max_examples=400)
@given(texts)
def test_any_text_is_a_post(text: str) -> None:
    for line in read_post(text, NAMES, "Sai Rei"):
        assert not isinstance(line, Unreadable) or line.fault != READER_FAILED
        for square in re.findall(r"Square\(row=(-?\d+)", repr(line)):
            assert 0 <= int(square) < 26


@settings(max_examples=200)
@given(texts)
def test_any_text_is_a_list_a_map_a_calendar_and_a_name(text: str) -> None:
    distribute(Rank.CAPTAIN, split_list(text), {})
    read_lines(text)
    read_terrain(text)
    read_holidays(text)
    screen_name_faults(text, NAMES)


@settings(max_examples=200)
@given(texts)
def test_any_text_is_a_formula_or_none(text: str) -> None:
    with suppress(FormulaError):
        read_expression(text, frozenset({"size"})).value(size=3)


@given(st.text(signs, max_size=5))
def test_a_square_is_one_of_the_alphabet_or_none(text: str) -> None:
    try:
        square = read_square(text)
    except ValueError:
        return
    assert isinstance(square, Square)
    assert 0 <= square.row < 26
