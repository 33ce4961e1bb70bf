"""Posting, editing and sending strats through the API: the same services, the same sentences."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from judging.battles.models import Strat
from judging.turns.models import Post
from tests.api.conftest import Api
from tests.services.world_of_tests import HOUR

Send = Callable[..., Any]


def test_a_player_posts_and_sees_how_it_is_understood(api: Api, send: Send) -> None:
    answer = send("Hex", "20F > 22F\nHex: 20F > 29F")
    assert answer.status_code == 201
    lines = answer.json()["lines"]
    assert lines[0]["is_replaced"]
    assert lines[1]["cites"] == "3.2.2.1"
    assert api.get(f"/posts/{answer.json()['id']}/").json()["text"] == "20F > 22F\nHex: 20F > 29F"


def test_the_same_token_makes_one_post(api: Api, send: Send) -> None:
    first, second = send("Hex", "20F > 22F"), send("Hex", "20F > 22F")
    assert first.json()["id"] == second.json()["id"]
    assert Post.objects.filter(turn=api.world.turn).count() == 1


def test_blanks_around_a_text_stay(api: Api, send: Send) -> None:
    assert send("Hex", "  20F > 22F  ").json()["text"] == "  20F > 22F  "


@pytest.mark.parametrize(
    ("who", "status", "words"),
    [
        ("", 403, "Authentication credentials were not provided."),
        ("battle", 403, "Only players in this round"),
        ("movement", 403, "Only players in this round"),
    ],
)
def test_only_players_post(api: Api, send: Send, who: str, status: int, words: str) -> None:
    answer = send(who, "20F > 22F")
    assert (answer.status_code, words in answer.json()["detail"]) == (status, True)
    assert not Post.objects.filter(turn=api.world.turn).exists()


def test_a_post_after_the_lock_is_refused_with_the_rule(api: Api, send: Send) -> None:
    api.go_to(api.world.turn.lock_at + HOUR)
    answer = send("Hex", "20F > 22F")
    assert (answer.status_code, answer.json()["code"], answer.json()["cites"]) == (409, "refused", "3.1")
    assert "of turn 2 locked on" in answer.json()["detail"]


def test_a_post_for_an_earlier_turn_is_refused(api: Api, send: Send) -> None:
    assert send("Hex", "20F > 22F", turn=1).status_code == 409
    assert send("Hex", "20F > 22F", turn=3).status_code == 404


def test_a_sealed_post_before_its_time_is_refused(api: Api, send: Send) -> None:
    answer = send("Hex", "20F > 22F", sealed=True)
    assert (answer.status_code, answer.json()["cites"]) == (409, "R6")


def test_a_post_of_200_kb_is_too_long(api: Api, send: Send) -> None:
    answer = send("Hex", "x" * 200_000)
    assert answer.status_code == 413
    assert "The limit is 20,000" in answer.json()["detail"]


def test_a_request_of_a_megabyte_is_not_read(api: Api, send: Send) -> None:
    answer = send("Hex", "x" * 1_000_000)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_long")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "text"),
        ({"text": "", "token": "t"}, "text"),
        ({"text": "nul \0", "token": "t"}, "text"),
        ({"text": ["a"], "token": "t"}, "text"),
        ({"text": "a"}, "token"),
        ({"text": "a", "token": "t" * 41}, "token"),
        ({"text": "a", "token": "t", "sealed": "perhaps"}, "sealed"),
        ([], "request"),
        ("text", "request"),
    ],
)
def test_a_body_that_makes_no_sense_is_told_by_its_fields(api: Api, body: Any, field: str) -> None:
    answer = api.client("Hex").post(api.posts_of(2), body)
    assert answer.status_code == 400
    assert field in answer.json()["fields"]


@pytest.mark.parametrize(
    ("body", "kind", "status", "code"),
    [
        ("{", "application/json", 400, "parse_error"),
        ('{"text": NaN}', "application/json", 400, "parse_error"),
        ('{"text": "a", "token": "t", "more": [{"deep": -1e999}]}', "application/json", 400, "parse_error"),
        ("\xff\xfe", "application/json; charset=nonsense", 400, "parse_error"),
        ("text=a", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
        ("[" * 100_000, "application/json", 400, "parse_error"),
        ("1" * 100_000, "application/json", 400, "parse_error"),
    ],
)
def test_a_body_that_is_no_json_is_an_error_for_people(api: Api, body: str, kind: str, status: int, code: str) -> None:
    answer = api.client("Hex").generic("POST", api.posts_of(2), body, content_type=kind)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_number_is_no_text(api: Api) -> None:
    answer = api.client("Hex").post(api.posts_of(2), {"text": 1e2, "token": "t"})
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["text"])
    assert not Post.objects.filter(turn=api.world.turn).exists()


def test_half_a_letter_is_no_text(api: Api) -> None:
    body = r'{"text": "half \ud800", "token": "t"}'
    answer = api.client("Hex").generic("POST", api.posts_of(2), body, content_type="application/json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["text"])


def test_a_post_needs_the_csrf_token_of_its_session(api: Api) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(api.world.players["Hex"].user, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(api.posts_of(2), {"text": "20F > 22F", "token": "t"})
    assert answer.status_code == 403
    assert "CSRF" in answer.json()["detail"]
    client.get("/api/docs/?script=")
    token = client.cookies["csrftoken"].value
    sent = {"text": "20F > 22F", "token": "t"}
    assert client.post(api.posts_of(2), sent, headers={"X-CSRFToken": token}).status_code == 201


def test_an_author_edits_on_top_of_the_version_that_he_saw(api: Api, send: Send) -> None:
    post = send("Hex", "20F > 22F").json()
    address = f"{api.root}/posts/{post['id']}/"
    client = api.client("Hex")
    changed = client.patch(address, {"text": "20F > 21F", "base_version": 1})
    assert (changed.status_code, changed.json()["version"]) == (200, 2)
    stale = client.patch(address, {"text": "20F > 23F", "base_version": 1})
    assert (stale.status_code, stale.json()["code"], stale.json()["cites"]) == (409, "stale", "R7")
    again = client.patch(address, {"text": "20F > 21F", "base_version": 1})
    assert (again.status_code, again.json()["version"]) == (200, 2)
    assert api.get(f"/posts/{post['id']}/").json()["text"] == "20F > 21F"


def test_nobody_edits_somebody_elses_post(api: Api, send: Send) -> None:
    post = send("Hex", "20F > 22F").json()
    address = f"{api.root}/posts/{post['id']}/"
    for who, status in (("Gaz", 403), ("movement", 403), ("", 403)):
        assert api.client(who).patch(address, {"text": "no", "base_version": 1}).status_code == status
    assert api.get(f"/posts/{post['id']}/").json()["version"] == 1


def test_no_edit_after_the_lock(api: Api, send: Send) -> None:
    post = send("Hex", "20F > 22F").json()
    api.go_to(api.world.turn.lock_at + HOUR)
    answer = api.client("Hex").patch(f"{api.root}/posts/{post['id']}/", {"text": "no", "base_version": 1})
    assert (answer.status_code, answer.json()["code"]) == (409, "refused")


def test_a_preview_stores_nothing(api: Api) -> None:
    address = f"{api.root}/posts/preview/"
    answer = api.client("Hex").post(address, {"text": "20F > 22F\nHex: intercept Nobody"})
    assert [line["kind"] for line in answer.json()["lines"]] == ["order", "unreadable"]
    assert not Post.objects.filter(turn=api.world.turn).exists()
    assert api.client("").post(address, {"text": "a"}).status_code == 403
    assert api.client("battle").post(address, {"text": "a"}).status_code == 403
    assert api.client("Hex").post(address, {"text": "x" * 20_001}).status_code == 413


def test_lines_that_may_be_orders_are_refused_unless_they_are_confirmed(api: Api, send: Send) -> None:
    """R8"""
    text = "Hex: 20F to 22F\nHex: 20F >"
    refused = send("Hex", text)
    assert (refused.status_code, refused.json()["code"], refused.json()["cites"]) == (409, "unread", "R8")
    first, second = refused.json()["fields"]["text"]
    assert first == "We couldn't read line 1 as an order. Did you mean Hex: 20F > 22F?"
    assert second.startswith("We couldn't read line 2, column 11")
    assert not Post.objects.filter(turn=api.world.turn).exists()

    seen = api.client("Hex").post(f"{api.root}/posts/preview/", {"text": text}).json()
    assert seen["warnings"] == [first, second]
    assert (seen["lines"][0]["doubt"], seen["lines"][0]["meant"]) == ("own-army", ["Hex: 20F > 22F"])

    posted = send("Hex", text, confirm=True)
    assert posted.status_code == 201
    assert [line["doubt"] for line in posted.json()["lines"]] == ["", ""]
    address = f"{api.root}/posts/{posted.json()['id']}/"
    edit = {"text": f"{text}\nHex: stay put", "base_version": 1}
    assert api.client("Hex").patch(address, edit).json()["code"] == "unread"
    assert api.client("Hex").patch(address, {**edit, "confirm": True}).json()["version"] == 2


def strat(**more: object) -> dict[str, object]:
    return {"army": "Gaz", "text": "Hold the ridge.", "token": "s1", **more}


def test_a_controller_sends_a_strat_and_gets_its_receipt(api: Api) -> None:
    address = f"{api.root}/battles/{api.battle.pk}/strats/"
    answer = api.client("Gaz").post(address, strat(army="gaz", risk="kill"))
    assert answer.status_code == 201
    assert answer.json()["sha256"] == Strat.objects.get().sha256
    assert "text" not in answer.json()
    stored = Strat.objects.get()
    assert (stored.text, stored.risk, stored.player.name) == ("Hold the ridge.", "kill", "Gaz")
    assert api.client("Gaz").post(address, strat()).status_code == 201
    assert Strat.objects.count() == 1


@pytest.mark.parametrize(
    ("who", "body", "status", "cites"),
    [
        ("Ana", strat(), 403, "5.4.1"),
        ("battle", strat(), 403, "4.1.1"),
        ("", strat(), 403, ""),
        ("Gaz", strat(army="Hex"), 400, ""),
        ("Gaz", strat(risk="destroy"), 400, ""),
        ("Gaz", strat(leaves_to="nowhere"), 400, ""),
        ("Gaz", strat(leaves="Gaz"), 409, "4.4"),
        ("Gaz", strat(text="x" * 50_001), 413, "R35"),
        ("Gaz", strat(text=" \n "), 409, "R35"),
    ],
)
def test_a_strat_that_can_not_be_is_refused_with_its_rule(
    api: Api, who: str, body: dict[str, object], status: int, cites: str
) -> None:
    answer = api.client(who).post(f"{api.root}/battles/{api.battle.pk}/strats/", body)
    assert (answer.status_code, answer.json()["cites"]) == (status, cites)
    assert not Strat.objects.exists()


def test_a_late_strat_is_kept_and_marked(api: Api) -> None:
    api.go_to(api.battle.deadline + HOUR)
    answer = api.client("Gaz").post(f"{api.root}/battles/{api.battle.pk}/strats/", strat())
    assert (answer.status_code, answer.json()["late"]) == (201, True)
