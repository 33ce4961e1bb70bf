"""What a person reads when nothing could be stored: a sentence, with 503, and what he typed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from judging.common.db_errors import server_error
from judging.common.locking import RETRY_AFTER
from judging.common.models import ReadMark
from judging.turns.models import Post
from tests.pages.playing import Game, game, typed_text
from tests.services.test_locking import in_the_way

__all__ = ["game"]

SENTENCE = "Busy: nothing was saved. Try again."


@contextmanager
def no_writing(table: str, error: OperationalError) -> Iterator[None]:
    """Nothing can be inserted into a table or changed in it."""

    def refuse(execute: Callable[..., Any], sql: str, *given: Any) -> Any:
        if sql.startswith((f'INSERT INTO "{table}"', f'INSERT OR IGNORE INTO "{table}"', f'UPDATE "{table}"')):
            raise error
        return execute(sql, *given)

    with connection.execute_wrapper(refuse):
        yield


def is_told(response: HttpResponse, sentence: str = SENTENCE) -> bool:
    told = (response.status_code, response.headers.get("Retry-After")) == (503, str(RETRY_AFTER))
    return told and sentence in response.content.decode()


@pytest.mark.parametrize("state", ["40P01", "55P03", 5])
def test_a_post_that_could_not_be_stored_is_still_in_its_form(game: Game, state: str | int) -> None:
    with no_writing("judging_post", in_the_way(state)):
        response = game.post("Ana", "Ana: 3D > 4D")
    assert is_told(response)
    assert typed_text(response.content.decode()) == "Ana: 3D > 4D"
    assert not Post.objects.exists()


def test_a_page_is_read_though_no_mark_of_it_can_be_stored(game: Game) -> None:
    game.world.post("Gaz", "Gaz: 3F > 4F")
    game.client("Gaz").post(reverse("board", args=["trial", "talk"]), {"text": "Good day.", "token": "a" * 20})
    with no_writing("judging_readmark", in_the_way(5)):
        assert "3F" in game.page("movement", who="Ana")
        assert "Good day." in game.page("board", "talk", who="Ana")
    assert not ReadMark.objects.filter(user=game.world.players["Ana"].user).exists()


def test_who_reads_the_thread_again_or_has_no_account_holds_no_writer_off(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On SQLite each writer's transaction holds all others off, even if it changes nothing."""
    game.world.post("Gaz", "Gaz: 3F > 4F")
    game.page("movement", who="Ana")
    asked: list[object] = []
    monkeypatch.setattr("judging.turns.posts.views.mark_thread_read", lambda **given: asked.append(given))
    for who in ("Ana", "", "Ben"):
        game.page("movement", who=who)
    assert len(asked) == 1, "Ben's alone is new"


def test_a_full_disk_is_no_mistake_of_ours(game: Game) -> None:
    with no_writing("judging_post", in_the_way(13)):
        response = game.post("Ana", "Ana: 3D > 4D")
    assert is_told(response, "The server&#x27;s disk is full, so nothing was saved")
    assert not Post.objects.exists()


def test_a_message_on_a_board_stays_in_its_form(game: Game) -> None:
    address = reverse("board", args=["trial", "talk"])
    with no_writing("judging_message", in_the_way("40P01")):
        response = game.client("Ana").post(address, {"text": "Good morning.", "token": "a" * 20})
    assert is_told(response)
    assert "Good morning." in response.content.decode()


@pytest.mark.parametrize("state", ["40P01", 5])
def test_what_is_stored_by_the_way_is_told_on_a_page_of_its_own(client: Client, db: None, state: str | int) -> None:
    """Logging in is Django's: no writer of ours."""
    address = reverse("login")
    with no_writing("axes_accessattempt", in_the_way(state)):
        response = client.post(address, {"username": "Nobody", "password": "nothing"})
    assert is_told(response)


def test_a_middleware_that_meets_a_busy_database_is_no_mistake_of_ours() -> None:
    try:
        raise in_the_way("40P01")
    except OperationalError:
        response = server_error(RequestFactory().get("/"))
    assert is_told(response)


def test_a_program_is_told_so_in_json() -> None:
    try:
        raise in_the_way(5)
    except OperationalError:
        response = server_error(RequestFactory().get("/api/v1/"))
    assert is_told(response)
    assert response.headers["Content-Type"] == "application/json"


def test_any_other_mistake_stays_ours() -> None:
    try:
        raise in_the_way("42P01")
    except OperationalError:
        response = server_error(RequestFactory().get("/"))
    assert response.status_code == 500
