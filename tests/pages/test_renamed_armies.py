"""2.6: an army that was made somebody's own, as its page and others show it."""

from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from judging.armies.models import ChangeRequest, PersonalOffer
from judging.battles.models import Battle
from tests.pages.catalogue import fill_catalogue
from tests.pages.playing import said
from tests.services.changing import GOBLINS, change, make_war, offer
from tests.services.world_of_tests import HOUR, World

LONG = "Nicol Bolas, the Ravager of a Hundred Worlds, Elder of the Elders, Keeper of the Last Library and of its Keys"
"""A legend of more than 80 signs."""


@pytest.fixture
def world(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Gaz attacked Ben in turn 1 and was beaten; Ben is called New Dawn since turn 3."""
    fill_catalogue()
    war = make_war()
    war.post("Gaz", "12D > 10D; engage Ben")
    war.settle()
    battle = Battle.objects.get()
    war.strat(battle, "Ben", "Ben")
    war.score(battle)
    offer(war, monkeypatch=monkeypatch)
    change(war, "Ben", "New", GOBLINS, name="New Dawn", legend=LONG)
    war.settle()
    with time_machine.travel(war.turn.opened_at + 2 * HOUR, tick=False):
        yield war


def url(name: str, *args: object) -> str:
    return reverse(name, args=["trial", *args])


def client(world: World, who: str) -> Client:
    found = Client()
    found.force_login(world.players[who].user, backend="django.contrib.auth.backends.ModelBackend")
    return found


def test_its_page_tells_its_whole_story_and_what_it_was_called(world: World) -> None:
    page = said(Client().get(url("army", "New Dawn")))

    assert "Former namesBen" in page
    assert LONG in page
    assert "Gaz attacked Ben on 10D" in page
    assert "New made Ben their own, called New Dawn from the unlock on" in page


def test_the_old_address_leads_to_it(world: World) -> None:
    response = Client().get(url("army", "Ben"))
    assert response.status_code == 302
    assert response.url == url("army", "New Dawn")

    told = Client().get(url("api-army", "Ben"))
    assert told.status_code == 404
    assert "The army Ben is now called “New Dawn”." in told.content.decode()


def test_old_turns_stay_as_they_were(world: World) -> None:
    battle = Battle.objects.get()
    page = said(Client().get(url("battle", battle.pk)))
    assert "Gaz against Ben" in page
    assert "New Dawn" not in page

    for name in ("map-turn", "movement-turn", "battles-turn", "turn"):
        assert Client().get(url(name, 1)).status_code == 200
    assert "Ben" in said(Client().get(url("battles-turn", 2)))


def test_its_player_orders_it_from_his_page(world: World) -> None:
    page = said(client(world, "Ben").get(url("mine")))

    assert "New Dawn" in page
    assert "1 army without an order" in page


def test_a_new_player_finds_the_army_that_was_chosen_for_him(world: World) -> None:
    PersonalOffer.objects.all().delete()
    ChangeRequest.objects.all().delete()
    new, turn = world.players["New"], world.turn
    PersonalOffer.objects.create(
        round=world.round, player=new, army=world.army("Cid"), offered_in=turn.number, offered_at=turn.opened_at
    )
    page = said(client(world, "New").get(url("mine")))
    assert f"Your leaders chose Cid for you. Make it your own before turn {turn.number + 1} locks." in page
    assert "Make it your own" in said(client(world, "New").get(url("army", "Cid")))
    assert "Make it your own" not in said(client(world, "Cid").get(url("army", "Cid")))


def test_leaders_find_the_new_players_and_others_find_nothing_to_change(world: World) -> None:
    assert "Choose an army for new players of your side" in said(client(world, "Lea").get(url("mine")))
    assert "Other troops" not in said(client(world, "Cid").get(url("mine")))


def test_an_army_with_its_days_is_named_and_a_request_that_waits_too(world: World) -> None:
    before = said(client(world, "Ana").get(url("mine")))
    assert "You can change the troops of these armies after two days where they can heal: Ana." in before
    change(world)
    after = said(client(world, "Ana").get(url("mine")))
    assert f"Ana : accepted, due when turn {world.turn.number} is settled" in after.replace("Ana:", "Ana :")
    assert "You can change the troops of these armies after two days where they can heal" not in after

    page = said(client(world, "Ana").get(url("army-change", "change", "Ana")))
    assert f"This change will be carried out when turn {world.turn.number} is settled" in page
    assert "Ask the judge" not in page
    world.settle()
    with time_machine.travel(world.turn.opened_at + HOUR, tick=False):
        page = said(client(world, "Ana").get(url("army-change", "change", "Ana")))
    assert f"The last change was carried out in turn {world.turn.number - 1}." in page


def test_what_was_not_carried_out_is_told_with_the_reason(world: World) -> None:
    change(world)
    world.post("Ana", "Ana: 3D > 4D", at=world.turn.opened_at + HOUR)
    world.settle()
    with time_machine.travel(world.turn.opened_at + HOUR, tick=False):
        page = said(client(world, "Ana").get(url("army-change", "change", "Ana")))

    assert "The last change was not carried out in turn 3" in page
    assert "it is on 4D" in page
