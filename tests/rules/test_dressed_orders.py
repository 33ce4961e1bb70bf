"""3.2.2.5, R8, R9: what telephones, word processors and forums make of an order changes nothing of it."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.test_notation_properties import NAMES, orders
from wargame.rules.core.orders import Order, ReadOrder, write_order
from wargame.rules.posts.notation import read_line

CASES = (str, str.upper, str.lower)
BLANKS = (" ", "  ", "\t", "\xa0", "\u2009", "\u3000")
DASHES = ("-", "\u2010", "\u2011", "–", "—")
ARROWS = (">", "->", "=>", "–>", "—>", "→", "➡️", "＞")
SEMICOLONS = (";", ",", "；", " ;")
APOSTROPHES = ("'", "’")
PREFIXES = ("", "1. ", "(2) ", "- ", "• ", "* ", "[*] ", "## ", "\ufeff", "  ")
WRAPS = (("", ""), ("**", "**"), ("_", "_"), ("`", "`"), ("[b]", "[/b]"), ("[COLOR=red][i]", "[/i][/COLOR]"))
SUFFIXES = ("", ".", " ", "\u200b", "\u200e ")
WIDE = {code: chr(code + 0xFEE0) for code in range(0x21, 0x7F)}
NARROW: dict[int, str] = {}

_SQUARE = re.compile(r"\b([0-9]+)([A-Z])\b", re.ASCII)

dresses = st.fixed_dictionaries(
    {
        "letter_first": st.booleans(),
        "dash": st.sampled_from(DASHES),
        "arrow": st.sampled_from(ARROWS),
        "semicolon": st.sampled_from(SEMICOLONS),
        "apostrophe": st.sampled_from(APOSTROPHES),
        "case": st.sampled_from(CASES),
        "width": st.sampled_from((NARROW, WIDE)),
        "blank": st.sampled_from(BLANKS),
        "prefix": st.sampled_from(PREFIXES),
        "wrap": st.sampled_from(WRAPS),
        "suffix": st.sampled_from(SUFFIXES),
    }
)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(NAMES), orders(st.sampled_from(NAMES)), dresses)
def test_an_order_in_any_dress_is_the_same_order(army: str, order: Order, dress: dict[str, object]) -> None:
    line = read_line(dressed(write_order(army, order), **dress), NAMES)

    assert isinstance(line, ReadOrder)
    assert (line.army, line.order) == (army, order)


def dressed(text, letter_first, dash, arrow, semicolon, apostrophe, case, width, blank, prefix, wrap, suffix):
    """The order as it might be posted."""
    if letter_first:
        text = _SQUARE.sub(r"\2\1", text)
    text = text.replace("-", dash).replace(";", semicolon).replace("'", apostrophe).replace(" > ", f" {arrow} ")
    text = case(text).translate(width).replace(" ", blank)
    before, after = wrap
    return f"{prefix}{before}{text}{after}{suffix}"
