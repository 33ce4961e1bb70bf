"""Attacks that once worked: each is repeated here, against the layer that decides."""

import pickle

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from judging.accounts.models import Account
from judging.accounts.services import MOST_LETTERS
from judging.accounts.trusted_browsers import LIMITS
from judging.notifications.safe_http import is_public
from judging.people.account_views import LETTERS
from tests.secrecy.routes import every_route
from wargame.web import client_ip
from wargame.web.fallback_cache import _Serializer, _Unreadable
from wargame.web.logs import discreet

PASSWORD = "three owls on a wire"
HOUSEHOLD = [f"2001:db8:7:7:{number:x}::1" for number in range(1, 201)]
"""Addresses of one /64, which one household has 2^64 of."""

pytestmark = pytest.mark.django_db


@pytest.fixture
def owl(db: None) -> User:
    user = User.objects.create_user("owl", "owl@example.org", PASSWORD)
    return user


def ask_for_password(address: str, at: str) -> HttpResponse:
    return Client(REMOTE_ADDR=at).post(reverse("password_reset"), {"email": address})


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:7:7:1::1", "2001:db8:7:7::"),
        ("2001:db8:7:7:ffff:ffff:ffff:ffff", "2001:db8:7:7::"),
        ("2001:db8:7:8::1", "2001:db8:7:8::"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
        ("nonsense", "nonsense"),
    ],
)
def test_a_visitors_network_is_an_ipv4_address_or_the_first_half_of_an_ipv6_address(
    rf: RequestFactory, address: str, network: str
) -> None:
    assert client_ip.network(rf.get("/", REMOTE_ADDR=address)) == network


def test_one_household_with_many_ipv6_addresses_asks_for_as_many_emails_as_one_address() -> None:
    answers = [ask_for_password(f"p{number}@example.org", at) for number, at in enumerate(HOUSEHOLD[: LETTERS + 3])]
    assert [answer.status_code for answer in answers] == [302] * LETTERS + [200] * 3


def test_one_household_guesses_passwords_as_often_as_one_address(owl: User) -> None:
    names = [f"player-{number}" for number in range(LIMITS["address"])]
    for name, at in zip(names, HOUSEHOLD, strict=False):
        Client(REMOTE_ADDR=at).post(reverse("login"), {"username": name, "password": "wrong"})
    client = Client(REMOTE_ADDR=HOUSEHOLD[-1])
    client.post(reverse("login"), {"username": "owl", "password": PASSWORD})
    assert "_auth_user_id" not in client.session


def test_strangers_do_not_lock_an_owner_out_for_good(owl: User) -> None:
    for number in range(LIMITS["name"] + 20):
        Client(REMOTE_ADDR=f"203.0.113.{number % 12}").post(reverse("login"), {"username": "owl", "password": "wrong"})
    client = Client(REMOTE_ADDR="198.51.100.7")
    assert client.post(reverse("login"), {"username": "owl", "password": "wrong"}).status_code == 200
    assert client.post(reverse("login"), {"username": "owl", "password": PASSWORD}).status_code == 302


def test_one_household_calls_the_api_as_often_as_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    rates = {**api_settings.DEFAULT_THROTTLE_RATES, "anon": "2/minute"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    statuses = [Client(REMOTE_ADDR=at).get("/api/v1/rounds/").status_code for at in HOUSEHOLD[:3]]
    assert statuses == [200, 200, 429]


def test_a_victim_gets_few_emails_however_many_strangers_ask_for_them(owl: User) -> None:
    Account.objects.create(user=owl, key="owl", mail=owl.email, confirmed_at=owl.date_joined)
    spellings = ["owl@example.org", "OWL@example.org", "owl@EXAMPLE.org", "owl+1@example.org", "Owl+2@example.org"]
    for number in range(20):
        answer = ask_for_password(spellings[number % len(spellings)], f"198.51.{number}.1")
        assert answer.status_code == 302, "the page answers the same, sent or not"
    assert 0 < len(mail.outbox) <= MOST_LETTERS
    for number in range(5):
        typed = {"name": f"Stranger{'abcde'[number]}", "mail": "owl@example.org", "password": PASSWORD}
        Client(REMOTE_ADDR=f"198.51.{number}.2").post(reverse("sign-up"), typed)
    assert len(mail.outbox) <= MOST_LETTERS


def test_no_address_with_a_secret_is_in_a_line_of_the_log() -> None:
    names = {"token", "secret", "uidb64"}
    found = [route for route in every_route() if names & set(route.parameters)]
    assert {"own-feed", "own-board-feed", "unsubscribe", "password_reset_confirm"} <= {route.name for route in found}
    for route in found:
        address = route.address({name: "s3cr3t" if name in names else "known" for name in route.parameters})
        assert "s3cr3t" not in discreet(f"GET {address}: 404 in 1 ms"), address


class Payload:
    """A pickle that runs a function when it is read."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return pytest.fail, ("code of whoever writes into Redis was run",)


@pytest.mark.parametrize("prefix", [b"", bytes(32), b"x" * 32])
def test_whoever_writes_into_redis_runs_no_code(prefix: bytes) -> None:
    with pytest.raises(_Unreadable):
        _Serializer().loads(prefix + pickle.dumps(Payload()))


@pytest.mark.parametrize("value", [7, 0, -1, True, None, "7", b"7", "news", {"a": (1, 2.5)}, [1.0]])
def test_what_is_cached_comes_back_from_redis(value: object) -> None:
    data = _Serializer().dumps(value)
    found = _Serializer().loads(str(data).encode() if isinstance(data, int) else data)
    assert (found, type(found)) == (value, type(value))


def test_a_cached_value_counts_for_the_secret_key_that_signed_it(settings: LazySettings) -> None:
    data = _Serializer().dumps("news")
    settings.SECRET_KEY = "another"
    with pytest.raises(_Unreadable):
        _Serializer().loads(data)


@pytest.mark.parametrize("key", ["x", "1.5", "%00", "9" * 30, "é"])
@pytest.mark.parametrize("model", ["wargame_round", "judging_score"])
def test_the_history_of_what_is_no_row_is_not_found(client: Client, model: str, key: str) -> None:
    chief = User.objects.create_superuser("chief", password=PASSWORD)
    client.force_login(chief, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse(f"judge:{model}_history", args=["KEY"]).replace("KEY", key)
    assert client.get(address).status_code in (302, 404)  # Django leads from a key without a row to the front page


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("fec0::1", False),
        ("::ffff:0:127.0.0.1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("fe80::1%eth0", False),
        ("::1", False),
        ("2002:7f00:1::", False),
        ("2606:4700::1111", True),
        ("1.1.1.1", True),
    ],
)
def test_no_message_goes_to_a_network_that_is_not_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_no_page_may_use_the_devices_sensors(client: Client) -> None:
    assert "camera=(), " in client.get(reverse("login"))["Permissions-Policy"]
