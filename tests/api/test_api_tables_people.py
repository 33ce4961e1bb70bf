"""12: what people do at a table beside the game is done by programs as on its pages, under the same eyes."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from judging.tables import game_state
from judging.tables.conduct.models import Sanction, TableAppeal
from judging.tables.models import Seat, Table
from judging.tables.services.taking_back import look_at_cards
from tests.api.test_api_tables import ROOT, client
from tests.api.test_api_tables_doors import scripted, sent
from tests.services.tables_of_tests import Game, appoint, person, running

pytestmark = pytest.mark.django_db

SANCTION = {"kind": "warning", "whom": "Bo", "cites": "1.3", "reason": "He shouts.", "token": "one"}
APPEAL = {"against": "sanction", "number": 1, "cites": "1.3", "reason": "I whispered.", "token": "two"}


@pytest.fixture
def game() -> Game:
    """A table whose head judge is Jo."""
    made = running()
    person("Jo")
    appoint(made.table, "Jo", made.now)
    return made


def at(game: Game, path: str) -> str:
    return f"{game.table.slug}/{path}"


def read(bot: APIClient, game: Game, path: str, status: int = 200) -> Any:
    answer = bot.get(f"{ROOT}{at(game, path)}")
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_program_says_when_its_person_sleeps_and_is_away_and_all_read_it(game: Game) -> None:
    bo = scripted("Bo", "read", "post")
    sent(bo, at(game, "hours/"), {"hour": "22", "zone": "Europe/Berlin"}, 200, "put")
    first = f"{timezone.now() + timedelta(days=3):%Y-%m-%d}"
    sent(bo, at(game, "leaves/"), {"first": first, "last": first}, 200)
    seen = read(APIClient(), game, "people/")
    clock = next(one for one in seen["clocks"] if one["name"] == "Bo")
    assert (clock["night"]["first_hour"], len(clock["leaves"]), clock["is_mine"]) == (22, 1, False)
    assert [act["action"] for act in seen["record"]][:2] == ["leave", "hours"]
    sent(bo, at(game, f"leaves/{clock['leaves'][0]['id']}/"), None, 200, "delete")
    assert read(bo, game, "people/")["leave_left"] == game.table.leave_days
    told = sent(bo, at(game, "hours/"), {"hour": "99"}, 409, "put")
    assert told["detail"].startswith("Enter an hour from 0 to 23, or leave it empty for no night")


def test_who_stays_away_is_waited_for_replaced_and_given_time_by_programs(game: Game) -> None:
    Seat.objects.filter(table=game.table, name="Bo").update(missed=3)
    ana, cy, jo = (scripted(name, "read", "post", "judge") for name in ("Ana", "Cy", "Jo"))
    (away,) = read(ana, game, "people/")["away"]
    assert (away["seat"], away["is_sought"]) == ("B", False)
    assert "sought" in away["ways"]
    sent(ana, at(game, "absence/"), {"seat": "B", "way": "sought"}, 200)
    assert read(cy, game, "people/")["away"][0]["may_take_over"]
    sent(jo, at(game, "time/"), {"seat": "A", "hours": 5}, 200)
    sent(cy, at(game, "substitute/"), {"seat": "B", "name": "Cy"}, 200)
    clock = next(one for one in read(cy, game, "people/")["clocks"] if one["letter"] == "B")
    assert (clock["name"], clock["played_by"], clock["is_mine"]) == ("Bo", "Cy", True)


def test_talk_is_written_read_reported_moderated_and_withdrawn(game: Game) -> None:
    ana, bo, cy, jo = (scripted(name, "read", "post", "judge") for name in ("Ana", "Bo", "Cy", "Jo"))
    for _ in range(2):
        sent(ana, at(game, "talk/"), {"text": "You hold an otter.", "token": "one"}, 200)
    sent(cy, at(game, "talk/"), {"board": "watchers", "text": "He does.", "token": "two"}, 200)
    assert sent(cy, at(game, "talk/"), {"text": "May I?", "token": "three"}, 409)["cites"] == "3.1"
    seen = read(bo, game, "talk/")
    assert [message["text"] for message in seen["messages"]] == ["You hold an otter."]
    assert [board["key"] for board in seen["boards"]] == ["talk"]
    read(bo, game, "talk/?board=watchers", 404)
    sent(bo, at(game, "talk/1/report/"), {"reason": "He looks into my hand."}, 200)
    (report,) = read(jo, game, "talk/")["reports"]["waiting"]
    sent(jo, at(game, f"reports/{report['id']}/"), {"does": "hide", "reason": "Hands are secret."}, 200)
    (hidden,) = read(bo, game, "talk/")["messages"]
    assert (hidden["text"], hidden["hidden_because"]) == ("", "Hands are secret.")
    sent(jo, at(game, "talk/1/"), {"hides": False, "reason": "It was none of his."}, 200, "patch")
    sent(bo, at(game, "talk/1/block/"), None, 200, "put")
    assert read(bo, game, "talk/")["messages"][0]["is_blocked"]
    sent(bo, at(game, "talk/1/block/"), None, 200, "delete")
    sent(ana, at(game, "talk/1/"), None, 200, "delete")
    assert read(bo, game, "talk/")["messages"][0]["is_withdrawn"]


def test_a_sanction_is_imposed_appealed_against_and_answered_by_programs(game: Game) -> None:
    person("Kit")
    appoint(game.table, "Kit", game.now)
    bo, jo, kit = (scripted(name, "read", "post", "judge") for name in ("Bo", "Jo", "Kit"))
    sent(jo, at(game, "sanctions/"), SANCTION, 200)
    assert read(bo, game, "conduct/")["sanctions"][0]["may_appeal"]
    sent(bo, at(game, "appeals/"), APPEAL, 200)
    seen = read(kit, game, "appeals/1/")
    assert (seen["judge"], seen["may_answer"], seen["ways"], seen["entry"]) == ("Kit", True, ["upheld", "mended"], None)
    answer = {"how": "mended", "cites": "1.3", "reason": "He whispered."}
    assert sent(jo, at(game, "appeals/1/answer/"), answer, 409)["cites"] == "R57"
    sent(kit, at(game, "appeals/1/answer/"), answer, 200)
    assert read(APIClient(), game, "appeals/1/")["state"] == "mended"
    assert Sanction.objects.get().lifted_at is not None
    read(bo, game, "appeals/7/", 404)
    sent(jo, at(game, "sanctions/"), {**SANCTION, "token": "three"}, 200)
    sent(jo, at(game, "sanctions/2/lift/"), {"reason": "Enough."}, 200)
    assert sent(bo, at(game, "appeals/"), {**APPEAL, "number": 2, "token": "four"}, 404)["code"] == "not_found"


def test_an_appeal_is_taken_back_by_a_program(game: Game) -> None:
    bo, jo = (scripted(name, "read", "post", "judge") for name in ("Bo", "Jo"))
    sent(jo, at(game, "sanctions/"), SANCTION, 200)
    sent(bo, at(game, "appeals/"), APPEAL, 200)
    sent(bo, at(game, "appeals/1/"), None, 200, "delete")
    assert TableAppeal.objects.get().state == "withdrawn"


def test_an_administrators_program_takes_over_an_appeal_that_no_judge_can_answer(game: Game) -> None:
    User.objects.create_superuser("root")
    root, bo, jo = (scripted(name, "read", "post", "judge") for name in ("root", "Bo", "Jo"))
    sent(jo, at(game, "sanctions/"), SANCTION, 200)
    sent(bo, at(game, "appeals/"), APPEAL, 200)
    assert read(root, game, "appeals/1/")["judge"] is None
    assert sent(root, at(game, "appeals/1/"), None, 200, "put") == {
        "said": "You can now answer this appeal.",
        "next": f"/tables/{game.table.slug}/appeals/1/",
    }
    sent(root, at(game, "appeals/1/answer/"), {"how": "upheld", "cites": "1.3", "reason": "He did."}, 200)
    assert TableAppeal.objects.get().state == "upheld"


def test_players_go_back_together_and_a_judge_looks_by_an_entry(game: Game) -> None:
    ana, bo, jo = (scripted(name, "read", "post", "judge") for name in ("Ana", "Bo", "Jo"))
    game.go_on("first")
    to = game.state().shown
    game.post(game.waited(), "pass")
    body = {"on": game.row().head, "token": "one"}
    sent(ana, at(game, f"entries/{to}/back/"), body, 200)
    assert sent(bo, at(game, f"entries/{to}/back/"), {**body, "token": "two"}, 409)["code"] == "stale"
    sent(bo, at(game, f"entries/{to}/back/"), {**body, "on": game.row().head, "token": "three"}, 200)
    assert game.state().turn == game_state.state_of(game.row(), to).turn
    look = {"seat": "A", "reason": "Was it in the hand?", "on": game.row().head, "token": "four"}
    read(ana, game, "look/", 403)
    assert read(jo, game, "look/") == []
    sent(jo, at(game, "look/"), look, 200)
    assert {one["zone"] for one in read(jo, game, "look/")} >= {"hand"}
    assert sent(ana, at(game, "look/"), {**look, "token": "five"}, 409)["detail"].startswith("Only the judges")


def test_a_judges_token_without_the_scope_does_and_sees_nothing_as_a_judge(game: Game) -> None:
    look_at_cards(
        table=game.table, user=person("Jo"), letter="A", reason="Was it there?", on=game.row().head, token="one",
        now=game.now,
    )  # fmt: skip
    bot, whole = scripted("Jo", "read", "post"), scripted("Jo", "read", "judge")
    assert all(whole.get(f"{ROOT}{game.table.slug}/").json()["view"]["zones"]["A.hand"])
    assert not any(bot.get(f"{ROOT}{game.table.slug}/").json()["view"]["zones"]["A.hand"])
    for path in ("look/", "talk/", "people/"):
        read(bot, game, path, 403)
    assert sent(bot, at(game, "talk/"), {"text": "As a judge.", "token": "two"}, 403)["cites"] == "1.6"
    body = {"reason": "A wrong click.", "on": game.row().head, "token": "three"}
    sent(bot, at(game, "entries/9/back/"), body, 403)
    read(scripted("Jo", "read", "judge"), game, "talk/")


def test_nobody_acts_without_a_log_in_and_a_table_by_invitation_is_nobodys(game: Game) -> None:
    assert APIClient().post(f"{ROOT}{at(game, 'talk/')}", {"text": "Hello."}, format="json").status_code == 403
    Table.objects.update(is_invited=True, state="open")
    for path in ("people/", "talk/", "conduct/", "appeals/1/"):
        read(client("Cy"), game, path, 404)
    assert client("Cy").post(f"{ROOT}{at(game, 'talk/')}", {"text": "Hello."}, format="json").status_code == 404


def test_a_program_offers_a_draw_and_answers_the_proposal_of_a_judge(game: Game) -> None:
    ana, bo = scripted("Ana", "read", "post"), scripted("Bo", "read", "post")
    person("Kim")
    made = sent(ana, at(game, "judges/"), {"username": "kim", "name": "Kim"}, 201)
    assert (made["id"], made["proposal"] is not None) == (None, True)
    assert read(bo, game, "")["judge_proposals"][0]["waits_for"] == ["B"]
    shown = sent(bo, at(game, f"judges/proposals/{made['proposal']}/"), {"agrees": True}, 200, "put")
    assert [judge["name"] for judge in shown["judges"]] == ["Jo", "Kim"]
    line = {"lines": ["offer draw"], "token": "draw", "on": game.row().head}
    assert sent(ana, at(game, "entries/"), line, 201)["draw_offer"] == ["A"]
    assert sent(bo, at(game, "entries/"), {**line, "lines": ["accept draw"]}, 201)["state"] == "over"


@pytest.mark.parametrize(
    ("name", "method", "path", "body", "status", "cites"),
    [
        ("Cy", "put", "hours/", {"hour": "22"}, 409, "T10.6"),
        ("Cy", "post", "leaves/", {"first": "2030-01-01", "last": "2030-01-02"}, 409, "T10.6"),
        ("Ana", "delete", "leaves/99999999999/", None, 409, "T10.6"),
        ("Cy", "post", "absence/", {"seat": "B", "way": "wait"}, 409, "T10.6"),
        ("Ana", "post", "time/", {"seat": "A", "hours": 1}, 409, "T10.6"),
        ("Ana", "post", "substitute/", {"seat": "B", "name": "Cy"}, 409, "T10.6"),
        ("Bo", "post", "talk/", {"board": "watchers", "text": "Hello."}, 404, ""),
        ("Bo", "delete", "talk/1/", None, 403, "1.6"),
        ("Bo", "patch", "talk/1/", {"hides": True, "reason": "Loud."}, 403, "1.3"),
        ("Jo", "patch", "talk/1/", {"board": "side", "hides": True, "reason": "Loud."}, 404, ""),
        ("Ana", "post", "talk/1/report/", {"reason": "Loud."}, 403, "1.3"),
        ("Ana", "put", "talk/1/block/", None, 403, "1.6"),
        ("Bo", "delete", "talk/99999999999/block/", None, 409, "3.1"),
        ("Bo", "post", "reports/1/", {"does": "hide", "reason": "Loud."}, 403, "1.3"),
        ("Ana", "post", "sanctions/", {**SANCTION, "whom": "Bo"}, 403, "1.3"),
        ("Ana", "post", "sanctions/1/lift/", {"reason": "Enough."}, 403, "1.3"),
        ("Jo", "post", "sanctions/99999999999/lift/", {"reason": "Enough."}, 403, "1.3"),
        ("Ana", "post", "appeals/", {**APPEAL, "token": "three"}, 409, "R57"),
        ("Bo", "post", "appeals/", {**APPEAL, "against": "ruling", "token": "three"}, 404, ""),
        ("Ana", "delete", "appeals/1/", None, 409, "R57"),
        ("Bo", "delete", "appeals/99999999999/", None, 404, ""),
        ("Jo", "put", "appeals/1/", None, 409, "R57"),
        ("Bo", "put", "appeals/2/", None, 404, ""),
        ("Jo", "post", "appeals/1/answer/", {"how": "upheld", "cites": "1.3", "reason": "He did."}, 409, "R57"),
        ("Cy", "post", "entries/1/back/", {"reason": "A wrong click.", "on": "none", "token": "one"}, 409, "T11"),
        ("Ana", "post", "entries/99999999999/back/", {"on": "none"}, 404, ""),
        ("Ana", "post", "look/", {"seat": "B", "reason": "Was it there?", "on": "none"}, 409, "T11"),
    ],
)
def test_whoever_has_no_part_in_it_is_refused_with_the_rule(
    game: Game, name: str, method: str, path: str, body: object, status: int, cites: str
) -> None:
    Seat.objects.filter(table=game.table, name="Bo").update(missed=3)
    sent(scripted("Ana", "post"), at(game, "talk/"), {"text": "You hold an otter."}, 200)
    sent(scripted("Jo", "judge"), at(game, "sanctions/"), SANCTION, 200)
    sent(scripted("Bo", "post"), at(game, "appeals/"), APPEAL, 200)
    bot = scripted(name, "read", "post", "judge")
    before = read(APIClient(), game, "people/")
    assert sent(bot, at(game, path), body, status, method)["cites"] == cites
    assert read(APIClient(), game, "people/") == before
