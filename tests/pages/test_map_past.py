"""1.2: the past of the map: what happened beside it, its arrows, the comparison of two turns."""

import pytest

from judging.svg.map import Arrow, arrows_of
from tests.pages.playing import Game, game, said
from wargame.rules.core.board import PLAINS, Board, read_square
from wargame.rules.core.position import Army, Position, sorted_armies
from wargame.rules.core.sides import Rank

__all__ = ["game"]

ARMIES = {"Ana": ("3D", Rank.CAPTAIN), "Ben": ("4D", Rank.LIEUTENANT), "Gaz": ("5F", Rank.EVINCAR)}
MAP = Position(
    Board(PLAINS), sorted_armies([Army(name, rank.side, read_square(at), rank) for name, (at, rank) in ARMIES.items()])
)


def arrows(**event: object) -> list[tuple[str, str, str]]:
    """The kind, the side and the army of each arrow of an event."""
    found = arrows_of(MAP, [{"armies": ["Ana"], **event}])
    return [(arrow.kind, arrow.side, arrow.army) for arrow in found]


def test_a_move_follows_its_route() -> None:
    [arrow] = arrows_of(
        MAP, [{"kind": "moved", "armies": ["Ana"], "from": "3D", "to": "4E", "route": ["3D", "3E", "4E"]}]
    )
    assert arrow == Arrow("M80 112V144H103", "moved", "coalition", "army-ana")


def test_a_partial_move_shows_where_the_army_meant_to_go() -> None:
    """3.3.2."""
    kinds = arrows(kind="moved_partially", **{"from": "3D", "to": "5D", "meant": "6D"})
    assert kinds == [("meant", "coalition", "army-ana"), ("moved_partially", "coalition", "army-ana")]


def test_an_intercepted_army_is_drawn_to_the_interceptors_square() -> None:
    """3.2.3.1."""
    kinds = arrows(kind="intercepted", by="Gaz", **{"from": "3D", "at": "5D", "meant": "6D"})
    assert kinds == [("meant", "coalition", "army-ana"), ("intercepted", "coalition", "army-ana")]


@pytest.mark.parametrize(
    ("order", "shown"),
    [("3D > 8D", True), ("Ana: 3D > 3D", False), ("3D > 3Z", False), ("intercept Ben", False), ("what?", False)],
)
def test_a_refused_move_is_drawn_as_it_was_asked_for_where_it_can_be(order: str, shown: bool) -> None:
    """R14."""
    kinds = arrows(kind="refused", army="Ana", order=order, counts=True)
    assert kinds == ([("refused", "coalition", "army-ana")] if shown else [])


def test_a_transfer_leads_from_the_sender_to_the_receiver() -> None:
    """3.2.4."""
    assert arrows(kind="transferred", sender="Ana", receiver="Ben") == [("transferred", "coalition", "army-ana")]


def test_an_old_map_tells_what_happened_in_its_turn_with_the_rules(game: Game) -> None:
    game.world.post("Ana", "3D > 9D")
    game.world.settle()
    html = said(game.client().get(game.url("map-turn", 1)))
    assert "What happened in turn 1" in html
    assert "3D to 9D is 6 squares" in html
    assert "What happened in turn 2" not in said(game.client().get(game.url("map-turn", 2)))


def test_two_turns_are_compared_by_who_went_where(game: Game) -> None:
    game.world.post("Ana", "3D > 3F; engage Gaz")
    game.world.settle()
    page = game.client().get(game.url("map-compare"), {"from": "1", "to": "2"})
    assert "Ana: 3D → 3F" in said(page)
    assert "New: Ana attacking Gaz on 3F" in said(page)
    assert 'data-army="army-ana"' in page.content.decode()


def test_a_turn_is_as_itself(game: Game) -> None:
    assert "Nothing changed" in said(game.client().get(game.url("map-compare"), {"from": "1", "to": "1"}))


@pytest.mark.parametrize("asked", [{"from": "1", "to": "9"}, {"from": "x", "to": "1"}, {"from": "0", "to": "1"}])
def test_turns_that_are_not_there_are_said_and_what_was_typed_stays(game: Game, asked: dict[str, str]) -> None:
    page = game.client().get(game.url("map-compare"), asked)
    assert page.status_code == 422
    assert "Choose two turns between 1 and 1." in said(page)
    assert f'value="{asked["from"]}"' in page.content.decode()
