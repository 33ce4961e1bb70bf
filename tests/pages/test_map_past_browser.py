"""1.2: the timeline in a real browser: a slider and keys over all turns, and the moves as an animation."""

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.pages.test_map_browser import complaints
from tests.services.world_of_tests import World

__all__ = ["complaints"]


@pytest.fixture
def past(live_server: LiveServer, world: World, page: Page, complaints: list[str]) -> Page:
    """The map of turn 1, after two turns in which Ben went east."""
    for order in ("Ben: 10D > 12D", "Ben: 12D > 14D"):
        world.post("Ben", order, world.turn.opened_at)
        world.settle()
    page.goto(f"{live_server.url}/rounds/trial/turns/1/map/")
    return page


def test_the_slider_shows_another_turn_at_its_own_address(past: Page, complaints: list[str]) -> None:
    past.locator("#timeline-at").focus()
    past.keyboard.press("ArrowRight")
    expect(past.locator("#army-ben")).to_have_attribute("data-at", "12D")
    expect(past).to_have_url(re.compile("/turns/2/map/$"))
    expect(past.get_by_role("heading", level=1)).to_have_text("The map of turn 2")
    expect(past.locator("#map-happened")).to_contain_text("Ben moved from 12D to 14D")
    expect(past.locator("#timeline-at")).to_be_focused()
    assert complaints == []


@pytest.mark.slow
def test_keys_go_back_and_forth_and_the_last_turn_is_the_live_map(past: Page) -> None:
    past.keyboard.press(".")
    expect(past).to_have_url(re.compile("/turns/2/map/$"))
    past.keyboard.press(",")
    expect(past).to_have_url(re.compile("/turns/1/map/$"))
    expect(past.locator("#army-ben")).to_have_attribute("data-at", "10D")
    past.keyboard.press(".")
    expect(past).to_have_url(re.compile("/turns/2/map/$"))
    past.keyboard.press(".")
    expect(past).to_have_url(re.compile("/rounds/trial/$"))


@pytest.mark.slow
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_playing_goes_through_all_turns_to_the_present(past: Page, complaints: list[str], motion: str) -> None:
    past.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
    past.click("#timeline-play")
    expect(past).to_have_url(re.compile("/turns/3/map/$"), timeout=20_000)
    expect(past.locator("#army-ben")).to_have_attribute("data-at", "14D")
    expect(past.locator("#timeline-play")).to_have_text("Play")
    assert complaints == []


@pytest.mark.slow
def test_what_happened_is_played_once_by_itself_and_by_a_button_at_any_time(past: Page, complaints: list[str]) -> None:
    story = past.locator("#story-play")
    past.goto(past.url.replace("turns/1/map/", ""))
    expect(story).to_have_text("Skip")
    expect(past.locator("#map-frame")).to_have_class(re.compile("map-frame--told"))
    story.click()
    expect(story).to_have_text("What happened")
    expect(past.locator("#map-frame")).not_to_have_class(re.compile("map-frame--told"))
    past.reload()
    expect(story).to_have_attribute("aria-pressed", "false")
    story.click()
    expect(story).to_have_text("Skip")
    past.keyboard.press("Escape")
    expect(story).to_have_text("What happened")
    assert complaints == []


@pytest.mark.slow
def test_what_happened_does_not_move_by_itself_for_who_wants_no_motion(past: Page) -> None:
    past.emulate_media(reduced_motion="reduce")
    past.goto(past.url.replace("turns/1/map/", ""))
    expect(past.locator("#story-play")).to_have_attribute("aria-pressed", "false")
    expect(past.locator("#map-frame")).not_to_have_class(re.compile("map-frame--told"))


@pytest.mark.slow
def test_bars_and_brackets_move_with_their_armies(past: Page) -> None:
    past.click("#timeline-play")
    moving = "document.querySelector('#army-ben').getAnimations().length"
    past.wait_for_function(f"{moving} === 1")
    bars = "[...document.querySelectorAll('.strengths > path')].filter((bar) => bar.getAnimations().length).length"
    assert past.evaluate(bars) == 2
