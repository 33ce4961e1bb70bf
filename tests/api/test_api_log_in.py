"""1.6: where the host allows it, a script logs in with a name and a password; guessing is stopped as on the page."""

import base64

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.api.conftest import Api

PASSWORD = "a-word-for-tests"
ORDER = {"text": "20F > 22F", "token": "t1"}


@pytest.fixture
def hex_(api: Api) -> User:
    user: User = api.world.players["Hex"].user
    user.set_password(PASSWORD)
    user.save()
    return user


@pytest.fixture(autouse=True)
def _passwords_are_taken(settings: LazySettings) -> None:
    settings.API_PASSWORDS = True


def basic(name: str, password: str) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()}


def test_a_script_posts_with_name_and_password_alone(api: Api, hex_: User) -> None:
    headers = basic(hex_.username, PASSWORD)
    answer = Client(enforce_csrf_checks=True).post(
        api.posts_of(2), ORDER, content_type="application/json", headers=headers
    )
    assert (answer.status_code, answer.json()["by"]) == (201, "Hex")
    assert "sessionid" not in answer.cookies


@pytest.mark.parametrize("name", ["Hex", "nobody", "x" * 200, "nul\0", ""])
def test_a_wrong_name_or_password_is_told(api: Api, hex_: User, name: str) -> None:
    name = hex_.username if name == "Hex" else name
    answer = api.client().get(f"{api.root}/", headers=basic(name, "wrong"))
    assert (answer.status_code, answer.json()["code"]) == (403, "authentication_failed")


@pytest.mark.parametrize("header", ["Basic", "Basic !", "Basic a b", "Basic " + base64.b64encode(b"\xff").decode()])
def test_a_damaged_header_is_told(api: Api, header: str) -> None:
    answer = api.client().get(f"{api.root}/", headers={"Authorization": header})
    assert (answer.status_code, answer.json()["code"]) == (403, "authentication_failed")


@pytest.mark.parametrize(
    ("body", "kind"),
    [("{}", "application/json"), ("{", "application/json"), ("--x", "multipart/form-data; boundary=x")],
)
def test_ten_wrong_passwords_close_the_log_in_whatever_body_they_bring(
    api: Api, hex_: User, body: str, kind: str
) -> None:
    client = api.client()
    for _ in range(10):
        client.generic("POST", api.posts_of(2), body, content_type=kind, headers=basic(hex_.username, "wrong"))
    answer = client.get(f"{api.root}/", headers=basic(hex_.username, PASSWORD))
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (429, "throttled", "600")
    page = Client().post(reverse("login"), {"username": hex_.username, "password": PASSWORD})
    assert "Too many attempts" in page.content.decode()


def test_without_the_hosts_leave_no_password_is_looked_at(
    api: Api, hex_: User, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.API_PASSWORDS = False
    monkeypatch.setattr(
        "judging.accounts.authentication.authenticate", lambda *args, **kwargs: pytest.fail("looked at")
    )
    answer = api.client().get(f"{api.root}/", headers=basic(hex_.username, PASSWORD))
    assert answer.status_code == 403
    assert "Make a token on your account page" in answer.json()["detail"]


def test_how_often_is_counted_before_a_password_is_looked_at(
    api: Api, hex_: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judging.api.base.PASSWORDS", "3/minute")
    client = api.client()
    for name in "abc":
        assert client.get(f"{api.root}/", headers=basic(name, "x")).status_code == 403
    monkeypatch.setattr(
        "judging.accounts.authentication.authenticate", lambda *args, **kwargs: pytest.fail("looked at")
    )
    assert client.get(f"{api.root}/", headers=basic("d", "x")).status_code == 429
    assert client.get(f"{api.root}/").status_code == 200, "the site stays open for others behind that address"


def test_the_index_leads_to_the_running_round_and_its_present_turn(api: Api) -> None:
    links = api.client().get("/api/v1/").json()
    assert links["posts"] == f"http://testserver{api.posts_of(2)}"
    assert all(api.client().get(address).status_code == 200 for address in links.values())


def test_the_index_without_a_round_still_leads_to_the_rounds(db: None) -> None:
    links = Client().get("/api/v1/").json()
    assert links["rounds"] == "http://testserver/api/v1/rounds/"
    assert links["map"] is None
