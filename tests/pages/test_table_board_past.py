"""12: a table as it was has its own address, and an open page asks only whether the head is still the same."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.services.tables_of_tests import Game, person, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """Both have kept their hands."""
    found = running()
    found.post("Ana", "keep hand")
    found.post("Bo", "keep hand")
    return found


def page(game: Game, name: str, n: int) -> str:
    client = Client()
    if name:
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    answer = client.get(reverse("table-entry", args=[game.table.slug, n]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_what_was_is_shown_as_it_was_and_without_buttons(game):
    found = page(game, "Ana", game.row().entries - 2)

    assert "Keep this hand, or put cards back" in found
    assert "data-act=" not in found


def test_the_entry_and_its_neighbours_are_one_click_away(game):
    last = game.row().entries
    found = page(game, "Ana", last - 1)

    for n in (last - 2, last):
        assert reverse("table-entry", args=[game.table.slug, n]) in found
    assert f'max="{last}"' in found


def test_a_hand_of_the_past_is_shown_to_its_owner_alone(game):
    hand = {str(card["card"]) for card in game.view("Ana").view["zones"]["A.hand"]}
    n = game.row().entries - 1

    assert all(name in page(game, "Ana", n) for name in hand)
    for name in ("Bo", ""):
        assert not any(card in page(game, name, n) for card in hand)


@pytest.mark.parametrize("n", [0, 1, 999])
def test_there_is_nothing_to_look_back_at_before_the_start_and_after_the_end(game, n):
    assert Client().get(reverse("table-entry", args=[game.table.slug, n])).status_code == 404


def test_the_slider_leads_to_the_address_of_its_entry(game):
    answer = Client().get(reverse("table-entries", args=[game.table.slug]), {"n": "5"})

    assert answer["Location"] == reverse("table-entry", args=[game.table.slug, 5])


def test_an_open_page_asks_and_is_told_only_of_a_new_head(game):
    url = reverse("table-news", args=[game.table.slug])
    old = game.row().head

    assert Client().get(url, {"v": old}).status_code == 204
    game.post(game.waited(), "pass")
    answer = Client().get(url, {"v": old})
    assert answer.status_code == 200
    assert game.row().head in answer.content.decode()


def test_hands_and_decks_lie_open_for_everybody_when_the_table_is_over(game):
    """T12.7: then and now, in the log, too."""
    hand = {str(card["card"]) for card in game.view("Ana").view["zones"]["A.hand"]}
    before = game.row().entries
    game.post("Bo", "concede!")

    answer = Client().get(reverse("table", args=[game.table.slug])).content.decode()
    found = page(game, "", before - 1)

    assert all(name in found and name in answer for name in hand)
    assert all(f"{title} <" in answer for title in ("Revealed hand cards", "Known deck cards"))
    assert "Hidden until the end" not in answer
