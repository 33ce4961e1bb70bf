"""12: on a phone a mercenary is chosen by a tap: its squares are lit, any other says why not, and a tap moves it."""

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from judging.tables.models import Table
from tests.services.tables_of_tests import OPENED, Game, opened, person, sit

PHONE = {"viewport": {"width": 375, "height": 800}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def game(transactional_db: None) -> Game:
    """An Arena table in the first Movement Phase of who begins."""
    table = opened(game="seize", format="arena")
    for name, called in {"Ana": "Mages in the Arena", "Bo": "Warriors in the Arena"}.items():
        sit(table, name, called)
    found = Game(Table.objects.get(pk=table.pk), OPENED)
    for _ in range(60):
        seen = found.view(found.waited())
        if seen.view["turn"]["at"] == "move1" and seen.view["turn"]["of"] == seen.letter:
            break
        found.post(found.waited(), seen.legal[0])
    Table.objects.update(started_at=timezone.now(), opened_at=timezone.now())
    return found


def test_a_tap_lights_what_a_mercenary_reaches_says_why_not_elsewhere_and_moves_it(
    game: Game, live_server: LiveServer, browser: Browser
) -> None:
    name = game.waited()
    move = next(line for line in game.view(name).legal if line.startswith("move"))
    number, square = move.partition("#")[2].partition(":")[0], move.rpartition("-")[2]
    context = browser.new_context(base_url=live_server.url, **PHONE)  # type: ignore[arg-type]
    client = Client()
    client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"/tables/{game.table.slug}/")
    page.locator(f'.ct-merc[data-number="{number}"] > summary').tap()
    refused = page.locator(".ct-ground--pillar.ct-lit--refused").first

    expect(page.locator(f'[data-square="{square}"].ct-lit--way')).to_have_count(1)
    refused.tap(position={"x": 8, "y": 8})
    expect(page.locator("#ct-field-says")).to_contain_text("S24")
    expect(page.locator(f'.ct-merc[data-number="{number}"]')).to_have_attribute("open", "")
    page.locator(f'[data-square="{square}"]').tap(position={"x": 8, "y": 8})
    page.get_by_role("button", name="Post it").tap()
    expect(page.get_by_text("Posted: entry")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    context.close()
