"""1.2, 2.5.1: painting the terrain and placing bases in a browser: mouse, finger, keyboard. Strict CSP holds."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.setup.models import PlannedSite
from tests.pages.looking import fits, settled, until
from tests.pages.setting_up import Foundation, found_round
from wargame.rules.armies.terrain_text import EMPTY
from wargame.rules.core.board import read_square

CELL = 32
Open = Callable[..., Page]


@pytest.fixture
def foundation(transactional_db: None) -> Foundation:
    return found_round()


@pytest.fixture
def visit(foundation: Foundation, live_server: LiveServer, browser: Browser) -> Iterator[Open]:
    """Opens a step as Judy; whatever the browser complains about fails the test."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(step: str, **options: object) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1500, "height": 1000}, **options})  # type: ignore[arg-type]
        contexts.append(context)
        session = foundation.client("Judy").cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page = context.new_page()
        page.on("console", lambda told: complaints.append(told.text) if is_complaint(told) else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{live_server.url}/rounds/the-trial/setup/{step}/")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def is_complaint(told: ConsoleMessage) -> bool:
    """That a form was refused, which it was meant to be, is none."""
    return told.type == "error" and "422" not in told.text


def spot(drawing: Locator, square: str) -> tuple[float, float]:
    """Where the middle of a square is on the screen."""
    at = read_square(square)
    matrix = drawing.evaluate("svg => { const m = svg.getScreenCTM(); return [m.a, m.d, m.e, m.f]; }")
    x, y = (at.column - 0.5) * CELL, (at.row + 0.5) * CELL
    return matrix[0] * x + matrix[2], matrix[1] * y + matrix[3]


PAINTED = """([letter, squares]) => {
    const found = [];
    document.getElementById("terrain").value.split("\\n").forEach((line, row) => [...line].forEach((sign, column) => {
        if (sign === letter) found.push(`${column + 1}${String.fromCharCode(65 + row)}`);
    }));
    return found.sort().join() === squares;
}"""


def is_painted(page: Page, letter: str, squares: set[str]) -> None:
    """Waits until exactly these squares have the letter."""
    until(page, PAINTED, [letter, ",".join(sorted(squares))])


def test_a_quick_stroke_of_the_mouse_paints_every_square_on_its_way(visit: Open, foundation: Foundation) -> None:
    page = visit("terrain")
    drawing = page.locator(".painter__svg")
    page.get_by_role("button", name="Forest").click()
    page.mouse.move(*spot(drawing, "5C"))
    page.mouse.down()
    page.mouse.move(*spot(drawing, "12C"))
    page.mouse.up()
    expect(page.locator("[data-count=f]")).to_have_text("8")
    is_painted(page, "f", {f"{column}C" for column in range(5, 13)})
    expect(page.get_by_text("Not saved yet.")).to_be_visible()

    page.get_by_role("button", name="3 × 3").click()
    page.get_by_role("button", name="Mountain").click()
    page.mouse.click(*spot(drawing, "20G"))
    is_painted(page, "m", {f"{c}{r}" for c in (19, 20, 21) for r in "FGH"})

    page.get_by_role("button", name="Save the map").click()
    expect(page.get_by_text("The map is saved.")).to_be_visible()
    assert foundation.setup.round.terrain.split()[2] == "oooo" + "f" * 8 + "o" * 26


@pytest.mark.slow
def test_a_brush_at_the_edge_paints_what_is_on_the_map(visit: Open) -> None:
    page = visit("terrain")
    page.get_by_role("button", name="5 × 5").click()
    page.mouse.click(*spot(page.locator(".painter__svg"), "1A"))

    is_painted(page, "p", {f"{c}{r}" for c in (1, 2, 3) for r in "ABC"})


@pytest.mark.slow
def test_flooding_fills_an_area_and_nothing_behind_its_border(visit: Open) -> None:
    page = visit("terrain")
    wall = [line[:9] + "m" + line[10:] for line in EMPTY]
    page.locator("#terrain").fill("\n".join(wall))
    expect(page.locator("[data-count=m]")).to_have_text("14")
    page.get_by_role("button", name="Swamp").click()
    page.get_by_role("button", name="Flood").click()
    page.mouse.click(*spot(page.locator(".painter__svg"), "3D"))

    expect(page.locator("[data-count=s]")).to_have_text(str(9 * 14))
    expect(page.locator("#terrain")).to_have_value(re.compile("^" + "s" * 9 + "m" + "o" * 28 + "\n"))


@pytest.mark.slow
def test_undo_and_redo_go_stroke_by_stroke(visit: Open) -> None:
    page = visit("terrain")
    drawing = page.locator(".painter__svg")
    for square in ("5C", "7C"):
        page.mouse.click(*spot(drawing, square))
    is_painted(page, "p", {"5C", "7C"})

    page.get_by_role("button", name="Undo").click()
    is_painted(page, "p", {"5C"})
    page.locator("#painter-cursor").focus()
    page.keyboard.press("Control+z")
    is_painted(page, "p", set())
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    page.get_by_role("button", name="Redo").click()
    is_painted(page, "p", {"5C"})


@pytest.mark.slow
def test_the_keyboard_alone_paints_a_map_and_saves_it(visit: Open, foundation: Foundation) -> None:
    page = visit("terrain")
    cursor = page.locator("#painter-cursor")
    cursor.focus()
    expect(cursor).to_have_attribute("aria-label", "19G, ocean")
    page.keyboard.press("p")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("f")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#painter-says")).to_have_text("20I, forest")
    is_painted(page, "p", {"19G"})
    is_painted(page, "f", {"20G", "20H", "20I"})

    page.keyboard.press("Home")
    page.keyboard.press("2")
    page.keyboard.press("i")
    is_painted(page, "i", {f"{c}{r}" for c in (1, 2) for r in "HIJ"})
    page.keyboard.press("End")
    page.keyboard.press("Shift+S")
    expect(page.locator("[data-count=s]")).to_have_text(str(14 * 38 - 4 - 6))

    button = page.get_by_role("button", name="Save the map")
    for _ in range(4):
        page.keyboard.press("Tab")
        settled(page)
        if button.evaluate("button => button === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_text("The map is saved.")).to_be_visible()
    assert foundation.setup.round.terrain.split()[6][18:20] == "pf"


@pytest.mark.slow
def test_a_finger_paints_or_with_the_scroll_tool_moves_the_map(visit: Open) -> None:
    page = visit("terrain", viewport={"width": 375, "height": 800}, has_touch=True)
    drawing = page.locator(".painter__svg")
    drawing.scroll_into_view_if_needed()
    page.touchscreen.tap(*spot(drawing, "19G"))
    is_painted(page, "p", {"19G"})

    expect(drawing).to_have_css("touch-action", "none")
    page.get_by_role("button", name="Scroll").click()
    expect(drawing).to_have_css("touch-action", "pan-x pan-y")
    page.touchscreen.tap(*spot(drawing, "21G"))
    settled(page)
    is_painted(page, "p", {"19G"})


@pytest.mark.slow
def test_typing_in_the_text_paints_the_map_and_says_what_is_wrong(visit: Open) -> None:
    page = visit("terrain")
    page.locator("#terrain").fill("\n".join([*EMPTY[:2], "o" * 30, *EMPTY[3:]]))
    expect(page.locator("#terrain-error")).to_have_text("Line 3 has 30 letters; it needs 38.")

    page.locator("#terrain").fill("\n".join([*EMPTY[:2], "O" * 37 + "x", *EMPTY[3:]]))
    expect(page.locator("#terrain-error")).to_have_text("“x” in line 3, column 38 is not a terrain.")

    page.locator("#terrain").fill("\n".join([*EMPTY[:2], "o" * 37 + "P", *EMPTY[3:]]))
    expect(page.locator("#terrain-error")).to_be_hidden()
    expect(page.locator(".painter__svg rect.t-plains")).to_have_count(1)


@pytest.mark.slow
def test_without_scripts_the_text_is_there_and_is_saved(visit: Open, foundation: Foundation) -> None:
    page = visit("terrain", java_script_enabled=False)
    expect(page.locator("#painter-plain .map__svg")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()
    page.get_by_text("Start from another map").click()
    page.get_by_role("button", name="The demo's map").click()
    page.get_by_role("button", name="Save the map").click()

    expect(page.get_by_text("The map is saved.")).to_be_visible()
    assert foundation.setup.round.terrain.startswith("ooooooffff")


def test_a_click_puts_the_chosen_base_on_its_square_and_chooses_the_next(visit: Open, foundation: Foundation) -> None:
    page = visit("bases")
    land = page.locator(".setup-map__layers > div .map__svg").first
    page.mouse.click(*spot(land, "6F"))
    page.mouse.click(*spot(land, "3K"))
    expect(page.get_by_label("Square of White Base")).to_have_value("6F")
    expect(page.get_by_label("Square of Blue Base")).to_have_value("3K")
    expect(page.locator("#setup-overlay [data-built='3K']")).to_have_count(1)

    page.mouse.click(*spot(land, "6F"))
    page.mouse.click(*spot(land, "7F"))
    expect(page.get_by_label("Square of White Base")).to_have_value("7F")
    expect(page.locator("#setup-overlay [data-built='7F']")).to_have_count(1)
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert foundation.site("White Base").at == "7F"


@pytest.mark.slow
def test_squares_that_are_too_near_are_hatched_for_the_chosen_side_while_typing(visit: Open) -> None:
    """2.5.1.1."""
    page = visit("bases")
    page.get_by_label("Square of White Base").fill("6F")
    closed = page.locator("[data-zone=phyrexia]")
    expect(closed).to_have_attribute("data-squares", "6D 5E 6E 7E 4F 5F 6F 7F 8F 5G 6G 7G 6H")

    page.get_by_label("Square of Portal 1").fill("8F")
    expect(page.locator("#sites-faults")).to_contain_text(
        "White Base on 6F is 2 squares from the enemy's Portal 1 on 8F"
    )
    expect(closed).to_be_visible()
    expect(page.locator("[data-zone=coalition]")).to_be_hidden()
    page.get_by_label("Square of Portal 1").fill("9F")
    expect(page.locator("#sites-faults")).not_to_contain_text("White Base")


EDGES = """() => {
    const outer = document.getElementById("setup-scroll").getBoundingClientRect();
    const land = document.querySelector("#setup-scroll .map__svg"), start = land.getScreenCTM();
    const [left, right] = [start.e, start.e + 38 * 32 * start.a];
    return [left >= outer.left - 1, right <= outer.right + 1];
}"""
"""Whether the first and the last column are in sight."""


@pytest.mark.slow
def test_the_whole_map_of_the_bases_is_seen_at_once_on_a_wide_screen(visit: Open) -> None:
    """1.2: all 38 columns."""
    page = visit("bases", viewport={"width": 1200, "height": 900})
    until(page, f"({EDGES})().join() === 'true,true'")


@pytest.mark.slow
def test_on_a_phone_the_map_begins_with_its_first_column_and_the_last_one_is_reached(visit: Open) -> None:
    page = visit("bases", viewport={"width": 375, "height": 800})
    until(page, f"({EDGES})().join() === 'true,false'")
    page.locator("#setup-scroll").evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    until(page, f"({EDGES})().join() === 'false,true'")


@pytest.mark.slow
def test_every_site_has_its_name_on_the_map_and_each_hatch_says_whom_it_binds(
    visit: Open, foundation: Foundation
) -> None:
    """2.5.1.1."""
    foundation.place()
    page = visit("bases")
    for name in ("White Base", "Portal 1", "Portal 5"):
        expect(page.locator(".site-names text", has_text=name)).to_have_count(1)
    keys = page.locator(".zone-keys")
    expect(keys).to_contain_text("closed to the Coalition's bases: less than 3 squares from a portal")
    expect(keys).to_contain_text("closed to Phyrexia's portals: less than 3 squares from a base of the Coalition")


def test_a_refused_save_is_read_at_once_and_keeps_the_squares(visit: Open) -> None:
    """2.5.1.1: the browser goes to the one box that says what is wrong."""
    page = visit("bases", java_script_enabled=False)
    page.get_by_label("Square of White Base").fill("6F")
    page.get_by_label("Square of Portal 1").fill("6F")
    page.get_by_role("button", name="Save").first.click()

    expect(page.locator(".error-summary")).to_have_count(1)
    expect(page.locator(".error-summary")).to_be_focused()
    expect(page.locator(".error-summary")).to_contain_text("White Base and Portal 1 are both on 6F.")
    expect(page.get_by_label("Square of White Base")).to_have_value("6F")


@pytest.mark.slow
def test_bases_are_placed_by_the_keyboard_alone(visit: Open) -> None:
    page = visit("bases")
    page.get_by_label("Square of White Base").focus()
    page.locator("#setup-cursor").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#setup-says")).to_have_text("18F, ocean. For White Base.")
    page.keyboard.press("Enter")

    expect(page.get_by_label("Square of White Base")).to_have_value("18F")
    expect(page.locator("#setup-says")).to_contain_text("For Blue Base.")
    expect(page.locator("#setup-cursor")).to_be_focused()


@pytest.mark.slow
def test_the_fairness_figure_follows_the_towns_while_they_are_placed(visit: Open, foundation: Foundation) -> None:
    """2.5.1.4."""
    assert foundation.place().status_code == 302
    page = visit("towns")
    expect(page.locator("#fairness")).to_contain_text(
        "The comparison appears once a town and bases on both sides have been placed"
    )
    land = page.locator(".setup-map__layers > div .map__svg").first
    page.mouse.click(*spot(land, "21F"))
    expect(page.locator("#fairness")).to_contain_text("equally close")
    page.get_by_label("Square of Town 1").fill("18F")
    expect(page.locator("#fairness")).to_contain_text("Coalition is on average 6 squares closer")


@pytest.mark.slow
def test_the_times_follow_the_calendar_while_it_is_typed(visit: Open) -> None:
    page = visit("calendar")
    page.get_by_label("Turn length").fill("14 days")
    page.get_by_label("Battle deadlines are on").select_option("Sunday")
    expect(page.locator("#calendar-preview")).to_contain_text("Preview of changes that aren't saved yet.")
    expect(page.locator("#calendar-preview tbody tr").first).to_contain_text("Sun ")
    page.get_by_label("Turn length").fill("14 moons")
    expect(page.locator("#calendar-preview")).to_contain_text("“14 moons” is not a length of time")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_no_page_of_the_set_up_is_wider_than_the_screen(
    visit: Open, foundation: Foundation, width: int, scheme: str
) -> None:
    foundation.place()
    PlannedSite.objects.filter(name="Red Base").update(name="W" * 60)
    page = visit("name", viewport={"width": width, "height": 800}, color_scheme=scheme)
    steps = ("judges", "calendar", "terrain", "bases", "towns", "descriptions", "wins", "reveal")
    for step in (*steps, ".", "?public", "give-up"):
        page.goto(f"{page.url.split('/setup/')[0]}/setup/{step}")
        fits(page, width)
