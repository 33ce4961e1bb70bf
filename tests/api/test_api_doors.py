"""Requests by token: what its scopes reach, what may be sent again, and what has happened since."""

import json
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone
from rest_framework.test import APIClient

from judging.accounts.tokens.models import AccessToken
from judging.accounts.tokens.services import make_token
from judging.announcements.models import Notice
from judging.api.base import BeforeLogIn
from judging.api.models import SentRequest
from judging.api.schema import example
from judging.turns.models import Post
from judging.votes.models import Vote
from tests.api.conftest import Api

ORDER = {"text": "Ana: 3D > 4D", "token": "t1"}


def call() -> dict[str, object]:
    closes = timezone.now() + timedelta(days=2)
    return {"kind": "normal", "question": "Hold?", "options": ["yes", "no"], "closes": f"{closes:%Y-%m-%dT%H:%M}"}


def bearer(api: Api, who: str, *scopes: str) -> APIClient:
    people = {**api.world.players, **api.world.judges}
    _, text = make_token(user=people[who].user, name="bot", scopes=scopes, days=None, now=timezone.now())
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def test_what_a_form_does_a_token_does_by_the_same_rules(api: Api) -> None:
    answer = bearer(api, "Ana", "post").post(f"{api.root}/votes/", call())
    assert (answer.status_code, answer.json().get("said")) == (200, "The vote is open."), answer.content
    assert Vote.objects.get().player == api.world.players["Ana"]


def test_a_refusal_of_a_form_is_a_problem_with_its_rule(api: Api) -> None:
    answer = bearer(api, "Ana", "post").post(f"{api.root}/votes/", call() | {"options": ["yes"]})
    problem = answer.json()
    assert (answer.status_code, answer["Content-Type"]) == (409, "application/problem+json")
    assert (problem["status"], problem["code"], problem["type"]) == (409, "refused", "urn:wargame:problem:refused")
    assert problem["cites"] == "1.4", problem
    assert not Vote.objects.exists()


def test_a_judge_acts_as_one_by_a_token_that_judges_alone(api: Api) -> None:
    path, act = f"{api.root}/judges/seats/", {"act": "name", "role": "battle", "username": "nobody", "reason": "New."}
    refused = [bearer(api, "battle", *scopes).post(path, act).json()["detail"] for scopes in (("post",), ("judge",))]
    assert ["needs the scope “judge”" in each for each in refused] == [True, False]


def test_a_judges_token_that_does_not_judge_calls_no_vote_as_a_judge(api: Api) -> None:
    answer = bearer(api, "battle", "post").post(f"{api.root}/votes/", call())
    assert answer.status_code in (403, 409)
    assert not Vote.objects.exists()


def test_a_stranger_is_refused_as_on_the_page(api: Api) -> None:
    answer = api.client().post(f"{api.root}/votes/", call())
    assert answer.status_code == 403


def test_a_request_with_a_key_is_done_once_and_answered_twice(api: Api) -> None:
    client = bearer(api, "Ana", "read", "post")
    first, again = (client.post(api.posts_of(2), ORDER, headers={"Idempotency-Key": "monday"}) for _ in range(2))
    assert (first.status_code, again.status_code, again["Idempotency-Replayed"]) == (201, 201, "true")
    assert json.loads(first.content) == json.loads(again.content)
    assert Post.objects.filter(turn__number=2).count() == 1


def test_an_error_is_a_problem_when_it_is_replayed_too(api: Api) -> None:
    client, bad = bearer(api, "Ana", "read", "post"), call() | {"options": ["yes"]}
    answers = [client.post(f"{api.root}/votes/", bad, headers={"Idempotency-Key": "v"}) for _ in range(2)]
    assert [answer["Content-Type"] for answer in answers] == ["application/problem+json"] * 2
    assert (answers[0].json(), answers[1]["Idempotency-Replayed"]) == (answers[1].json(), "true")


def test_a_key_is_for_one_request(api: Api) -> None:
    client = bearer(api, "Ana", "read", "post")
    client.post(api.posts_of(2), ORDER, headers={"Idempotency-Key": "monday"})
    other = client.post(api.posts_of(2), ORDER | {"text": "Ana: 3D > 5D"}, headers={"Idempotency-Key": "monday"})
    assert (other.status_code, "another request" in other.json()["detail"]) == (409, True)


def test_two_people_have_the_same_key(api: Api) -> None:
    for who in ("Ana", "Ben"):
        answer = bearer(api, who, "post").post(
            api.posts_of(2), {"text": "Well met.", "token": who}, headers={"Idempotency-Key": "monday"}
        )
        assert answer.status_code == 201
    assert SentRequest.objects.count() == 2


def test_what_is_shown_once_is_not_kept(api: Api) -> None:
    hook = {"name": "bot", "url": "https://bot.example.org/", "format": "json", "kinds": ["move"]}
    client = bearer(api, "Ana", "post")
    assert client.post("/api/v1/webhooks/", hook, headers={"Idempotency-Key": "h"}).status_code == 201
    assert client.post("/api/v1/webhooks/", hook, headers={"Idempotency-Key": "h"}).status_code == 409
    assert "whsec" not in str(SentRequest.objects.get().answer)


def test_an_answer_has_a_tag_and_is_not_sent_again(api: Api) -> None:
    client = api.client()
    first = client.get(f"{api.root}/turns/")
    assert client.get(f"{api.root}/turns/", headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_a_change_holds_for_the_version_that_was_read(api: Api) -> None:
    client, path = bearer(api, "Ana", "read", "post"), "/api/v1/notifications/settings/"
    before = client.get(path)["ETag"]
    change = example("notification_settings_change.request")
    stale = client.put(path, change, headers={"If-Match": '"another"'})
    assert (stale.status_code, stale.json()["code"]) == (412, "changed")
    assert client.get(path)["ETag"] == before
    assert client.put(path, change, headers={"If-Match": before}).status_code == 200
    assert client.put(path, change, headers={"If-Match": before}).status_code == 412


def test_where_there_is_no_version_if_match_does_nothing(api: Api) -> None:
    answer = bearer(api, "Ana", "read", "post").post(
        f"{api.root}/posts/preview/", {"text": "Hold."}, headers={"If-Match": '"x"'}
    )
    assert (answer.status_code, "This address has no version, so" in answer.json()["detail"]) == (412, True)


def test_an_answer_says_how_many_requests_are_left(api: Api) -> None:
    first, second = (api.client("Ana").get(f"{api.root}/turns/") for _ in range(2))
    assert int(second["RateLimit-Remaining"]) == int(first["RateLimit-Remaining"]) - 1
    assert int(first["RateLimit-Limit"]) > 0


def test_whoever_asks_in_vain_or_too_often_is_told_how_often_he_may(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"{api.root}/turns/"
    first = api.client().get(address)
    nothing = api.client().get(address, headers={"If-None-Match": first["ETag"]})
    assert nothing.status_code == 304
    assert int(nothing["RateLimit-Remaining"]) == int(first["RateLimit-Remaining"]) - 1
    monkeypatch.setattr(BeforeLogIn, "rate", "1/minute")
    cache.clear()
    asked = [APIClient().get(address, headers={"Authorization": "Bearer wg_none"}) for _ in range(2)]
    assert [each.status_code for each in asked] == [403, 429]
    assert [each["RateLimit-Limit"] for each in asked] == ["1", "1"]
    assert (asked[1]["RateLimit-Remaining"], "Retry-After" in asked[1]) == ("0", True)


def test_a_control_list_that_is_as_it_was_is_not_sent_again_though_time_went_on(api: Api) -> None:
    first = api.client().get(f"{api.root}/control/")
    api.go_to(timezone.now() + timedelta(minutes=1))
    assert api.client().get(f"{api.root}/control/", headers={"If-None-Match": first["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    "asked",
    ["token={}", "access_token=Bearer%20{}", "q={}&q=", "to%6ben={}&limit=1"],
    ids=["one", "bearer", "two", "odd"],
)
@pytest.mark.parametrize("who", ["", "Ana"])
def test_a_token_in_an_address_is_revoked(api: Api, asked: str, who: str) -> None:
    user = api.world.players["Ana"].user
    _, text = make_token(user=user, name="bot", scopes=["read"], days=None, now=timezone.now())
    answer = api.client(who).get(f"{api.root}/turns/?{asked.format(text)}")
    told = "Never put a token in an address, because logs keep addresses"
    assert (answer.status_code, told in answer.json()["detail"]) == (403, True)
    assert AccessToken.objects.get().revoked_at is not None


@pytest.mark.parametrize("address", ["/rounds/", "/api/schema/", "/rounds/trial/calendar.ics", "/no/such/page/"])
def test_a_token_in_the_address_of_a_page_is_revoked_and_told(api: Api, address: str) -> None:
    user = api.world.players["Ana"].user
    _, text = make_token(user=user, name="bot", scopes=["read"], days=None, now=timezone.now())
    assert api.client().get(f"{address}?q=wg_what").status_code != 403
    answer = api.client().get(f"{address}?key={text}")
    told = "Never put a token in an address, because logs keep addresses"
    assert (answer.status_code, told in answer.content.decode()) == (403, True)
    assert AccessToken.objects.get().revoked_at is not None


def test_events_are_told_once_and_then_nothing(api: Api) -> None:
    api.go_to(timezone.now() + timedelta(minutes=1))
    found = api.client().get("/api/v1/events/").json()
    assert {"battles", "update"} <= {event["kind"] for event in found["events"]}
    assert {event["round"] for event in found["events"]} == {"trial"}
    nothing = api.client().get("/api/v1/events/", {"after": found["next"]})
    assert (nothing.status_code, nothing.content) == (204, b"")


def test_an_event_that_is_stored_behind_a_fresh_one_does_not_pass_it_over(api: Api) -> None:
    """A settlement bears the time at which it began: what another round told meanwhile is older by number alone."""
    now = timezone.now() + timedelta(minutes=1)
    last = Notice.objects.order_by("-pk").values_list("pk", flat=True)[0]
    heads = {"turn": api.world.turn, "thread": Notice.Thread.MOVEMENT, "data": {}}
    fresh = Notice.objects.create(kind="press", at=now, **heads)
    old = Notice.objects.create(kind="press", at=now - timedelta(seconds=30), **heads)
    api.go_to(now + timedelta(seconds=1))
    assert api.client().get("/api/v1/events/", {"after": last}).status_code == 204
    api.go_to(now + timedelta(seconds=20))
    told = api.client().get("/api/v1/events/", {"after": last}).json()
    assert [event["id"] for event in told["events"]] == [fresh.pk, old.pk]


def test_a_hundred_thousand_events_at_once_are_two_hundred(api: Api, django_assert_max_num_queries: object) -> None:
    api.go_to(timezone.now() + timedelta(minutes=1))
    answer = api.client().get("/api/v1/events/", {"limit": 100_000})
    assert answer.status_code == 200
    assert len(answer.json()["events"]) <= 200


def test_nothing_new_costs_one_statement(api: Api, django_assert_num_queries: object) -> None:
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert api.client().get("/api/v1/events/", {"after": 10**12}).status_code == 204
