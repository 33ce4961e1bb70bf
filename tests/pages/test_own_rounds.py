"""1.5, 2.5: who comes to the site finds the rounds that concern him, and where to start one."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from judging.command.people.admission import ask_admission
from judging.common.rounds import running_round
from tests.pages.setting_up import MONDAY, Foundation, foundation, said
from wargame.models import Judge, Player, Round
from wargame.rules.core.sides import Side

__all__ = ["foundation"]

PASSWORD = "a-long-word-for-tests"


@pytest.fixture
def running(foundation: Foundation) -> Round:
    """Another round, which is played."""
    terrain = foundation.round.terrain
    return Round.objects.create(name="The War", slug="the-war", state="running", terrain=terrain, created_at=MONDAY)


def log_in(foundation: Foundation, who: str, to: str = "") -> str:
    """The address to which a log-in leads."""
    user = foundation.users[who]
    user.set_password(PASSWORD)
    user.save()
    form = {"username": user.username, "password": PASSWORD, **({"next": to} if to else {})}
    response = Client().post(reverse("login"), form)
    assert response.status_code == 302
    return str(response.url)


def account(foundation: Foundation, who: str) -> str:
    return said(foundation.client(who).get(reverse("account")))


def ask(foundation: Foundation, who: str) -> None:
    user = foundation.users[who]
    ask_admission(
        round=foundation.round,
        user=user,
        side=Side.PHYREXIA,
        name=who,
        text="May I?",
        factions=[],
        token="one",
        now=MONDAY,
    )


def test_the_account_page_leads_to_a_new_round_for_those_who_may_start_one(
    foundation: Foundation, running: Round
) -> None:
    assert reverse("round-new") in foundation.client("Judy").get(reverse("account")).content.decode()
    assert "Start a round" in account(foundation, "Judy")
    assert "Start a round" not in account(foundation, "Olga")


@pytest.mark.parametrize("page", ["account", "rounds", "rules"])
def test_the_head_of_every_page_leads_to_the_rounds(foundation: Foundation, running: Round, page: str) -> None:
    """1.5: also while another round is played."""
    html = foundation.client("Judy").get(reverse(page)).content.decode()

    assert f'<a href="{reverse("rounds")}"' in html.split("<main")[0]


def test_a_person_without_a_round_is_offered_those_that_are_played_and_set_up(
    foundation: Foundation, running: Round
) -> None:
    page = account(foundation, "Olga")

    assert "None yet." in page
    assert "Join a team in The War" in page
    assert "Join a team in The Trial, which is being set up" in page


def test_a_round_being_set_up_is_found_by_its_judges_its_players_and_those_who_have_asked(
    foundation: Foundation, running: Round
) -> None:
    ask(foundation, "Olga")
    Judge.objects.create(round=foundation.round, user=foundation.users["Mo"], name="Mo", role="movement")
    words = {
        "Judy": "you are its battle judge",
        "Mo": "you are its movement judge",
        "Una": "you play for the Coalition",
        "Olga": "you have asked Phyrexia for admission",
    }
    for who, sentence in words.items():
        listed = said(foundation.client(who).get(reverse("rounds")))
        assert f"The Trial : {sentence}" in listed or f"The Trial: {sentence}" in listed
        html = foundation.client(who).get(reverse("account")).content.decode()
        assert foundation.url("setup") in html
        assert "Join a team of The Trial" not in html
    assert "Rounds you are setting up" not in said(foundation.client("Merle").get(reverse("rounds")))
    assert "Rounds you are setting up" not in said(foundation.client().get(reverse("rounds")))


@pytest.mark.parametrize("who", ["Judy", "Una", "Olga"])
def test_a_log_in_leads_to_the_round_that_is_set_up(foundation: Foundation, running: Round, who: str) -> None:
    ask(foundation, "Olga")

    assert log_in(foundation, who) == foundation.url("setup")


def test_a_log_in_leads_players_of_the_running_round_to_their_turn_and_onlookers_to_the_map(
    foundation: Foundation, running: Round
) -> None:
    player = Player.objects.get(name="Una")
    Player.objects.create(round=running, user=player.user, name="Una", side="phyrexia", joined_at=MONDAY)

    assert log_in(foundation, "Una") == reverse("mine", args=[running.slug])
    assert log_in(foundation, "Merle") == reverse("home")


def test_of_several_running_rounds_ones_own_is_the_one_that_the_site_shows(
    foundation: Foundation, running: Round
) -> None:
    """1.5: the newest one in which somebody plays, else that he judges; for all others the newest of all."""
    later = MONDAY + timedelta(days=9)
    newer = Round.objects.create(
        name="Later", slug="later", state="running", terrain=foundation.round.terrain, created_at=later
    )
    una, olga = Player.objects.get(name="Una").user, foundation.users["Olga"]
    row = Player.objects.create(round=running, user=una, name="Una", side="phyrexia", joined_at=MONDAY)
    Judge.objects.create(round=running, user=olga, name="Olga", role="movement")

    assert log_in(foundation, "Una") == reverse("mine", args=[running.slug])
    assert [running_round(user) for user in (una, olga, foundation.users["Merle"], None)] == [
        *(running, running, newer, newer)
    ]
    row.left_at = MONDAY
    row.save()
    assert running_round(una) == newer


def test_a_log_in_leads_back_to_where_it_was_asked_for(foundation: Foundation, running: Round) -> None:
    assert log_in(foundation, "Judy", to=reverse("rules")) == reverse("rules")


def test_a_log_in_leads_to_the_list_for_those_with_several_rounds_or_none_who_may_start_one(
    foundation: Foundation, running: Round
) -> None:
    foundation.client("Judy").post(reverse("round-new"), {"name": "A War", "token": "another"})
    assert log_in(foundation, "Judy") == reverse("rounds")

    foundation.users["Wanda"] = User.objects.create_superuser("wanda")
    assert log_in(foundation, "Wanda") == reverse("rounds")
