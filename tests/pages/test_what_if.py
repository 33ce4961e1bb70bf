"""R18: a rehearsal of the moves: from what its viewer may read, with dice of its own, and nothing of it is kept."""

import re
from html import unescape

import pytest
from django.http import HttpResponse
from django.urls import reverse

from judging.common.models import LogEntry
from judging.turns.models import Draft, Post, Ruling
from tests.pages.judge_desk import Desk, desk, make_draft
from tests.pages.playing import SEALED_TIME, Game, game, said
from tests.services.ruling import new, rule
from tests.services.world_of_tests import HOUR

__all__ = ["desk", "game"]


def what_if(game: Game, orders: str = "", who: str = "", **more: str) -> str:
    answer = game.client(who).get(game.url("what-if"), {"orders": orders, **more})
    assert answer.status_code == 200
    return said(answer)


def test_the_posted_orders_are_carried_out(game: Game) -> None:
    game.world.post("Ana", "3D > 3F; engage Gaz")
    told = what_if(game)
    assert "1 posted order, 0 tried here" in told
    assert "Ana will attack Gaz on 3F" in told


def test_a_tried_order_stands_in_for_the_posted_one_and_needs_no_control(game: Game) -> None:
    game.world.post("Ana", "3D > 3F; engage Gaz")
    told = what_if(game, "Ana: 3D > 4D\nGaz: 3F > 4F")
    assert "0 posted orders, 2 tried here" in told
    assert "Ana moved from 3D to 4D" in told
    assert "No enemies would meet" in told


def test_an_illegal_order_is_refused_with_its_rule_as_at_the_lock(game: Game) -> None:
    assert "3D to 8D is 5 squares" in what_if(game, "Ana: 3D > 8D").replace("&gt;", ">")


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
    assert "the limit is 4,000" in said(answer)
    assert "x" * 4001 in answer.content.decode()


def try_ruling(game: Game, kind: str, army: str, says: str = "", who: str = "movement", **more: str) -> HttpResponse:
    asked = {"kind": kind, "army": army, "says": says, **more}
    return game.client(who).get(game.url("what-if"), asked)


@pytest.mark.parametrize("who", ["movement", "battle"])
def test_a_judge_rehearses_a_ruling_and_sees_what_it_changes(game: Game, who: str) -> None:
    """3.3.3."""
    game.world.post("Ana", "3D > 3F; engage Gaz")
    told = said(try_ruling(game, "square", "Ana", "4E", who))
    assert "The move of Ana ends on 4E." in told
    assert "Ana ends on 4E instead of 3F." in told
    assert "No enemies would meet." in told


def test_every_kind_of_ruling_can_be_rehearsed(game: Game) -> None:
    game.world.post("Ana", "3D > 8D")
    told = {
        ("order", "3D > 4D"): "The order of Ana is taken to be “Ana: 3D > 4D”",
        ("lifted", ""): "The order of Ana (“Ana: 3D > 8D”) is no longer refused",
        ("aside", ""): "The orders of Ana are set aside, and the army stays",
        ("square", "4e"): "The move of Ana ends on 4E",
        ("winner", "4E"): "Ana must get 4E before any friend",
        ("days", "3"): "The days of Ana are set to 3",
        ("troops", "4 300"): "For Ana, the number of living troops in slot 4 is set to 300",
        ("troops", "4 Ana 4/4 300"): "For Ana, the number of living Ana 4/4 is set to 300",
    }
    for (kind, says), words in told.items():
        answer = try_ruling(game, kind, "Ana", says)
        assert answer.status_code == 200, said(answer)
        assert words in said(answer).replace("&gt;", ">")


def test_several_rulings_are_tried_at_once(game: Game) -> None:
    two = "?kind=square&army=Ana&says=4E&kind=aside&army=Gaz&says=&kind=&army=&says="
    told = said(game.client("movement").get(game.url("what-if") + two))
    assert "The move of Ana ends on 4E." in told
    assert "The orders of Gaz are set aside, and the army stays" in told


@pytest.mark.parametrize(
    ("kind", "army", "says", "why"),
    [
        ("square", "Nobody", "4E", "There is no army “Nobody”"),
        ("square", "Ana", "99Z", "99Z"),
        ("order", "Ana", "fly", "an order. Write one like"),
        ("lifted", "Ana", "", "No order for Ana was refused"),
        ("days", "Ana", "9" * 150, "is not a whole number"),
        ("troops", "Ana", "", "whole number"),
        ("nonsense", "Ana", "4E", "Choose what kind of ruling to make"),
        ("order", "Ana", "3D \x00> 4D", "order"),
    ],
)
def test_a_wrong_ruling_says_why_and_keeps_what_was_typed(
    game: Game, kind: str, army: str, says: str, why: str
) -> None:
    answer = try_ruling(game, kind, army, says)
    assert answer.status_code == 422
    assert why in said(answer)
    assert f'value="{army}"' in answer.content.decode()
    assert "Armies that would meet" in said(answer)


@pytest.mark.parametrize("who", ["", "Ana", "mercenary"])
def test_nobody_else_rehearses_rulings(game: Game, who: str) -> None:
    """1.3."""
    answer = try_ruling(game, "square", "Ana", "4E", who)
    told = said(answer)
    assert answer.status_code == 200
    assert "This link also tries out rulings" in told
    assert "Rulings to try" not in told
    assert "4E" not in told
    assert "Rulings to try" not in what_if(game, who=who)


def test_a_rehearsed_ruling_is_not_made(game: Game) -> None:
    before = LogEntry.objects.count()
    try_ruling(game, "square", "Ana", "4E")
    assert not Ruling.objects.exists()
    assert LogEntry.objects.count() == before


def test_a_rehearsed_ruling_is_handed_in_at_the_desk_after_the_lock(desk: Desk) -> None:
    """3.1: not before the moves are worked out; then the desk's form begins with what was tried."""
    judge, page = desk.client("movement"), reverse("what-if", args=["trial"])
    asked = {"kind": "order", "army": "Hex", "says": "20F > 21F"}
    assert "You can submit it once the moves are worked out, after the lock" in said(judge.get(page, asked))
    make_draft(desk)
    html = judge.get(page, asked).content.decode()
    [address] = re.findall(r'<a href="([^"]+)">Submit this ruling', html)
    form = judge.get(unescape(address)).content.decode()
    assert 'name="order" value="20F &gt; 21F"' in form
    assert 'name="army" value="Hex"' in form


def test_rulings_in_force_count_in_a_judges_rehearsal(desk: Desk) -> None:
    make_draft(desk)
    page = reverse("what-if", args=["trial"])
    rule(desk.world, new("square", "Hex", square="18F"))
    told = said(desk.client("movement").get(page))
    assert "the move of Hex ends on 18F" in told
    assert "18F" not in said(desk.client("Ana").get(page))
