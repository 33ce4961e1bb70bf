"""1.2: the map in a real browser: pointing, choosing, walking by keys, and the refresh after the unlock."""

import re

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.pages.looking import fits, until
from tests.services.world_of_tests import World


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser complains of: errors of scripts, and whatever the policy forbids."""
    heard: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            heard.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: heard.append(str(error)))
    return heard


@pytest.fixture
def shown(live_server: LiveServer, world: World, page: Page, complaints: list[str]) -> Page:
    """The map page of the small round."""
    page.goto(f"{live_server.url}/rounds/trial/")
    return page


@pytest.mark.slow
def test_pointing_at_an_army_tells_its_square_rank_and_troops(shown: Page, complaints: list[str]) -> None:
    shown.hover("#army-ana")
    expect(shown.locator("#map-tip")).to_contain_text("3D, plains")
    expect(shown.locator("#map-tip")).to_contain_text("Captain, Coalition")
    expect(shown.locator("#map-tip")).to_contain_text("10,000 of 10,000")
    assert complaints == []


def test_choosing_an_army_opens_its_troops_beside_the_map(shown: Page, complaints: list[str]) -> None:
    panel = shown.locator("#map-panel")
    shown.click("#army-ana")
    expect(panel).to_contain_text("Slot 4")
    expect(panel.get_by_role("link", name="Ana")).to_be_visible()
    shown.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert complaints == []


@pytest.mark.slow
def test_the_keyboard_walks_the_map_and_opens_squares(shown: Page) -> None:
    cursor, panel = shown.locator("#map-cursor"), shown.locator("#map-panel")
    cursor.focus()
    shown.keyboard.press("Home")
    expect(cursor).to_have_attribute("aria-label", re.compile("^1G"))
    shown.keyboard.press("PageUp")
    expect(cursor).to_have_attribute("aria-label", re.compile("^20F.*Hex"))
    shown.keyboard.press("ArrowRight")
    expect(shown.locator("#map-says")).to_contain_text("21F, plains")
    shown.keyboard.press("PageUp")
    shown.keyboard.press("Enter")
    expect(panel).to_contain_text("Hex")
    expect(panel).to_be_focused()
    shown.keyboard.press("Escape")
    expect(cursor).to_be_focused()


@pytest.mark.slow
def test_the_terrain_alone_hides_the_armies_and_shows_them_again(shown: Page) -> None:
    shown.click("#terrain-toggle")
    expect(shown.locator("#army-ana")).to_be_hidden()
    shown.click("#terrain-toggle")
    expect(shown.locator("#army-ana")).to_be_visible()


@pytest.mark.slow
def test_the_page_shows_the_next_turn_by_itself_and_keeps_the_focus(
    shown: Page, world: World, complaints: list[str]
) -> None:
    world.post("Ana", "3D > 3F; engage Gaz")
    shown.locator("#map-cursor").focus()
    world.settle()
    expect(shown.locator("#masthead-turn")).to_contain_text("Turn 2, ", timeout=20_000)
    expect(shown.locator("#map-summary")).to_contain_text("Ana against Gaz")
    expect(shown.locator("#map-pager")).to_contain_text("← Turn 1")
    expect(shown.locator("#army-ana")).to_have_attribute("data-at", "3F")
    expect(shown.locator("#map-cursor")).to_be_focused()
    shown.click("#moves-toggle")
    expect(shown.locator(".arrows:has(.arrow--coalition)")).to_have_css("display", "inline")
    assert complaints == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_printed_it_is_the_map_with_its_legend_in_light_colors(shown: Page, scheme: str) -> None:
    shown.emulate_media(media="print", color_scheme=scheme)  # type: ignore[arg-type]
    expect(shown.locator("#map-svg")).to_be_visible()
    expect(shown.locator(".map-legend-print")).to_be_visible()
    for chrome in (".masthead nav", ".map-tools", "#map-panel", "#live-says", ".map-cursor"):
        expect(shown.locator(chrome)).to_be_hidden()
    expect(shown.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(shown.locator(".masthead")).to_have_css("color", "rgb(0, 0, 0)")
    paper = "getComputedStyle(document.documentElement).getPropertyValue('--ocean')"
    printed = shown.evaluate(paper)
    shown.emulate_media(media="screen", color_scheme="light")
    until(shown, f"printed => {paper} === printed", printed)


@pytest.mark.slow
def test_on_a_phone_a_found_army_comes_into_sight(shown: Page) -> None:
    shown.set_viewport_size({"width": 375, "height": 500})
    shown.click(".map-find summary")
    shown.fill("#find-army", "Hex")
    shown.keyboard.press("Enter")
    expect(shown.locator("#map-cursor")).to_be_focused()
    expect(shown.locator("#army-hex")).to_be_in_viewport()
    expect(shown.locator("#map-panel")).to_be_hidden()


def test_on_a_phone_only_the_map_scrolls_sideways(shown: Page) -> None:
    shown.set_viewport_size({"width": 375, "height": 700})
    fits(shown)
    shown.click("#army-ana")
    expect(shown.locator("#map-panel")).to_be_in_viewport()
