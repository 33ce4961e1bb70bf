"""5.1, 10: at a table of four a person finds his teammate at his side; a time that is over is said to be over."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.tables.models import Seat, Table
from judging.tables.services import opening
from tests.services.tables_of_tests import OPENED, Game, deck, opened, person

SEATS = {"Ana": "A1", "Bo": "B1", "Cy": "A2", "Di": "B2"}


@pytest.fixture
def game(transactional_db: None) -> Game:
    """A Standard table of two against two, just begun."""
    table = opened(game="seize", format="standard", places=4)
    for name, letter in SEATS.items():
        coming = opening.Coming(name, deck("Mages" if letter.startswith("A") else "Warriors"), letter=letter)
        opening.sit_down(table=table, user=person(name), coming=coming, now=OPENED)
    Table.objects.update(started_at=timezone.now(), opened_at=timezone.now())
    return Game(Table.objects.get(pk=table.pk), OPENED)


def visit(game: Game, live_server: LiveServer, browser: Browser, name: str, wide: int) -> Page:
    context = browser.new_context(base_url=live_server.url, viewport={"width": wide, "height": 800})
    if name:
        client = Client()
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"/tables/{game.table.slug}/")
    return page


def boxes(page: Page, *letters: str) -> list[dict[str, float]]:
    found = [page.locator(f"#ct-side-{letter}").bounding_box() for letter in letters]
    assert all(found)
    return [dict(box) for box in found if box]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "left", "right"), [("Ana", "A1", "A2"), ("Bo", "B2", "B1"), ("", "A1", "A2")])
def test_partners_sit_side_by_side_below_the_mat_as_their_quarters_lie(game, live_server, browser, name, left, right):
    page = visit(game, live_server, browser, name, 1280)
    one, other = boxes(page, left, right)
    mat = page.locator(".ct-grid").bounding_box()

    assert mat
    assert one["y"] == other["y"] > mat["y"]
    assert one["x"] < other["x"]
    page.context.close()


def test_on_a_phone_the_teammate_comes_next_and_then_the_opponents(game, live_server, browser):
    page = visit(game, live_server, browser, "Ana", 360)

    tops = [box["y"] for box in boxes(page, "A1", "A2", "B1", "B2")]
    assert tops == sorted(tops)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.context.close()


@pytest.mark.slow
def test_a_time_that_is_over_is_said_to_be_over(game, live_server, browser):
    now = timezone.now()
    Seat.objects.update(asked_at=now - timedelta(days=30), bank=timedelta(0))
    page = visit(game, live_server, browser, game.waited(), 360)

    expect(page.locator(".ct-due time").first).to_have_text("Time ran out")
    page.context.close()
