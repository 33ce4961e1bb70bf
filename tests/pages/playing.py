"""What the tests of the players' pages share: a small round, its clock, and people who log in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judging.battles.models import Battle
from tests.services.world_of_tests import HOUR, LOCK, UNLOCK, World, add_player, begin, make_round

ARMIES = {
    "Ana": ("coalition", "3D", "captain"),
    "Ben": ("coalition", "10D", "lieutenant"),
    "Gaz": ("phyrexia", "3F", "evincar"),
    "Hex": ("phyrexia", "20F", "centurion"),
}
PASSWORD = "a-word-for-tests"
SEALED_TIME = LOCK - 2 * HOUR


class ForPeople(Protocol):
    """What has browsers for its people."""

    def client(self, who: str = "") -> Client: ...


def reader(of: ForPeople, who: str) -> Client:
    """A browser in which somebody only reads: the same one all day, as a log-in costs half as much as a page."""
    kept: dict[tuple[str, date], Client] = of.__dict__.setdefault("readers", {})
    day = timezone.now().date()
    if (who, day) not in kept:
        kept[who, day] = of.client(who)
    return kept[who, day]


@dataclass
class Game:
    """Turn 1 of a small round, two hours after it opened. Ana and Gaz stand two squares from each other."""

    world: World
    clock: time_machine.Traveller

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.world.round.slug, *args])

    def client(self, who: str = "", **options: Any) -> Client:
        """Somebody's browser: a player's, a judge's by his role, or the public's."""
        client = Client(**options)
        if who:
            person = self.world.players.get(who) or self.world.judges[who]
            client.force_login(person.user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    def go_to(self, when: datetime) -> None:
        self.clock.move_to(when)

    def page(self, name: str, *args: object, who: str = "") -> str:
        """A page that is there, as somebody sees it."""
        response = reader(self, who).get(self.url(name, *args))
        assert response.status_code == 200
        return response.content.decode()

    def post(self, who: str, text: str, client: Client | None = None, **typed: object) -> HttpResponse:
        """The form for posts, sent. The turn is the present one unless `typed` says otherwise."""
        data = {"text": text, "token": f"form {text[:20]}", "turn": self.world.turn.number, "send": "open", **typed}
        return (client or self.client(who)).post(self.url("post-new"), data)

    def battle(self) -> Battle:
        """Ana attacks Gaz on 3F in turn 2; the clock stands two hours after it opened."""
        self.world.post("Ana", "3D > 3F; engage Gaz")
        self.world.settle()
        battle = Battle.objects.get(turn=self.world.turn)
        self.go_to(battle.announced_at + 2 * HOUR)
        return battle


@pytest.fixture
def game(db: None) -> Iterator[Game]:
    """Turn 1, two hours old. Cay plays for the Coalition and controls nothing."""
    world = begin(make_round(ARMIES))
    world.players["Cay"] = add_player(world.round, "Cay", "coalition", "lieutenant")
    with time_machine.travel(UNLOCK + 2 * HOUR, tick=False) as clock:
        yield Game(world, clock)


def typed_text(html: str) -> str:
    """What stands in the page's form."""
    found = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", html, re.DOTALL)
    assert found, "no form on the page"
    return found[1].replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&").replace("&#x27;", "'")


def said(response: HttpResponse) -> str:
    """A page's text without its tags, blanks made single."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", response.content.decode()))
