"""1.2: web push in a real browser, whose maker's push service is played by the test: what was sent through it,
encrypted, is shown with its text, and leads to its page."""

import base64
import json
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.common.notify import News
from judging.notifications import delivery
from judging.notifications.models import PushSubscription
from judging.notifications.services import tell
from tests.browsers import WHOLE_BROWSERS, browser_of
from tests.pages.looking import until
from tests.services import test_push
from tests.services.conftest import FOUR
from tests.services.test_push import Service, service
from tests.services.world_of_tests import UNLOCK, World, begin, make_round

__all__ = ["service"]

STAND_IN = """given => {
  const made = {...given, toJSON: () => given, unsubscribe: async () => true};
  PushManager.prototype.subscribe = async () => { sessionStorage.made = 1; return made; };
  PushManager.prototype.getSubscription = async () => (sessionStorage.made ? made : null);
}"""
"""Chromium as Debian builds it subscribes nowhere; the rest of what it does is its own."""


@pytest.fixture(scope="module")
def browser(launch_browser: Callable[..., Browser]) -> Iterator[Browser]:
    """The whole of Chromium, which shows notifications."""
    browser = launch_browser(**browser_of(WHOLE_BROWSERS))
    yield browser
    browser.close()


@pytest.fixture
def world(transactional_db: None) -> World:
    return begin(make_round(FOUR))


@pytest.fixture
def context(world: World, live_server: LiveServer, browser: Browser) -> Iterator[BrowserContext]:
    """Ana's browser, which may show notifications."""
    client = Client()
    client.force_login(world.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
    context = browser.new_context(viewport={"width": 375, "height": 812})
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    context.grant_permissions(["notifications"], origin=live_server.url)
    yield context
    context.close()


def delivered(page: Page, origin: str, message: str) -> None:
    """The push service hands a message to the browser, as Chromium's own tools do it."""
    tools = page.context.new_cdp_session(page)
    known: list[str] = []
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: known.extend(row["registrationId"] for row in told["registrations"]),
    )
    tools.send("ServiceWorker.enable")
    until(page, "() => navigator.serviceWorker.ready.then(worker => worker.active.state === 'activated')")
    given = {"origin": origin, "registrationId": known[-1], "data": message}
    tools.send("ServiceWorker.deliverPushMessage", given)


SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
  .map(one => ({title: one.title, body: one.body, url: one.data.url}))"""

CLICK = """async () => {
  const [shown] = await self.registration.getNotifications();
  const led = new Promise((resolve) => { self.clients.openWindow = async (to) => resolve(to); });
  self.dispatchEvent(new NotificationEvent("notificationclick", {notification: shown}));
  return led;
}"""
"""Nobody clicks in a browser without a screen, and none opens a window for who did not click."""


def test_what_concerns_somebody_is_shown_by_his_browser_and_leads_there(
    world: World, live_server: LiveServer, context: BrowserContext, service: Service
) -> None:
    ours, page = test_push.Browser(), context.new_page()
    page.add_init_script(f"({STAND_IN})({json.dumps(ours.given)})")
    page.goto(f"{live_server.url}/accounts/notifications/")
    page.get_by_role("button", name="Turn on push in this browser", exact=True).click()
    expect(page.locator("#push .told__what")).to_contain_text("Chrome on Linux")
    assert PushSubscription.objects.get().endpoint == ours.endpoint

    user, round_ = world.players["Ana"].user_id, world.round.pk
    tell([News(user, "army.given", "a", UNLOCK, round_, 1, {"army": "Ana"})], UNLOCK)
    delivery.deliver(UNLOCK)
    assert service.send()
    ((_, _, body),) = service.came
    delivered(page, live_server.url, json.dumps(ours.read(body)))
    until(page, "async () => (await (await navigator.serviceWorker.ready).getNotifications()).length === 1")
    (shown,) = page.evaluate(SHOWN)
    assert (shown["title"], shown["body"]) == ("Trial, turn 1", "You now control Ana.")

    led = context.service_workers[0].evaluate(CLICK)
    assert led == live_server.url + shown["url"]
    assert page.evaluate(SHOWN) == [], "it is gone once it was followed"
    page.goto(led)
    expect(page.locator("main")).to_contain_text("Ana")
    expect(page.locator(".bell__number")).to_have_count(0)


@pytest.mark.slow
def test_what_can_not_be_read_is_still_a_sign(world: World, live_server: LiveServer, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{live_server.url}/accounts/notifications/")
    delivered(page, live_server.url, base64.b64encode(b"\0garbage").decode())
    until(page, "async () => (await (await navigator.serviceWorker.ready).getNotifications()).length === 1")
    (shown,) = page.evaluate(SHOWN)
    told = {"title": urlsplit(live_server.url).netloc, "body": "Something concerns you.", "url": "/notifications/"}
    assert shown == told


@pytest.mark.slow
def test_a_browser_that_is_gone_is_marked_in_the_list(
    world: World, live_server: LiveServer, context: BrowserContext, service: Service
) -> None:
    ours, page = test_push.Browser(), context.new_page()
    page.add_init_script(f"({STAND_IN})({json.dumps(ours.given)})")
    page.goto(f"{live_server.url}/accounts/notifications/")
    page.get_by_role("button", name="Turn on push in this browser", exact=True).click()
    page.get_by_role("button", name="Send a test message to Chrome on Linux").click()
    service.status = 410
    assert service.send(PushSubscription.objects.get().pushes.get().due)
    page.reload()
    expect(page.locator("#push")).to_contain_text("not reachable since")
    expect(page.get_by_role("button", name="Send a test message to Chrome on Linux")).to_have_count(0)
    page.get_by_role("button", name="Remove Chrome on Linux").click()
    expect(page.locator("#push")).to_contain_text("None yet.")
