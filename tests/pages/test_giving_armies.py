"""1.1, 5.2.1, 5.3.4: leaders see who waits for them, and give a newcomer an army by one button."""

import re

import pytest
from django.http import HttpResponse

from judging.command.badges import TeamWaiting, waiting_for
from judging.command.models import ControlRequest
from judging.command.people.absence import declare_inactive, state_leave
from judging.common.models import LogEntry
from judging.common.viewer import viewer_of
from tests.pages.commanding import game, newcomer, redirects, refuses, sends_to_log_in, told
from tests.pages.playing import Game
from tests.pages.test_budgets import asking
from tests.pages.test_joining import asked, decide
from tests.services.teams import DAY, NOW, player, who
from tests.services.world_of_tests import add_player
from wargame.models import Player

__all__ = ["game"]


def waiting(game: Game, name: str) -> TeamWaiting:
    person = player(game.world, name)
    return waiting_for(viewer_of(person.user, person.round))


def without_army(game: Game, name: str = "Nell", rank: str = "lieutenant", **more: object) -> Player:
    found = add_player(game.world.round, name, "coalition", rank)
    Player.objects.filter(pk=found.pk).update(**more)
    game.world.players[name] = found
    return found


def give(game: Game, by: str, army: str, to: str = "Nell", **typed: object) -> HttpResponse:
    address = game.url("give-army", to)
    page = game.client(by).get(address).content.decode()
    key = game.world.army(army).pk
    token = re.search(rf'name="token" value="([^"]+-{key})"', page)
    data = {"army": key, "token": token[1] if token else "some form", "from": "", **typed}
    return game.client(by).post(address, data)


def test_a_leader_sees_on_every_page_how_many_wait_for_him_and_nobody_else_does(game: Game) -> None:
    """1.1: a request waits for the three leaders, a player without army for who may ask for changes."""
    asked(game)
    assert waiting(game, "Ana") == TeamWaiting(admissions=1)
    assert waiting(game, "Bo") == waiting(game, "Cem") == waiting(game, "Vorn") == TeamWaiting()
    without_army(game, "Moe")
    assert waiting(game, "Ana") == TeamWaiting(admissions=1, without_army=1)
    assert waiting(game, "Bo") == TeamWaiting(without_army=1)
    assert "2 waiting for you" in told(game.client("Ana").get(game.url("armies")))
    assert "waiting for you" not in told(game.client("Cem").get(game.url("armies")))
    # Who sends a form is found without what waits; the page on which it comes back counts it all the same.
    again = game.client("Ana").post(game.url("post-new"), {"text": "", "token": "one"})
    assert again.status_code == 422
    assert "2 waiting for you" in told(again)
    page = told(game.client("Ana").get(game.url("players")))
    assert "1 asking" in page
    assert "1 without an army" in page


def test_only_those_who_may_decide_cost_their_pages_a_count(game: Game) -> None:
    asked(game)
    for name, statements in (("Ana", 2), ("Dot", 0)):
        viewer = viewer_of(player(game.world, name).user, game.world.round)
        with asking() as counted:
            waiting_for(viewer)
        assert counted.number == statements


def test_who_is_away_ranks_nobody_or_lost_an_army_by_demotion_is_not_waited_for(game: Game) -> None:
    """5.1, 5.3.4."""
    away, gone = without_army(game, "Away"), without_army(game, "Gone")
    without_army(game, "Drudge", rank="")
    without_army(game, "Made", made_excess=True)
    assert waiting(game, "Bo").without_army == 2
    state_leave(player=away, since=NOW, until=NOW + DAY, note="", now=NOW)
    declare_inactive(player=gone, by=player(game.world, "Ana"), reason="Silent.", now=NOW)
    assert waiting(game, "Bo").without_army == 0


def test_accepting_somebody_leads_to_the_armies_that_he_can_be_given(game: Game) -> None:
    admission = asked(game)
    answer = decide(game, "Ana", admission, rank="lieutenant")
    redirects(answer, game.url("give-army", "Nell"))
    page = told(game.client("Ana").get(answer.headers["Location"]))
    assert "Give Gum" in page
    assert "No one controls it." in page
    assert "Give Ana" not in page


def test_an_army_is_given_by_one_button_and_twice_sent_given_once(game: Game) -> None:
    """5.2.1, R44: it is the same request as the long form's, logged and told."""
    without_army(game)
    for _ in range(2):
        redirects(give(game, "Bo", "Gum", token="one form"), game.url("player", "Nell"))
    assert who(game.world, "Gum") == ["Nell"]
    made = ControlRequest.objects.get()
    assert (made.player.name, made.state) == ("Bo", ControlRequest.State.APPLIED)  # type: ignore[union-attr]
    assert (
        LogEntry.objects.filter(action="control.changed").exists()
        or LogEntry.objects.filter(action__startswith="control.").exists()
    )
    assert waiting(game, "Bo") == TeamWaiting()


def test_armies_of_who_has_several_are_offered_but_no_namesake_and_no_last_one(game: Game) -> None:
    """5.3.1, 5.3.2, 5.3.4: a Lieutenant gets no Captain's army, nobody's own and nobody's only one."""
    without_army(game)
    page = told(game.client("Bo").get(game.url("give-army", "Nell")))
    assert "Give Gum" in page
    assert "Give Elk" in page
    assert "Now controlled by Dot, among other armies." in page
    for name in ("Fir", "Ana", "Bo", "Dot", "Oil"):
        assert f"Give {name}" not in page
    assert page.index("Give Gum") < page.index("Give Elk")


def test_what_the_rules_forbid_is_refused_by_the_button_too(game: Game) -> None:
    without_army(game)
    refuses(give(game, "Bo", "Fir"), "5.3.1")
    refuses(game.client("Bo").post(game.url("give-army", "Nell"), {"army": "x"}), "Choose an army of your team")
    refuses(give(game, "Bo", "Oil"), "Choose an army of your team")
    refuses(give(game, "Cem", "Gum"), "5.2.2.1")
    refuses(give(game, "Bo", "Elk"), "5.2.1")
    assert who(game.world, "Gum") == []
    assert who(game.world, "Elk") == ["Dot"]


@pytest.mark.parametrize("name", ["Vorn", "Nobody", "x" * 300])
def test_only_a_player_of_ones_own_team_is_given_an_army(game: Game, name: str) -> None:
    assert game.client("Ana").get(game.url("give-army", name)).status_code == 404
    assert sends_to_log_in(game.client().get(game.url("give-army", "Ana")))
    assert newcomer("Zoe").get(game.url("give-army", "Ana")).status_code == 404


def test_who_may_not_ask_learns_who_may(game: Game) -> None:
    without_army(game)
    page = told(game.client("Cem").get(game.url("give-army", "Nell")))
    assert "Ana and Bo can ask for changes to the control list." in page
    assert '<button class="button">Give' not in game.client("Cem").get(game.url("give-army", "Nell")).content.decode()


def test_a_newcomer_reads_what_happens_next_and_then_who_gives_him_an_army(game: Game) -> None:
    """1.1, 2.6: before he is taken in, and after."""
    client = newcomer()
    admission = asked(game)
    page = told(client.get(game.url("join")))
    assert "What happens next" in page
    assert "Ana (General) decides, usually within a day or two." in page
    assert "you get an army on the map" in page
    decide(game, "Ana", admission, rank="lieutenant")
    for name in ("join", "mine"):
        page = told(client.get(game.url(name)))
        assert "Ana and Bo can give you one" in page, name
        assert "your team's board" in page
    give(game, "Bo", "Gum")
    assert "can give you one" not in told(client.get(game.url("mine")))


def test_how_long_an_answer_takes_is_told_from_the_latest_ones(game: Game) -> None:
    for name in ("Abe", "Bix", "Cor"):
        admission = asked(game, name)
        decide(game, "Ana", admission, rank="none")
    client = newcomer()
    asked(game)
    assert "usually within the hour." in told(client.get(game.url("join")))
