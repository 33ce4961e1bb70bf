"""What the tests of musters share: a round in its set-up, its people, and the forms that they send."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from judging.armies.models import Muster
from tests.keeping import kept
from tests.pages.catalogue import fill_catalogue
from tests.pages.playing import said as text_of
from tests.services.world_of_tests import HOUR, UNLOCK, World, add_player, make_round
from wargame.models import Base, Player

RED_ARMY = ("5000 Kris Mage", "2500 Gray Ogre", "1500 Hill Giant", "1000 Volcanic Dragon")


@dataclass
class Camp:
    """A round in its set-up. Una is the Coalition's General, Rio a red and green Lieutenant, Gaz Chief Praetor, Hex a
    Centurion, and Cad has no rank."""

    world: World
    clock: time_machine.Traveller
    clients: dict[str, Client] = field(default_factory=dict)

    @property
    def players(self) -> dict[str, Player]:
        return self.world.players

    def client(self, who: str = "") -> Client:
        client = Client()
        if who:
            person = self.world.players.get(who) or self.world.judges[who]
            client.force_login(person.user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.world.round.slug, *args])

    def begin(self, who: str, rank: str = "", token: str = "a form") -> Muster:
        """A muster begun in the browser."""
        response = self.client(who).post(self.url("muster-new"), {"rank": rank, "token": token})
        assert response.status_code == 302
        return Muster.objects.get(pk=int(response.url.rstrip("/").split("/")[-1]))

    def post(
        self, who: str, muster: Muster, act: str = "save", client: Client | None = None, **typed: Any
    ) -> HttpResponse:
        """The form of a muster, sent with one of its buttons."""
        row = Muster.objects.get(pk=muster.pk)
        given = {f"slot{slot}": text for slot, text in enumerate(row.lists, 1)}
        given |= {
            "name": row.name,
            "legend": row.legend,
            "colors": row.colors,
            "version": row.version,
            "rank": row.rank,
        }
        return (client or self.client(who)).post(self.url("muster", muster.pk), {**given, "act": act, **typed})

    def sent(self, who: str = "Rio", lists: tuple[str, ...] = RED_ARMY, **typed: Any) -> Muster:
        """A muster that is with the judge."""
        muster = self.begin(who)
        slots = {f"slot{slot}": text for slot, text in enumerate(lists, 1)}
        response = self.post(who, muster, "send", **slots, **typed)
        assert response.status_code == 302, said(response)
        return Muster.objects.get(pk=muster.pk)

    def page(self, who: str, name: str, *args: object) -> str:
        response = self.client(who).get(self.url(name, *args))
        assert response.status_code == 200
        return said(response)


@pytest.fixture
def camp(db: None) -> Iterator[Camp]:
    world = make_camp()
    with time_machine.travel(UNLOCK - 100 * HOUR, tick=False) as clock:
        yield Camp(world, clock)


@kept
def make_camp() -> World:
    """Five people and two bases before the first turn."""
    fill_catalogue()
    world = make_round({})
    for name, side, rank, factions in (
        ("Una", "coalition", "general", ["white", "multicolor"]),
        ("Rio", "coalition", "lieutenant", ["red", "green"]),
        ("Gaz", "phyrexia", "chief_praetor", []),
        ("Hex", "phyrexia", "centurion", []),
        ("Cad", "coalition", "", ["red"]),
    ):
        world.players[name] = add_player(world.round, name, side, rank)
        world.players[name].factions = factions
        world.players[name].save()
    Base.objects.create(round=world.round, name="Red Base", at="3D", side="coalition", color="red")
    Base.objects.create(round=world.round, name="Blue Base", at="9D", side="coalition", color="blue")
    return world


def said(response: HttpResponse) -> str:
    return unescape(text_of(response))


def typed(html: str, slot: int) -> str:
    found = re.search(rf'<textarea id="slot{slot}"[^>]*>\n(.*?)</textarea>', html, re.DOTALL)
    assert found
    return unescape(found[1])
