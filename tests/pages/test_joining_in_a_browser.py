"""1.1, 2.6, 5.2: from signing up to the first order, in a browser. Strict CSP holds."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.command.models import Admission
from judging.turns.models import Post
from tests.pages.commanding import BACKEND
from tests.pages.looking import fits
from tests.services.teams import make_teams
from tests.services.world_of_tests import World
from wargame.models import Player

NAME = "Nell of the Seven Rivers"
PASSWORD = "47 buckets, jam & zigzag"

Open = Callable[[str], Page]


@pytest.fixture
def teams(transactional_db: None) -> World:
    """Turn 1, open now and for a week."""
    now = timezone.now()
    return make_teams(now - timedelta(hours=1), now + timedelta(days=7))


@pytest.fixture
def enter(teams: World, live_server: LiveServer, browser: Browser) -> Iterator[Open]:
    """Opens a browser of its own for a player, or for a stranger; what it complains of fails the test."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(who: str) -> Page:
        context = browser.new_context(viewport={"width": 375, "height": 800})
        contexts.append(context)
        if who:
            client = Client()
            client.force_login(teams.players[who].user, backend=BACKEND)
            session = client.cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def test_somebody_signs_up_is_taken_in_is_given_an_army_and_posts_an_order_for_it(
    enter: Open, teams: World, live_server: LiveServer
) -> None:
    """On a phone: he and a leader of the Coalition, each in a browser of his own."""
    nell, ana = enter(""), enter("Ana")

    def go(page: Page, name: str) -> None:
        page.goto(live_server.url + reverse(name, args=[teams.round.slug]))
        fits(page)

    go(nell, "players")
    nell.locator("main").get_by_role("link", name="Join a team").first.click()
    nell.locator("main").get_by_role("link", name="sign up").click()
    _sign_up(nell)
    _ask(nell)
    go(ana, "players")
    ana.get_by_role("link", name="Decide").click()
    _accept(ana)
    _give_army(ana)
    go(nell, "mine")
    expect(nell.get_by_role("main")).to_contain_text("Gum")
    go(nell, "movement")
    _post_order(nell, teams)


def _sign_up(page: Page) -> None:
    expect(page.get_by_role("heading", name="Sign up")).to_be_visible()
    fits(page)
    page.get_by_label("Name", exact=True).fill(NAME)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator("#messages")).to_contain_text(f"Welcome, {NAME}. You are logged in.")


def _ask(page: Page) -> None:
    fits(page)
    expect(page.get_by_label("Screen name")).to_have_value(NAME)
    page.locator(".card--coalition").click()
    expect(page.get_by_label("Coalition", exact=True)).to_be_checked()
    page.get_by_text("Factions, if you join the Coalition").click()
    page.get_by_label("Faction 1").select_option("green")
    page.get_by_label("Your post").fill("I have read the rules twice, and can post every day.")
    page.get_by_role("button", name="Ask for admission").click()
    expect(page.locator("#messages")).to_contain_text("The Coalition has your request. Its leaders will decide.")
    assert Admission.objects.get().factions == ["green"]


def _accept(page: Page) -> None:
    expect(page.get_by_role("main")).to_contain_text("I have read the rules twice, and can post every day.")
    fits(page)
    expect(page.get_by_label("Rank")).to_have_value("lieutenant")
    page.get_by_label("Rank").select_option("lt_commander")
    page.get_by_role("button", name=f"Accept {NAME}").click()
    expect(page.locator("#messages")).to_contain_text(
        f"{NAME} has joined your team as Lt. Commander. Next, give them an army"
    )


def _give_army(page: Page) -> None:
    """5.2.1, 5.3.4: accepting leads there; an army whose rank is higher than his is not offered."""
    expect(page.get_by_role("heading", name=f"An army for {NAME}")).to_be_visible()
    fits(page)
    expect(page.get_by_role("button", name="Give Fir", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Give Gum", exact=True).click()
    expect(page.locator("#messages")).to_contain_text("Gum")
    made = Player.objects.get(name=NAME)
    assert [control.army.name for control in made.controls.select_related("army")] == ["Gum"]


def _post_order(page: Page, teams: World) -> None:
    """R10: his only army needs no name."""
    page.get_by_label("Your post").fill("21D > 22D")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.locator("main article").filter(has_text=NAME)).to_contain_text("21D > 22D")
    post = Post.objects.get()
    assert (post.player.name, post.turn) == (NAME, teams.turn)
