"""12: card tables by the API."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.services.tables_of_tests import Game, opened, person, running

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/tables/"


@pytest.fixture
def game() -> Game:
    """A table that has just been dealt."""
    return running()


def client(name: str = "") -> APIClient:
    found = APIClient()
    if name:
        found.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    return found


def read(game: Game, name: str = "", path: str = "") -> Any:
    answer = client(name).get(f"{ROOT}{game.table.slug}/{path}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def send(game: Game, name: str, *lines: str, on: str = "", token: str = "one") -> Any:
    body = {"lines": lines, "token": token, "on": on or game.row().head}
    return client(name).post(f"{ROOT}{game.table.slug}/entries/", body, format="json")


def test_a_table_is_shown_as_its_asker_knows_it(game: Game) -> None:
    own, public = read(game, "Ana"), read(game)
    assert (own["viewer"], public["viewer"]) == ("A", "spectator")
    assert all(own["view"]["zones"]["A.hand"])
    assert not any(public["view"]["zones"]["A.hand"])
    assert "keep hand" in own["legal"]
    assert public["legal"] == []


def test_a_post_is_carried_out_once_and_answers_with_the_table(game: Game) -> None:
    on = game.row().head
    first = send(game, "Ana", "keep hand", on=on)
    assert first.status_code == 201
    assert send(game, "Ana", "keep hand", on=on).status_code == 201
    assert read(game)["version"] == first.json()["version"] == 8


def test_a_stale_post_is_told_so_and_what_has_happened_is_read(game: Game) -> None:
    on, version = game.row().head, read(game)["version"]
    send(game, "Ana", "propose: nothing happens")
    answer = send(game, "Bo", "keep hand", on=on, token="two")
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert [entry["by"] for entry in read(game, "Bo", f"entries/?after={version}")] == ["Ana"]


def test_a_line_that_the_rules_refuse_is_409_with_its_number(game: Game) -> None:
    answer = send(game, "Ana", "attack with #4 > 11y 3")
    assert (answer.status_code, answer.json()["cites"]) == (409, "4.4.2")


def test_lines_are_read_without_being_posted(game: Game) -> None:
    body = {"lines": ["keep  hand", "cast"]}
    found = client("Ana").post(f"{ROOT}{game.table.slug}/read/", body, format="json").json()["lines"]
    assert found[0]["reads"] == "keep hand"
    assert found[1]["wrong"]


def test_who_does_not_sit_there_cannot_post(game: Game) -> None:
    assert send(game, "", "keep hand").status_code == 403
    assert send(game, "Cy", "keep hand").status_code == 409


def test_a_table_by_invitation_is_not_there_for_others() -> None:
    table = opened(is_invited=True)
    assert client("Bo").get(f"{ROOT}{table.slug}/").status_code == 404
    assert client("Ana").get(f"{ROOT}{table.slug}/").status_code == 200
    assert client("Bo").get(ROOT).json()["results"] == []
