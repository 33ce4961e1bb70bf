"""3.1: the movement thread: who sees which post, and what each line was understood as."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.pages.playing import SEALED_TIME, Game, game, said
from tests.services.world_of_tests import HOUR, LOCK, LOCKED, UNLOCK

DAY = 24 * HOUR

__all__ = ["game"]

EVERYBODY = ("", "Ana", "Gaz", "movement", "battle", "mercenary")


@pytest.mark.parametrize("who", EVERYBODY)
def test_everybody_reads_what_was_posted_and_by_whom(game: Game, who: str) -> None:
    game.world.post("Ana", "Good morning.\nAna: 3D > 4D")

    html = game.page("movement", who=who)

    assert "Good morning." in html
    assert "Ana: 3D &gt; 4D" in html
    assert re.search(r"side--coalition\">Ana<", html)


def test_each_line_shows_what_it_was_understood_as(game: Game) -> None:
    game.world.post("Ana", "Hello.\nana: d3->d5\nAna: 3D > 9D\nAna: 3D > (")

    html = game.page("movement")

    assert "order--talk" in html
    assert "Read as <code>Ana: 3D &gt; 5D</code>" in html
    assert "order--illegal" in html
    assert "3.2.2.1" in html
    assert "order--unreadable" in html
    assert "at column 11" in html


def test_the_wrong_piece_of_an_unreadable_line_is_marked(game: Game) -> None:
    game.world.post("Ana", "Ana: 3D > 4D (north)")

    assert re.search(r"\(<mark\s+class=\"wrong caret\">north</mark>\)", game.page("movement"))


def test_what_people_type_is_never_markup(game: Game) -> None:
    game.world.post("Ana", "<script>alert(1)</script>\nAna: 3D > <b>")

    html = game.page("movement")

    assert "<script>alert" not in html
    assert "<b>" not in html


def test_a_line_is_never_shown_turned_round(game: Game) -> None:
    """1.6: what is stored keeps the sign."""
    post = game.world.post("Ana", "Ana: 3D > \u202eD4\nHello \u2067all")

    assert not re.search("[\u202a-\u202e\u2066-\u2069]", game.page("movement") + game.page("post", post.pk))
    assert "\u202e" in post.versions.get().text


def test_an_earlier_order_of_the_same_author_is_struck_out(game: Game) -> None:
    """3.3.6, R12."""
    game.world.post("Ana", "Ana: 3D > 4D", at=UNLOCK + HOUR)
    game.world.post("Ana", "Ana: 3D > 5D", at=UNLOCK + HOUR + HOUR / 2)

    first, second = re.findall(r'<li class="order ([^"]*)"', game.page("movement"))

    assert "order--replaced" in first
    assert "order--replaced" not in second


def test_orders_of_two_controllers_are_cited_3_3_6(game: Game) -> None:
    from judging.command.control.services import assign

    world = game.world
    assign(round=world.round, army=world.army("Ana"), player=world.players["Ben"], now=UNLOCK, replace=False)
    world.post("Ana", "Ana: 3D > 4D")
    world.post("Ben", "Ana: 3D > 5D")

    html = game.page("movement")

    assert html.count("order--illegal") == 2
    assert "3.3.6" in html


@pytest.mark.parametrize("who", EVERYBODY)
def test_a_sealed_post_is_its_authors_alone_before_the_lock(game: Game, who: str) -> None:
    """R6: neither its text nor that there is one."""
    post = game.world.post("Ana", "Ana: 3D > 4D", at=SEALED_TIME, sealed=True)
    game.go_to(SEALED_TIME + HOUR)

    html = game.page("movement", who=who)
    history = game.client(who).get(game.url("post", post.pk))
    turns = game.page("turns", who=who)

    assert ("Ana: 3D &gt; 4D" in html) is (who == "Ana")
    assert (f"post-{post.pk}" in html) is (who == "Ana")
    assert history.status_code == (200 if who == "Ana" else 404)
    assert '<a href="/rounds/trial/turns/1/movement/">0</a>' in turns


def test_sealed_posts_appear_at_the_lock_by_the_clock(game: Game) -> None:
    """R4, R6: no job has run yet."""
    game.world.post("Ana", "Ana: 3D > 4D", at=SEALED_TIME, sealed=True)
    game.go_to(LOCKED)

    html = game.page("movement")

    assert "Ana: 3D &gt; 4D" in html
    assert "sent sealed" in html


def test_after_the_lock_a_line_is_legal_or_not_as_the_moves_were_worked_out(game: Game) -> None:
    game.world.post("Ana", "Ana: 3D > 9D")
    game.world.settle()

    html = game.page("movement-turn", 1)

    assert "3D to 9D is 6 squares" in html
    assert "Read the update" in html


def test_only_players_get_the_form(game: Game) -> None:
    assert "data-post-form" in game.page("movement", who="Ana")
    assert "data-post-form" not in game.page("movement")
    assert "data-post-form" not in game.page("movement", who="battle")


def test_the_examples_speak_of_the_players_own_army(game: Game) -> None:
    html = game.page("movement", who="Gaz")

    assert "Gaz: 3F &gt; 3D; engage Ana" in html
    assert "Gaz: intercept Ana" in html


def test_the_page_says_from_when_sealed_orders_are_accepted(game: Game) -> None:
    before = said(game.client("Ana").get(game.url("movement")))
    game.go_to(LOCK - 28 * HOUR)
    within = said(game.client("Ana").get(game.url("movement")))

    assert "Sealed orders from Sun 8 Mar 2026, 01:00 UTC until the lock" in before
    assert "Sealed orders now, until the lock" in within


def test_the_button_for_sealed_orders_says_from_when_it_can_be_used(game: Game) -> None:
    """R6: post.js wakes it at that moment; the server decides anyway."""
    assert 'disabled data-opens="2026-03-08T01:00:00+00:00"' in game.page("movement", who="Ana")
    game.go_to(LOCK - 28 * HOUR)
    assert "data-opens" not in game.page("movement", who="Ana")
    game.go_to(LOCKED)
    assert "data-opens" not in game.page("movement", who="Ana")


def test_who_can_not_post_is_told_why(game: Game) -> None:
    onlooker = Client()
    onlooker.force_login(User.objects.create_user("visitor"), backend="django.contrib.auth.backends.ModelBackend")
    told = said(onlooker.get(game.url("movement")))

    assert "You are logged in as visitor and don't play for a team" in told
    assert "ask to join a team. 1.1" in told
    assert "You judge this round" in said(game.client("battle").get(game.url("movement")))
    assert "Players can log in to post orders" in said(game.client().get(game.url("movement")))


def test_the_state_of_a_turn_has_the_same_words_on_every_page(game: Game) -> None:
    battle = game.battle()
    game.go_to(game.world.turn.lock_at)
    check_state(game, "open for orders")
    game.go_to(LOCKED + 7 * DAY)
    check_state(game, "locked")
    game.world.settle()
    check_state(game, "moves worked out, waiting for the battle judge")
    game.world.score(battle)
    game.world.settle()
    check_state(game, "settled", header="Turn 3, open for orders")


def check_state(game: Game, words: str, header: str = "") -> None:
    for page in ("movement-turn", "turn"):
        told = said(game.client("Ana").get(game.url(page, 2)))
        assert (header or f"Turn 2, {words}") in told
        assert f"State {words} " in told
    assert f"Turn 2 {words} " in said(game.client().get(game.url("turns")))


def test_no_strats_are_due_where_nobody_fights(game: Game) -> None:
    """4.1.1"""
    assert "Strats due none: there are no battles this turn" in said(game.client().get(game.url("movement")))
    game.battle()
    assert "Strats due Sun 15 Mar 2026, 05:00 UTC" in said(game.client().get(game.url("movement")))


def test_a_turn_or_a_round_that_is_not_there_is_a_404(game: Game) -> None:
    assert game.client().get(game.url("movement-turn", 9)).status_code == 404
    assert game.client().get("/rounds/nowhere/movement/").status_code == 404


def test_the_thread_asks_the_database_as_often_for_many_posts_as_for_one(
    game: Game, django_assert_max_num_queries: object
) -> None:
    for number in range(20):
        game.world.post("Ana", f"Ana: 3D > 4D\nPost {number}")

    with django_assert_max_num_queries(19):  # type: ignore[operator]
        game.page("movement")
