"""1.1: the pages on which somebody asks a team for admission, and its leaders answer."""

import pytest
from django.http import HttpResponse
from django.test import Client

from judging.command.models import Admission
from judging.command.people.admission import leave_team
from judging.common.models import LogEntry
from tests.pages.commanding import GIANT, NUL, game, newcomer, other_round, redirects, refuses, sends_to_log_in, told
from tests.pages.playing import Game, typed_text
from tests.services.polls import DAY, call
from tests.services.teams import NOW, player
from wargame.models import Player, Round

__all__ = ["game"]

POST = "I have played two rounds, and can post every other day."


def ask(game: Game, client: Client, **typed: object) -> HttpResponse:
    data = {"act": "ask", "token": "one form", "side": "coalition", "name": "Nell", "text": POST, **typed}
    return client.post(game.url("join"), data)


def asked(game: Game, name: str = "Nell", **typed: object) -> Admission:
    assert ask(game, newcomer(name), name=name, token=f"form of {name}", **typed).status_code == 302
    return Admission.objects.get(name=name)


def decide(game: Game, who: str, admission: Admission | str, **typed: object) -> HttpResponse:
    key = admission.pk if isinstance(admission, Admission) else admission
    return game.client(who).post(game.url("admissions"), {"admission": key, "act": "accept", **typed})


# Asking


def test_everybody_reads_what_the_teams_are_and_who_leads_them(game: Game) -> None:
    page = told(game.client().get(game.url("join")))
    assert "4 players. Led by Ana (General)." in page
    assert "You need an account: sign up, or log in." in page
    assert "<textarea" not in game.page("join")
    assert "<textarea" in newcomer().get(game.url("join")).content.decode()


def test_a_newcomer_asks_sees_what_he_asked_and_takes_it_back(game: Game) -> None:
    client = newcomer()
    redirects(ask(game, client, faction1="red", faction2="blue"), game.url("join"))
    page = told(client.get(game.url("join")))
    assert "The Coalition has your request. Its leaders will decide." in page
    assert "You have asked to join the Coalition As Nell, on " in page
    assert "You claim red, blue." in page
    assert POST in page
    redirects(client.post(game.url("join"), {"act": "withdraw"}), game.url("join"))
    assert "You withdrew your request." in told(client.get(game.url("join")))
    refuses(client.post(game.url("join"), {"act": "withdraw"}), "already withdrawn. 1.1")


def test_while_nobody_leads_a_team_the_page_says_that_the_battle_judge_decides(game: Game) -> None:
    """1.1, 1.3."""
    leave_team(player=player(game.world, "Vorn"), now=NOW)
    client = newcomer()
    page = told(client.get(game.url("join")))
    assert "1 player. It has no leaders yet, so the battle judge decides about admission." in page
    redirects(ask(game, client, side="phyrexia"), game.url("join"))
    page = told(client.get(game.url("join")))
    assert "Phyrexia has your request. It has no leaders yet, so the battle judge will decide." in page
    assert "Its leaders decide" not in page
    assert "Its leaders will decide" not in page
    assert "claimed a faction" not in page


def test_who_claims_no_faction_is_told_that_he_can_later(game: Game) -> None:
    """1.1.2: a Coalition player may claim up to three."""
    client = newcomer()
    ask(game, client)
    page = told(client.get(game.url("join")))
    assert "You haven't claimed a faction. You can claim one on Your profile once you have joined the round." in page
    assert "Claims no faction yet" in told(game.client("Ana").get(game.url("admissions")))


@pytest.mark.parametrize(
    ("typed", "what"),
    [
        ({"name": "Ana"}, "“Ana” is taken. Capital letters don't make a difference. 1.6"),
        ({"name": "x" * 41}, "The name has 41 characters; the limit is 40. 1.6"),
        ({"name": "Nell: me"}, "The name can't contain “:”: it would break orders to an army of that name. 1.6"),
        ({"name": NUL}, "1.6"),
        ({"name": ""}, "Choose a screen name. 1.6"),
        ({"side": "mercenary"}, "Choose one of the two teams. 1.1"),
        ({"side": "\0"}, "Choose one of the two teams. 1.1"),
        ({"faction1": "purple"}, "“purple” is not one of the seven factions of the Coalition. 1.1.2"),
        ({"text": "  "}, "The post is empty"),
        ({"text": "x" * 5001}, "5,000"),
        ({"text": NUL}, "1.1"),
        ({"token": ""}, "form"),
        ({"token": "x" * 200}, "form"),
    ],
)
def test_a_bad_request_is_refused_with_the_rule_and_nothing_typed_is_lost(
    game: Game, typed: dict[str, str], what: str
) -> None:
    page = refuses(ask(game, newcomer(), faction2="blue", **typed), "Not sent.", what)
    assert typed_text(page) == typed.get("text", POST)
    assert "<option selected>blue</option>" in page
    assert not Admission.objects.exists()


def test_the_same_form_sent_twice_asks_once_and_another_one_is_refused(game: Game) -> None:
    client = newcomer()
    for _ in range(2):
        redirects(ask(game, client), game.url("join"))
    refuses(ask(game, client, token="another", side="phyrexia"), "Withdraw that first. 1.1")
    assert Admission.objects.count() == 1


def test_who_is_logged_out_meanwhile_finds_his_text_again(game: Game) -> None:
    client = Client()
    assert sends_to_log_in(ask(game, client))
    user = player(game.world, "Dot").user
    user.pk, user.username = None, "Nell"
    user.save()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert typed_text(client.get(game.url("join")).content.decode()) == POST


@pytest.mark.parametrize(("judge", "rule"), [("battle", "1.3"), ("mercenary", "6")])
def test_a_judge_who_cannot_be_a_player_is_not_offered_to_join(game: Game, judge: str, rule: str) -> None:
    client = game.client(judge)
    page = told(client.get(game.url("join")))
    assert f"You judge this round, and the {judge} judge can't be a player. {rule}" in page
    assert "Ask for admission" not in page
    for name in ("players", "command", "service"):
        assert "Join a team" not in told(client.get(game.url(name)))
    refuses(ask(game, client), f"The {judge} judge can't be a player.")
    assert not Admission.objects.exists()


def test_the_movement_judge_may_play(game: Game) -> None:
    """1.3."""
    client = game.client("movement")
    assert "Join a team" in told(client.get(game.url("players")))
    redirects(ask(game, client), game.url("join"))
    accepted = Admission.objects.get()
    redirects(decide(game, "Ana", accepted, rank="lieutenant"), game.url("give-army", accepted.name))


def test_a_player_is_told_that_he_plays_and_who_left_not_to_change_sides(game: Game) -> None:
    assert "You play for the Coalition as Dot." in told(game.client("Dot").get(game.url("join")))
    refuses(ask(game, game.client("Dot")), "You already play for the Coalition, as Dot. 1.1")
    leave_team(player=player(game.world, "Dot"), now=NOW)
    refuses(ask(game, game.client("Dot"), side="phyrexia"), "You have played for the Coalition in this round")


def test_nobody_joins_a_round_that_is_over_or_that_there_is_not(game: Game) -> None:
    Round.objects.update(state="over")
    assert "Trial is finished." in told(newcomer().get(game.url("join")))
    assert "Join a team" not in told(newcomer().get(game.url("players"))).replace("Join a team in", "")
    refuses(ask(game, newcomer()), "Trial is finished. 1.5")
    assert newcomer().get("/rounds/nowhere/command/join/").status_code == 404
    assert newcomer().post("/rounds/nowhere/command/join/", {"act": "ask"}).status_code == 404


# Deciding


def test_a_leader_accepts_with_a_rank_and_is_told_so(game: Game) -> None:
    admission = asked(game, faction1="red")
    page = game.page("admissions", who="Ana")
    assert '<option value="lieutenant" selected>Lieutenant</option>' in page
    assert "General (full)" in page
    redirects(decide(game, "Ana", admission, rank="commander"), game.url("give-army", "Nell"))
    made = Player.objects.get(name="Nell")
    assert (made.rank, made.factions) == ("commander", ["red"])
    client = game.client("Ana")
    client.post(game.url("admissions"), {"admission": asked(game, "Otto").pk, "act": "accept", "rank": "lieutenant"})
    page = told(client.get(game.url("admissions")))
    assert "Otto has joined your team as Lieutenant. Next, give them an army." in page
    assert "Accepted, by Ana" in page
    refuses(decide(game, "Ana", admission, rank="commander"), "already accepted. 1.1")


def test_a_cadet_is_made_by_choice_alone(game: Game) -> None:
    """1.1.2: no rank at all is a Cadet's, and a form without one is none."""
    admission = asked(game)
    refuses(decide(game, "Ana", admission), "Choose a rank. 1.1")
    redirects(decide(game, "Ana", admission, rank="none"), game.url("admissions"))
    assert Player.objects.get(name="Nell").rank == ""


def test_what_waits_for_a_leader_is_counted_and_stands_before_a_vote_that_closes_in_days(game: Game) -> None:
    call(game.world, "Bo", closes=NOW + 5 * DAY, now=NOW)
    asked(game)
    page = game.page("mine", who="Ana")
    listed = page.split('<ul class="todo">')[1].split("</ul>")[0]
    assert f'To do <span class="muted">{listed.count("<li") - listed.count("notice--good")}</span>' in page
    assert listed.index("1 player is asking to join your team.") < listed.index("A vote is waiting for you")


def test_an_applicants_own_page_says_that_his_request_waits_and_who_decides(game: Game) -> None:
    client = newcomer("Nell")
    assert "has been waiting" not in told(client.get(game.url("mine")))
    assert ask(game, client).status_code == 302
    page = told(client.get(game.url("mine")))
    assert "Your request to join the Coalition has been waiting since" in page
    assert "Ana decides." in page


def test_a_leader_refuses_with_a_reason_that_the_asker_reads(game: Game) -> None:
    admission = asked(game)
    refuses(decide(game, "Ana", admission, act="refuse", reason=" "), "The reason is empty")
    page = refuses(decide(game, "Ana", admission, act="refuse", reason="y" * 2001), "2,000")
    assert typed_text(page) == "y" * 2001
    redirects(decide(game, "Ana", admission, act="refuse", reason="We are full."), game.url("admissions"))
    assert "Coalition refused you on 2 Mar 2026: We are full." in told(newcomer().get(game.url("join")))


@pytest.mark.parametrize(
    ("rank", "what"),
    [
        ("captain", "Bo is the Captain of the red faction, and each faction can only have one. 1.1.2"),
        ("general", "Only the battle judge can decide who is General. Ask them."),
        ("evincar", "Evincar is not a rank of the Coalition. 1.1"),
        ("king", "“king” is not a rank of the Coalition. 1.1"),
        (NUL, "is not a rank of the Coalition. 1.1"),
    ],
)
def test_a_rank_that_cannot_be_given_is_refused_and_stays_chosen(game: Game, rank: str, what: str) -> None:
    page = refuses(decide(game, "Ana", asked(game, faction1="red"), rank=rank), "Nothing was changed.", what)
    assert f'<option value="{rank}" selected>' in page or rank not in ("captain", "general")
    assert not Player.objects.filter(name="Nell").exists()


def test_an_eighth_captain_is_one_too_many(game: Game) -> None:
    """2.5.2.1."""
    for number, faction in enumerate(("white", "blue", "green", "black", "multicolor", "colorless")):
        redirects(
            decide(game, "Ana", asked(game, f"Captain {number}", faction1=faction), rank="captain"),
            game.url("give-army", f"Captain {number}"),
        )
    page = refuses(
        decide(game, "Ana", asked(game, faction1="white"), rank="captain"),
        "No more players can have the rank Captain: the count is already 7, and the limit is 7.",
        "2.5.2.1",
    )
    assert "Captain (full)" in page
    assert "Captain 7 of 7" in told(game.client().get(game.url("players")))


@pytest.mark.parametrize("who", ["Cem", "Vorn", "movement", "mercenary"])
def test_who_does_not_lead_the_team_neither_reads_nor_decides(game: Game, who: str) -> None:
    admission = asked(game)
    page = told(game.client(who).get(game.url("admissions")))
    assert POST not in page
    refuses(decide(game, who, admission, rank="lieutenant"), "There is no such request for admission, or you")
    assert sends_to_log_in(game.client().get(game.url("admissions")))
    assert not LogEntry.objects.filter(action="player.accepted").exists()


def test_the_asker_and_the_battle_judge_read_it_and_do_not_decide_here(game: Game) -> None:
    admission = asked(game)
    for client in (newcomer(), game.client("battle")):
        assert POST in told(client.get(game.url("admissions")))
        response = client.post(game.url("admissions"), {"admission": admission.pk, "act": "accept", "rank": "captain"})
        refuses(response, "Nothing was changed.")
    assert not Player.objects.filter(name="Nell").exists()


@pytest.mark.parametrize("key", ["", "x", NUL, GIANT, "-1", "other round"])
def test_no_other_key_is_a_request_for_admission(game: Game, key: str) -> None:
    oda, _, _ = other_round()
    there = Admission.objects.create(
        round=oda.round, user=oda.user, side="coalition", name="Nell", text=POST, asked_at=NOW, token="t"
    )
    response = decide(game, "Ana", str(there.pk) if key == "other round" else key, rank="lieutenant")
    refuses(response, "There is no such request for admission, or you can't decide on it. 1.1")
    there.refresh_from_db()
    assert there.state == Admission.State.ASKED
