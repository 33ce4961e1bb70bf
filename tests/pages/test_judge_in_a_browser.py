"""The judges' desk and the API's documentation in a browser: nothing blocked, nothing from outside, fit for a phone."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from judging.battles.models import Result
from tests.pages.judge_desk import PASSWORD, Desk, desk, make_draft
from tests.pages.looking import fits, until
from tests.services.ruling import new, rule
from wargame.models import Turn

__all__ = ["desk"]


@pytest.fixture
def watched(page: Page, live_server: Any) -> Iterator[Page]:
    """A page that must neither complain nor ask another server for anything."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda sent: said.append(sent.url) if is_outside(sent.url, live_server.url) else None)
    yield page
    assert said == []


def is_outside(url: str, own: str) -> bool:
    return not url.startswith((own, "data:", "blob:"))


def enter(page: Page, desk: Desk, root: str) -> None:
    """Logs the battle judge in by the form."""
    user = desk.world.judges["battle"].user
    user.set_password(PASSWORD)
    user.save()
    page.goto(f"{root}{reverse('judge:index')}")
    page.fill("#id_username", user.username)
    page.fill("#id_password", PASSWORD)
    page.click("[type=submit]")


@pytest.mark.slow
def test_the_documentation_works_offline(watched: Page, live_server: Any) -> None:
    watched.goto(f"{live_server.url}/api/docs/")
    watched.click("[data-tag=rounds]")
    expect(watched.locator("#swagger-ui")).to_contain_text("/api/v1/rounds/")
    watched.click("[data-tag=posts]")
    watched.click("text=Post in the Orders thread")
    expect(watched.locator("#swagger-ui")).to_contain_text("monday-orders-1")


def mark(page: Page, number: str) -> None:
    for place in range(4):
        page.fill(f"[name=number_{place}]", number)


def test_from_the_desk_to_the_published_result_are_four_clicks(
    watched: Page, live_server: Any, transactional_db: None, desk: Desk
) -> None:
    """R54, 4.2.5: open, choose, lock and roll, publish; and after the roll the page stands at the result."""
    desk.both_strats()
    watched.set_viewport_size({"width": 1280, "height": 720})
    enter(watched, desk, live_server.url)
    watched.click("text=Ana against Gaz")
    watched.click("text=Gaz (Phyrexia)")
    mark(watched, "4")
    expect(watched.locator("[data-offer]")).to_have_text("Your marks suggest +4. Leave the bonus empty to accept it.")
    watched.fill("#id_why", "It had thought of the ford.")
    watched.click("text=Lock and roll")
    expect(watched.locator("#proposal h2")).to_be_in_viewport()
    watched.click("text=Publish and go to next")
    expect(watched.locator(".messagelist")).to_contain_text("The result is public now.")
    assert Result.objects.get().outcome["bonus"][1]["strategy"] == 4


def test_what_a_judge_typed_is_back_after_a_lost_session(
    watched: Page, live_server: Any, transactional_db: None, desk: Desk
) -> None:
    desk.both_strats()
    enter(watched, desk, live_server.url)
    watched.goto(f"{live_server.url}{desk.address}")
    watched.click("text=Gaz (Phyrexia)")
    mark(watched, "4")
    watched.fill("#id_why", "It had thought of the ford.")
    watched.fill("#id_narrative", "Rain, all day.")
    watched.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    watched.click("text=Lock and roll")
    watched.fill("#id_username", desk.world.judges["battle"].user.username)
    watched.fill("#id_password", PASSWORD)
    watched.click("[type=submit]")
    expect(watched.locator("#id_why")).to_have_value("It had thought of the ford.")
    expect(watched.locator("#id_narrative")).to_have_value("Rain, all day.")
    expect(watched.locator("[name=number_3]")).to_have_value("4")
    expect(watched.locator("#score")).to_contain_text("We restored your text")
    watched.click("text=Lock and roll")
    expect(watched.locator("#proposal")).to_contain_text("Losses")
    expect(watched.locator("#id_narrative")).to_have_value("Rain, all day.")
    until(watched, "() => !Object.keys(localStorage).some((key) => key.startsWith('judge-unsent'))")


@pytest.mark.slow
def test_a_judge_scores_on_a_phone(watched: Page, live_server: Any, transactional_db: None, desk: Desk) -> None:
    desk.both_strats()
    watched.set_viewport_size({"width": 375, "height": 800})
    enter(watched, desk, live_server.url)
    watched.click("text=Ana against Gaz")
    watched.click("text=Gaz (Phyrexia)")
    watched.fill("#id_bonus", "6")
    mark(watched, "4")
    watched.fill("#id_why", "It had thought of that.")
    watched.fill("#id_narrative", "Rain, *all day*.")
    watched.click(".judge-actions button[value=ask]")
    expect(watched.locator("main")).to_contain_text("+6 for Gaz (Phyrexia)")
    watched.click("button[value=lock]")
    watched.click("button[value=ask-roll]")
    expect(watched.locator("main")).to_contain_text("They are rolled once")
    watched.click("button[value=roll]")
    expect(watched.locator("#proposal")).to_contain_text("Losses")
    watched.click("button[value=publish]")
    expect(watched.locator("#result")).to_contain_text("Losses")
    expect(watched.locator("#result em")).to_have_text("all day")
    assert Result.objects.get().outcome["bonus"][1]["strategy"] == 6
    for name in ("Ana (the Coalition)", "Gaz (Phyrexia)"):
        expect(watched.locator(".judge-bonuses").get_by_text(name)).to_be_visible()


def test_a_kill_is_voided_and_a_form_comes_back_without_javascript(
    browser: Browser, live_server: Any, transactional_db: None, desk: Desk
) -> None:
    """4.3.2: the desk needs no script for what counts."""
    desk.world.strat(desk.battle, "Ana", "Ana", risk="kill")
    desk.world.strat(desk.battle, "Gaz", "Gaz")
    context = browser.new_context(java_script_enabled=False, viewport={"width": 375, "height": 800})
    page = context.new_page()
    enter(page, desk, live_server.url)
    page.goto(f"{live_server.url}{desk.address}")
    page.click("summary:text('Rule on it')")
    page.fill("#id_risk-cites", "4.3.2")
    page.click("#risk-form button")
    expect(page.locator("#risk-form")).to_contain_text("Give a reason. Everyone can read it.")
    expect(page.locator("#id_risk-cites")).to_have_value("4.3.2")
    page.fill("#id_risk-reason", "He does not name the 500.")
    page.click("#risk-form button")
    expect(page.locator("#risks")).to_contain_text("The kill requested by Ana is void, so no troops are risked.")
    page.click("text=Neither side")
    page.fill("#id_why", "Even.")
    for act in ("ask", "lock", "ask-roll", "roll"):
        page.click(f".judge-actions button[value={act}]")
    expect(page.locator("#proposal")).to_contain_text("He does not name the 500.")
    context.close()


@pytest.mark.slow
def test_no_page_of_the_desk_is_wider_than_a_phone(
    watched: Page, live_server: Any, transactional_db: None, desk: Desk
) -> None:
    desk.both_strats()
    draft = make_draft(desk)
    rule(desk.world, new("square", "Hex", square="18F", reason="Donaudampfschifffahrtsgesellschaft" * 3))
    watched.set_viewport_size({"width": 375, "height": 800})
    enter(watched, desk, live_server.url)
    before = Turn.objects.get(number=draft.turn.number - 1)
    pages = [reverse("judge:index"), desk.address, reverse("judge:draft", args=[draft.turn_id])]
    pages += [reverse("judge:corrections", args=[before.pk])]
    pages += [reverse(f"judge:{name}_changelist") for name in ("wargame_army", "judging_logentry", "judging_post")]
    for address in (*pages, reverse("judge:wargame_round_change", args=[desk.world.round.pk])):
        watched.goto(f"{live_server.url}{address}")
        fits(watched)
