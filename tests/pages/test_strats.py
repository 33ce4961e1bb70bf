"""4.1.1, R35: the form for strats. Every kind of bad input gets a sentence, and no strat is lost."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client

from judging.battles.models import Battle, Strat
from tests.pages.playing import Game, game, said, typed_text
from tests.pages.test_posts import log_in
from tests.services.world_of_tests import HOUR, begin, make_round

__all__ = ["game"]


def send(game: Game, battle: Battle, who: str, army: str = "Ana", **typed: object) -> HttpResponse:
    client = typed.pop("client", None) or game.client(who)
    data = {"text": "Hold the ford.", "token": "a form", "risk": "", **typed}
    return client.post(game.url("strat", battle.pk, army), data)  # type: ignore[union-attr]


def test_a_strat_is_sent_and_its_receipt_shown(game: Game) -> None:
    battle = game.battle()
    client = game.client("Ana")
    response = send(game, battle, "Ana", client=client)

    strat = Strat.objects.get()
    assert response.status_code == 302
    assert strat.sha256 in said(client.get(response.url))
    assert not strat.late


def test_the_form_shows_both_armies_terrain_and_who_attacks(game: Game) -> None:
    battle = game.battle()

    text = said(game.client("Ana").get(game.url("strat", battle.pk, "Ana")))

    assert "Ana against Gaz at 3F, plains" in text
    assert "Against: Gaz" in text
    assert "Gaz 4/4" in text


def test_the_address_of_an_army_has_no_case(game: Game) -> None:
    battle = game.battle()

    assert game.client("Ana").get(game.url("strat", battle.pk, "ana")).status_code == 200


def test_a_strat_sent_twice_is_one(game: Game) -> None:
    battle = game.battle()
    for _ in range(2):
        assert send(game, battle, "Ana").status_code == 302

    assert Strat.objects.count() == 1


def test_earlier_versions_stay_readable_for_their_author(game: Game) -> None:
    battle = game.battle()
    send(game, battle, "Ana", text="The first plan.", token="one")
    send(game, battle, "Ana", text="The second plan.", token="two")

    html = game.page("strat", battle.pk, "Ana", who="Ana")

    assert html.index("The second plan.") < html.index("The first plan.")


def test_a_late_strat_is_kept_and_marked_and_its_author_is_told(game: Game) -> None:
    """3.1, R35."""
    battle = game.battle()
    game.go_to(battle.deadline + timedelta(minutes=1))
    client = game.client("Ana")
    response = send(game, battle, "Ana", client=client)

    assert Strat.objects.get().late
    assert "saved and marked late. It doesn&#x27;t count (3.1, R35)" in said(client.get(response.url))
    assert "late" in said(game.client().get(game.url("battles")))


def test_the_minute_of_the_deadline_is_in(game: Game) -> None:
    """R4, R5."""
    battle = game.battle()
    game.go_to(battle.deadline + timedelta(seconds=59))
    send(game, battle, "Ana")

    assert not Strat.objects.get().late


def test_more_than_50_000_characters_get_a_sentence_and_are_kept(game: Game) -> None:
    battle, text = game.battle(), "y" * 50_001
    response = send(game, battle, "Ana", text=text)

    assert response.status_code == 422
    assert "50,001 characters, 1 over the limit of 50,000" in said(response)
    assert typed_text(response.content.decode()) == text
    assert send(game, battle, "Ana", text=text[1:]).status_code == 302


@pytest.mark.parametrize("who", ["Gaz", "Ben", "Cay", "movement", "battle"])
def test_a_strat_for_a_foreign_army_is_refused_with_the_text_kept(game: Game, who: str) -> None:
    """5.4.1."""
    battle = game.battle()
    response = send(game, battle, who, text="Surrender.")

    assert response.status_code == 422
    assert "You don't control Ana" in said(response).replace("&#x27;", "'")
    assert typed_text(response.content.decode()) == "Surrender."
    assert not Strat.objects.exists()


def test_the_form_of_a_foreign_army_is_not_offered(game: Game) -> None:
    battle = game.battle()
    response = game.client("Gaz").get(game.url("strat", battle.pk, "Ana"))

    assert response.status_code == 403
    assert "data-strat-form" not in response.content.decode()


def test_a_capture_of_a_high_rank_is_refused_with_all_that_was_typed(game: Game) -> None:
    """4.5."""
    battle = game.battle()
    response = send(game, battle, "Ana", risk="capture", runs="on")

    html = response.content.decode()
    assert response.status_code == 422
    assert typed_text(html) == "Hold the ford."
    assert re.search(r'value="capture"[^>]* checked', html)
    assert re.search(r'name="runs"[^>]* checked', html)
    assert not Strat.objects.exists()


def test_a_contingency_may_send_in_the_last_24_hours_only(game: Game) -> None:
    """5.2.3."""
    battle = game.battle()
    ana = game.world.players["Ana"]
    ana.contingency = game.world.players["Cay"]
    ana.save()

    early = send(game, battle, "Cay")
    game.go_to(battle.deadline - 23 * HOUR)
    form = said(game.client("Cay").get(game.url("strat", battle.pk, "Ana")))
    in_time = send(game, battle, "Cay")

    assert early.status_code == 422
    assert "A contingency can send a strat from" in said(early)
    assert "as the contingency for Ana" in form
    assert in_time.status_code == 302
    assert Strat.objects.get().as_contingency


def test_after_the_result_no_strat_is_taken_and_the_text_is_kept(game: Game) -> None:
    battle = game.battle()
    game.world.score(battle)
    game.go_to(battle.deadline + 2 * HOUR)
    response = send(game, battle, "Ana")

    assert response.status_code == 422
    assert "The result of this battle is published" in said(response)
    assert typed_text(response.content.decode()) == "Hold the ford."


def test_who_was_logged_out_meanwhile_finds_his_strat_after_logging_in(game: Game) -> None:
    battle = game.battle()
    client, writer = Client(), game.world.players["Ana"].user.pk
    send(game, battle, "", client=client, text="A long plan.", writer=writer)
    log_in(client, game, "Ana")

    html = client.get(game.url("strat", battle.pk, "Ana")).content.decode()

    assert typed_text(html) == "A long plan."
    assert not Strat.objects.exists()


@pytest.fixture
def pair(db: None) -> Iterator[Game]:
    """Bo and Cy have joint engaged Gaz on 3F."""
    armies = {
        "Bo": ("coalition", "5F", "lieutenant"),
        "Cy": ("coalition", "3D", "lieutenant"),
        "Gaz": ("phyrexia", "3F", "evincar"),
    }
    world = begin(make_round(armies))
    world.post("Bo", "Bo: 5F > 3F; joint engage")
    world.post("Cy", "Cy: 3D > 3F; joint engage")
    world.settle()
    with time_machine.travel(world.turn.opened_at + HOUR, tick=False) as clock:
        yield Game(world, clock)


def test_of_two_armies_side_by_side_one_is_named_that_leaves(pair: Game) -> None:
    """4.4."""
    battle = Battle.objects.get()
    html = pair.page("strat", battle.pk, "Bo", who="Bo")
    send(pair, battle, "Bo", "Bo", leaves="Cy", leaves_to="2E")

    strat = Strat.objects.get()
    assert '<option value="Cy">' in html
    assert '<option value="5F">' not in html
    assert (strat.leaves, strat.leaves_to) == ("Cy", "2E")
    assert "leave the square with Cy, for 2E" in pair.page("strat", battle.pk, "Bo", who="Bo")


def test_a_direction_that_is_not_there_is_refused_with_the_text_kept(pair: Game) -> None:
    response = send(pair, Battle.objects.get(), "Bo", "Bo", leaves="Cy", leaves_to="30A")

    assert response.status_code == 422
    assert typed_text(response.content.decode()) == "Hold the ford."


def test_an_army_that_fights_alone_is_not_asked_who_leaves(game: Game) -> None:
    battle = game.battle()

    assert 'name="leaves"' not in game.page("strat", battle.pk, "Ana", who="Ana")


def test_an_army_that_does_not_fight_there_is_a_404(game: Game) -> None:
    battle = game.battle()

    assert game.client("Ben").get(game.url("strat", battle.pk, "Ben")).status_code == 404
