"""What the API shows: everything that is public, nothing else, and errors for people."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from judging.battles.desk.publishing import keep_narrative
from judging.battles.desk.scoring import lock_score
from tests.api.conftest import Api
from tests.services.world_of_tests import HOUR, REASONS, UNLOCK, make_round
from wargame.models import Round

PATHS = (
    "/",
    "/map/",
    "/map/?turn=1",
    "/armies/",
    "/armies/Ana/",
    "/armies/Ana/reach/",
    "/turns/",
    "/turns/1/",
    "/turns/2/",
    "/turns/1/posts/",
    "/turns/2/posts/",
    "/turns/2/battles/",
    "/results/",
)


def test_the_rounds_that_have_begun_are_listed(api: Api) -> None:
    make_round({}, slug="not-begun", name="Not begun")
    found = api.client().get("/api/v1/rounds/").json()
    assert [(r["slug"], r["turn"], r["turn_length"]) for r in found["results"]] == [("trial", 2, 604800.0)]
    assert found["count"] == 1


def test_a_list_of_many_rounds_asks_no_more_than_one_of_few(api: Api) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert api.client().get("/api/v1/rounds/", {"limit": 5}).status_code == 200
        return len(asked)

    few = statements()
    for number in range(12):
        Round.objects.create(slug=f"r{number}", name=f"R{number}", state="over", created_at=UNLOCK)

    assert statements() == few


def test_a_round_is_found_by_its_slug(api: Api) -> None:
    assert api.get("/").json()["state"] == "running"


def test_the_map_is_of_the_present_or_of_a_turn(api: Api) -> None:
    at = {turn: {a["name"]: a["at"] for a in api.get("/map/", turn=turn).json()["armies"]} for turn in (1, 2)}
    assert (at[1]["Ana"], at[2]["Ana"]) == ("3D", "3F")
    present = api.get("/map/").json()
    assert present["turn"] == 2
    assert present["battles"] == [{"at": "3F", "sides": [["Ana"], ["Gaz"]], "defends": 1}]
    assert len(present["terrain"]) == 14
    ana = next(army for army in present["armies"] if army["name"] == "Ana")
    assert (ana["alive"], ana["fights"], ana["title"]) == ([5000, 2500, 1500, 1000], True, "Captain")


def test_a_map_that_has_not_changed_is_not_sent_again(api: Api) -> None:
    first = api.get("/map/")
    again = api.client().get(f"{api.root}/map/", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    old = api.client().get(f"{api.root}/map/?turn=1", headers={"If-None-Match": first["ETag"]})
    assert old.status_code == 200


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, ["Ana", "Ben", "Gaz", "Hex"]),
        ({"side": "phyrexia"}, ["Gaz", "Hex"]),
        ({"rank": "captain"}, ["Ana"]),
        ({"at": "F3"}, ["Ana", "Gaz"]),
        ({"search": "hE"}, ["Hex"]),
        ({"ordering": "-name"}, ["Hex", "Gaz", "Ben", "Ana"]),
        ({"ordering": "rank"}, ["Ana", "Gaz", "Ben", "Hex"]),
        ({"ordering": "-at"}, ["Hex", "Ana", "Gaz", "Ben"]),
        ({"limit": 2, "offset": 1}, ["Ben", "Gaz"]),
    ],
)
def test_armies_are_narrowed_and_ordered(api: Api, query: dict[str, object], names: list[str]) -> None:
    assert [army["name"] for army in api.get("/armies/", **query).json()["results"]] == names


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/armies/?side=both", "side"),
        ("/armies/?at=40D", "at"),
        ("/armies/?at=here", "at"),
        ("/armies/?ordering=seed", "ordering"),
        ("/map/?turn=0", "turn"),
        ("/map/?turn=last", "turn"),
        ("/map/?turn=99999999999999999999", "turn"),
    ],
)
def test_a_query_that_makes_no_sense_is_told_by_its_field(api: Api, path: str, field: str) -> None:
    answer = api.client().get(f"{api.root}{path}")
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert list(answer.json()["fields"]) == [field]


def test_an_army_comes_with_its_troops_and_its_history(api: Api) -> None:
    army = api.get("/armies/Ana/").json()
    assert [troop["alive"] for troop in army["troops"]] == [5000, 2500, 1500, 1000]
    assert army["controllers"] == ["Ana"]
    assert {event["kind"] for event in army["history"][0]["events"]} >= {"moved", "engaged"}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/armies/Gax/", "Did you mean Gaz?"),
        ("/armies/%00/", "There is no army"),
        ("/turns/9/", "There is no turn 9 yet."),
        ("/turns/99999999999999999999/", "There is no turn"),
        ("/posts/999/", "no such post"),
        ("/battles/999/", "no such battle"),
        ("/posts/99999999999999999999/", "no such post"),
        ("/battles/99999999999999999999/", "no such battle"),
        ("/dice/", "no such address"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(api: Api, path: str, words: str) -> None:
    answer = api.get(path)
    assert answer.status_code == 404
    assert words in answer.json()["detail"]
    assert answer.json()["code"] == "not_found"


def test_a_round_that_does_not_exist_has_no_pages(api: Api) -> None:
    for path in PATHS:
        assert api.client().get(f"/api/v1/rounds/other{path}").status_code == 404


def test_a_settled_turn_shows_its_seed_and_an_open_one_does_not(api: Api) -> None:
    first, second = api.get("/turns/1/").json(), api.get("/turns/2/").json()
    assert len(first["seed"]) == 64
    assert (second["seed"], second["events"], second["is_open"]) == ("", [], True)
    assert any(event["kind"] == "refused" and event["cites"] for event in first["events"])
    assert [turn["number"] for turn in api.get("/turns/").json()["results"]] == [2, 1]
    assert "seed" not in api.get("/turns/").json()["results"][0]


def test_a_post_comes_with_what_each_line_was_understood_as(api: Api) -> None:
    post = api.get("/turns/1/posts/").json()["results"][0]
    kinds = [(line["kind"], line["cites"]) for line in post["lines"]]
    assert kinds == [("order", ""), ("order", "5.4.1"), ("talk", ""), ("unreadable", "3.2.2.5")]
    assert post["lines"][0]["order"] == "Ana: 3D > 3F; engage Gaz"
    assert post["lines"][3]["column"] == 11


def test_a_battle_shows_receipts_and_no_text(api: Api) -> None:
    api.world.strat(api.battle, "Ana", "Ana", "MARKER-TEXT", now=api.battle.announced_at + HOUR)
    battle = api.get("/turns/2/battles/").json()["results"][0]
    assert battle == api.get(f"/battles/{api.battle.pk}/").json()
    assert battle["headline"] == "Ana against Gaz"
    assert [receipt["army"] for receipt in battle["receipts"]] == ["Ana"]
    assert (battle["sides"][0][0]["has_strat"], battle["sides"][1][0]["has_strat"]) == (True, False)
    receipts = api.get(f"/battles/{api.battle.pk}/strats/").json()["results"]
    assert receipts == battle["receipts"]
    assert set(receipts[0]) == {
        "army",
        "sent_at",
        "sha256",
        "late",
        "accepted_because",
        "declined_because",
        "counted",
        "word_sha256",
    }


def test_results_are_listed_with_their_dice(api: Api) -> None:
    assert api.get("/results/").json()["results"] == []
    result = api.world.score(api.battle)
    api.go_to(api.battle.deadline + 2 * HOUR)
    shown = api.get("/results/").json()["results"][0]["result"]
    assert shown["winner"] == result.winner
    assert [pair["bare"] for pair in shown["rounds"][0]] == [
        list(pair) for pair in zip(*result.outcome["rolls"][0], strict=True)
    ]
    assert {loss["army"] for loss in shown["losses"]} == {"Ana", "Gaz"}
    assert shown["seed"] == api.battle.seed


@pytest.mark.parametrize("who", ["", "Ana", "Ben", "Gaz", "movement", "mercenary", "battle"])
def test_no_secret_leaks_to_anybody(api: Api, who: str) -> None:
    world, battle = api.world, api.battle
    sent = battle.announced_at + HOUR
    world.strat(battle, "Ana", "Ana", "MARKER-STRAT", now=sent)
    world.strat(battle, "Gaz", "Gaz", "MARKER-STRAT", now=sent)
    judge = world.judges["battle"]
    keep_narrative(battle=battle, judge=judge, text="MARKER-NARRATIVE", base_version=0, now=sent)
    lock_score(battle=battle, judge=judge, favours=0, bonus=7, reasons=REASONS, now=sent)
    near_the_lock = world.turn.lock_at - HOUR
    world.post("Hex", "Hex: 20F > 21F\nMARKER-SEALED", at=near_the_lock, sealed=True)
    api.go_to(near_the_lock + HOUR / 2)
    more = (f"/battles/{battle.pk}/", f"/battles/{battle.pk}/strats/")
    for path in (*PATHS, *more):
        text = api.client(who).get(f"{api.root}{path}").content.decode()
        assert "MARKER" not in text, path
        assert world.turn.seed not in text, path
        assert battle.seed not in text, path
        assert "form-" not in text, path


def test_a_players_own_strats_are_shown_to_him_alone(api: Api) -> None:
    api.world.strat(api.battle, "Ana", "Ana", "MARKER-STRAT", risk="kill", now=api.battle.announced_at + HOUR)
    own = api.get("/turns/2/strats/mine/", who="Ana").json()["results"]
    assert [(strat["army"], strat["text"]) for strat in own] == [("Ana", "MARKER-STRAT")]
    assert own[0]["wishes"] == ["go for the kill"]
    assert api.get("/turns/2/strats/mine/", who="Gaz").json()["results"] == []
    for who in ("", "battle"):
        answer = api.get("/turns/2/strats/mine/", who=who)
        assert answer.status_code == 403
        assert "MARKER" not in answer.content.decode()


def test_a_sealed_post_is_its_authors_alone_until_the_lock(api: Api) -> None:
    near_the_lock = api.world.turn.lock_at - HOUR
    post = api.world.post("Hex", "Hex: 20F > 21F", at=near_the_lock, sealed=True)
    api.go_to(near_the_lock)
    for who, status in (("", 404), ("Gaz", 404), ("movement", 404), ("battle", 404), ("Hex", 200)):
        assert api.get(f"/posts/{post.pk}/", who=who).status_code == status
        assert api.get("/turns/2/posts/", who=who).json()["count"] == (status == 200)
    api.go_to(api.world.turn.lock_at + HOUR)
    assert api.get(f"/posts/{post.pk}/").status_code == 200


@pytest.mark.parametrize("method", ["put", "delete", "patch", "post"])
def test_what_an_address_does_not_do_is_said(api: Api, method: str) -> None:
    answer = getattr(api.client("Ana"), method)(f"{api.root}/map/", {})
    assert answer.status_code == 405
    assert answer.json()["code"] == "method_not_allowed"


@pytest.mark.parametrize("method", ["post", "put", "options", "trace"])
def test_it_is_said_to_whoever_asks_and_names_what_the_address_does(api: Api, method: str) -> None:
    answer = getattr(api.client(), method)(f"{api.root}/map/")
    assert (answer.status_code, answer["Allow"]) == (405, "GET")
    assert api.client().head(f"{api.root}/map/").status_code == 200
    assert api.client().put(f"{api.root}/turns/2/posts/")["Allow"] == "GET, POST"


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        *(
            ("/turns/", f"{name}={value}")
            for name in ("limit", "offset")
            for value in ("abc", "-1", "", "1.5", "9" * 40)
        ),
        ("/turns/", "limit=0"),
        *(("/armies/", query) for query in ("side=", "at=", "at=99Z", "dead=perhaps", "ordering=luck")),
        *(("/log/", query) for query in ("kind=nothing", "turn=", "turn=-1", "q=" + "x" * 81)),
        *(("/map/", query) for query in ("turn=", "turn=0", "turn=x")),
    ],
)
def test_a_query_that_is_not_as_described_is_refused_with_the_field(api: Api, path: str, wrong: str) -> None:
    answer = api.client().get(f"{api.root}{path}?{wrong}")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json()["fields"]) == [wrong.partition("=")[0]]


def test_an_empty_search_is_none_and_a_large_limit_the_largest(api: Api) -> None:
    assert api.get("/armies/", search="").json()["count"] == api.get("/armies/").json()["count"] > 0
    assert api.get("/log/", q="", who="", limit=1000).status_code == 200


def test_too_many_requests_are_told_when_to_come_back(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    rates = {**api_settings.DEFAULT_THROTTLE_RATES, "anon": "2/minute"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    answers = [api.get("/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert "Try again in" in answers[-1].json()["detail"]
    assert int(answers[-1]["Retry-After"]) <= 60


def test_answers_are_kept_by_no_shared_cache(api: Api) -> None:
    assert "private" in api.get("/armies/")["Cache-Control"]


def test_an_armys_reach_gives_orders_ready_to_post_or_why_not(api: Api) -> None:
    """3.2.2: Ben may move; Ana fights (3.2.1)."""
    found = api.get("/armies/Ben/reach/").json()
    east = next(goal for goal in found["goals"] if goal["at"] == "13D")
    assert east["choices"][0] == {"kind": "move", "order": "Ben: 10D > 13D", "refusal": "", "cites": ""}
    bound = api.get("/armies/Ana/reach/").json()
    assert {choice["cites"] for goal in bound["goals"] for choice in goal["choices"]} == {"3.2.1"}


def test_nobody_has_no_reach(api: Api) -> None:
    answer = api.get("/armies/Nobody/reach/")
    assert answer.status_code == 404
    assert answer.json()["detail"].startswith("There is no army “Nobody” on the map of turn 2.")
