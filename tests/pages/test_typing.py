"""What happens in the browser while people type: the live preview, chosen names, kept strats. Strict CSP holds."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.battles.models import Battle, Strat
from judging.common.models import Unsent
from judging.turns.models import Post
from tests.pages.looking import until
from tests.pages.playing import ARMIES
from tests.services.world_of_tests import HOUR, World, begin, make_round
from wargame.models import Turn

DAY = timedelta(days=1)
Open = Callable[..., Page]


@pytest.fixture
def playing(transactional_db: None) -> World:
    """Turn 2, opened an hour ago: Ana attacks Gaz on 3F."""
    now = timezone.now()
    world = begin(make_round(ARMIES), first_lock=now - HOUR, now=now - 7 * DAY)
    world.post("Ana", "Ana: 3D > 3F; engage Gaz", at=now - 6 * DAY)
    world.settle(now=now - HOUR / 2)
    return world


@pytest.fixture
def visit(playing: World, live_server: LiveServer, browser: Browser) -> Iterator[Open]:
    """Opens a page as a player; whatever the browser complains about fails the test."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(path: str, who: str, **options: bool) -> Page:
        client = Client()
        client.force_login(playing.players[who].user, backend="django.contrib.auth.backends.ModelBackend")
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        session = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(live_server.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def test_what_is_typed_is_read_at_once_and_a_name_can_be_chosen(visit: Open) -> None:
    """R8, R10."""
    page = visit("/rounds/trial/movement/", "Ben")
    page.get_by_label("Your post").fill("Benn: 10D > 12D")
    expect(page.locator("#preview")).to_contain_text("No army on the map is called “Benn”.")

    page.locator("#preview").get_by_role("button", name="Ben").click()

    expect(page.get_by_label("Your post")).to_have_value("Ben: 10D > 12D")
    expect(page.locator("#preview .order--legal")).to_have_count(1)


@pytest.mark.slow
def test_what_a_line_may_have_meant_is_one_click_away(visit: Open) -> None:
    """R8"""
    page = visit("/rounds/trial/movement/", "Ben")
    page.get_by_label("Your post").fill("Good luck!\nBen: 10D to 12D")
    expect(page.locator("#preview .order--unread")).to_contain_text("We didn't read this as an order.")

    page.locator("#preview").get_by_role("button", name="Ben: 10D > 12D").click()

    expect(page.get_by_label("Your post")).to_have_value("Good luck!\nBen: 10D > 12D")
    expect(page.locator("#preview .order--legal")).to_have_count(1)


def test_what_is_typed_is_back_after_a_reload_and_gone_once_it_is_sent(visit: Open) -> None:
    page = visit("/rounds/trial/movement/", "Ben")
    text = page.get_by_label("Your post")
    text.fill("Ben: 10D > 12D")
    page.reload()
    expect(text).to_have_value("Ben: 10D > 12D")
    expect(page.locator("[data-kept]")).to_contain_text("We restored your text")
    text.press("End")
    text.type(" ")
    expect(page.locator("[data-kept]")).to_contain_text("UTC, not sent yet")
    assert Unsent.objects.get().text == "Ben: 10D > 12D "

    page.context.set_offline(True)
    expect(page.locator(".offline")).to_contain_text("Your text stays here")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(text).to_have_value("Ben: 10D > 12D ")
    page.context.set_offline(False)
    expect(page.locator(".offline")).to_have_count(0)

    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.locator("article.post")).to_contain_text("Ben: 10D > 12D")
    expect(text).to_have_value("")
    page.reload()
    expect(text).to_have_value("")


@pytest.mark.slow
def test_a_first_message_is_kept_with_its_people_and_offline_is_said(visit: Open) -> None:
    """1.6"""
    page = visit("/rounds/trial/press/new/", "Ben")
    page.get_by_label("Your message").fill("Peace?")
    page.get_by_label("Subject").fill("The bridge")
    page.get_by_label("Gaz").check()
    expect(page.locator("[data-kept]")).to_contain_text("not sent yet")
    until(page, "() => JSON.parse(Object.entries(localStorage).find(([key]) => key.includes('press'))[1]).isOnServer")
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.get_by_label("Your message")).to_have_value("Peace?")
    expect(page.get_by_label("Subject")).to_have_value("The bridge")
    expect(page.get_by_label("Gaz")).to_be_checked()

    page.context.set_offline(True)
    page.get_by_label("Your message").fill("Peace, or else?")
    page.get_by_label("Hex").check()
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".offline")).to_contain_text("Your text stays here")
    expect(page.locator("[data-kept]")).to_contain_text("Saved in this browser, not sent yet")
    page.context.set_offline(False)
    expect(page.locator("[data-kept]")).to_contain_text("UTC, not sent yet")
    page.reload()
    expect(page.get_by_label("Your message")).to_have_value("Peace, or else?")
    expect(page.get_by_label("Hex")).to_be_checked()
    page.get_by_role("button", name="Send").click()
    expect(page.locator("main")).to_contain_text("Peace, or else?")
    page.goto(page.url.split("/press")[0].split("/boards")[0] + "/press/new/")
    expect(page.get_by_label("Your message")).to_have_value("")


@pytest.mark.slow
def test_an_open_form_is_off_after_the_lock(visit: Open, playing: World) -> None:
    page = visit("/rounds/trial/movement/", "Ben")
    page.get_by_label("Your post").fill("Ben: 10D > 12D")
    button = page.get_by_role("button", name="Post", exact=True)
    expect(button).to_be_enabled()
    over = timezone.now() - HOUR
    Turn.objects.filter(number=2).update(deadline=over, lock_at=over, state="locked")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(button).to_be_disabled(timeout=15_000)
    expect(page.get_by_label("Your post")).to_have_value("Ben: 10D > 12D")


@pytest.mark.slow
def test_who_runs_can_not_go_for_the_kill(visit: Open) -> None:
    """4.2.6"""
    page = visit(f"/rounds/trial/battles/{Battle.objects.get().pk}/strat/Ana/", "Ana")
    expect(page.locator("#strat-draft")).to_be_hidden()
    page.get_by_label("Go for the kill").check()
    expect(page.get_by_label("Run away")).to_be_disabled()
    page.get_by_label("Neither").check()
    page.get_by_label("Run away").check()
    expect(page.get_by_label("Go for the kill")).to_be_disabled()


@pytest.mark.slow
def test_ctrl_enter_posts_once(visit: Open) -> None:
    page = visit("/rounds/trial/movement/", "Ben")
    page.get_by_label("Your post").fill("Ben: 10D > 12D")
    page.get_by_label("Your post").press("Control+Enter")

    expect(page.locator("article.post")).to_contain_text("Ben: 10D > 12D")
    assert Post.objects.filter(turn__number=2).count() == 1


def test_without_javascript_check_shows_the_same_and_keeps_the_text(visit: Open) -> None:
    page = visit("/rounds/trial/movement/", "Ben", java_script_enabled=False)
    page.get_by_label("Your post").fill("Ben: 10D > 20D")
    page.get_by_role("button", name="Check").click()

    expect(page.locator("#preview")).to_contain_text("an army can move 3")
    expect(page.get_by_label("Your post")).to_have_value("Ben: 10D > 20D")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.locator("article.post")).to_contain_text("Ben: 10D > 20D")


@pytest.mark.slow
@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_refused_post_tells_why_at_the_top_of_a_phone(visit: Open, has_scripts: bool) -> None:
    page = visit("/rounds/trial/movement/", "Ben", java_script_enabled=has_scripts)
    page.set_viewport_size({"width": 375, "height": 667})
    page.get_by_label("Your post").fill("Benn: 10D > 12D")
    page.get_by_role("button", name="Post", exact=True).click()

    told = page.get_by_role("alert")
    expect(told).to_contain_text("Line 1, column 1: Benn: 10D > 12D No army on the map is called “Benn”.")
    expect(told).to_be_focused()
    expect(told).to_be_in_viewport(ratio=1)
    told.get_by_role("link", name="Fix it in the form", exact=True).click()
    expect(page.get_by_label("Your post")).to_be_in_viewport(ratio=0.5)
    page.get_by_role("button", name="Post anyway").click()
    expect(page.locator("article.post")).to_contain_text("Benn: 10D > 12D")


@pytest.mark.slow
def test_the_button_for_sealed_orders_wakes_up_when_they_are_accepted(visit: Open, playing: World) -> None:
    """R6"""
    lock = playing.turn.lock_at
    playing.round.sealed_before_lock = lock - timezone.now() - HOUR
    playing.round.save()
    page = visit("/rounds/trial/movement/", "Ben")
    page.clock.install()
    page.reload()
    button = page.get_by_role("button", name="Send sealed")
    expect(button).to_be_disabled()
    playing.round.sealed_before_lock += HOUR
    playing.round.save()
    page.clock.fast_forward("01:00:01")
    expect(button).to_be_enabled()
    expect(page.locator("form .hint", has_text="Sealed orders are accepted")).to_contain_text("now, until the lock")
    page.get_by_label("Your post").fill("Ben: 10D > 12D")
    button.click()
    expect(page.locator("#messages")).to_contain_text("Sent sealed")


def test_a_strat_that_was_not_sent_is_kept_in_the_browser_until_it_is(visit: Open) -> None:
    battle = Battle.objects.get()
    page = visit(f"/rounds/trial/battles/{battle.pk}/strat/Ana/", "Ana")
    expect(page.locator("#strat-draft")).to_be_hidden()  # no frame around nothing
    page.get_by_label("Your strat").fill("We wait for the fog.")
    expect(page.locator("[data-saved]")).to_contain_text("Saved in this browser, not sent yet")

    page.reload()
    expect(page.get_by_label("Your strat")).to_have_value("We wait for the fog.")
    page.get_by_role("button", name="Send strat").click()

    expect(page.locator("#messages")).to_contain_text("Receipt")
    expect(page.get_by_label("Your strat")).to_have_value("We wait for the fog.")
    until(page, "() => !Object.keys(localStorage).some(key => key.includes('strat'))")
    assert Strat.objects.get().text == "We wait for the fog."
