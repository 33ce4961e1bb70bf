"""2.2.3: every creature's name leads to what it can do, and a strat is written beside it."""

import re

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from judging.armies.creatures.services import OWN_LIST, fill_texts, import_creatures, load_own_list
from tests.pages.playing import Game, game
from tests.pages.test_budgets import PAGE, asking
from tests.services.world_of_tests import HOUR
from wargame.models import Creature

__all__ = ["game"]


def card(client: Client, name: str, status: int = 200, **headers: str) -> str:
    answer = client.get(reverse("creature", args=[name]), headers=headers)
    assert answer.status_code == status
    return answer.content.decode()


@pytest.mark.django_db
def test_a_card_tells_size_colours_and_what_the_creature_can_do(client: Client) -> None:
    load_own_list()
    html = card(client, "Serra Angel")
    assert "4/4" in html
    assert "swatch--white" in html
    assert "Flies. Attacks and still stands guard." in html
    part = card(client, "serra angel", **{"X-Card": "1"})
    assert "Flies." in part
    assert "<html" not in part


@pytest.mark.django_db
def test_a_name_that_nobody_knows_is_told_so_with_names_like_it(client: Client) -> None:
    load_own_list()
    assert "Did you mean" in card(client, "Serra Angle", status=404)
    for name in ("Nobody at all", "x" * 400, "a/b", "é\0", "<b>"):
        html = card(client, name, status=404)
        assert "<b>" not in html.split("<main")[1].replace("<b></b>", "")


@pytest.mark.django_db
def test_every_creature_of_our_own_list_has_a_text_of_our_own() -> None:
    load_own_list()
    assert not Creature.objects.filter(text="").exists()


@pytest.mark.django_db
def test_a_text_of_a_card_file_stays_and_an_older_catalogue_gets_those_that_are_missing() -> None:
    """Whoever began with a version without texts has them after the next start."""
    load_own_list()
    Creature.objects.update(text="")
    Creature.objects.filter(name="Serra Angel").update(text="Flying, vigilance.")
    call_command("import_creatures", "--if-empty", verbosity=0)
    texts = dict(Creature.objects.values_list("name", "text"))
    assert texts["Serra Angel"] == "Flying, vigilance."
    assert all(texts.values())
    assert " guard " in Creature.objects.get(name="Archangel").words
    assert fill_texts() == 0
    import_creatures(OWN_LIST)
    assert Creature.objects.get(name="Serra Angel").text == "Flying, vigilance."


def test_names_are_links_on_the_pages_of_armies_battles_and_strats(game: Game) -> None:
    load_own_list()
    battle = game.battle()
    for name, args in (("army", ["Ana"]), ("battle", [battle.pk]), ("strat", [battle.pk, "Ana"])):
        html = game.page(name, *args, who="Ana")
        assert re.search(r'<a class="creature" href="/creatures/[^"]+/">', html), name
        assert "judging/cards" in html, name


def test_beside_a_strat_stand_both_armies_with_their_texts_and_last_battles(game: Game) -> None:
    """4.1.1, 2.2.3: of published battles alone."""
    load_own_list()
    first = game.battle()
    html = game.page("strat", first.pk, "Ana", who="Ana")
    assert html.count("<summary>Abilities</summary>") == 2
    assert html.count("No battles yet.") == 2
    for name in ("Ana", "Gaz"):
        game.world.strat(first, name, name)
    game.world.score(first)
    game.go_to(first.announced_at + 3 * HOUR)
    answer = game.client("Ana").get(game.url("strat", first.pk, "Ana"))
    html = " ".join(answer.content.decode().split())
    assert "against Gaz" in html
    assert "against Ana" in html
    assert html.count("No battles yet.") == 0


def test_the_page_of_a_strat_keeps_to_its_budget(game: Game) -> None:
    battle, client = game.battle(), game.client("Ana")
    address = game.url("strat", battle.pk, "Ana")
    client.get(address)
    with asking() as asked:
        assert client.get(address).status_code == 200
    assert asked.number <= PAGE, str(asked)
