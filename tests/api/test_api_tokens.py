"""1.6: scripts log in with tokens, which do what they were made for and no more."""

import hashlib
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.contrib.auth.hashers import get_hasher, identify_hasher, make_password
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judging.accounts.tokens.models import AccessToken
from judging.accounts.tokens.services import MOST_TOKENS, make_token, revoke_token
from judging.common.errors import Refused
from tests.api.conftest import Api
from wargame import settings as of_the_project

HOUR = timedelta(hours=1)
ORDER = {"text": "20F > 22F", "token": "t1"}


def made(user: User, *scopes: str, days: int | None = 30) -> tuple[AccessToken, dict[str, str]]:
    """A token of somebody, and the header that brings it."""
    token, text = make_token(user=user, name="a script", scopes=scopes, days=days, now=timezone.now())
    return token, {"Authorization": f"Bearer {text}"}


PASSWORD = "a-word-for-tests"


@pytest.fixture
def hex_(api: Api) -> User:
    user: User = api.world.players["Hex"].user
    user.set_password(PASSWORD)
    user.save()
    return user


def post(api: Api, headers: dict[str, str], body: object = ORDER) -> object:
    client = Client(enforce_csrf_checks=True)
    return client.post(api.posts_of(2), body, content_type="application/json", headers=headers)


def test_a_script_posts_with_a_token_alone(api: Api, hex_: User) -> None:
    answer = post(api, made(hex_, "read", "post")[1])
    assert (answer.status_code, answer.json()["by"]) == (201, "Hex")
    assert "sessionid" not in answer.cookies


def test_of_a_token_only_a_hash_is_kept(api: Api, hex_: User) -> None:
    token, headers = made(hex_, "read")
    head, prefix, secret = headers["Authorization"].removeprefix("Bearer ").split("_", 2)
    assert (head, prefix, len(secret)) == ("wg", token.prefix, 43)
    assert token.digest == hashlib.sha256(secret.encode()).hexdigest()


def test_a_token_that_only_reads_posts_nothing_but_asks_what_a_text_means(api: Api, hex_: User) -> None:
    _, headers = made(hex_, "read")
    answer = post(api, headers)
    assert (answer.status_code, answer.json()["code"], answer.json()["cites"]) == (403, "forbidden", "1.6")
    assert "needs the scope “post”" in answer.json()["detail"]
    preview = api.client().post(f"{api.root}/posts/preview/", {"text": "20F > 22F"}, headers=headers)
    assert preview.status_code == 200


def test_a_token_that_only_posts_does_not_read(api: Api, hex_: User) -> None:
    assert api.client().get(f"{api.root}/", headers=made(hex_, "post")[1]).status_code == 403


def test_a_judges_token_acts_as_a_judge_only_if_it_was_made_for_that(api: Api) -> None:
    judge: User = api.world.judges["battle"].user
    sent = {"text": "The dice are rolled at noon.", "token": "t1"}
    statuses = [
        api.client().post(f"{api.root}/boards/movement/messages/", sent, headers=made(judge, *scopes)[1]).status_code
        for scopes in (("read", "post"), ("read", "judge"), ("read", "post", "judge"))
    ]
    assert statuses == [403, 403, 201]


def test_what_works_no_more_is_told(api: Api, hex_: User) -> None:
    revoked, was_good = made(hex_, "read")
    revoke_token(user=hex_, prefix=revoked.prefix, now=timezone.now())
    old, was_young = made(hex_, "read")
    AccessToken.objects.filter(pk=old.pk).update(made_at=timezone.now() - 2 * HOUR, expires_at=timezone.now() - HOUR)
    _, good = made(hex_, "read")
    for headers in (was_good, was_young, {"Authorization": good["Authorization"][:-1] + "!"}):
        answer = api.client().get(f"{api.root}/", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "authentication_failed")
    assert api.client().get(f"{api.root}/", headers=good).status_code == 200
    hex_.is_active = False
    hex_.save()
    assert api.client().get(f"{api.root}/", headers=good).status_code == 403


@pytest.mark.parametrize("header", ["Bearer", "Bearer x", "Bearer wg_", "Bearer wg_abcdefgh_é", "Bearer " + "x" * 999])
def test_a_damaged_token_is_told(api: Api, header: str) -> None:
    answer = api.client().get(f"{api.root}/", headers={"Authorization": header})
    assert (answer.status_code, answer.json()["code"]) == (403, "authentication_failed")


def test_when_a_token_was_used_is_written_once_an_hour(api: Api, hex_: User) -> None:
    token, headers = made(hex_, "read")
    times = []
    for pause in (0, 1, 58, 61):
        api.clock.shift(timedelta(minutes=pause))
        api.client().get(f"{api.root}/", headers=headers)
        token.refresh_from_db()
        times.append(token.last_used_at)
    assert times[0] == times[1] == times[2] < times[3]


def test_ones_tokens_are_listed_and_revoked_by_the_api(api: Api, hex_: User) -> None:
    token, headers = made(hex_, "read", "post")
    other, _ = made(api.world.players["Ana"].user, "read")
    listed = api.client().get("/api/v1/tokens/", headers=headers).json()["results"]
    assert [(one["prefix"], one["is_good"]) for one in listed] == [(token.prefix, True)]
    assert token.digest not in str(listed)
    assert api.client().delete(f"/api/v1/tokens/{other.prefix}/", headers=headers).status_code == 404
    gone = api.client().delete(f"/api/v1/tokens/{token.prefix}/", headers=headers)
    assert (gone.status_code, gone.json()["is_good"]) == (200, False)
    assert api.client().get("/api/v1/tokens/", headers=headers).status_code == 403
    assert api.client().get("/api/v1/tokens/").status_code == 403


def test_how_often_is_counted_before_a_token_is_looked_at(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judging.api.base.BeforeLogIn.rate", "2/minute")
    for _ in range(2):
        assert api.client().get(f"{api.root}/", headers={"Authorization": "Bearer x"}).status_code == 403
    monkeypatch.setattr("judging.accounts.authentication.use_token", lambda text, now: pytest.fail("looked at"))
    answer = api.client().get(f"{api.root}/", headers={"Authorization": "Bearer x"})
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")


# The account page


def test_a_token_is_shown_once_and_then_only_listed(api: Api, hex_: User) -> None:
    client = Client()
    client.force_login(hex_, backend="django.contrib.auth.backends.ModelBackend")
    sent = {"token_name": "orders <b>", "scopes": ["read", "post"], "days": "90", "password": PASSWORD}
    made = client.post(reverse("tokens"), sent)
    assert (made.status_code, made["Location"]) == (302, reverse("tokens"))
    shown = client.get(reverse("tokens"))
    token = AccessToken.objects.get()
    assert (shown.status_code, shown["Cache-Control"]) == (200, "no-store")
    text = shown.content.decode().split('id="token" value="')[1].split('"')[0]
    assert post(api, {"Authorization": f"Bearer {text}"}).status_code == 201
    assert client.get(reverse("tokens"))["Location"] == reverse("account"), "loaded anew it shows and makes nothing"
    assert AccessToken.objects.count() == 1
    assert token.expires_at == token.made_at + timedelta(days=90)
    page = client.get(reverse("account")).content.decode()
    assert "orders &lt;b&gt;" in page
    assert f"wg_{token.prefix}_…" in page
    assert text not in page
    followed = client.post(reverse("token-revoke", args=[token.prefix]), follow=True).content.decode()
    assert "no longer works" in followed
    assert "revoked" in followed
    assert post(api, {"Authorization": f"Bearer {text}"}).status_code == 403


def test_nobody_makes_or_revokes_anothers_token(api: Api, hex_: User) -> None:
    token, _ = made(hex_, "read")
    client = Client()
    client.force_login(api.world.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
    told = client.post(reverse("token-revoke", args=[token.prefix]), follow=True).content.decode()
    assert "You don&#x27;t have that token." in told
    token.refresh_from_db()
    assert token.revoked_at is None
    for address in (reverse("tokens"), reverse("token-revoke", args=[token.prefix])):
        assert reverse("login") in Client().post(address)["Location"]


@pytest.mark.parametrize(
    "typed", [{"token_name": ""}, {"token_name": "x" * 61}, {"scopes": []}, {"scopes": ["all"]}, {"days": "7"}]
)
def test_a_bad_token_is_refused_and_what_was_typed_stays(api: Api, hex_: User, typed: dict[str, object]) -> None:
    client = Client()
    client.force_login(hex_, backend="django.contrib.auth.backends.ModelBackend")
    given = {"token_name": "mine", "scopes": ["post"], "days": "30", "password": PASSWORD}
    answer = client.post(reverse("tokens"), {**given, **typed})
    assert answer.status_code == 422
    assert "token_name" in typed or 'value="mine"' in answer.content.decode()
    assert not AccessToken.objects.exists()


def test_nobody_has_tokens_without_end(api: Api, hex_: User) -> None:
    for _ in range(MOST_TOKENS):
        made(hex_, "read")
    with pytest.raises(Refused, match="Revoke one"):
        made(hex_, "read")


# How passwords are kept


def test_an_old_password_works_and_is_hashed_anew_at_the_next_log_in(db: None, settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = of_the_project.PASSWORD_HASHERS
    user = User.objects.create_user("nell")
    user.password = make_password("three owls", hasher="pbkdf2_sha256")
    user.save()
    assert Client().post(reverse("login"), {"username": "nell", "password": "three owls"}).status_code == 302
    user.refresh_from_db()
    assert identify_hasher(user.password).algorithm == "argon2"
    assert user.password.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert user.check_password("three owls")
    assert get_hasher().decode(user.password)["memory_cost"] == 19456
