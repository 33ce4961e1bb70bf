"""3.3.1, 3.2.5: orders of friends that stand in each other's way are told while it can be mended."""

import pytest

from wargame.rules.core.board import PLAINS, Board, read_square
from wargame.rules.core.orders import ReadOrder
from wargame.rules.core.position import Army, Position, sorted_armies
from wargame.rules.core.sides import Rank
from wargame.rules.moves.conflicts import conflicts_of
from wargame.rules.posts.notation import read_line

ARMIES = {
    "Ana": ("3D", Rank.LIEUTENANT),
    "Ben": ("3F", Rank.LIEUTENANT),
    "Cay": ("5D", Rank.LIEUTENANT),
    "Dov": ("5F", Rank.LIEUTENANT),
    "Gaz": ("4E", Rank.CENTURION),
    "Hex": ("6E", Rank.CENTURION),
}
MAP = Position(
    Board(PLAINS), sorted_armies([Army(name, rank.side, read_square(at), rank) for name, (at, rank) in ARMIES.items()])
)


def told(*lines: str) -> list[tuple[str, str, str]]:
    """Where, by which rule, and the sentence of each clash."""
    orders = {}
    for line in lines:
        read = read_line(line, ARMIES)
        assert isinstance(read, ReadOrder)
        orders[read.army] = read.order
    return [(str(clash.at), clash.cites, clash.sentence) for clash in conflicts_of(MAP, orders)]


def test_a_replace_whose_friend_stays_is_told() -> None:
    stays = "Ben will stay on 3F, so Ana will move only part of the way."
    assert told("Ana: 3D > 3F; replace Ben") == [("3F", "3.3.1", stays)]
    assert told("Ana: 3D > 3F; replace Ben", "Ben: hold") == [("3F", "3.3.1", stays)]
    assert told("Ana: 3D > 3F; replace Ben", "Ben: intercept Gaz") == [("3F", "3.3.1", stays)]


def test_a_replace_whose_friend_leaves_is_fine() -> None:
    assert told("Ana: 3D > 3F; replace Ben", "Ben: 3F > 3G") == []


def test_two_friends_onto_one_square_are_told() -> None:
    [(at, cites, sentence)] = told("Ana: 3D > 3E", "Ben: 3F > 3E")
    assert (at, cites) == ("3E", "3.3.1")
    assert sentence.startswith("Ana and Ben are both going to 3E. The nearer one will get there")


def test_enemies_on_one_square_are_a_battle_and_no_clash() -> None:
    assert told("Ana: 3D > 4E; engage Gaz") == []
    assert told("Ana: 3D > 5E", "Hex: 6E > 5E") == []


def test_two_who_joint_engage_one_square_are_fine() -> None:
    assert told("Ana: 3D > 4E; joint engage", "Ben: 3F > 4E; joint engage") == []


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["Ana: 3D > 4E; joint engage"], "needs exactly two armies, but it was ordered for Ana."),
        (
            ["Ana: 3D > 4E; joint engage", "Ben: 3F > 4E; joint engage", "Cay: 5D > 4E; joint engage"],
            "needs exactly two armies, but it was ordered for Ana, Ben and Cay.",
        ),
        (
            ["Ana: 3D > 4E; joint engage", "Ben: 3F > 4E; joint engage", "Cay: 5D > 4E; engage Gaz"],
            "No other friend can move to 4E or stay there, but Cay would",
        ),
        (
            ["Ana: 3D > 5F; joint engage", "Ben: 3F > 5F; joint engage"],
            "No other friend can move to 5F or stay there, but Dov would",
        ),
    ],
)
def test_a_joint_engagement_that_can_not_be_one_is_told(lines: list[str], words: str) -> None:
    [(_, cites, sentence)] = told(*lines)
    assert cites == "3.2.5.3"
    assert words in sentence
