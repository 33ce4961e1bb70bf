"""1.2: web push: what is sent is for its browser alone, and nobody makes the service ask an address of its own net."""

import base64
import json
import secrets
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import http_ece
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from judging.common.errors import Refused
from judging.common.notify import News
from judging.notifications import delivery, safe_http, web_push
from judging.notifications.models import Notification, Push, PushKey, PushSubscription
from judging.notifications.services import mark_notifications_read, tell
from tests.services.test_exactly_once import at_once
from tests.services.world_of_tests import UNLOCK, World

pytestmark = pytest.mark.django_db
HOST, PUBLIC = "push.example.org", "93.184.216.34"
MINUTE = timedelta(minutes=1)


@dataclass
class Service:
    """A push service: what came, and with what it answers."""

    server: HTTPServer
    status: int = 201
    came: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    dialled: list[str] = field(default_factory=list)

    def dial(self, address: str, host: str, seconds: float) -> socket.socket:
        self.dialled.append(f"{host} at {address}")
        return socket.create_connection(self.server.server_address[:2], timeout=seconds)  # type: ignore[arg-type]

    def send(self, now: object = UNLOCK, addresses: tuple[str, ...] = (PUBLIC,)) -> bool:
        return web_push.send_next_push(now, lambda host: list(addresses), self.dial)  # type: ignore[arg-type]


@pytest.fixture
def service() -> Iterator[Service]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.came.append((self.path, dict(self.headers), body))
            self.send_response(found.status)
            self.end_headers()

        def log_message(self, *args: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Handler)
    found = Service(server)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield found
    server.shutdown()
    server.server_close()


class Browser:
    """A browser that subscribed: its keys, and what it reads."""

    def __init__(self, name: str = "one") -> None:
        self.private, self.auth = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(16)
        self.endpoint = f"https://{HOST}/send/{name}"

    @property
    def given(self) -> dict[str, object]:
        point = self.private.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        keys = {name: base64.urlsafe_b64encode(raw).decode() for name, raw in (("p256dh", point), ("auth", self.auth))}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> dict[str, str]:
        told: dict[str, str] = json.loads(
            http_ece.decrypt(body, private_key=self.private, auth_secret=self.auth, version="aes128gcm")
        )
        return told

    def subscribe(self, world: World, name: str = "Ana") -> PushSubscription:
        user = world.players[name].user
        return web_push.subscribe(user=user, given=self.given, name="Firefox on Linux", now=UNLOCK)


def told(world: World, *keys: str) -> None:
    user, round_ = world.players["Ana"].user_id, world.round.pk
    tell([News(user, "army.given", key, UNLOCK, round_, 1, {"army": key}) for key in keys], UNLOCK)
    delivery.deliver(UNLOCK)


def test_a_browser_reads_what_is_sent_to_it_and_the_service_in_between_does_not(world: World, service: Service) -> None:
    browser = Browser()
    browser.subscribe(world)
    told(world, "Ana", "Ben")
    assert service.send()
    assert not service.send()
    ((path, headers, body),) = service.came
    assert (path, headers["Content-Encoding"], headers["TTL"]) == ("/send/one", "aes128gcm", "86400")
    assert headers["Authorization"].startswith("vapid t=")
    assert service.dialled == [f"{HOST} at {PUBLIC}"]
    assert b"control" not in body
    message = browser.read(body)
    assert message["title"] == "Trial, turn 1"
    assert message["body"] == "You now control Ana. You now control Ben."
    assert message["url"] == "/notifications/"
    assert not Push.objects.exists()


def test_what_was_read_meanwhile_is_not_pushed(world: World, service: Service) -> None:
    Browser().subscribe(world)
    told(world, "Ana")
    mark_notifications_read(user=world.players["Ana"].user, ids=None, now=UNLOCK)
    service.send()
    assert service.came == []
    assert not Push.objects.exists()


def test_a_browser_that_is_gone_is_marked_and_a_service_in_trouble_is_asked_again(
    world: World, service: Service
) -> None:
    Browser().subscribe(world)
    told(world, "Ana")
    service.status = 503
    assert service.send()
    assert not service.send(), "not at once"
    service.status = 410
    assert service.send(UNLOCK + MINUTE)
    gone = PushSubscription.objects.get()
    assert gone.gone_at == UNLOCK + MINUTE
    assert not Push.objects.exists()
    told(world, "Ben")
    assert not Push.objects.exists(), "nothing is tried at a browser that is gone"
    client = Client()
    client.force_login(world.players["Ana"].user)
    page = " ".join(client.get("/accounts/notifications/").content.decode().split())
    assert "not reachable since" in page
    assert 'value="try"' not in page
    with pytest.raises(Refused, match="subscribe again"):
        web_push.try_device(user=world.players["Ana"].user, device_id=gone.pk, now=UNLOCK)
    Browser("two").subscribe(world)
    assert [row.gone_at for row in PushSubscription.objects.all()] == [None], "the same browser, subscribed anew"


@pytest.mark.django_db(transaction=True)
def test_two_senders_send_a_message_once(world: World, service: Service) -> None:
    Browser().subscribe(world)
    told(world, "Ana")
    at_once(*[service.send] * 3)
    assert len(service.came) == 1


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.1.1", "100.64.0.1", "192.0.0.8", "0.0.0.0", "::1"),
        *(
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "fe80::1%eth0",
            "fd00::1",
            "nonsense",
        ),
    ],
)
def test_no_address_of_our_own_net_is_asked_even_beside_a_public_one(
    world: World, service: Service, address: str
) -> None:
    Browser().subscribe(world)
    told(world, "Ana")
    assert service.send(addresses=(PUBLIC, address))
    assert service.dialled == []
    assert Push.objects.get().state == Push.State.WAITING
    assert safe_http.is_public(PUBLIC)
    assert safe_http.is_public("2606:2800:220:1::1")


@pytest.mark.parametrize(
    "endpoint",
    [
        *("http://push.example.org/a", "https://127.0.0.1/a", "https://2130706433/a", "https://[::1]/a", "ftp://a.b/c"),
        *("https://localhost/a", "https://push.example.org:22/a", "https://me:you@push.example.org/a", "https://"),
        *(
            "https://push.example.org/a b",
            "https://push.example.org/\r\nX: y",
            f"https://a.example.org/{2000 * 'a'}",
        ),
        *("https://push.example.org:99999/", "javascript:alert(1)", ""),
    ],
)
def test_an_endpoint_that_no_browser_has_is_refused(world: World, endpoint: str) -> None:
    browser = Browser()
    browser.endpoint = endpoint
    with pytest.raises(Refused):
        browser.subscribe(world)


def test_garbage_is_no_subscription(world: World) -> None:
    good = Browser().given
    keys = {"p256dh": "AAAA", "auth": "AAAA"}
    flat = base64.urlsafe_b64encode(b"\4" + b"\1" * 64).decode()
    garbage: list[object] = [
        *(None, 3, "x", [], {}, {"endpoint": good["endpoint"]}, {**good, "keys": None}, {**good, "keys": keys}),
        *({**good, "endpoint": 7}, {**good, "keys": {**keys, "p256dh": "\ud800"}}),
        {**good, "keys": {**good["keys"], "p256dh": flat}},  # type: ignore[dict-item]
        {**good, "keys": {**good["keys"], "p256dh": good["keys"]["p256dh"] + "!" * 30}},  # type: ignore[dict-item,index]
        {**good, "keys": {**good["keys"], "auth": " " + good["keys"]["auth"]}},  # type: ignore[dict-item,index]
    ]
    for each in garbage:
        with pytest.raises(Refused):
            web_push.subscribe(user=world.players["Ana"].user, given=each, name="", now=UNLOCK)
    client = Client()
    client.force_login(world.players["Ana"].user)
    for body in (b"", b"{", b"\xff", b"[" * 5000, b"x" * 20_000):
        answer = client.post("/notifications/push/", body, content_type="application/json")
        assert (answer.status_code, b"a valid browser subscription" in answer.content) == (422, True)
    assert not PushSubscription.objects.exists()


def test_a_browser_whose_address_was_changed_is_reached_at_its_new_one(world: World) -> None:
    """It says so itself, with nobody logged in: the secret of its old address shows that it is the same browser."""
    old, new, other = Browser("old"), Browser("new"), Browser("other")
    row = old.subscribe(world)
    address = "/notifications/push/renewed/"

    def renewed(was: object, now: object) -> int:
        return Client().post(address, json.dumps({"was": was, "now": now}), content_type="application/json").status_code

    guessed = {**old.given, "keys": other.given["keys"]}
    assert renewed(guessed, new.given) == 204
    assert renewed(other.given, new.given) == 204
    assert list(PushSubscription.objects.values_list("endpoint", flat=True)) == [old.endpoint]
    assert renewed(old.given, {"endpoint": "http://inside/"}) == 422
    PushSubscription.objects.update(gone_at=UNLOCK)
    assert [renewed(old.given, new.given), renewed(old.given, new.given)] == [204, 204]
    found = PushSubscription.objects.get()
    assert (found.pk, found.user, found.endpoint, found.gone_at) == (row.pk, row.user, new.endpoint, None)


def test_a_browser_is_its_last_users_and_each_has_a_bounded_number(world: World) -> None:
    browser = Browser()
    first = browser.subscribe(world)
    assert browser.subscribe(world).pk == first.pk
    browser.subscribe(world, "Gaz")
    assert PushSubscription.objects.get().user == world.players["Gaz"].user
    for number in range(web_push.MOST_DEVICES):
        Browser(str(number)).subscribe(world)
    with pytest.raises(Refused, match="Remove one"):
        Browser("more").subscribe(world)


def test_the_list_of_browsers_tries_and_removes_ones_own_alone(world: World, service: Service) -> None:
    browser = Browser()
    row = browser.subscribe(world)
    ana, gaz = Client(), Client()
    ana.force_login(world.players["Ana"].user)
    gaz.force_login(world.players["Gaz"].user)
    page = ana.get("/accounts/notifications/").content.decode()
    assert "Firefox on Linux" in page
    assert browser.endpoint not in page
    address = f"/notifications/devices/{row.pk}/"
    gaz.post(address, {"act": "remove"})
    gaz.post(address, {"act": "try"})
    assert not Push.objects.exists()
    for _ in range(2):
        ana.post(address, {"act": "try"})
    assert service.send(Push.objects.get().due)
    assert browser.read(service.came[0][2])["body"] == "This browser now gets push messages."
    ana.post(address, {"act": "remove"})
    assert not PushSubscription.objects.exists()
    assert ana.post(address, {"act": "remove"}).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_the_key_is_made_once_whoever_asks_first_and_that_of_the_environment_goes_before(
    settings: object,
) -> None:
    at_once(*[web_push.public_key] * 3)
    assert PushKey.objects.count() == 1
    made = web_push.public_key()
    assert (web_push.public_key(), len(made)) == (made, 87)
    settings.VAPID_PRIVATE_KEY = base64.urlsafe_b64encode(b"\1" * 32).rstrip(b"=").decode()  # type: ignore[attr-defined]
    assert web_push.public_key() != made


def test_the_service_worker_stands_at_the_root_and_asks_for_nothing(db: None) -> None:
    answer = Client().get("/service-worker.js")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert b"showNotification" in answer.content


def test_a_phone_can_put_the_site_on_its_home_screen(db: None) -> None:
    answer = Client().get("/app.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    for icon in answer.json()["icons"]:
        assert finders.find(icon["src"].removeprefix(settings.STATIC_URL))
    assert 'rel="manifest" href="/app.webmanifest"' in Client().get("/").content.decode()


def test_nothing_is_pushed_to_who_has_not_asked_for_it(world: World) -> None:
    told(world, "Ana")
    assert not Push.objects.exists()
    assert not Notification.objects.filter(push_due__isnull=False).exists()
