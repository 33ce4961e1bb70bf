"""1.5: the page of all rounds."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judging.command.models import Admission
from judging.setup.models import RoundSetup
from tests.pages.playing import Game, game, said
from tests.services.world_of_tests import UNLOCK, add_player, begin, make_round
from wargame.models import Round

__all__ = ["game"]

PAGE = reverse("rounds")


def add(name: str, state: str, days: int = 0, **more: object) -> Round:
    slug = name.lower().replace(" ", "-")
    given = {"terrain": "", "created_at": UNLOCK + timedelta(days=days), **more}
    round_ = Round.objects.create(name=name, slug=slug, state=state, **given)
    if state == "setup":
        RoundSetup.objects.create(round=round_, author=User.objects.create_user(f"author-{slug}"), token=slug)
    return round_


def names(client: Client, **query: object) -> list[str]:
    html = client.get(PAGE, query).content.decode()
    return re.findall(r'<h3 class="card__title">\s*<a [^>]*>([^<]*)</a>', html)


def test_running_rounds_come_first_then_those_that_seek_players_then_the_past(game: Game) -> None:
    add("Archive", "archive", 9)
    add("Past", "over", 8, winner="phyrexia")
    add("Next", "setup", 7)
    add("Other", "running", 6)
    add("Gone", "given_up", 5)
    assert names(game.client()) == ["Other", "Trial", "Next", "Past", "Archive"]


def test_ones_own_rounds_are_at_the_top_whatever_their_state(game: Game) -> None:
    past = add("Past", "over", winner="phyrexia")
    asked = add("Next", "setup")
    add("Other", "running", 6)
    ana = game.world.players["Ana"].user
    past.players.create(user=ana, name="Ana", side="phyrexia", joined_at=UNLOCK)
    Admission.objects.create(round=asked, user=ana, side="coalition", name="Ana", text="?", asked_at=UNLOCK, token="t")
    assert names(game.client("Ana")) == ["Trial", "Next", "Past", "Other"]
    told = said(game.client("Ana").get(PAGE))
    assert "you play for Phyrexia" in told
    assert "you have asked the Coalition for admission" in told


def test_a_running_round_tells_its_turn_its_lock_its_players_and_judges(game: Game) -> None:
    told = said(game.client().get(PAGE))
    assert "Turn 1, locks Mon 9 Mar 2026, 05:00 UTC" in told
    assert "5 players" in told
    assert "Judged by Judge battle (battle judge), Judge movement (movement judge), Judge mercenary" in told


def test_a_round_that_is_set_up_tells_its_free_seats(game: Game) -> None:
    round_ = add("Next", "setup")
    RoundSetup.objects.filter(round=round_).update(armies=[1, 2, 0, 0, 0, 0])
    add_player(round_, "Nina", "coalition")
    told = said(game.client().get(PAGE))
    assert "5 free seats:" in told
    assert "1 of 3" in told
    assert reverse("join", args=["next"]) in game.client().get(PAGE).content.decode()


def test_who_has_won_and_when_is_told_of_a_round_of_the_past(game: Game) -> None:
    game.world.settle()
    Round.objects.update(state="over", winner="coalition")
    told = said(game.client().get(PAGE))
    assert "Won by the Coalition." in told
    assert "2 March 2026 to" in told
    assert "which locks" not in told


def test_there_are_twenty_a_page(game: Game) -> None:
    for number in range(25):
        add(f"Past {number}", "over", number)
    assert len(names(game.client())) == 20
    assert len(names(game.client(), page=2)) == 6
    assert names(game.client(), page="ninety") == names(game.client())
    assert names(game.client(), page=99) == names(game.client(), page=2)


@pytest.mark.parametrize("who", ["", "Ana", "battle"])
def test_twenty_rounds_take_as_many_statements_as_one(game: Game, who: str) -> None:
    client = game.client(who)
    counted = []
    for others in (1, 18):
        for number in range(others):
            world = make_round({"Zed": ("coalition", "3D", "captain")}, slug=f"more-{others}-{number}", name="More")
            begin(world)
        client.get(PAGE)
        with CaptureQueriesContext(connection) as captured:
            client.get(PAGE)
        counted.append(len(captured))
    assert counted[0] == counted[1] <= 20
