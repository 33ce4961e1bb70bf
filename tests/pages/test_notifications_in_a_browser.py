"""1.2: the bell and the page of choices in a browser: on a phone, under the strict CSP, with the time zone of the
browser taken over."""

import os
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.common.notify import News
from judging.notifications.models import Preference
from judging.notifications.services import tell
from tests.pages.looking import fits
from tests.services.conftest import FOUR
from tests.services.world_of_tests import UNLOCK, World, begin, make_round

SHOTS = os.environ.get("SHOTS")


@pytest.fixture
def world(transactional_db: None) -> World:
    return begin(make_round(FOUR))


@pytest.fixture
def page(world: World, live_server: LiveServer, browser: Browser) -> Iterator[Page]:
    """Ana's phone in Tokyo; whatever the browser complains about fails the test."""
    client, complaints = Client(), []
    client.force_login(world.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
    context = browser.new_context(viewport={"width": 375, "height": 812}, timezone_id="Asia/Tokyo")
    session = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    found = context.new_page()
    found.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    found.on("pageerror", lambda error: complaints.append(str(error)))
    yield found
    context.close()
    assert complaints == []


def test_the_bell_is_rung_read_and_takes_over_the_zone_of_the_browser(
    world: World, live_server: LiveServer, page: Page
) -> None:
    user, round_ = world.players["Ana"].user_id, world.round.pk
    data = {"army": "A" * 40, "at": "3F", "battle": 1, "due": UNLOCK.isoformat(), "hours": 4}
    long = News(user, "strat.due", "a", UNLOCK, round_, 1, data, UNLOCK + timedelta(days=1))
    tell([long, News(user, "army.given", "b", UNLOCK, round_, 1, {"army": "Ana"})], UNLOCK)
    with page.expect_response("**/notifications/zone/") as told:
        page.goto(f"{live_server.url}/notifications/")
    assert told.value.status == 204
    assert Preference.objects.get().time_zone == "Asia/Tokyo"
    expect(page.locator(".bell__number")).to_have_text("2")
    fits(page)
    look(page, "list")
    page.get_by_role("button", name="Mark as read: You now control Ana.").click()
    expect(page.locator(".bell__number")).to_have_text("1")
    page.goto(f"{live_server.url}/accounts/notifications/")
    expect(page.get_by_label("Your time zone")).to_have_value("Asia/Tokyo")
    fits(page)
    look(page, "settings")
    topics = page.get_by_label("Emails about your battles")
    expect(topics).to_be_hidden()
    page.get_by_label("Custom.").check()
    expect(topics).to_be_visible()
    fits(page)
    page.get_by_label("Deadlines only.").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your notification settings have been saved.")).to_be_visible()


def look(page: Page, name: str) -> None:
    """Keeps pictures where SHOTS names a folder."""
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}-phone.png", full_page=True)
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.screenshot(path=f"{SHOTS}/{name}-dark.png", full_page=True)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 375, "height": 812})
