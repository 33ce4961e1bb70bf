"""Seize and Altered are opened, sat down at and played by what their pages offer."""

from random import Random

import pytest
from django.test import Client

from judging.tables.models import Table
from tests.services.tables_of_tests import OPENED, Game, opened, person, sit

pytestmark = pytest.mark.django_db

PLAYED = [
    ("seize", "standard", ("Mages", "Rogues")),
    ("seize", "arena", ("Mages in the Arena", "Warriors in the Arena")),
    ("seize", "guild master", ("Rangers with a Guild Master", "Rogues with a Guild Master")),
    ("altered", "default", ("Hearthkin", "Wayfarers")),
]
POSTS = 20


def client(name: str = "") -> Client:
    """A browser of somebody who is logged in, or of nobody."""
    made = Client()
    if name:
        made.force_login(person(name))
    return made


@pytest.mark.parametrize(("game", "format", "decks"), PLAYED)
def test_a_table_is_played_by_what_its_pages_offer(game: str, format: str, decks: tuple[str, str]) -> None:
    table = opened(game=game, format=format)
    for name, deck in zip(("Ana", "Bo"), decks, strict=True):
        sit(table, name, deck)
    played = Game(Table.objects.get(pk=table.pk), OPENED)
    random = Random(5)
    if game == "altered":
        for name in ("Ana", "Bo"):
            played.post(name, "agree suggested")
    for number in range(POSTS):
        if played.row().state != "running":
            break
        name = played.waited()
        seen = played.view(name)
        assert seen.legal, f"{name} is waited for and offered nothing"
        if number % 10 == 0:
            for who in ("Ana", "Bo", ""):
                page = client(who).get(f"/tables/{table.slug}/")
                assert page.status_code == 200
        line = seen.legal[0] if random.random() < 0.4 else random.choice(seen.legal)
        if not line.startswith("concede"):
            played.post(name, line)
    assert played.row().entries > POSTS // 2
