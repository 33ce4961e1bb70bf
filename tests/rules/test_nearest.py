"""3.2.2: a refused order is told with its nearest legal form."""

import pytest

from wargame.rules.core.board import PLAINS, Board, read_square
from wargame.rules.core.orders import ReadOrder
from wargame.rules.core.position import Army, Position, sorted_armies
from wargame.rules.core.sides import Rank
from wargame.rules.core.turn import PostedLine
from wargame.rules.moves.commands import refusal_of_line
from wargame.rules.posts.notation import read_line

ARMIES = {
    "Ana": ("3D", Rank.CAPTAIN),
    "Ben": ("3F", Rank.LIEUTENANT),
    "Gaz": ("5D", Rank.EVINCAR),
    "Edge": ("1A", Rank.CAPTAIN),
    "Far": ("2D", Rank.CAPTAIN),
}
MAP = Position(
    Board(PLAINS), sorted_armies([Army(name, rank.side, read_square(at), rank) for name, (at, rank) in ARMIES.items()])
)


def told(text: str) -> str:
    """What the author of a line reads about it."""
    read = read_line(text, ARMIES)
    assert isinstance(read, ReadOrder)
    line = PostedLine("Ann", read.army, read.order, 0)
    refusal = refusal_of_line(MAP, line, {read.army: ("Ann",)})
    return refusal.sentence if refusal else ""


@pytest.mark.parametrize(
    ("text", "would_do"),
    [
        ("Ana: 3D > 5F", "Try 3D > 5E."),
        ("Ana: 3D > 3H", "Try 3D > 3G."),
        ("Ana: 3D > 8D", "Try 3D > 6D."),
        ("Ana: 3D > 6F > 6H", "Try 3D > 6D."),
        ("Ana: 4D > 5E", "Try 3D > 5E."),
        ("Ana: 9K > 3F", "Try 3D > 3F; replace Ben."),
        ("Ana: 3D > 3D", "Try hold."),
        ("Ana: 3D > 5D", "Try 3D > 5D; engage Gaz."),
        ("Ana: 3D > 5D (3D - 4D - 5D)", "Try 3D > 5D (3D - 4D - 5D); engage Gaz."),
        ("Ana: 3D > 3F", "Try 3D > 3F; replace Ben."),
        ("Ana: 3D > 5D; engage Ben", "Try 3D > 5D; engage Gaz."),
        ("Ana: 3D > 3F; engage Gaz > 3H", "Try 3D > 3F; replace Ben > 3H."),
        ("Edge: 1A > 1F", "Try 1A > 1D."),
        ("Far: 2D > 6D", "Try 2D > 4D."),
        ("Far: 9K > 4D", "Try 2D > 4D."),
        ("Far: 2D > 6D; engage Gaz", "Try 2D > 5D; engage Gaz."),
    ],
)
def test_a_refused_order_is_told_with_what_would_do(text: str, would_do: str) -> None:
    assert told(text).endswith(f" {would_do}")


@pytest.mark.parametrize(
    "text",
    [
        "Ana: 3D > 3Z",
        "Ana: intercept Ben",
        "Ana: transfer to Ben at 3F",
        "Ana: 4D > 3D",
        "Ana: 9K > 9L",
        "Far: 9K > 5D",
    ],
)
def test_where_nothing_near_would_do_nothing_is_said(text: str) -> None:
    assert told(text)
    assert "Try " not in told(text)


def test_what_would_do_is_legal() -> None:
    for text in ("3D > 5F", "3D > 5D", "3D > 3F", "9K > 3F", "3D > 5D; engage Ben", "3D > 38N", "3D > 1D"):
        if sentence := told(f"Ana: {text}"):
            assert told(f"Ana: {sentence.rpartition('. Try ')[2].removesuffix('.')}") == ""
