"""1.2: by which an open page learns that there is something new, and what it does not learn by it."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from judging.battles.models import Battle, Result
from judging.polling.views import live_version
from judging.turns.models import Draft
from tests.pages.playing import Game, game
from tests.services.world_of_tests import HOUR
from wargame.models.choices import TurnState

__all__ = ["game"]


def version(game: Game) -> str:
    return live_version(game.world.turn, timezone.now())


def ask(game: Game, known: str) -> int:
    return game.client().get(game.url("live"), {"v": known}).status_code


def test_a_page_that_knows_all_is_answered_with_nothing(game: Game) -> None:
    page = game.page("movement")
    [known] = re.findall(r"/live/\?v=(\w+)", page)
    assert known == version(game)
    response = game.client().get(game.url("live"), {"v": known})
    assert (response.status_code, response.content) == (204, b"")
    assert "no-store" in response["Cache-Control"]


def test_a_post_and_an_edit_and_the_lock_are_news(game: Game) -> None:
    known = version(game)
    game.post("Ana", "3D > 5D")
    posted = version(game)
    assert posted != known
    assert ask(game, known) == 200
    assert ask(game, posted) == 204
    game.go_to(game.world.turn.lock_at + timedelta(minutes=1))
    assert version(game) != posted


def test_news_carry_the_head_of_the_page_and_the_next_address_to_ask(game: Game) -> None:
    html = game.client().get(game.url("live"), {"v": "old"}).content.decode()
    assert f"/live/?v={version(game)}" in html
    assert "Turn 1, open for orders" in html
    assert len(html) < 2000


def test_a_sealed_post_is_no_news_before_the_lock(game: Game) -> None:
    """R6."""
    game.go_to(game.world.turn.lock_at - HOUR)
    known = version(game)
    game.world.post("Ana", "3D > 5D", timezone.now(), sealed=True)
    assert version(game) == known


def test_moves_and_results_are_news_when_they_are_published_and_not_before(game: Game, settings: Settings) -> None:
    """R18, 4.2.5."""
    settings.FRESH_SECONDS = 0
    battle = game.battle()
    known = version(game)
    Battle.objects.filter(pk=battle.pk).update(state="rolled")
    assert version(game) == known
    turn = game.world.turn
    game.world.score(battle)
    assert Result.objects.exists()
    assert version(game) != known
    turn.state = TurnState.LOCKED
    known = live_version(turn, timezone.now())
    later = timezone.now() + HOUR
    Draft.objects.update_or_create(
        turn=turn,
        defaults={"digest": "d" * 64, "computed_at": timezone.now(), "publish_at": later, "places": {}, "events": []},
    )
    assert live_version(turn, timezone.now()) == known
    assert live_version(turn, later) != known


def test_an_old_turns_thread_does_not_renew_itself(game: Game) -> None:
    game.world.settle()
    assert "data-live" not in game.page("movement-turn", 1)
    assert "data-live" in game.page("movement")


def test_a_page_that_is_fetched_again_leaves_what_was_kept_for_its_form(game: Game) -> None:
    client = game.client()
    game.post("Ana", "3D > 5D", client=client)
    client.force_login(game.world.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
    again = client.get(game.url("movement"), headers={"HX-Request": "true"})
    assert "3D &gt; 5D</textarea>" not in again.content.decode()
    assert "3D &gt; 5D</textarea>" in client.get(game.url("movement")).content.decode()


def test_a_round_that_is_over_is_not_asked_about(game: Game) -> None:
    game.world.round.state = "over"
    game.world.round.save()
    assert "/live/?v=" not in game.page("movement")
    assert "hx-get" not in game.client().get(game.url("live")).content.decode()


@pytest.mark.parametrize("slug", ["nowhere", "x" * 200])
def test_a_round_that_is_not_there_has_no_news(game: Game, slug: str) -> None:
    assert game.client().get(f"/rounds/{slug}/live/").status_code == 404
