"""1.2: the map's tools in a real browser: zoom, finding armies, distances, and battles not looked at yet."""

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.battles.models import Battle
from tests.pages.looking import settled, until
from tests.pages.test_map_browser import complaints
from tests.services.world_of_tests import World

__all__ = ["complaints"]


@pytest.fixture
def shown(live_server: LiveServer, world: World, page: Page, complaints: list[str]) -> Page:
    page.goto(f"{live_server.url}/rounds/trial/")
    return page


WIDTH = "document.getElementById('map-svg').getBoundingClientRect().width"

SEVENTH_LETTER_IS_AT_THE_EDGE = """() => {
    const left = (element) => element.getBoundingClientRect().left;
    const inside = left(document.querySelectorAll(".rulers > g text")[6]) - left(document.getElementById("map-scroll"));
    return inside >= 0 && inside <= 40;
}"""


def is_wide(page: Page, pixels: float) -> None:
    """Waits until the map is that wide, or nearly."""
    until(page, f"pixels => Math.abs({WIDTH} / pixels - 1) < 0.02", pixels)


@pytest.mark.slow
def test_the_map_grows_by_button_key_and_wheel_and_fits_again(shown: Page, complaints: list[str]) -> None:
    settled(shown)
    whole = shown.evaluate(WIDTH)
    shown.click("#zoom-in")
    is_wide(shown, whole * 1.3)
    shown.locator("#map-cursor").focus()
    shown.keyboard.press("+")
    is_wide(shown, whole * 1.69)
    shown.hover("#map-svg")
    shown.keyboard.down("Control")
    shown.mouse.wheel(0, -100)
    shown.keyboard.up("Control")
    is_wide(shown, whole * 2.2)
    shown.click("#zoom-fit")
    is_wide(shown, whole)
    expect(shown.locator("#zoom-out")).to_be_disabled()
    assert complaints == []


@pytest.mark.slow
def test_the_letters_at_the_edge_stay_in_sight(shown: Page) -> None:
    for _ in range(4):
        shown.click("#zoom-in")
    shown.evaluate("document.getElementById('map-scroll').scrollLeft = 600")
    expect(shown.locator(".rulers > g.rulers--away text").first).to_be_visible()
    until(shown, SEVENTH_LETTER_IS_AT_THE_EDGE)


def test_an_army_is_found_by_a_part_of_its_name(shown: Page) -> None:
    shown.click(".map-find summary")
    shown.fill("#find-army", "he")
    shown.keyboard.press("Enter")
    expect(shown.locator("#map-cursor")).to_have_attribute("aria-label", re.compile("^20F, plains, Hex, Centurion"))
    shown.click(".map-find summary")
    shown.fill("#find-army", "Nobody")
    shown.click("#find-go")
    expect(shown.locator("#find-says")).to_have_text("No army on this map is called “Nobody”.")


@pytest.mark.slow
def test_armies_are_narrowed_by_side_and_rank(shown: Page) -> None:
    shown.click(".map-find summary")
    shown.select_option("#find-side", "phyrexia")
    expect(shown.locator("#find-says")).to_have_text("2 of 4 armies.")
    expect(shown.locator(".army--aside")).to_have_count(2)
    shown.select_option("#find-rank", "tier6")
    expect(shown.locator("#find-says")).to_have_text("1 of 4 armies.")
    shown.click("#find-all")
    expect(shown.locator(".army--aside")).to_have_count(0)


@pytest.mark.slow
def test_a_chosen_army_shows_its_reach_and_how_far_away_other_squares_are(shown: Page) -> None:
    """3.2.2.1."""
    shown.click("#army-ana")
    expect(shown.locator(".reach")).to_have_count(1)
    shown.hover("#army-ben")
    expect(shown.locator("#map-tip")).to_contain_text("7 squares from 3D")
    shown.keyboard.press("Escape")
    expect(shown.locator(".reach")).to_have_count(0)


@pytest.mark.slow
def test_a_battle_is_marked_until_it_was_looked_at(live_server: LiveServer, war: World, page: Page) -> None:
    battle = Battle.objects.get(turn=war.turn)
    page.goto(f"{live_server.url}/rounds/trial/")
    expect(page.locator(".news circle")).to_have_count(1)
    page.goto(f"{live_server.url}/rounds/trial/battles/{battle.pk}/")
    page.goto(f"{live_server.url}/rounds/trial/")
    expect(page.locator("#map-summary [data-battle]")).to_have_count(1)
    expect(page.locator(".news circle")).to_have_count(0)
