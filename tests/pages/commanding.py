"""What the tests of the command pages share: two teams an hour into turn 1, and newcomers who have an account."""

import html
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.pages.playing import Game, said
from tests.services.teams import NOW, make_teams
from tests.services.world_of_tests import UNLOCK, add_judge, add_player
from wargame.models import Army, Judge, Player, Round

BACKEND = "django.contrib.auth.backends.ModelBackend"
GIANT = "9" * 60
NUL = "Nell\0"


@pytest.fixture
def game(db: None) -> Iterator[Game]:
    """Ana, Bo, Cem and Dot against Vorn and Skar, as in `tests.services.teams`."""
    with time_machine.travel(NOW, tick=False) as clock:
        yield Game(make_teams(), clock)


def newcomer(name: str = "Nell") -> Client:
    """The browser of somebody with an account who does not play."""
    user, _ = User.objects.get_or_create(username=name)
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


def told(response: HttpResponse) -> str:
    """A page's text, without its tags."""
    return html.unescape(said(response))


def refuses(response: HttpResponse, *what: str, status: int = 422) -> str:
    """The form is there again with what is wrong and by which rule; the page's source."""
    assert response.status_code == status
    text = told(response)
    for each in what:
        assert each in text, text
    return response.content.decode()


def redirects(response: HttpResponse, to: str) -> None:
    assert (response.status_code, response.headers.get("Location")) == (302, to)


def sends_to_log_in(response: HttpResponse) -> bool:
    return response.status_code == 302 and response.headers["Location"].startswith(reverse("login"))


def other_round() -> tuple[Player, Army, Judge]:
    """Another round, with a General who leads, his army, and a battle judge."""
    round_ = Round.objects.create(name="Other", slug="other", terrain="", created_at=UNLOCK)
    player = add_player(round_, "Oda", "coalition", "general")
    army = Army.objects.create(round=round_, name="Oda", side="coalition", at="3D", rank="general", colors=["red"])
    return player, army, add_judge(round_, "battle", "Other judge")


def chooses(game: Game, wishes: dict[str, str], **more: Any) -> dict[str, Any]:
    """5.2.1: what the form of a control request sends: for armies, by name, the players who shall have them."""
    data: dict[str, Any] = {"act": "send", "token": "one form", **more}
    for army, to in wishes.items():
        player = game.world.players.get(to)
        data[f"to-{game.world.army(army).pk}"] = player.pk if player else to
    return data


__all__ = ["game"]
