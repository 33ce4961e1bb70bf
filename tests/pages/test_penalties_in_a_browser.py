"""5.4.1: a judge hands a penalty down on a phone, and lifts it again."""

import re
from typing import Any

from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.pages.judge_desk import Desk, desk
from tests.pages.looking import fits
from tests.pages.test_judge_in_a_browser import enter, watched

__all__ = ["desk", "watched"]


def test_a_penalty_is_asked_for_twice_rolled_and_lifted(
    watched: Page, live_server: Any, transactional_db: None, desk: Desk
) -> None:
    desk.world.post("Ana", "Ben: 10D > 11D", at=desk.world.turn.opened_at)
    watched.set_viewport_size({"width": 375, "height": 800})
    enter(watched, desk, live_server.url)
    watched.get_by_role("region").get_by_role("link", name="Penalties", exact=True).click()
    watched.get_by_role("link", name="Penalise this").click()
    expect(watched.get_by_label("Player who acted")).to_have_value("Ana")
    watched.get_by_label("Severity").select_option("5")
    watched.get_by_role("button", name="Continue").click()
    expect(watched.locator("#hand-down")).to_contain_text(
        "Ben must give up at least 500, 250, 125 and 50 and at most 3,000"
    )
    watched.get_by_role("button", name="Change it").click()
    expect(watched.get_by_label("Severity")).to_have_value("5")
    watched.get_by_role("button", name="Continue").click()
    watched.get_by_role("button", name="Impose it and roll").click()
    expect(watched.locator("#penalties")).to_contain_text(re.compile(r"severity 5 times [1-6], drawn as penalty/1"))
    expect(watched.locator("#offences")).to_contain_text("penalised")
    fits(watched)
    watched.get_by_text("Lift penalty", exact=True).click()
    watched.get_by_label("Why?").fill("It was his.")
    watched.get_by_role("button", name="Lift penalty 1 of turn 2").click()
    expect(watched.locator("#penalties")).to_contain_text("Lifted by Judge battle")
    watched.goto(f"{live_server.url}{reverse('penalties', args=['trial'])}")
    expect(watched.locator("#penalty-2-1")).to_contain_text("It was his.")
    fits(watched)
