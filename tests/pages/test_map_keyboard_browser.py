"""1.2: everything that is done on the map page, by the keyboard alone; and what is left of it without scripts."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.turns.models import Post
from tests.pages.looking import settled
from tests.services.world_of_tests import HOUR, World, begin, make_round

ARMIES = {
    "Ana": ("coalition", "3D", "captain"),
    "Ben": ("coalition", "10D", "lieutenant"),
    "Gaz": ("phyrexia", "3F", "evincar"),
}
Open = Callable[..., Page]


@pytest.fixture
def world(transactional_db: None) -> World:
    """Turn 2, opened an hour ago: Ben came from 8D."""
    now = timezone.now()
    armies = {**ARMIES, "Ben": ("coalition", "8D", "lieutenant")}
    world = begin(make_round(armies), first_lock=now - HOUR, now=now - timedelta(days=7))
    world.post("Ben", "8D > 10D", at=now - timedelta(days=6))
    world.settle(now=now - HOUR / 2)
    return world


@pytest.fixture
def visit(world: World, live_server: LiveServer, browser: Browser) -> Iterator[Open]:
    """Opens the map as Ana; whatever the browser complains about fails the test."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(path: str = "", **options: bool) -> Page:
        context = browser.new_context(base_url=f"{live_server.url}/rounds/trial/", **options)  # type: ignore[arg-type]
        contexts.append(context)
        client = Client()
        client.force_login(world.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page = context.new_page()
        page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def tab_to(page: Page, selector: str) -> None:
    """Presses Tab until the element has the focus, from wherever it is."""
    settled(page)
    for _ in range(150):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never came to {selector}.")


def press(page: Page, selector: str, key: str = "Enter") -> None:
    tab_to(page, selector)
    page.keyboard.press(key)


def keys(page: Page, *names: str) -> None:
    for name in names:
        page.keyboard.press(name)


@pytest.mark.slow
def test_looking_around_is_done_by_keyboard(visit: Open) -> None:
    page = visit()
    cursor, panel = page.locator("#map-cursor"), page.locator("#map-panel")
    press(page, "#terrain-toggle")
    expect(page.locator("#army-ana")).to_be_hidden()
    keys(page, "Enter")
    expect(page.locator("#army-ana")).to_be_visible()
    press(page, "#moves-toggle")
    expect(page.locator(".arrows:has(.arrow--coalition)")).to_have_css("display", "inline")
    press(page, ".map-legend summary")
    expect(page.locator(".map-legend .map-legend__body")).to_be_visible()
    keys(page, "Enter")
    press(page, "#zoom-in")
    expect(page.locator("#zoom-out")).to_be_enabled()
    keys(page, "Shift+Tab", "Enter")
    expect(page.locator("#zoom-out")).to_be_disabled()

    tab_to(page, "#map-cursor")
    expect(cursor).to_have_attribute("aria-label", re.compile("^3D, plains, Ana"))
    keys(page, "+")
    expect(page.locator("#zoom-out")).to_be_enabled()
    keys(page, "0", "ArrowDown")
    expect(page.locator("#map-says")).to_contain_text("3E, plains")
    keys(page, "PageDown")
    expect(cursor).to_have_attribute("aria-label", re.compile("^3F, plains, Gaz"))
    keys(page, "Enter")
    expect(panel).to_be_focused()
    expect(panel).to_contain_text("Slot 4")
    keys(page, "Escape")
    expect(panel).to_be_hidden()
    expect(cursor).to_be_focused()


@pytest.mark.slow
def test_finding_and_narrowing_is_done_by_keyboard(visit: Open) -> None:
    page = visit()
    press(page, ".map-find summary")
    tab_to(page, "#find-army")
    page.keyboard.type("be")
    keys(page, "Enter")
    expect(page.locator("#map-cursor")).to_be_focused()
    expect(page.locator("#map-cursor")).to_have_attribute("aria-label", re.compile("^10D, plains, Ben"))
    page.keyboard.press("Shift+Tab")
    tab_to(page, "a[href$='what-if/']")
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".map-find summary")).to_be_focused()
    keys(page, "Enter")
    press(page, "#find-side", "p")
    expect(page.locator("#find-says")).to_have_text("1 of 3 armies.")
    press(page, "#find-rank", "e")
    press(page, "#find-mine", "Space")
    expect(page.locator("#find-says")).to_have_text("0 of 3 armies.")
    press(page, "#find-all")
    expect(page.locator(".army--aside")).to_have_count(0)


def test_an_order_and_a_route_are_drawn_and_posted_by_keyboard(visit: Open) -> None:
    page = visit()
    text, says = page.get_by_label("Your post"), page.locator("#hand-says")
    press(page, "#orders-toggle")
    expect(says).to_contain_text("No orders posted this turn yet")
    press(page, "#hand-armies [data-army=Ana]")
    expect(page.locator("#map-cursor")).to_be_focused()
    keys(page, "ArrowRight", "ArrowRight", "Enter")
    expect(text).to_have_value("Ana: 3D > 5D")
    tab_to(page, "#hand-leave")
    keys(page, "Shift+Tab", "Enter")
    expect(says).to_contain_text("Choose the squares one by one, starting from 3D")
    tab_to(page, "#map-cursor")
    keys(page, "ArrowLeft", "Enter", "ArrowDown", "Enter", "Enter")
    expect(text).to_have_value("Ana: 3D > 4E (3D - 4D - 4E)")
    tab_to(page, "#id_text")
    expect(page.locator(".typed-orders .order-arrow")).to_have_count(1)
    press(page, "[data-send]")
    expect(page).to_have_url(re.compile("/movement/"))
    expect(page.locator("article.post")).to_contain_text("Ana: 3D > 4E (3D - 4D - 4E)")
    assert Post.objects.filter(player__name="Ana").count() == 1


@pytest.mark.slow
def test_the_past_is_walked_played_and_compared_by_keyboard(visit: Open) -> None:
    page = visit()
    page.emulate_media(reduced_motion="reduce")
    press(page, "#timeline-at", "ArrowLeft")
    expect(page).to_have_url(re.compile("/turns/1/map/$"))
    expect(page.locator("#map-happened")).to_contain_text("Ben moved from 8D to 10D")
    press(page, "#timeline-play")
    expect(page).to_have_url(re.compile("/turns/2/map/$"))
    expect(page.locator("#timeline-play")).to_have_text("Play")
    keys(page, ",")
    expect(page.locator("#army-ben")).to_have_attribute("data-at", "8D")
    press(page, "#compare-from")
    expect(page).to_have_url(re.compile("/map/compare/"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("to turn")


@pytest.mark.slow
def test_a_rehearsal_is_done_by_keyboard(visit: Open) -> None:
    page = visit()
    press(page, "a[href$='what-if/']")
    expect(page.get_by_role("heading", level=1)).to_have_text("What if: turn 2")
    tab_to(page, "#orders")
    page.keyboard.type("Ana: 3D > 3F; engage Gaz")
    press(page, "#alone", "Space")
    keys(page, "Tab", "Enter")
    expect(page).to_have_url(re.compile("orders="))
    expect(page.locator("main")).to_contain_text("Ana will attack Gaz on 3F")


def test_without_scripts_the_map_is_read_and_orders_are_posted(visit: Open) -> None:
    page = visit(java_script_enabled=False)
    expect(page.locator("#army-ana")).to_be_visible()
    for scripted in (".map-zoom", ".map-find", "#hand-bar", ".timeline__live", "#moves-toggle"):
        expect(page.locator(scripted)).to_be_hidden()
    page.locator("#terrain-toggle").click()
    expect(page.locator("#army-ana")).to_be_hidden()
    page.locator("#terrain-toggle").click()
    page.get_by_label("Your post").fill("Ana: 3D > 5D")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#preview .order--legal")).to_have_count(1)
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.locator("article.post")).to_contain_text("Ana: 3D > 5D")
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Your post").fill("Ana: 3D > 4D")
    page.get_by_role("button", name="Save changes").click()
    expect(page.locator("article.post")).to_contain_text("Ana: 3D > 4D")


@pytest.mark.slow
def test_without_scripts_the_past_is_read_and_rehearsed(visit: Open) -> None:
    page = visit(java_script_enabled=False)
    page.get_by_role("navigation", name="Maps of other turns").get_by_role("link", name="Turn 1").click()
    expect(page.locator("#army-ben")).to_have_attribute("data-at", "8D")
    expect(page.locator("#map-happened")).to_contain_text("Ben moved from 8D to 10D")
    page.get_by_label("Compare turn").fill("1")
    page.get_by_label("with").fill("2")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("main")).to_contain_text("Ben")
    page.get_by_role("link", name="Map", exact=True).first.click()
    page.get_by_role("link", name="What if").click()
    page.get_by_label("Orders to try").fill("Ana: 3D > 3F; engage Gaz")
    page.get_by_role("button", name="Work out the moves").click()
    expect(page.locator("main")).to_contain_text("Ana will attack Gaz on 3F")
    page.goto("movement/")
    expect(page.get_by_label("Your post")).to_be_visible()
