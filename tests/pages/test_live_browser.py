"""1.2: open pages in a real browser: they learn what is new by themselves, and lose nothing of what is done on them."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.battles.models import Battle
from tests.pages.looking import settled, until
from tests.services.world_of_tests import HOUR, World, begin, make_round
from wargame.models import Round

ARMIES = {
    "Ana": ("coalition", "3D", "captain"),
    "Ben": ("coalition", "10D", "lieutenant"),
    "Gaz": ("phyrexia", "3F", "evincar"),
}
PLACES = """() => ["map-scroll", "map-svg", "write-title"].map((id) => {
    const {left, top, width} = document.getElementById(id).getBoundingClientRect();
    return [left, top, width, document.getElementById("map-scroll").scrollLeft].map(Math.round);
})"""
POLL = re.compile("/(live|fragment)/")
Open = Callable[..., Page]


@pytest.fixture
def world(transactional_db: None) -> World:
    """Turn 1, open for a week."""
    now = timezone.now()
    return begin(make_round(ARMIES), first_lock=now + timedelta(days=7), now=now)


@pytest.fixture
def visit(world: World, live_server: LiveServer, browser: Browser, settings: Any) -> Iterator[Open]:
    """Opens a page that asks for news five times a second, or as often as the test says."""
    contexts: list[BrowserContext] = []

    def open_page(path: str = "", who: str = "", seconds: float = 0.2, clock: bool = False, zone: str = "") -> Page:
        settings.POLL_SECONDS = seconds
        context = browser.new_context(base_url=f"{live_server.url}/rounds/trial/", timezone_id=zone or None)
        contexts.append(context)
        if who:
            client = Client()
            client.force_login(world.players[who].user, backend="django.contrib.auth.backends.ModelBackend")
            cookie = client.cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page = context.new_page()
        if not clock:
            page.goto(path)
            return page
        begun = timezone.now()
        page.clock.install(time=begun)
        page.goto(path)
        with page.expect_response(POLL):
            page.clock.pause_at(begun + HOUR)
        return page

    yield open_page
    for context in contexts:
        context.close()


def war(world: World) -> Battle:
    """Turn 2, opened now for a week: Ana attacks Gaz on 3F."""
    world.post("Ana", "3D > 3F; engage Gaz", timezone.now())
    world.settle()
    return Battle.objects.get(turn=world.turn)


def test_all_open_pages_show_the_next_turn(visit: Open, world: World) -> None:
    pages = [visit(path) for path in ("", "movement/", "battles/", "turns/1/", "numbers/")]
    mine = visit("my-turn/", "Ana", zone="Asia/Tokyo")
    lock = world.turn.lock_at
    there = lock.astimezone(ZoneInfo("Asia/Tokyo"))
    expect(mine.locator("#clock")).to_contain_text(f"{there:%H:%M}")
    assert f"{lock:%H:%M}" in str(mine.locator("#clock time[data-utc]").first.get_attribute("title"))
    expect(mine.locator("footer")).to_contain_text(
        "Times are in your time zone (Asia/Tokyo). Point at a time to see it in UTC."
    )
    battle = war(world)
    expect(mine.get_by_role("heading", level=1)).to_have_text("Your turn 2")
    expect(mine.locator("#waiting")).to_contain_text("Strat to write: Ana")
    expect(mine.locator("#last")).to_contain_text("Ordered by Ana: Ana: 3D > 3F; engage Gaz")
    for page in pages:
        expect(page.locator("#masthead-turn")).to_contain_text("Turn 2, open for orders")
    on_map, movement, battles, turn, _ = pages
    expect(on_map.locator("#army-ana")).to_have_attribute("data-at", "3F")
    expect(on_map.locator("#map-svg > #map-ground #land-all")).to_have_count(1)
    expect(movement.get_by_role("heading", level=1)).to_have_text("Orders thread, turn 2")
    expect(movement).to_have_title(re.compile("^Orders thread, turn 2"))
    expect(battles.locator(f"#battle-{battle.pk}")).to_contain_text("Ana against Gaz")
    expect(turn.locator("#turn")).to_contain_text("settled")


@pytest.mark.slow
def test_after_the_lock_nothing_looks_open_on_pages_that_stood_open(visit: Open, world: World) -> None:
    """3.1, R6, R60: neither the posts' buttons, nor what is said of sealed orders, nor who is done."""
    thread, on_map = visit("movement/", "Ana"), visit("", "Ana")
    for page in (thread, on_map):
        expect(page.get_by_role("button", name="I'm done")).to_be_enabled()
    Round.objects.update(publish_after=None)
    assert world.settle() == "moved"
    expect(thread.get_by_role("button", name="I'm done")).to_have_count(0)
    expect(on_map.get_by_role("button", name="I'm done")).to_be_disabled()
    for page in (thread, on_map):
        expect(page.get_by_role("button", name="Post", exact=True)).to_be_disabled()
        expect(page.get_by_text("Sealed orders are accepted")).to_be_hidden()


@pytest.mark.slow
def test_a_page_without_news_is_left_as_it_is(visit: Open) -> None:
    page = visit("movement/")
    page.evaluate(
        "document.getElementById('live').dataset.marked = document.getElementById('thread').dataset.marked = 1"
    )
    for _ in range(3):
        with page.expect_response("**/live/**") as answer:
            pass
        assert answer.value.status == 204
    expect(page.locator("#live[data-marked]")).to_have_count(1)
    expect(page.locator("#thread[data-marked]")).to_have_count(1)


def test_a_new_post_comes_while_somebody_types_and_moves_nothing(visit: Open, world: World) -> None:
    page = visit("movement/", "Ben")
    page.set_viewport_size({"width": 375, "height": 700})
    text = page.get_by_label("Your post")
    text.fill("Ben: 10D > 12D")
    text.press("Home")
    top = "() => Math.round(document.getElementById('id_text').getBoundingClientRect().top)"
    expect(page.locator("#preview .order--legal")).to_have_count(1)
    settled(page)
    before = page.evaluate(top)
    world.post("Ana", "Ana: 3D > 5D", timezone.now())
    expect(page.locator("#thread")).to_contain_text("Ana: 3D > 5D")
    settled(page)
    until(page, f"before => Math.abs(({top})() - before) <= 1", before)
    expect(text).to_be_focused()
    expect(text).to_have_value("Ben: 10D > 12D")
    until(page, "() => document.getElementById('id_text').selectionStart === 0")


@pytest.mark.slow
def test_marked_words_and_the_focus_stay_where_they_are_when_a_post_comes(visit: Open, world: World) -> None:
    first = world.post("Ana", "Ana: 3D > 5D", timezone.now())
    page = visit("movement/")
    link = page.locator(f"#post-{first.pk} .post__link")
    link.focus()
    mark = f"window.getSelection().selectAllChildren(document.querySelector('#post-{first.pk} strong'))"
    page.evaluate(mark)
    world.post("Ben", "Ben: 10D > 12D", timezone.now())
    expect(page.locator("article.post")).to_have_count(2)
    expect(page.locator("#thread-title")).to_have_text("2 posts")
    expect(link).to_be_focused()
    until(page, "() => window.getSelection().toString() === 'Ana'")


def test_what_was_typed_is_taken_over_into_the_next_turn(visit: Open, world: World) -> None:
    page = visit("movement/", "Ben")
    page.get_by_label("Your post").fill("Ben: 10D > 12D")
    war(world)
    said = page.locator("#live-says")
    expect(said).to_contain_text("Turn 2 is open for orders.")
    expect(page.get_by_label("Your post")).to_have_value("Ben: 10D > 12D")
    said.get_by_role("button", name="Go to turn 2").click()
    expect(page.locator("[data-post-form][data-turn='2']")).to_have_count(1)
    expect(page.get_by_label("Your post")).to_have_value("Ben: 10D > 12D")
    expect(said).to_be_empty()


@pytest.mark.slow
def test_the_map_keeps_focus_place_size_and_the_chosen_army(visit: Open, world: World) -> None:
    page = visit(who="Ana")
    for _ in range(3):
        page.click("#zoom-in")
    page.click("#hand-armies [data-army=Ana]")
    expect(page.locator("#map-cursor")).to_have_attribute("aria-label", re.compile("^3D, plains, Ana"))
    expect(page.locator("#map-cursor")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#map-cursor")).to_have_attribute("aria-label", re.compile("^4D"))
    settled(page)
    before = page.evaluate(PLACES)
    # Who sees the lock before the next turn opens is asked to go on to it, and chooses anew: this page sees none.
    page.route(POLL, lambda route: route.fulfill(status=204))
    world.post("Ben", "10D > 10F", timezone.now())
    world.settle()
    page.unroute(POLL)
    expect(page.locator("#army-ben")).to_have_attribute("data-at", "10F")
    expect(page.locator("#map-cursor")).to_be_focused()
    expect(page.locator("#map-cursor")).to_have_attribute("aria-label", re.compile("^4D"))
    expect(page.locator("#hand-armies [data-army=Ana]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".goal--start")).to_have_count(1)
    until(page, f"before => JSON.stringify(({PLACES})()) === before", json.dumps(before, separators=(",", ":")))


@pytest.mark.slow
def test_on_a_phone_the_map_stays_where_it_is_when_the_words_above_it_change(visit: Open, world: World) -> None:
    page = visit(who="Ana")
    page.set_viewport_size({"width": 375, "height": 600})
    page.locator("#map-scroll").evaluate("element => element.scrollIntoView()")
    top = "() => Math.round(document.getElementById('map-scroll').getBoundingClientRect().top)"
    settled(page)
    before = page.evaluate(top)
    world.round.publish_after = None
    world.round.save()
    assert world.settle() == "moved"
    expect(page.locator("#map-status")).to_contain_text("Orders have been locked")
    expect(page.locator("#live-says")).to_contain_text("Turn 1 is locked. You can't post more orders for it.")
    settled(page)
    until(page, f"before => Math.abs(({top})() - before) <= 1", before)


@pytest.mark.slow
def test_an_open_square_stays_open_with_what_is_new_on_it(visit: Open, world: World) -> None:
    page = visit()
    page.click("#army-gaz")
    panel = page.locator("#map-panel")
    expect(panel).to_contain_text("Gaz")
    war(world)
    expect(panel).to_contain_text("Ana")
    expect(panel).to_be_visible()


@pytest.mark.slow
def test_a_result_appears_on_the_open_page_of_its_battle(visit: Open, world: World) -> None:
    battle = war(world)
    page = visit(f"battles/{battle.pk}/")
    world.score(battle, now=timezone.now() + timedelta(days=13))
    Battle.objects.filter(pk=battle.pk).update(deadline=timezone.now() - HOUR)
    expect(page.locator("#battle-head .badge--good")).to_contain_text("won")
    expect(page.locator("#battle")).to_contain_text("Losses")


def hide(page: Page, hidden: bool) -> None:
    page.evaluate(
        """hidden => {
            Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "movement/"])
def test_a_hidden_page_asks_for_nothing_and_at_once_when_it_is_shown(visit: Open, path: str) -> None:
    page = visit(path, seconds=5, clock=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if POLL.search(request.url) else None)
    hide(page, True)
    page.clock.run_for(60_000)
    page.evaluate("() => fetch('/healthz').then(() => true)")
    assert asked == []
    with page.expect_response(POLL) as answer:
        hide(page, False)
    assert answer.value.status == 204


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "movement/"])
def test_a_lost_server_is_said_asked_less_often_and_the_page_recovers(visit: Open, world: World, path: str) -> None:
    page = visit(path, seconds=5, clock=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if POLL.search(request.url) else None)
    page.route(POLL, lambda route: route.abort())
    said = page.locator("#live-says")
    for period in (5000, 5000):
        with page.expect_event("requestfailed", lambda request: bool(POLL.search(request.url))):
            page.clock.run_for(period)
    expect(said).to_contain_text(
        re.compile(r"The server isn't responding. You're seeing this page as of \d+ \w+ \d+ [\d:]+ UTC")
    )
    page.clock.run_for(5000)
    with page.expect_event("requestfailed", lambda request: bool(POLL.search(request.url))):
        page.clock.run_for(5000)
    assert len(asked) == 3

    page.unroute(POLL)
    war(world)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(said).to_contain_text("The server is responding again.")
    expect(said).not_to_contain_text("seeing this page as of")
    expect(page.locator("#masthead-turn")).to_contain_text("Turn 2")
    page.clock.run_for(5000)
    expect(said).to_be_empty()


def test_a_lost_server_is_asked_again_by_a_button_and_by_itself(visit: Open) -> None:
    page = visit("movement/")
    page.route("**/live/**", lambda route: route.fulfill(status=503))
    said = page.locator("#live-says")
    expect(said).to_contain_text("seeing this page as of")
    page.unroute("**/live/**")
    said.get_by_role("button", name="Try now").click()
    expect(said).to_contain_text("The server is responding again.")
    expect(said).to_be_empty(timeout=15_000)
