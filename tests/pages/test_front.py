"""1.5: the front door: what a visitor learns there, and where everybody else is led."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from judging.battles.models import Battle, Result
from tests.pages.commanding import newcomer
from tests.pages.playing import Game, game
from tests.pages.test_budgets import PAGE, asking
from wargame.models import Army, Control, Round

__all__ = ["game"]


def front(client: Client | None = None) -> str:
    answer = (client or Client()).get(reverse("home"))
    assert answer.status_code == 200
    return answer.content.decode()


def told_tale(game: Game, words: str = "The ridge held until dusk.") -> Battle:
    """A battle of turn 2 whose result is public."""
    battle = game.battle()
    for name in ("Ana", "Gaz"):
        game.world.strat(battle, name, name)
    game.world.score(battle)
    Result.objects.filter(battle=battle).update(narrative=words)
    return battle


def test_a_visitor_reads_what_this_is_sees_the_war_and_finds_the_ways_in(game: Game) -> None:
    html = front()
    assert "two teams on one map, played by post" in html
    assert "two visits a week" in html
    assert game.url("map") in html
    assert "picture__svg" in html
    for name in ("sandbox", "sign-up", "how-to-play", "rules"):
        assert f'href="{reverse(name)}"' in html
    assert f'href="{game.url("join")}"' in html


def test_the_latest_story_and_the_last_turns_headline_are_told_in_short(game: Game) -> None:
    """4.2.5: of the published results alone; markup stays whole where the story is cut."""
    assert "front__story" not in front()
    battle = told_tale(game, "**" + "The ridge held. " * 80 + "** <script>")
    html = front()
    assert "Turn 1 is settled" in html
    story = html.split("front__story")[1].split("</section>")[0]
    assert story.count("The ridge held.") < 40
    assert game.url("battle", battle.pk) in story
    assert story.count("<strong>") == story.count("</strong>")
    assert "<script" not in story


def test_a_player_is_led_to_his_own_page_and_a_judge_to_his_desk(game: Game) -> None:
    home = reverse("home")
    assert game.client("Ana").get(home)["Location"] == game.url("mine")
    assert game.client("battle").get(home)["Location"] == reverse("judge:index")
    assert front(newcomer())


def test_armies_that_nobody_controls_are_offered(game: Game) -> None:
    assert "without a player" not in front()
    ben = Army.objects.get(round=game.world.round, name="Ben")
    Control.objects.filter(army=ben).update(until=game.world.turn.opened_at + timedelta(hours=1))
    assert "1 army without a player" in " ".join(front().split())
    Army.objects.filter(pk=ben.pk).update(died_in=1, at="")
    assert "without a player" not in front()


def test_who_has_asked_a_team_finds_his_request_there(game: Game) -> None:
    client = newcomer()
    typed = {"act": "ask", "token": "one", "side": "coalition", "name": "Nell", "text": "I have played."}
    assert client.post(game.url("join"), typed).status_code == 302
    assert "Your request to join" in front(client)


def test_without_a_round_a_host_learns_what_he_does_first(game: Game) -> None:
    Round.objects.update(state="over", winner="phyrexia")
    html = front()
    assert "No round is running" in html
    assert "won by" in html
    Round.objects.update(state="given_up")
    html = front()
    assert "manage.py demo" in html
    assert "createsuperuser" in html


def test_the_front_door_and_the_help_ask_the_database_little(game: Game) -> None:
    told_tale(game)
    front()
    for name in ("home", "how-to-play", "sandbox"):
        with asking() as asked:
            assert Client().get(reverse(name)).status_code == 200
        assert asked.number <= PAGE, f"{name}\n{asked}"


@pytest.mark.django_db
def test_how_to_play_shows_an_order(client: Client) -> None:
    assert "engage" in client.get(reverse("how-to-play")).content.decode()
