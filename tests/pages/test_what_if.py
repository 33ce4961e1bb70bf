"""R18: a rehearsal of the moves: from what its viewer may read, with dice of its own, and nothing of it is kept."""

from __future__ import annotations

import pytest

from judging.models import Draft, Post
from tests.pages.playing import SEALED_TIME, Game, game, said
from tests.services.world_of_tests import HOUR

__all__ = ["game"]


def what_if(game: Game, orders: str = "", who: str = "", **more: str) -> str:
    answer = game.client(who).get(game.url("what-if"), {"orders": orders, **more})
    assert answer.status_code == 200
    return said(answer)


def test_the_posted_orders_are_carried_out(game: Game) -> None:
    game.world.post("Ana", "3D > 3F; engage Gaz")
    told = what_if(game)
    assert "1 posted order, 0 tried here" in told
    assert "Ana attacks Gaz on 3F" in told


def test_a_tried_order_stands_in_for_the_posted_one_and_needs_no_control(game: Game) -> None:
    game.world.post("Ana", "3D > 3F; engage Gaz")
    told = what_if(game, "Ana: 3D > 4D\nGaz: 3F > 4F")
    assert "0 posted orders, 2 tried here" in told
    assert "Ana moves from 3D to 4D" in told
    assert "No enemies would meet" in told


def test_an_illegal_order_is_refused_with_its_rule_as_at_the_lock(game: Game) -> None:
    assert "3D > 8D is 5 steps" in what_if(game, "Ana: 3D > 8D").replace("&gt;", ">")


def test_a_line_that_can_not_be_read_is_shown_with_its_column(game: Game) -> None:
    assert "at column 11" in what_if(game, "Ana: 3D > > 4D")


@pytest.mark.parametrize(("who", "counts"), [("Ana", 1), ("Gaz", 0), ("", 0), ("movement", 0)])
def test_a_sealed_order_is_rehearsed_for_its_author_alone(game: Game, who: str, counts: int) -> None:
    """R6."""
    game.go_to(SEALED_TIME)
    game.world.post("Ana", "3D > 4D", SEALED_TIME, sealed=True)
    assert f"{counts} posted order" in what_if(game, who=who)


def test_nothing_is_kept(game: Game) -> None:
    what_if(game, "Ana: 3D > 4D", "Ana")
    assert not Post.objects.exists()
    assert not Draft.objects.exists()


def test_the_posted_orders_can_be_left_out(game: Game) -> None:
    game.world.post("Ana", "3D > 4D")
    assert "0 posted orders, 0 tried here" in what_if(game, alone="1")


def test_an_old_turn_can_be_tried_otherwise(game: Game) -> None:
    game.world.post("Ana", "3D > 3F; engage Gaz")
    game.world.settle()
    game.go_to(game.world.turn.opened_at + HOUR)
    answer = game.client().get(game.url("what-if-turn", 1), {"orders": "Gaz: 3F > 4F"})
    assert "No enemies would meet" in said(answer)


def test_too_long_orders_are_refused_with_what_was_typed(game: Game) -> None:
    answer = game.client().get(game.url("what-if"), {"orders": "x" * 4001})
    assert answer.status_code == 422
    assert "a rehearsal takes 4,000" in said(answer)
    assert "x" * 4001 in answer.content.decode()
