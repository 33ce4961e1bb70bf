"""R9: the page on orders for players has every form of an order, and each that it has is read."""

import re
from pathlib import Path

from wargame.rules.core.orders import HOLD_WORDS, IN_BATTLE_WORDS, Hold, InBattle, Intercept, Move, ReadOrder, Transfer
from wargame.rules.posts.grammar import SUFFIXES
from wargame.rules.posts.notation import read_line

PAGE = Path(__file__).parents[2] / "docs" / "play" / "orders.md"
NAMES = ("Sai Rei", "Gazetzot", "Darkhand5", "Bob")


def orders() -> list[str]:
    """The examples of the first table; those without a name are the same for Sai Rei."""
    section = PAGE.read_text(encoding="utf-8").split("\n## ")[1]
    cells = [row.split("|")[2] for row in section.splitlines() if row.startswith("| ")]
    texts = [text for cell in cells for text in re.findall(r"`([^`]+)`", cell)]
    return [text if ":" in text else f"Sai Rei: {text}" for text in texts]


def test_every_form_of_an_order_is_on_the_page_and_is_read() -> None:
    lines = [read_line(text, NAMES) for text in orders()]
    assert [line.text for line in lines if not isinstance(line, ReadOrder)] == []
    read = [line.order for line in lines if isinstance(line, ReadOrder)]
    assert {type(order) for order in read} == {Move, Intercept, Transfer, Hold, InBattle}
    moves = [order for order in read if isinstance(order, Move)]
    assert {step.suffix for move in moves for step in move.steps} == {None, *SUFFIXES.values()}
    assert any(step.route for move in moves for step in move.steps)
    assert any(len(move.steps) > 1 for move in moves)
    assert {f"Sai Rei: {words}" for words in HOLD_WORDS + IN_BATTLE_WORDS} <= set(orders())
