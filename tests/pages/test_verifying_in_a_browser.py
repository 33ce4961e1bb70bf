"""R38: a round recomputed in a real browser: one turn after the other, and on a phone."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.battles.models import Battle
from tests.pages.looking import fits
from tests.services.world_of_tests import HOUR, World


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


def test_all_turns_of_the_page_are_recomputed_one_after_the_other(
    live_server: LiveServer, world: World, page: Page, complaints: list[str]
) -> None:
    world.settle()
    world.settle()
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto(f"{live_server.url}/rounds/trial/verify/")
    expect(page.locator(".verify .badge--good")).to_have_count(0)

    page.get_by_role("button", name="Recompute all on this page").click()

    expect(page.locator(".verify .badge--good")).to_have_count(3, timeout=30_000)
    expect(page.locator("#verify-3")).to_contain_text("so far")
    fits(page)
    page.locator("#verify-2").get_by_role("link", name="See everything we compared").click()
    expect(page.locator("main")).to_contain_text(
        "Everything published for this turn follows from what was posted, submitted and drawn"
    )
    fits(page)
    assert complaints == []


@pytest.mark.slow
def test_one_turn_is_recomputed_in_its_row(
    live_server: LiveServer, world: World, page: Page, complaints: list[str]
) -> None:
    page.goto(f"{live_server.url}/rounds/trial/verify/")
    page.locator("#verify-1").get_by_role("link", name="Recompute turn 1").click()
    expect(page.locator("#verify-1 .badge--good")).to_have_text("same", timeout=30_000)
    expect(page).to_have_url(re.compile("/verify/$"))
    assert complaints == []


@pytest.mark.slow
@pytest.mark.parametrize("has_scripts", [True, False])
def test_what_few_open_of_a_result_is_loaded_then_or_stands_on_a_page_of_its_own(
    live_server: LiveServer, world: World, new_context: Callable[..., BrowserContext], has_scripts: bool
) -> None:
    """4.2.5, R38"""
    world.post("Ana", "Ana: 3D > 3F; engage Gaz")
    world.settle()
    battle = Battle.objects.get()
    world.score(battle)
    Battle.objects.update(deadline=timezone.now() - HOUR)
    page = new_context(java_script_enabled=has_scripts, viewport={"width": 375, "height": 800}).new_page()
    for path, title, part in (("results", "Dice, losses", "#numbers"), (f"battles/{battle.pk}", "Check it", "#steps")):
        page.goto(f"{live_server.url}/rounds/trial/{path}/")
        page.get_by_text(title).click()
        if not has_scripts:
            page.get_by_role("link", name="Open on a separate page").click()
        expect(page.locator(part)).to_contain_text("The dice follow from both")
        expect(page.locator(part)).to_contain_text(battle.seed)
        expect(page.locator(part)).to_be_visible()
        fits(page)
