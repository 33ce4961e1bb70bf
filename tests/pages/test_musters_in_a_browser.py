"""2.5.2.2: the form of a muster in a browser, with JavaScript and without. Strict CSP holds."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.armies.models import Muster
from tests.pages.catalogue import fill_catalogue
from tests.pages.looking import fits
from tests.services.world_of_tests import World, add_player, make_round

Open = Callable[..., Page]


@pytest.fixture
def camp(transactional_db: None) -> World:
    """A round in its set-up; Rio is a red and green Captain."""
    fill_catalogue()
    world = make_round({})
    world.players["Rio"] = add_player(world.round, "Rio", "coalition", "captain")
    world.players["Rio"].factions = ["red", "green"]
    world.players["Rio"].save()
    return world


@pytest.fixture
def visit(camp: World, live_server: LiveServer, browser: Browser) -> Iterator[Open]:
    """Opens Rio's muster; whatever the browser complains about fails the test."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(**options: object) -> Page:
        client = Client()
        client.force_login(camp.players["Rio"].user, backend="django.contrib.auth.backends.ModelBackend")
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        session = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{live_server.url}/rounds/trial/musters/")
        page.get_by_role("button", name="Raise your army").click()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def test_breaches_are_seen_while_typing(visit: Open) -> None:
    page = visit()
    page.get_by_role("textbox", name="Slot 1", exact=True).fill("4000 Lightning Dragon\n1001 Shivan Dragon")

    expect(page.locator("#judged")).to_contain_text("2 things to fix")
    expect(page.locator("#said-1")).to_contain_text("1 too many")
    expect(page.locator("#said-1")).to_contain_text(
        "Shivan Dragon is 5/5; slot 1 of a Captain takes creatures up to 4/4"
    )
    expect(page.get_by_text("Not saved yet.")).to_be_visible()

    page.get_by_role("textbox", name="Slot 1", exact=True).fill("4000 Lightning Dragon")
    expect(page.locator("#judged")).to_contain_text("Legal")
    expect(page.locator("#said-1")).to_contain_text("room for 1,000 of 5,000")


@pytest.mark.slow
def test_a_creature_is_found_for_its_slot_and_added(visit: Open) -> None:
    page = visit()
    page.get_by_role("radio", name="slot 3 6/6").check()
    page.get_by_role("searchbox", name="Find").fill("colos")
    expect(page.locator("#picks")).to_contain_text("1 creature for slot 3")
    page.get_by_role("button", name="Add Bloodfire Colossus to slot 3").click()

    expect(page.get_by_role("textbox", name="Slot 3", exact=True)).to_have_value("1500 Bloodfire Colossus")
    expect(page.locator("#judged")).to_contain_text("Legal")


@pytest.mark.slow
def test_the_creatures_follow_the_armys_colours(visit: Open) -> None:
    page = visit()
    for color in ("red", "green"):
        page.get_by_role("checkbox", name=color).uncheck()
    expect(page.locator("#picks")).to_contain_text("0 creatures for slot 1")
    page.get_by_role("checkbox", name="green").check()
    expect(page.locator("#picks")).to_contain_text("Llanowar Elves")
    expect(page.locator("#picks")).not_to_contain_text("0 creatures for slot 1")


@pytest.mark.slow
def test_a_misspelt_creature_is_mended_by_a_click(visit: Open) -> None:
    page = visit()
    page.get_by_role("textbox", name="Slot 2", exact=True).fill("2500 Shivan Dragn")
    page.locator("#said-2").get_by_role("button", name="Shivan Dragon").click()

    expect(page.get_by_role("textbox", name="Slot 2", exact=True)).to_have_value("2500 Shivan Dragon")
    expect(page.locator("#typed #slot2")).to_have_count(1)


def test_a_list_is_pasted_and_handed_in(visit: Open) -> None:
    page = visit()
    page.get_by_text("Paste a list").click()
    page.get_by_label("The list").fill("5000 Lightning Dragon\n2500 Shivan Dragon\n1500 Orgg\n1000 Scoria Wurm")
    page.get_by_role("button", name="Fill the slots").click()
    expect(page.get_by_role("textbox", name="Slot 4", exact=True)).to_have_value("1000 Scoria Wurm")
    page.get_by_role("button", name="Submit").click()

    expect(page.locator("#messages")).to_contain_text("Sent to the judge.")
    assert Muster.objects.get().state == "sent"


@pytest.mark.slow
def test_without_javascript_everything_is_checked_and_saved(visit: Open) -> None:
    page = visit(java_script_enabled=False)
    page.get_by_role("textbox", name="Slot 1", exact=True).fill("5000 Shivan Dragon")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#judged")).to_contain_text("It would fit slot 2.")

    page.get_by_role("textbox", name="Slot 1", exact=True).fill("")
    page.get_by_role("searchbox", name="Find").fill("lightning")
    page.get_by_role("button", name="Find", exact=True).click()
    page.get_by_role("button", name="Add Lightning Dragon to slot 1").click()
    expect(page.get_by_role("textbox", name="Slot 1", exact=True)).to_have_value("5000 Lightning Dragon")
    page.get_by_role("button", name="Save the draft").click()

    expect(page.get_by_role("textbox", name="Slot 1", exact=True)).to_have_value("5000 Lightning Dragon")
    assert Muster.objects.get().lists[0] == "5000 Lightning Dragon"


@pytest.mark.slow
def test_on_a_phone_nothing_scrolls_sideways(visit: Open, live_server: LiveServer) -> None:
    page = visit(viewport={"width": 375, "height": 700})
    page.get_by_role("textbox", name="Slot 1", exact=True).fill(
        "5000 Lightning Dragon\n100 Two-Headed Giant of Foriys and of nowhere else"
    )
    expect(page.locator("#judged")).to_contain_text("1 thing to fix")
    fits(page)

    page.goto(f"{live_server.url}/creatures/?q=dragon")
    fits(page)
