"""3.1: the update of a turn: what moved, what was refused and why, as a page and as plain text."""

import re

import pytest

from judging.turns.queries import with_draws_told
from tests.pages.playing import Game, game, said
from tests.services.world_of_tests import HOUR

__all__ = ["game"]


@pytest.fixture
def settled(game: Game) -> Game:
    """Turn 1 settled: Ana engaged Gaz, Ben moved, Hex was refused."""
    game.world.post("Ben", "Ben: 10D > 12E")
    game.world.post("Hex", "Hex: 20F > 25F")
    game.battle()
    return game


def test_the_update_tells_moves_refusals_and_new_battles(settled: Game) -> None:
    text = said(settled.client().get(settled.url("turn", 1)))

    assert "Ana attacked Gaz on 3F" in text
    assert "Hex: 20F to 25F is 5 squares; an army can move 3." in text
    assert "Hex: 20F &gt; 25F by Hex" in text
    assert "Ben" in text
    assert "12E" in text


def test_what_befell_ones_own_armies_stands_first_and_each_section_is_a_link_away(settled: Game) -> None:
    own, public = settled.page("turn", 1, who="Ana"), settled.page("turn", 1)

    assert own.index('id="own-title">Yours') < own.index('aria-label="Sections"') < own.index('id="moves-title"')
    assert "Ana attacked Gaz on 3F" in own.partition('id="own-title"')[2].partition("</section>")[0]
    assert 'href="#moves"' in own
    assert 'id="own-title"' not in public


def test_moves_stays_and_draws_cite_their_rules_once(settled: Game) -> None:
    html = settled.page("turn", 1)
    moves, drawn = (re.search(rf'<h2 id="{key}-title">.*?</h2>', html, re.DOTALL) for key in ("moves", "drawn"))

    assert moves
    assert 'href="/rules/#r3.2.2"' in moves[0]
    assert drawn
    assert 'href="/rules/#R38"' in drawn[0]


def test_a_draw_says_what_was_drawn(settled: Game) -> None:
    """R16, R38"""
    moved = next(e for e in settled.world.round.turns.get(number=1).events if e["kind"] == "moved" and e["paths"] > 1)
    over = ", ".join(moved["route"][1:-1])
    told = re.compile(rf"Drawn: route of {moved['army']}, via {over} \([1-3] of 3\)\.")

    assert told.search(said(settled.client().get(settled.url("turn", 1))))
    assert told.search(settled.page("turn-text", 1))


def test_the_draw_of_two_losers_says_who_left_first() -> None:
    """R27, R38."""
    fought = {"kind": "fought", "at": "3F", "winners": ["Gaz"], "losers": ["Ben", "Cay"]}
    drawn = {"kind": "drawn", "name": "who leaves 3F first", "value": 2, "sides": 2}

    (*_, told) = with_draws_told([fought, drawn])

    assert told["text"] == "Drawn: who leaves 3F first, Cay (2 of 2)."


def test_the_draw_of_a_step_aside_says_where_to() -> None:
    """R24, R38."""
    moved = {"kind": "moved_partially", "army": "Ben", "from": "3F", "to": "3G"}
    drawn = {"kind": "drawn", "name": "where Ben moves aside", "value": 2, "sides": 2}

    (*_, told) = with_draws_told([moved, drawn])

    assert told["text"] == "Drawn: where Ben moves aside, to 3G (2 of 2)."


def test_every_refusal_links_its_rule(settled: Game) -> None:
    assert 'href="/rules/#r3.2.2.1"' in settled.page("turn", 1)


def test_the_update_as_plain_text_has_no_markup(settled: Game) -> None:
    response = settled.client().get(settled.url("turn-text", 1))
    text = response.content.decode()

    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["Content-Disposition"] == 'inline; filename="trial-turn-1.txt"'
    assert "Turn 1: update" in text
    told = "20F to 25F is 5 squares; an army can move 3. Try 20F > 23F."
    assert f"{told} Ordered: “Hex: 20F > 25F”. Hex stayed on 20F. (3.2.2.1)" in text
    assert "<" not in text


def test_an_open_turn_has_no_update_yet(game: Game) -> None:
    assert "This turn is open" in said(game.client().get(game.url("turn", 1)))
    assert game.client().get(game.url("turn-text", 1)).status_code == 404


def test_a_draft_is_shown_only_when_it_is_published(game: Game) -> None:
    """R18."""
    world = game.world
    game.battle()
    world.post("Ben", "Ben: 10D > 12D", at=world.turn.opened_at + HOUR)
    world.round.publish_after = 3 * HOUR
    world.round.save()
    locked = world.turn.lock_at + HOUR / 30
    world.settle(now=locked)
    game.go_to(locked)
    before = said(game.client().get(game.url("turn", 2)))
    game.go_to(locked + 4 * HOUR)
    after = said(game.client().get(game.url("turn", 2)))

    assert "Moves (1)" not in before
    assert "its moves are being worked out" in before
    assert "Moves (1)" in after
    assert "the moves before the battles" in after


def test_the_list_of_turns_has_dates_and_numbers(settled: Game) -> None:
    text = said(settled.client().get(settled.url("turns")))

    assert text.index("Turn 2") < text.index("Turn 1 settled")
    assert "Mon 9 Mar 2026, 05:00 UTC" in text


def test_pages_lead_from_turn_to_turn(settled: Game) -> None:
    html = settled.page("turn", 2)

    assert f'rel="prev" href="{settled.url("turn", 1)}"' in html
    assert 'rel="next"' not in html


def test_the_seed_of_the_draws_is_shown_when_the_turn_is_settled(settled: Game) -> None:
    """R38."""
    first, second = settled.world.round.turns.order_by("number")

    assert first.seed in settled.page("turn", 1)
    shown = settled.page("turn", 2)
    assert second.commitment in shown
    assert second.seed not in shown
    assert 'href="/dice/"' in shown
