"""What the tests of the set-up share: a round in its set-up, its judge and leaders, and the forms that they send."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Permission, User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from judging.setup.models import PlannedSite, RoundSetup
from judging.setup.services import create_round
from judging.setup.sites import planned_sites
from tests.keeping import kept
from tests.pages.playing import said as text_of
from wargame.models import Judge, Player, Round

MONDAY = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
SQUARES = dict(
    zip(
        ("White Base", "Blue Base", "Black Base", "Red Base", "Green Base", "5-Color Base", "Colorless Base"),
        ("6F", "3K", "15K", "12D", "7C", "16F", "9L"),
        strict=True,
    )
) | {"Portal 1": "26F", "Portal 2": "30B", "Portal 3": "33H", "Portal 4": "28L", "Portal 5": "35E"}
"""The demo's bases: all legal (2.5.1.1)."""

TOWNS = {"Town 1": "21D", "Town 2": "20H", "Town 3": "21L"}


@dataclass
class Foundation:
    """A round that Judy sets up. Una is the Coalition's General, Adam an Admiral, Rio a Lieutenant, Gaz Chief Praetor,
    Hex a Centurion; Mo and Merle have log-ins and do nothing yet."""

    round: Round
    users: dict[str, User] = field(default_factory=dict)

    def client(self, who: str = "") -> Client:
        client = Client()
        if who:
            client.force_login(self.users[who], backend="django.contrib.auth.backends.ModelBackend")
        return client

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.round.slug, *args])

    def get(self, who: str, name: str, *args: object) -> HttpResponse:
        return self.client(who).get(self.url(name, *args))

    def page(self, who: str, name: str, *args: object) -> str:
        """The text of a page that is there."""
        response = self.get(who, name, *args)
        assert response.status_code == 200, response
        return said(response)

    def post(self, who: str, page: str, /, *args: object, client: Client | None = None, **data: Any) -> HttpResponse:
        return (client or self.client(who)).post(self.url(page, *args), data)

    @property
    def setup(self) -> RoundSetup:
        return RoundSetup.objects.select_related("round").get(round=self.round)

    @property
    def judge(self) -> Judge:
        return Judge.objects.get(round=self.round, role="battle", is_head=True)

    def player(self, name: str) -> Player:
        return Player.objects.get(round=self.round, name=name)

    def site(self, name: str) -> PlannedSite:
        return PlannedSite.objects.get(round=self.round, name=name)

    def sites_form(self, step: str, squares: dict[str, str]) -> dict[str, Any]:
        """The form of the bases or the towns, with these squares and the rest as it is saved."""
        kinds = ("base", "portal") if step == "bases" else ("town",)
        form: dict[str, Any] = {"version": self.setup.version(step)}
        for site in planned_sites(self.round, *kinds):
            form |= {f"name-{site.pk}": site.name, f"at-{site.pk}": squares.get(site.name, site.at)}
        return form

    def place(self, step: str = "bases", squares: dict[str, str] | None = None) -> HttpResponse:
        given = squares or (SQUARES if step == "bases" else TOWNS)
        return self.post("Judy", f"setup-{step}", **self.sites_form(step, given))

    def choose(self, who: str = "Una", names: tuple[str, ...] = tuple(SQUARES)[:5]) -> HttpResponse:
        return self.post(who, "setup-team-wins", win=[self.site(name).pk for name in names])

    def describe(self, who: str, act: str = "send", **texts: str) -> HttpResponse:
        """`describe("Una", Red_Base="…")`: the form of the descriptions."""
        form: dict[str, Any] = {"act": act}
        for name, text in texts.items():
            site = self.site(name.replace("_", " "))
            form |= {f"text-{site.pk}": text, f"version-{site.pk}": site.version}
        return self.post(who, "setup-team-descriptions", **form)

    def reveal(self) -> HttpResponse:
        return self.post("Judy", "setup-reveal")


@kept
def found_round() -> Foundation:
    """A new round with its people."""
    users = {name: User.objects.create_user(name.lower()) for name in (*_PLAYERS, "Judy", "Mo", "Merle", "Olga")}
    users["Judy"].user_permissions.add(Permission.objects.get(codename="add_round"))
    judy = User.objects.get(pk=users["Judy"].pk)
    round_ = create_round(user=judy, name="The Trial", token="a form", now=MONDAY)
    for name, (side, rank, factions) in _PLAYERS.items():
        Player.objects.create(
            round=round_, user=users[name], name=name, side=side, rank=rank, factions=factions, joined_at=MONDAY
        )
    return Foundation(round_, users)


@pytest.fixture
def foundation(db: None) -> Iterator[Foundation]:
    with time_machine.travel(MONDAY, tick=False):
        yield found_round()


def said(response: HttpResponse) -> str:
    return unescape(text_of(response))


def value_of(response: HttpResponse, name: str) -> str:
    """What stands in an input of the page."""
    tag = re.search(rf'<input[^>]*\bname="{re.escape(name)}"[^>]*>', response.content.decode())
    assert tag, f"no input {name}"
    found = re.search(r'\bvalue="([^"]*)"', tag[0])
    return unescape(found[1]) if found else ""


_PLAYERS: dict[str, tuple[str, str, list[str]]] = {
    "Una": ("coalition", "general", ["white"]),
    "Adam": ("coalition", "admiral", ["red", "green"]),
    "Rio": ("coalition", "lieutenant", ["red"]),
    "Gaz": ("phyrexia", "chief_praetor", []),
    "Hex": ("phyrexia", "centurion", []),
}
