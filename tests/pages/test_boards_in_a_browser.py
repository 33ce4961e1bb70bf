"""3.1: a board in a browser, with JavaScript and without, on a phone. Strict CSP holds."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.pages.looking import fits
from tests.services.boards_of_tests import user_of
from tests.services.teams import make_teams
from tests.services.world_of_tests import World

Open = Callable[..., Page]
TALK = "/rounds/trial/boards/talk/"


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_teams()


@pytest.fixture
def visit(world: World, live_server: LiveServer, browser: Browser) -> Iterator[Open]:
    """Opens the open board as somebody; whatever the browser complains about fails the test."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(who: str, path: str = TALK, **options: object) -> Page:
        client = Client()
        client.force_login(user_of(world, who), backend="django.contrib.auth.backends.ModelBackend")
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        session = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{live_server.url}{path}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def test_somebody_is_named_answers_with_a_quote_and_his_mark_goes_away(visit: Open) -> None:
    ana = visit("Ana")
    ana.get_by_label("Your message").fill("Shall we *talk*, @Vorn?")
    expect(ana.locator("#preview em")).to_have_text("talk")
    ana.get_by_role("button", name="Send").click()
    expect(ana.locator("#message-1")).to_contain_text("Shall we talk, @Vorn?")

    vorn = visit("Vorn", "/rounds/trial/boards/")
    boards = vorn.get_by_role("navigation", name="Main").get_by_role("link", name="Boards")
    expect(boards).to_contain_text("@1")
    vorn.get_by_role("link", name="by Ana on Open board").click()
    expect(vorn.locator("#message-1")).to_contain_text("mentions you")
    expect(boards).not_to_contain_text("@1")

    vorn.get_by_role("link", name="Quote message 1").click()
    expect(vorn.get_by_label("Your message")).to_have_value("> **Ana** [wrote](/rounds/trial/boards/talk/1/):\n>\n"
                                                            "> Shall we *talk*, @Vorn?\n\n")  # fmt: skip
    vorn.get_by_label("Your message").press("Control+End")
    vorn.keyboard.type("We shall.")
    vorn.keyboard.press("Control+Enter")
    answer = vorn.locator("#message-2")
    expect(answer.locator("blockquote")).to_contain_text("Shall we talk, @Vorn?")
    expect(answer).to_contain_text("We shall.")


@pytest.mark.slow
def test_a_board_is_written_on_from_a_phone_without_scripts(visit: Open) -> None:
    page = visit("Bo", viewport={"width": 375, "height": 700}, java_script_enabled=False)
    page.get_by_label("Your message").fill("x" * 300 + "\n\n| a | b |\n| - | - |\n| 1 | 2 |")
    page.get_by_role("button", name="Show preview").click()
    expect(page.locator("#preview td")).to_have_count(2)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#message-1 td")).to_have_count(2)


@pytest.mark.slow
@pytest.mark.parametrize("path", [TALK, "/rounds/trial/boards/", "/rounds/trial/boards/movement/"])
def test_nothing_scrolls_sideways_on_a_phone(visit: Open, world: World, path: str) -> None:
    world.post("Bo", "6D > 7D " + "x" * 300)
    page = visit("Bo", viewport={"width": 375, "height": 700})
    page.get_by_label("Your message").fill("y" * 300 + "\n\n    " + "z" * 300)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#message-1")).to_be_visible()
    page.goto(page.url.split("/rounds/")[0] + path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    fits(page)
