"""1.6: what somebody did over all rounds, of what is public, unless he hides it."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judging.accounts.models import Account
from judging.rounds.people import PersonView, people_called, players_in, users_called
from tests.pages.playing import Game, game, said
from tests.services.world_of_tests import UNLOCK, World, begin, make_round
from wargame.models import Player, Round

__all__ = ["game"]


def called(name: str) -> list[PersonView]:
    return people_called(name, users_called(name))


def page(name: str) -> str:
    return reverse("record", args=[name])


@pytest.fixture
def fought(game: Game) -> World:
    """Ana has beaten Gaz in turn 2, which is settled."""
    battle = game.battle()
    for name in ("Ana", "Gaz"):
        game.world.strat(battle, name, name)
    result = game.world.score(battle, favours=0, bonus=10)
    outcome = {**result.outcome, "attempts": [{"army": "Ana", "risk": "kill", "target": "Gaz", "top": [], "rolls": [],
               "succeeded": True, "fate": 0, "lost": [0, 0, 0, 0]}]}  # fmt: skip
    type(result).objects.update(winner=0, outcome=outcome)
    game.world.settle()
    return game.world


def test_a_players_rounds_battles_kills_and_punctuality_are_told(game: Game, fought: World) -> None:
    (person,) = called("ana")
    (played,) = person.played
    assert (played.round.slug, played.armies, played.battles, played.won, played.kills) == ("trial", ["Ana"], 1, 1, 1)
    assert played.has_won is None
    assert played.punctuality is not None
    assert (played.punctuality.wrote, played.punctuality.turns) == (2, 2)
    told = said(game.client().get(page("Ana")))
    assert "1 round played, 0 won; 1 battle, 1 won; 1 kill, 0 captures." in told
    assert "2 of 2 turns" in told
    Round.objects.update(state="over", winner="coalition")
    assert called("Ana")[0].rounds_won == 1
    assert called("Gaz")[0].rounds_won == 0


def test_a_round_has_a_table_of_its_players_without_those_who_hide_what_they_did(game: Game) -> None:
    """R14: an order that was refused is told of who gave it."""
    game.world.post("Ben", "Ben: 10D > 30D")
    battle = game.battle()
    game.world.score(battle)
    game.world.settle()
    battle.refresh_from_db()
    winner, loser = ("Ana", "Gaz") if battle.entries.get(name="Ana").side == battle.result.winner else ("Gaz", "Ana")

    table = {each.name: each for each in players_in(game.world.round)}

    assert (table[winner].won, table[winner].lost) == (1, 0)
    assert (table[loser].won, table[loser].lost) == (0, 1)
    assert {name: each.refused for name, each in table.items()} == {"Ana": 0, "Ben": 1, "Cay": 0, "Gaz": 0, "Hex": 0}
    assert 'id="own"' in game.page("records", who="Ben")
    Account.objects.update_or_create(user=game.world.players["Ben"].user, defaults={"hides_record": True})
    assert "Ben" not in {each.name for each in players_in(game.world.round)}


def test_a_battle_counts_for_whoever_controlled_the_army_at_the_lock(fought: World) -> None:
    turn = fought.round.turns.get(number=2)
    spans = fought.army("Ana").controls
    spans.update(until=turn.lock_at)
    spans.create(round=fought.round, player=fought.players["Ben"], since=turn.lock_at)
    assert called("Ana")[0].battles == 0
    assert called("Ben")[0].battles == 1


def test_a_judges_rounds_and_battles_are_told(game: Game, fought: World) -> None:
    told = said(game.client().get(page("Judge battle")))
    assert "Trial : head battle judge, 1 battle" in told.replace("Trial:", "Trial :")


def test_other_names_of_a_person_are_not_told(game: Game) -> None:
    """1.6: that two names are one person's is for him to tell."""
    other = Round.objects.create(name="Other", slug="other", state="over", terrain="", created_at=UNLOCK)
    ana = game.world.players["Ana"].user
    Player.objects.create(round=other, user=ana, name="Zoe", side="phyrexia", joined_at=UNLOCK)
    assert "Other" not in said(game.client().get(page("Ana")))
    assert "Trial" not in said(game.client().get(page("Zoe"))).split("Zoe")[-1]
    html = game.client().get(page("Ana")).content.decode()
    assert ana.username not in html, "a log-in is nobody's business"


def test_two_people_of_one_name_are_told_apart(game: Game) -> None:
    other = Round.objects.create(name="Other", slug="other", state="over", terrain="", created_at=UNLOCK)
    Player.objects.create(
        round=other, user=User.objects.create_user("somebody"), name="ANA", side="phyrexia", joined_at=UNLOCK
    )
    assert len(called("Ana")) == 2
    assert "2 people have used this name." in said(game.client().get(page("Ana")))


def test_twenty_people_of_one_name_are_on_a_page(game: Game) -> None:
    for number in range(25):
        round_ = Round.objects.create(name="R", slug=f"r-{number}", state="over", terrain="", created_at=UNLOCK)
        user = User.objects.create(username=f"ana-{number}")
        Player.objects.create(round=round_, user=user, name="Ana", side="phyrexia", joined_at=UNLOCK)
    html = game.client().get(page("Ana"), {"page": "2"}).content.decode()
    assert html.count('class="card"') == 6
    assert "Ana (26)" in html


def test_whoever_hides_his_page_is_not_found_and_may_show_it_again(game: Game) -> None:
    player = game.url("player", "Ana")
    assert page("Ana") in game.client().get(player).content.decode()
    client = game.client("Ana")
    assert "Your page is no longer public" in said(client.post(reverse("account"), {"act": "record"}, follow=True))
    assert Account.objects.get(user=game.world.players["Ana"].user).hides_record
    assert game.client().get(page("Ana")).status_code == 404
    assert page("Ana") not in game.client().get(player).content.decode()
    assert game.client().get(page("Ben")).status_code == 200
    client.post(reverse("account"), {"act": "record", "shows": "on"})
    assert game.client().get(page("Ana")).status_code == 200


def test_the_api_tells_the_same(game: Game, fought: World) -> None:
    (told,) = game.client().get("/api/v1/people/Ana/").json()["results"]
    (played,) = told["played"]
    assert (played["round"], played["battles"], played["won"], played["kills"]) == ("trial", 1, 1, 1)
    assert (played["turns"], played["wrote"], played["has_won"]) == (2, 2, None)
    assert game.client().get("/api/v1/people/Nobody/").status_code == 404
    (judge,) = game.client().get("/api/v1/people/Judge battle/").json()["results"]
    assert judge["judged"] == [{"round": "trial", "role": "battle judge", "is_head": True, "battles": 1}]
    assert game.client().get("/api/v1/people/Cay/").json()["results"][0]["played"][0]["turns"] == 0


def test_nobody_is_found_under_a_name_that_nobody_has(game: Game) -> None:
    for name in ("Nobody", "a/b", "%00", "x" * 300):
        assert game.client().get(f"/people/{name}/").status_code == 404, name


def test_of_a_round_that_is_set_up_or_was_given_up_nothing_is_told(game: Game) -> None:
    """2.5."""
    for state in ("setup", "given_up"):
        Round.objects.update(state=state)
        assert called("Ana") == []


def test_a_post_before_the_lock_of_an_open_turn_is_not_counted(game: Game) -> None:
    """R6: a sealed one would be given away."""
    game.world.post("Ana", "3D > 4D")
    assert called("Ana")[0].played[0].punctuality is None


def test_many_rounds_take_as_many_statements_as_one(game: Game, fought: World) -> None:
    client, counted = game.client(), []
    for others in (0, 6):
        for number in range(others):
            world = begin(make_round({"Ana": ("coalition", "3D", "captain")}, slug=f"more-{number}", name="More"))
            world.post("Ana", "3D > 4D")
            world.settle()
            Player.objects.filter(round=world.round).update(user=fought.players["Ana"].user)
        client.get(page("Ana"))
        with CaptureQueriesContext(connection) as captured:
            client.get(page("Ana"))
        counted.append(len(captured))
    assert len(called("Ana")[0].played) == 7
    assert counted[0] == counted[1] <= 20
