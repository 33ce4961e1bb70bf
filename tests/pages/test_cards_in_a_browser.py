"""2.2.3: a creature's card where its name stands: by pointing, by choosing, by the keyboard."""

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from judging.armies.creatures.services import load_own_list
from tests.pages.looking import fits


@pytest.mark.django_db(transaction=True)
def test_a_name_shows_its_card_and_leaves_the_page_where_it_was(browser: Browser, live_server: LiveServer) -> None:
    load_own_list()
    page = browser.new_page(viewport={"width": 375, "height": 812})
    page.goto(f"{live_server.url}/creatures/?q=serra+angel")
    name, dialog = page.get_by_role("link", name="Serra Angel", exact=True), page.get_by_role("dialog")

    name.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("Flies.")
    page.keyboard.press("Escape")
    expect(page.get_by_role("tooltip")).to_be_hidden()

    name.focus()
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("Attacks and still stands guard.")
    fits(page)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(name).to_be_focused()
    assert page.url.endswith("/creatures/?q=serra+angel")
