"""1.4, R46: the pages of votes: the list, the call, the ballot, the result, and the reminders."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
import time_machine
from django.http import HttpResponse
from playwright.sync_api import Page, expect

from judging.votes.models import Ballot, Vote
from tests.pages.looking import fits
from tests.pages.playing import PASSWORD, Game, said
from tests.services.polls import CALLED, DAY, LEADERS, call, cast, special
from tests.services.teams import make_teams, stranger
from tests.services.world_of_tests import HOUR
from wargame.rules.core.sides import Side

CLOSED = CALLED + 2 * DAY + timedelta(minutes=1)
TYPED = {
    "question": "Shall we meet?",
    "text": "At the inn.",
    "options": "Yes\nNo\n\nLater",
    "closes": "2026-03-04T07:00",
    "kind": "normal",
    "token": "form",
}


@pytest.fixture
def game(db: None) -> Iterator[Game]:
    """Turn 1, an hour old: four players of the Coalition, two of Phyrexia."""
    world = make_teams()
    with time_machine.travel(CALLED, tick=False) as clock:
        yield Game(world, clock)


def send(game: Game, who: str, **typed: object) -> HttpResponse:
    """The form of a call, sent."""
    return game.client(who).post(game.url("vote-new"), {**TYPED, **typed})  # type: ignore[return-value]


def vote(game: Game, who: str, row: Vote, choice: object) -> HttpResponse:
    return game.client(who).post(game.url("vote", row.pk), {"act": "cast", "choice": choice})  # type: ignore[return-value]


def told(page: object) -> str:
    """A page's text."""
    assert isinstance(page, HttpResponse)
    return said(page)


def text(game: Game, who: str, row: Vote) -> str:
    return told(game.client(who).get(game.url("vote", row.pk)))


def listed(game: Game, who: str = "") -> str:
    return told(game.client(who).get(game.url("votes")))


def test_a_player_calls_a_vote_and_another_votes_and_changes_his_mind(game: Game) -> None:
    done = send(game, "Dot")
    row = Vote.objects.get()
    assert (done.status_code, done["Location"]) == (302, game.url("vote", row.pk))
    assert row.options == ["Yes", "No", "Later"]
    assert "Your vote is worth 3 voting points" in text(game, "Ana", row)
    assert vote(game, "Ana", row, 0).status_code == 302
    assert vote(game, "Ana", row, 2).status_code == 302
    page = text(game, "Ana", row)
    assert "You have voted. Your vote is worth 3 voting points" in page
    assert "Later ahead 3 1" in page
    assert "Not yet voted: Bo, Cem, Dot, Vorn, Skar." in page


def test_the_form_sent_twice_calls_one_vote(game: Game) -> None:
    assert send(game, "Dot")["Location"] == send(game, "Dot")["Location"]
    assert Vote.objects.count() == 1


def test_the_result_is_there_at_the_end_with_its_bars(game: Game) -> None:
    row = call(game.world, "Dot")
    cast(game.world, row, "Ana", 0)
    cast(game.world, row, "Vorn", 1)
    assert "You can see their choices when the vote closes" in text(game, "", row)
    assert "2 of 6 have voted" in listed(game)
    game.go_to(CLOSED)
    html = game.page("vote", row.pk)
    assert "It is a tie between Yes and No, so nothing is decided." in html
    assert 'aria-label="3 of 6"' in html
    assert "It is a tie between Yes and No" in listed(game)
    assert vote(game, "Bo", row, 0).status_code == 400
    assert "This vote closed on Wed 4 Mar 2026, 07:00 UTC" in said(vote(game, "Bo", row, 0))
    assert Ballot.objects.filter(vote=row, cast_at__isnull=False).count() == 2


def test_the_page_says_who_reads_the_ballots(game: Game) -> None:
    row = call(game.world, "Dot")
    assert "Ballots are open to players who have voted" in text(game, "Ana", row)


def test_a_team_s_vote_is_a_404_for_the_other_team_and_the_judges(game: Game) -> None:
    row = call(game.world, "Ana", special(side=Side.COALITION), question="MARKER?")
    for who in ("", "Vorn", "Skar", "movement", "battle", "mercenary"):
        client = game.client(who)
        assert client.get(game.url("vote", row.pk)).status_code == 404
        if who:
            assert client.post(game.url("vote", row.pk), {"choice": "0"}).status_code == 404
        for name in ("votes", "log", "command", "api-votes"):
            assert "MARKER" not in client.get(game.url(name)).content.decode(), (who, name)
    assert "MARKER?" in listed(game, "Dot")
    assert "but not the judges" in text(game, "Dot", row)


def test_a_judge_calls_a_vote_and_withdraws_it(game: Game) -> None:
    send(game, "battle", kind="leaders")
    row = Vote.objects.get()
    assert row.judge == game.world.judges["battle"]
    assert "by Judge battle, battle judge" in text(game, "", row)
    done = game.client("battle").post(game.url("vote", row.pk), {"act": "withdraw"})
    assert done.status_code == 302
    assert "withdrew this vote" in text(game, "", row)
    assert "and withdrawn before anyone voted" in listed(game)


def test_a_special_vote_is_called_with_its_audience_and_weights(game: Game) -> None:
    """1.4.3."""
    keys = [str(game.world.players[name].pk) for name in ("Ana", "Cem")]
    send(game, "Dot", kind="special", player=keys, **{"points-1": "4", "points-3": ""})
    row = Vote.objects.get()
    assert sorted(row.ballots.values_list("player__name", flat=True)) == ["Ana", "Cem"]
    assert (row.points, row.side) == ({"1": 4}, "coalition")
    assert "chosen players" in text(game, "Ana", row)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ({"question": ""}, "The question is empty"),
        ({"options": "Yes"}, "A vote must have 2 to 20 options, one per line. Yours has 1."),
        ({"closes": "2026-03-01T00:00"}, "A vote can run for 1 hour to"),
        ({"closes": "soon"}, "“soon” is not a time"),
        ({"closes": "9999-12-31T23:59-23:59"}, "is not a"),
        ({"closes": "2026-02-31T00:00"}, "is not a"),
        ({"kind": ""}, "Choose the kind"),
        ({"kind": "leaders"}, "is not a team leader"),
        ({"kind": "special", "side": "mercenary"}, "one of the two teams"),
        ({"kind": "special", "group": "9" * 400}, "There is no rank group 0"),
        ({"kind": "special", "points-1": "-3"}, "not 0"),
        ({"kind": "special", "player": "99999999999999999999"}, "no longer plays"),
        ({"kind": "special", "faction": "purple"}, "is not one of the seven factions of the Coalition"),
        ({"faction": "red"}, "You can only choose voters and voting points for special votes"),
        ({"token": ""}, "Something went wrong with this form"),
    ],
)
def test_what_cannot_be_called_is_said_and_the_form_keeps_what_was_typed(
    game: Game, typed: dict[str, str], why: str
) -> None:
    done = send(game, "Dot", **typed)
    assert done.status_code == 400
    assert why in said(done)
    kept = {**TYPED, **typed}
    html = done.content.decode()
    assert kept["text"] in html
    assert "\n".join(kept["options"].splitlines()[:2]) in html
    assert f'value="{kept["closes"]}"' in html
    assert not Vote.objects.exists()


@pytest.mark.parametrize("choice", ["", "x", "9" * 50, "none\0"])
def test_a_choice_that_is_none_is_said(game: Game, choice: str) -> None:
    row = call(game.world, "Dot")
    done = vote(game, "Dot", row, choice)
    assert done.status_code == 400
    assert re.search("There is no such option|Choose one of the options", said(done))
    assert not Ballot.objects.filter(cast_at__isnull=False).exists()


def test_who_was_not_asked_is_told_so(game: Game) -> None:
    row = call(game.world, "Vorn", LEADERS)
    assert "among the voters when this vote was called" in text(game, "Cem", row)
    done = vote(game, "Cem", row, 0)
    assert done.status_code == 400
    assert "not on the list of voters when this vote was called" in said(done)
    assert vote(game, "battle", row, 0).status_code == 400


@pytest.mark.parametrize("key", ["0", "999", "9" * 30])
def test_a_vote_that_is_not_there_is_a_404(game: Game, key: str) -> None:
    assert game.client("Ana").get(f"{game.url('votes')}{key}/").status_code == 404


def test_the_public_neither_calls_nor_votes_and_is_asked_to_log_in(game: Game) -> None:
    row = call(game.world, "Dot")
    assert "Call a vote" not in listed(game)
    assert "Your vote" not in text(game, "", row)
    for address, data in ((game.url("vote", row.pk), {"choice": "0"}), (game.url("vote-new"), TYPED)):
        done = game.client().post(address, data)
        assert (done.status_code, "/accounts/login/" in done["Location"]) == (302, True)
    assert game.client().get(game.url("vote-new")).status_code == 302


def test_what_was_typed_while_logged_out_waits_behind_the_log_in(game: Game) -> None:
    client, person = game.client(), game.world.players["Dot"].user
    client.post(game.url("vote-new"), {**TYPED, "writer": str(person.pk), "question": "Kept & kept?"})
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    html = client.get(game.url("vote-new")).content.decode()
    assert 'value="Kept &amp; kept?"' in html
    assert "At the inn." in html


def test_an_onlooker_who_is_logged_in_is_told_who_calls_votes(game: Game) -> None:
    client = game.client()
    client.force_login(stranger(), backend="django.contrib.auth.backends.ModelBackend")
    assert "Only players and judges of this round can call votes." in told(client.get(game.url("vote-new")))
    done = client.post(game.url("vote-new"), TYPED)
    assert done.status_code == 400
    assert not Vote.objects.exists()


def test_the_missing_are_reminded_on_their_page_and_on_every_page_in_the_last_day(game: Game) -> None:
    """R46."""
    row = call(game.world, "Dot", question="Shall we meet & eat?")
    mine = game.page("mine", who="Ana")
    assert "Shall we meet &amp; eat?" in mine
    assert "to cast" not in mine
    game.go_to(CLOSED - timedelta(hours=23))
    assert "1 vote to cast" in game.page("armies", who="Ana")
    assert "to cast" not in game.page("armies")
    cast(game.world, row, "Ana", None, CLOSED - timedelta(hours=23))
    assert "to cast" not in game.page("armies", who="Ana")
    assert "A vote is waiting for you" not in game.page("mine", who="Ana")


def test_the_tabs_of_command_lead_to_the_votes(game: Game) -> None:
    assert f'href="{game.url("votes")}"' in game.page("command")


def test_many_closed_votes_are_on_several_pages(game: Game) -> None:
    for number in range(25):
        call(game.world, "Dot", question=f"Question {number}?", now=CALLED - timedelta(days=40 - number))
    assert "Page 1 of 2" in listed(game)
    last = told(game.client().get(game.url("votes") + "?page=2"))
    assert ("Question 0?" in last, "Question 24?" in last) == (True, False)
    assert game.client().get(game.url("votes") + "?page=x").status_code == 200


def test_the_list_asks_the_database_as_often_for_many_votes_as_for_few(
    game: Game, django_assert_max_num_queries: object
) -> None:
    for _ in range(9):
        call(game.world, "Dot")
    client = game.client("Ana")
    with django_assert_max_num_queries(18):  # type: ignore[operator]
        client.get(game.url("votes"))


@pytest.mark.django_db(transaction=True)
def test_a_vote_is_called_and_cast_in_a_browser_on_a_phone(live_server: object, page: Page) -> None:
    world = make_teams()
    user = world.players["Dot"].user
    user.set_password(PASSWORD)
    user.save()
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto(f"{live_server.url}/accounts/login/?next=/rounds/trial/votes/new/")  # type: ignore[attr-defined]
    page.locator("[name=username]").fill(user.username)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Log in").click()
    page.get_by_label("Question").fill("Shall we meet?")
    page.get_by_label("Options").fill("Yes\nNo")
    page.get_by_label("Special").check()
    page.get_by_text("voters and their points").click()
    page.get_by_label("Team").select_option("coalition")
    page.get_by_label("Voting points for General/Chief Praetor").fill("5")
    fits(page)
    page.get_by_role("button", name="Call the vote").click()
    page.get_by_label("No", exact=True).check()
    page.get_by_role("button", name="Vote", exact=True).click()
    expect(page.locator("main")).to_contain_text("You have voted.")
    expect(page.locator(".count")).to_contain_text("ahead")
    fits(page)


def test_the_end_is_shown_in_utc(game: Game) -> None:
    row = call(game.world, "Dot", closes=datetime(2026, 3, 5, 9, 30, tzinfo=CALLED.tzinfo))
    assert "Thu 5 Mar 2026, 09:30 UTC" in text(game, "", row)
    game.go_to(datetime(2026, 3, 5, 9, 30, 59, tzinfo=CALLED.tzinfo) - HOUR)
    assert "in 1 hour" in text(game, "", row)
