"""12: two people play by what the page offers, one with a mouse and the keyboard, one with a thumb on a phone."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.tables.models import Table
from tests.services.tables_of_tests import Game, person, running

PHONE = {"viewport": {"width": 375, "height": 800}, "has_touch": True, "is_mobile": True}
Open = Callable[..., Page]


@pytest.fixture
def game(transactional_db: None) -> Game:
    """A table whose hands have just been dealt."""
    found = running()
    Table.objects.update(started_at=timezone.now(), opened_at=timezone.now())
    return found


@pytest.fixture
def visit(game: Game, live_server: LiveServer, browser: Browser) -> Iterator[Open]:
    """Opens the table as somebody; whatever the browser complains about fails the test."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(name: str, **options: object) -> Page:
        context = browser.new_context(base_url=live_server.url, **options)  # type: ignore[arg-type]
        contexts.append(context)
        client = Client()
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page = context.new_page()
        page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(reverse("table", args=[game.table.slug]))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def posted(page: Page, label: str) -> None:
    """A thumb presses an act, and says once more that it means it."""
    page.get_by_role("button", name=label, exact=True).first.tap()
    page.get_by_role("button", name="Post it").tap()
    page.wait_for_load_state()


def test_two_people_play_one_by_mouse_and_keys_one_on_a_phone(visit: Open, game: Game) -> None:
    ana, bo = visit("Ana"), visit("Bo", **PHONE)
    expect(bo.get_by_role("heading", name="Keep this hand, or put cards back")).to_be_visible()
    ana.get_by_role("button", name="Keep hand").click()
    expect(ana.get_by_text("Posted: entry")).to_be_visible()
    expect(bo.locator("#ct-act input[name=on]")).to_have_value(game.row().head, timeout=15_000)
    posted(bo, "Keep hand")
    expect(bo.get_by_text("Posted: entry")).to_be_visible()
    turn, other = (ana, bo) if game.state().turn.of == "A" else (bo, ana)
    expect(turn.get_by_role("heading", name="You can act")).to_be_visible(timeout=15_000)
    press = "click" if turn is ana else "tap"
    card = turn.locator("#ct-hand .ct-tile").first
    getattr(card.locator("summary"), press)()
    getattr(card.get_by_role("button", name="Soul row"), press)()
    if turn is bo:
        turn.get_by_role("button", name="Post it").tap()
    expect(turn.locator(".ct-side--own .ct-chip")).to_have_count(1)
    expect(other.locator(".ct-side--theirs .ct-chip")).to_have_count(1, timeout=15_000)
    expect(other.locator("[data-act]:not([data-act=concede], [data-act=draw])")).to_have_count(0)


@pytest.mark.slow
def test_cards_are_walked_through_opened_and_left_by_keys_and_p_asks_before_it_passes(visit: Open, game: Game) -> None:
    for name in ("Ana", "Bo"):
        game.post(name, "keep hand")
    name = game.waited()
    page = visit(name)
    page.keyboard.press("h")
    expect(page.locator("#ct-hand summary").first).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator("#ct-hand summary").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#ct-hand .ct-sheet").nth(1)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#ct-hand .ct-sheet").nth(1)).to_be_hidden()
    page.keyboard.press("p")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("button", name="Not yet").click()
    entries = game.row().entries
    page.keyboard.press("p")
    page.keyboard.press("Enter")
    page.wait_for_load_state()
    expect(page.get_by_text(f"Posted: entry {entries + 1}")).to_be_visible()


@pytest.mark.slow
def test_what_is_chosen_in_a_form_stays_chosen_when_the_other_moves(visit: Open, game: Game) -> None:
    ana, bo = visit("Ana"), visit("Bo", **PHONE)
    ticks = ana.locator(".ct-picking input[type=checkbox]")
    for place in (0, 2):
        ticks.nth(place).check()
    posted(bo, "Keep hand")
    expect(bo.get_by_text("Posted: entry")).to_be_visible()
    expect(ana.locator("#ct-act input[name=on]")).to_have_value(game.row().head, timeout=15_000)
    expect(ana.locator(".ct-picking input:checked")).to_have_count(2)
    expect(ticks.nth(2)).to_be_checked()
    ana.locator(".ct-picking .actions button").click()
    expect(ana.get_by_text("Posted: entry")).to_be_visible()


def test_the_page_plays_without_scripts_and_fits_a_phone(visit: Open, game: Game) -> None:
    before = game.row().entries
    page = visit("Ana", java_script_enabled=False, **PHONE)
    page.get_by_role("button", name="Keep hand").tap()
    expect(page.get_by_text("Posted: entry")).to_be_visible()
    page.locator("#ct-hand summary").first.tap()
    expect(page.locator("#ct-hand .ct-sheet").first).to_be_visible()
    assert game.row().entries == before + 1


@pytest.mark.slow
def test_every_target_is_large_enough_for_a_thumb_and_nothing_is_wider_than_a_phone(visit: Open, game: Game) -> None:
    page = visit("Ana", **PHONE)
    small = page.evaluate(
        "() => [...document.querySelectorAll('#ct button, #ct summary, .ct-jump a')].filter(part => {"
        "const box = part.getBoundingClientRect(); return box.height && (box.height < 43.5 || box.width < 43.5)"
        "}).map(part => part.outerHTML.slice(0, 80))"
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


@pytest.mark.slow
def test_who_passes_until_a_later_step_is_not_asked_before(visit: Open, game: Game) -> None:
    for name in ("Ana", "Bo"):
        game.post(name, "keep hand")
    mine = game.waited()
    page = visit(mine)
    page.locator("summary", has_text="Pass until").click()
    page.get_by_role("button", name="Pass until: 2nd phase").click()
    expect(page.get_by_text("Posted: entry")).to_be_visible()
    assert (game.waited(), game.state().turn.at) == (mine, "second")
