"""A newcomer without an account plays the guided turn by the words of its pages alone."""

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from tests.pages.looking import fits

pytestmark = pytest.mark.django_db(transaction=True)
FIVE_MINUTES, A_SIGN, WORDS_A_SECOND = 300, 0.4, 4
"""Seconds: a slow hand takes so long for a letter, and an eye reads so many words of a page meanwhile."""

TOO_FAR, RIGHT = "Lantern Guard: 4D > 9D", "Lantern Guard: 4D > 6C; engage Rust Choir"
STRAT = "The pikes stand in a ring. At dawn the griffin dives at the bell, and the runners burn the grass."


@pytest.mark.parametrize("width", [375, pytest.param(1280, marks=pytest.mark.slow)])
def test_a_newcomer_plays_the_guided_turn_by_its_words_within_five_minutes(
    live_server: LiveServer, browser: Browser, width: int
) -> None:
    """3.2.2.1, 4.2: an order is refused, one is written right, a strat is sent; dice and map are seen."""
    context = browser.new_context(base_url=live_server.url, viewport={"width": width, "height": 812})
    page, complaints = context.new_page(), list[str]()
    page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    read: set[str] = set()  # nobody reads a line of his army's card, or of the map's edge, on each page anew

    def press(words: str, heading: str) -> None:
        page.get_by_role("button", name=words).or_(page.get_by_role("link", name=words, exact=True)).first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        fits(page, width)
        read.update(page.locator("main").inner_text().splitlines())

    page.goto("/")
    press("Try a turn in five minutes", "Your army")
    press("Give an order", "A refused order")
    page.get_by_label("Your order").fill(TOO_FAR)
    press("Send order", "A refused order")
    expect(page.locator("main")).to_contain_text("an army can move 3. Try 4D > 7D.")
    press("Try a better one", "An order that counts")
    page.get_by_label("Your order").fill(RIGHT)
    press("Send order", "An order that counts")
    press("Lock the turn", "The lock")
    press("Prepare the battle", "A strat")
    page.get_by_label("Your strat").fill(STRAT)
    press("Send strat", "The dice")
    expect(page.locator("main")).to_contain_text("Four dice each")
    press("See the map afterwards", "The map afterwards")
    expect(page.get_by_role("link", name="Sign up", exact=True).last).to_be_visible()
    words = sum(len(line.split()) for line in read)
    seconds = A_SIGN * len(TOO_FAR + RIGHT + STRAT) + words / WORDS_A_SECOND
    assert seconds < FIVE_MINUTES
    assert complaints == []
    context.close()
