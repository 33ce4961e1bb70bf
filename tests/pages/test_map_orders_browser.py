"""3.2: orders by hand on the map, in a real browser: chosen by mouse, by keyboard or typed, drawn, and posted."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.command.control.services import assign
from judging.turns.models import Post
from tests.pages.looking import fits
from tests.pages.test_map_browser import complaints
from tests.services.world_of_tests import World, begin, make_round

__all__ = ["complaints"]

ARMIES = {
    "Ana": ("coalition", "3D", "captain"),
    "Ben": ("coalition", "5D", "lieutenant"),
    "Cay": ("coalition", "4F", "lieutenant"),
    "Gaz": ("phyrexia", "3F", "evincar"),
}
CELL = 32


@pytest.fixture
def world(db: None) -> World:
    """Turn 1, open now and for a week. Ana's player controls Ben, too."""
    now = timezone.now()
    world = begin(make_round(ARMIES), first_lock=now + timedelta(days=7), now=now)
    assign(round=world.round, army=world.army("Ben"), player=world.players["Ana"], now=now)
    return world


@pytest.fixture
def enter(live_server: LiveServer, world: World, page: Page, complaints: list[str]) -> Callable[[str], Page]:
    """Opens the map as a player, or as the public."""

    def open_map(who: str) -> Page:
        if who:
            client = Client()
            client.force_login(world.players[who].user, backend="django.contrib.auth.backends.ModelBackend")
            cookie = client.cookies["sessionid"].value
            page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page.goto(f"{live_server.url}/rounds/trial/")
        return page

    return open_map


def click_square(page: Page, at: str) -> None:
    """Clicks the middle of a square of the map, wherever it is drawn now."""
    column, row = int(at[:-1]), ord(at[-1]) - ord("A")
    where = page.evaluate(
        """([x, y]) => {
            const svg = document.getElementById("map-svg"), point = new DOMPoint(x, y);
            svg.scrollIntoView({block: "center"});
            const there = point.matrixTransform(svg.getScreenCTM());
            return [there.x, there.y];
        }""",
        [(column - 0.5) * CELL, (row + 0.5) * CELL],
    )
    page.mouse.click(*where)


def choose(page: Page, army: str) -> None:
    """Chooses an army by its button and waits for its squares."""
    page.click(f"#hand-armies [data-army={army}]")
    expect(page.locator("#hand-says")).to_contain_text(f"{army}, ")


@pytest.mark.slow
def test_an_army_lights_up_its_squares_and_a_chosen_one_is_written_into_the_post(
    enter: Callable[[str], Page], complaints: list[str]
) -> None:
    page = enter("Ana")
    click_square(page, "3D")
    expect(page.locator("#hand-says")).to_contain_text("Ana, 3D. Choose a destination or an action.")
    expect(page.locator(".goal--move")).to_have_count(20)
    expect(page.locator(".goal--engage")).to_have_count(1)
    expect(page.locator(".goal--replace")).to_have_count(2)
    click_square(page, "6D")
    expect(page.locator("#id_text")).to_have_value("Ana: 3D > 6D")
    expect(page.locator(".typed-orders .order-arrow")).to_have_count(1)
    assert complaints == []


@pytest.mark.slow
def test_the_suffix_that_a_square_needs_is_written_with_it(enter: Callable[[str], Page]) -> None:
    page = enter("Ana")
    choose(page, "Ana")
    click_square(page, "3F")
    expect(page.locator("#id_text")).to_have_value("Ana: 3D > 3F; engage Gaz")
    click_square(page, "5D")
    expect(page.locator("#id_text")).to_have_value("Ana: 3D > 5D; replace Ben")


def test_a_square_out_of_reach_says_the_rule_and_writes_nothing(enter: Callable[[str], Page]) -> None:
    page = enter("Ana")
    choose(page, "Ana")
    click_square(page, "9D")
    expect(page.locator("#hand-says")).to_contain_text("9D is 6 squares from 3D; an army can move 3 (3.2.2.1)")
    expect(page.locator("#id_text")).to_have_value("")


def test_several_armies_make_one_post_and_it_is_posted(enter: Callable[[str], Page], world: World) -> None:
    page = enter("Ana")
    choose(page, "Ana")
    click_square(page, "3E")
    choose(page, "Ben")
    click_square(page, "5E")
    page.get_by_role("button", name="joint engage").click()
    expect(page.locator("#id_text")).to_have_value("Ana: 3D > 3E\nBen: 5D > 5E; joint engage")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page).to_have_url(re.compile("/movement/"))
    [post] = Post.objects.all()
    assert post.versions.get().text == "Ana: 3D > 3E\nBen: 5D > 5E; joint engage"


@pytest.mark.slow
def test_a_route_is_drawn_square_by_square(enter: Callable[[str], Page]) -> None:
    page = enter("Ana")
    choose(page, "Ana")
    page.click("#hand-route")
    for at in ("3E", "5E"):
        click_square(page, at)
    expect(page.locator("#hand-says")).to_contain_text("5E isn't next to 3E")
    for at in ("4E", "4F", "4F"):
        click_square(page, at)
    expect(page.locator("#id_text")).to_have_value("Ana: 3D > 4F (3D - 3E - 4E - 4F); replace Cay")


@pytest.mark.slow
def test_a_long_route_is_drawn_and_its_last_square_undone(enter: Callable[[str], Page]) -> None:
    """3.2.2.3: each turn goes three squares of it."""
    page = enter("Ana")
    choose(page, "Ana")
    page.click("#hand-route")
    for at in ("4D", "4C", "5C", "6C", "7C", "7D"):
        click_square(page, at)
    expect(page.locator("#hand-says")).to_contain_text("in 2 turns")
    page.click("#hand-undo")
    page.click("#hand-finish")
    expect(page.locator("#id_text")).to_have_value("Ana: 3D > 5C (3D - 4D - 4C - 5C) > 7C (5C - 6C - 7C)")
    expect(page.locator("#preview .order--legal")).to_have_count(1)


@pytest.mark.slow
def test_nothing_jumps_and_nothing_covers_the_reach_when_an_army_is_chosen(enter: Callable[[str], Page]) -> None:
    page = enter("Ana")
    page.wait_for_selector("#hand-armies button")
    top = "document.getElementById('map-svg').getBoundingClientRect().top + scrollY"
    before = page.evaluate(top)
    choose(page, "Ana")
    assert page.evaluate(top) == before
    box = page.locator(".goal--move").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 9, box["y"] + 9)
    expect(page.locator("#map-words")).to_contain_text("you can move here")
    expect(page.locator("#map-tip")).to_be_hidden()


@pytest.mark.slow
def test_on_a_phone_the_map_comes_first(live_server: LiveServer, world: World, page: Page) -> None:
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(f"{live_server.url}/rounds/trial/")
    box = page.locator("#map-svg").bounding_box()
    assert box is not None
    assert box["y"] < 250
    fits(page)


@pytest.mark.slow
def test_everything_is_done_by_keyboard_too(enter: Callable[[str], Page]) -> None:
    page = enter("Ana")
    page.locator("#hand-armies [data-army=Ben]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#map-cursor")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#map-says")).to_contain_text("1 square: you can move here")
    page.keyboard.press("Enter")
    expect(page.locator("#id_text")).to_have_value("Ben: 5D > 6D")
    page.keyboard.press("Escape")
    expect(page.locator(".goal")).to_have_count(0)


@pytest.mark.slow
def test_an_army_is_told_to_hold_with_one_tap_on_it(enter: Callable[[str], Page]) -> None:
    page = enter("Ana")
    choose(page, "Ana")
    click_square(page, "5C")
    click_square(page, "3D")
    expect(page.locator("#hand-ways button").first).to_have_text("hold")
    page.locator("#hand-ways button").first.click()
    expect(page.locator("#id_text")).to_have_value("Ana: hold")


@pytest.mark.slow
def test_all_suggestions_are_taken_at_once_and_two_orders_on_a_line_become_two_lines(
    enter: Callable[[str], Page],
) -> None:
    page = enter("Ana")
    page.fill("#id_text", "> Ana: 3D > 4D\nAna: 3D > 4D; Ben: 5D-6D\nHello.\nBen: 5D–5C")
    expect(page.locator("#preview")).to_contain_text("This line is a quote, so it isn't an order.")
    page.get_by_role("button", name="Take all suggestions").click()
    expect(page.locator("#id_text")).to_have_value("> Ana: 3D > 4D\nAna: 3D > 4D\nBen: 5D > 6D\nHello.\nBen: 5D > 5C")
    expect(page.locator("#preview .order--legal")).to_have_count(2)


@pytest.mark.slow
def test_what_is_typed_is_drawn_and_what_is_illegal_is_drawn_as_such(enter: Callable[[str], Page]) -> None:
    page = enter("Ana")
    page.fill("#id_text", "Ana: 3D > 4E > 7E\nBen: 5D > 5J")
    expect(page.locator(".typed-orders .order-arrow")).to_have_count(3)
    expect(page.locator(".order-arrow--later")).to_have_count(1)
    expect(page.locator(".order-arrow--illegal")).to_have_count(1)


@pytest.mark.slow
def test_everybody_may_see_the_posted_orders_and_where_friends_are_in_each_others_way(
    enter: Callable[[str], Page], world: World, complaints: list[str]
) -> None:
    now = timezone.now()
    world.post("Ana", "Ana: 3D > 4F; replace Cay", now)
    world.post("Gaz", "Gaz: 3F > 3G", now)
    page = enter("")
    expect(page.locator("#hand-armies button")).to_have_count(0)
    page.click("#orders-toggle")
    expect(page.locator(".standing-orders .order-arrow")).to_have_count(2)
    expect(page.locator(".standing-orders .clash")).to_have_count(1)
    expect(page.locator("#hand-clashes")).to_contain_text(
        "Cay will stay on 4F, so Ana will move only part of the way. (3.3.1)"
    )
    expect(page.get_by_role("link", name="Report")).to_have_count(0)
    assert complaints == []


@pytest.mark.slow
def test_the_posts_of_the_orders_that_are_drawn_are_read_and_those_of_others_reported(
    enter: Callable[[str], Page], world: World, complaints: list[str]
) -> None:
    """1.3"""
    now = timezone.now()
    world.post("Ana", "Ana: 3D > 4D", now)
    theirs = world.post("Gaz", "Gaz: 3F > 3G", now)
    page = enter("Ana")
    page.click("#orders-toggle")
    page.get_by_text("Posts with these orders").click()
    expect(page.locator("#hand-posted li")).to_have_text(["Ana: 3D > 4D, by Ana", "Gaz: 3F > 3G, by Gaz Report"])
    page.get_by_role("link", name="Report the post by Gaz").click()
    expect(page).to_have_url(re.compile(rf"/posts/{theirs.pk}/report/$"))
    expect(page.locator("main")).to_contain_text("Gaz: 3F > 3G")
    assert complaints == []


@pytest.mark.slow
def test_on_a_phone_the_page_stays_as_wide_as_the_phone(enter: Callable[[str], Page]) -> None:
    page = enter("Ana")
    page.set_viewport_size({"width": 375, "height": 700})
    choose(page, "Ana")
    expect(page.locator(".goal--start")).to_be_visible()
    fits(page)
