"""R60: the buttons by which a player is done with a turn, and a judge has it lock early."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judging.turns.done.models import DoneMark, EarlyLock
from tests.pages.playing import Game, game, said
from tests.services.world_of_tests import LOCK, LOCKED
from wargame.models import Round

__all__ = ["game"]


def press(game: Game, who: str, name: str, **typed: object) -> str:
    data = {"turn": game.world.turn.number, **typed}
    return said(game.client(who).post(game.url(name), data, follow=True))


def test_a_player_says_on_the_thread_that_he_is_done_and_takes_it_back(game: Game) -> None:
    assert "I'm done" in game.page("movement", who="Ana")
    assert "You are marked as done with this turn." in press(game, "Ana", "done", act="done")
    page = game.page("movement", who="Ana")
    assert "I'm not done after all" in page
    assert "1 of 4" in page
    assert "You are no longer marked as done with this turn." in press(game, "Ana", "done", act="back")
    assert not DoneMark.objects.exists()


def test_the_button_stands_by_the_maps_post_box_and_leads_back_there(game: Game) -> None:
    assert "I'm done" in game.page("map", who="Ana")
    answer = game.client("Ana").post(game.url("done"), {"turn": 1, "to": game.url("map")})
    assert answer["Location"] == game.url("map")
    answer = game.client("Ana").post(game.url("done"), {"turn": 1, "to": "//elsewhere.example/"})
    assert answer["Location"] == game.url("movement")


def test_a_player_finds_it_among_what_is_his(game: Game) -> None:
    assert "I'm done" in game.page("mine", who="Ana")
    assert "I'm done" not in game.page("mine", who="Cay"), "he controls nothing, and nobody waits for him"


def test_enemies_and_visitors_read_a_number_and_no_name(game: Game) -> None:
    press(game, "Ana", "done", act="done")
    for who in ("", "Gaz", "mercenary"):
        page = game.page("movement", who=who)
        assert "1 of 4" in page
        assert "Done: Ana" not in page
    assert "Done: Ana." in game.page("movement", who="movement")


@pytest.mark.parametrize("who, button", [("Ana", False), ("mercenary", False), ("movement", True), ("battle", True)])
def test_the_judges_alone_have_the_button_where_the_round_allows_it(game: Game, who: str, button: bool) -> None:
    assert "Announce the early lock" not in game.page("movement", who=who)
    Round.objects.update(may_lock_early=True)
    assert ("Announce the early lock" in game.page("movement", who=who)) == button


def test_a_judge_announces_an_early_lock_and_takes_it_back(game: Game) -> None:
    Round.objects.update(may_lock_early=True)
    assert "Not all active players are done" in press(game, "movement", "early-lock", act="lock", hours="1")
    for who in ("Ana", "Ben", "Gaz", "Hex"):
        press(game, who, "done", act="done")
    assert "The turn now locks on" in press(game, "movement", "early-lock", act="lock", hours="1")
    assert "the lock was brought forward" in game.page("movement")
    assert "Everyone is done with turn 1" in game.page("board", "movement")
    assert "The lock is back" in press(game, "movement", "early-lock", act="back")
    assert EarlyLock.objects.get().ended_at
    assert game.world.turn.lock_at == LOCK


def test_a_player_or_a_damaged_form_locks_nothing(game: Game) -> None:
    Round.objects.update(may_lock_early=True)
    assert "Only a movement or battle judge" in press(game, "Ana", "early-lock", act="lock", hours="1")
    assert "Choose how many hours from now" in press(game, "movement", "early-lock", act="lock", hours="all")
    answer = game.client("Ana").post(game.url("done"), {"turn": "9" * 30})
    assert answer.status_code == 404
    game.go_to(LOCKED)
    assert "Turn 1 is locked" in press(game, "Ana", "done", act="done")


def test_it_takes_three_statements_more_for_everybody(game: Game) -> None:
    """With the page's own: no more for a judge, and no more when all are done."""
    Round.objects.update(may_lock_early=True)
    counted = []
    for who in ("Ana", "Ben"):
        client = game.client("movement")
        client.get(game.url("movement"))
        with CaptureQueriesContext(connection) as captured:
            client.get(game.url("movement"))
        counted.append(len(captured))
        press(game, who, "done", act="done")
    assert counted[0] == counted[1]
