"""The small rounds that the tests of the API read and write."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

import pytest
import time_machine
from rest_framework.test import APIClient

from judging.battles.models import Battle
from tests.services.conftest import FOUR
from tests.services.world_of_tests import HOUR, World, begin, make_round


@dataclass
class Api:
    """A round in its second turn, in which Ana attacks Gaz on 3F, and clients for its people."""

    world: World
    battle: Battle
    clock: time_machine.Traveller
    root: str = "/api/v1/rounds/trial"

    def client(self, who: str = "") -> APIClient:
        """By a player's name or a judge's role; empty: the public. CSRF is checked as for a browser."""
        client = APIClient()
        if who:
            people = {**self.world.players, **self.world.judges}
            client.force_login(people[who].user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    def get(self, path: str, who: str = "", **query: object) -> object:
        return self.client(who).get(f"{self.root}{path}", query)

    def posts_of(self, turn: int) -> str:
        return f"{self.root}/turns/{turn}/posts/"

    def go_to(self, when: datetime) -> None:
        self.clock.move_to(when)


@pytest.fixture
def api(db: None) -> Iterator[Api]:
    """Two hours after turn 2 opened."""
    world = begin(make_round(FOUR))
    world.post("Ana", "3D > 3F; engage Gaz\nBen: 10D > 20D\nGood luck everybody.\nAna: 3D > > 4D")
    world.settle()
    battle = Battle.objects.get(turn__round=world.round)
    with time_machine.travel(battle.announced_at + 2 * HOUR, tick=False) as clock:
        yield Api(world, battle, clock)


@pytest.fixture
def send(api: Api) -> Callable[..., object]:
    """Posts a text in the present turn as somebody."""

    def post(who: str, text: str, turn: int = 2, **more: object) -> object:
        return api.client(who).post(api.posts_of(turn), {"text": text, "token": "t1", **more})

    return post
