"""A12, 1.3.2: two people agree on what is open and play three days, one at a desk, one on a phone; a judge rules."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.tables.models import Table
from tests.pages.looking import fits
from tests.pages.picking import submit_first_picks
from tests.services.tables_of_tests import Game, appoint, person
from tests.services.test_tables_agreeing import seated

PHONE = {"viewport": {"width": 375, "height": 800}, "has_touch": True, "is_mobile": True}
Open = Callable[..., Page]


@pytest.fixture
def game(transactional_db: None) -> Game:
    """A table of Altered whose players have sat down, and Jo, its judge."""
    found = seated()
    person("Jo")
    appoint(found.table, "Jo", found.now)
    Table.objects.update(started_at=timezone.now(), opened_at=timezone.now())
    found.now = timezone.now()
    return found


@pytest.fixture
def visit(game: Game, live_server: LiveServer, browser: Browser) -> Iterator[Open]:
    """Opens the table as somebody; whatever the browser complains about fails the test."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(name: str, page: str = "table", **options: object) -> Page:
        context = browser.new_context(base_url=live_server.url, **options)  # type: ignore[arg-type]
        contexts.append(context)
        client = Client()
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        opened = context.new_page()
        opened.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        opened.goto(reverse(page, args=[game.table.slug]))
        return opened

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def agree(ana: Page, bo: Page) -> None:
    """A12: Ana proposes by hand and in her own words, Bo says yes."""
    ana.get_by_role("link", name="Read the questions and answer them").click()
    ana.get_by_label("Each Dusk, the players agree which counters move, or a judge rules.").check()
    ana.get_by_label("Your own words for question 8").fill("Nothing, as we said")
    ana.locator("#answer-8-own").check()
    ana.get_by_role("button", name="Send the answers").click()
    expect(ana.get_by_text("Waiting for your opponent You can still propose something else")).to_be_visible()
    bo.goto(bo.url)
    bo.get_by_role("link", name="Read the questions and answer them").tap()
    expect(bo.get_by_text("Ana proposes: Nothing, as we said")).to_be_visible()
    fits(bo)
    bo.get_by_role("button", name="Send the answers").tap()
    expect(bo.get_by_text("You both agree, so the game starts.")).to_be_visible()


def first_orbs(page: Page) -> None:
    """A12: three cards of the first hand are ticked together."""
    picks = page.locator(".ct-picking input[type=checkbox]")
    for place in (0, 2, 4):
        picks.nth(place).check()
    page.locator(".ct-picking").get_by_role("button", name="Put into the Mana zone").click()
    expect(page.get_by_text("Posted: entry")).to_be_visible()


def press(page: Page, name: str) -> None:
    """An act of the page is pressed, and confirmed where a phone asks."""
    button = page.locator("#ct-acts, #ct-hand").get_by_role("button", name=name, exact=True).first
    button.click()
    if page.get_by_role("button", name="Post it").is_visible():
        page.get_by_role("button", name="Post it").click()
    expect(page.get_by_text("Posted: entry")).to_be_visible()


def rest_of_day(game: Game, pages: dict[str, Page], until: int) -> None:
    """What each is asked is answered on his page by the first button, until another day's Afternoon."""
    for _ in range(30):
        view = game.view("Ana").view
        if view["turn"]["number"] >= until and view["turn"]["at"] == "afternoon":
            return
        page = pages[game.waited()]
        page.goto(page.url.partition("#")[0])
        button = page.locator("#ct-acts button").first
        if not button.is_visible():
            submit_first_picks(page.locator(".ct-fill[open] .ct-picking").first)
        else:
            button.click()
            if page.get_by_role("button", name="Post it").is_visible():
                page.get_by_role("button", name="Post it").click()
        expect(page.get_by_text("Posted: entry")).to_be_visible()
    raise AssertionError("the day does not end")


def ruled_at_dusk(game: Game, ana: Page, jo: Page) -> None:
    """A13: Ana asks which counters move; Jo tries a ruling, and rules."""
    ana.goto(ana.url)
    ana.get_by_text("Judges and standing orders").click()
    ana.get_by_label(re.compile("Ask a judge")).fill("Does my hero expedition move?")
    ana.get_by_role("button", name="Ask", exact=True).click()
    expect(ana.get_by_text("You asked the judges")).to_be_visible()
    jo.goto(jo.url)
    expect(jo.get_by_text("Does my hero expedition move?")).to_be_visible()
    jo.get_by_label("What happens").fill("expedition hero of A forward 1; end dusk")
    jo.get_by_label("Based on which rule, ruling or text").fill("1.3.2.e")
    jo.get_by_label("Reason (everyone can read it)").fill("Its sum is the greater one.")
    jo.get_by_role("button", name="What would be different?").click()
    expect(jo.get_by_text("Ana’s hero expedition moves forward, to region 2.")).to_be_visible()
    jo.get_by_role("button", name="Rule", exact=True).click()
    expect(jo.get_by_text("Your ruling is posted.")).to_be_visible()


def pass_both(game: Game, pages: dict[str, Page]) -> None:
    """1.3.2.d: both pass for the day."""
    while game.view("Ana").view["turn"]["at"] == "afternoon":
        page = pages[game.waited()]
        page.goto(page.url.partition("#")[0])
        press(page, "Pass")


@pytest.mark.slow
def test_two_people_agree_play_three_days_and_have_a_gap_ruled(visit: Open, game: Game) -> None:
    """The walk that the issue asks for, which is long: it is three days of a game."""
    ana, bo, jo = visit("Ana"), visit("Bo", **PHONE), visit("Jo", "table-desk")
    pages = {"Ana": ana, "Bo": bo}
    agree(ana, bo)
    for page in (ana, bo):
        page.goto(reverse("table", args=[game.table.slug]))
        first_orbs(page)
    assert len(game.state().zone("A.mana")) == len(game.state().zone("B.mana")) == 3
    pass_both(game, pages)
    ruled_at_dusk(game, ana, jo)
    assert game.view().view["expeditions"]["A"]["hero"]["region"] == 2
    rest_of_day(game, pages, 2)
    pass_both(game, pages)
    rest_of_day(game, pages, 3)
    pass_both(game, pages)
    ana.goto(ana.url)
    ana.locator(".ct-log a", has_text="agreed 1").first.click()
    expect(ana).to_have_url(re.compile("plays-by/#agreed-1$"))
    expect(ana.locator("#agreed-8")).to_contain_text("Nothing, as we said")
    ana.get_by_role("link", name="Entry").first.click()
    expect(ana.get_by_role("heading", name=re.compile("after entry"))).to_be_visible()
