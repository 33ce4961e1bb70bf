"""R53, R57, R58: a result is contested, judged anew and read by everybody: as loser, as who answers, head and host."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from judging.battles.models import Battle, Result
from judging.common import locking
from tests.pages.judge_desk import PASSWORD
from tests.pages.looking import fits
from tests.services.conftest import FOUR
from tests.services.world_of_tests import HOUR, World, begin, make_round
from wargame.models import Judge

REASON = "The bonus rests on a sentence that stands in no strat."


@pytest.fixture
def lost(transactional_db: None) -> Iterator[World]:
    """Ana has lost her battle by Judge battle's score; Judge Dee could answer an appeal, and root hosts the site."""
    world = begin(make_round(FOUR))
    world.post("Ana", "3D > 3F; engage Gaz\n")
    world.settle()
    battle = Battle.objects.get()
    for name in ("Ana", "Gaz"):
        world.strat(battle, name, name, f"{name} holds.")
    world.score(battle, favours=1, bonus=10)
    with locking.transaction():
        given = {"round": world.round, "name": "Judge Dee", "role": "battle", "is_head": False}
        world.judges["dee"] = Judge.objects.create(user=User.objects.create_user("dee"), **given)
    User.objects.create_superuser("root", password=PASSWORD)
    with time_machine.travel(battle.deadline + 2 * HOUR):
        yield world


def seen_by(browser: Browser, root: str, user: Any, width: int) -> Page:
    """Somebody's own browser, logged in by the form."""
    user.set_password(PASSWORD)
    user.save()
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    page.goto(f"{root}{reverse('login')}")
    page.fill("#id_username", user.username)
    page.fill("#id_password", PASSWORD)
    page.click("main [type=submit]")
    return page


def test_a_loser_appeals_and_the_battle_is_judged_anew_before_everybodys_eyes(
    lost: World, live_server: Any, browser: Browser
) -> None:
    root, battle = live_server.url, Battle.objects.get()
    of_battle = f"{root}{reverse('battle', args=['trial', battle.pk])}"

    loser = seen_by(browser, root, lost.players["Ana"].user, 375)
    loser.goto(of_battle)
    expect(loser.locator("main")).to_contain_text("Gaz")
    loser.locator("a.contest").first.click()
    expect(loser.get_by_role("heading", name="Contest this")).to_be_visible()
    loser.get_by_label("Which rule was broken?").fill("4.2.1")
    loser.get_by_label("Why?").fill(REASON)
    fits(loser)
    loser.get_by_role("button", name="Send appeal").click()
    expect(loser.locator("main")).to_contain_text("Judge Dee, until")
    fits(loser)

    answering = seen_by(browser, root, lost.judges["dee"].user, 1280)
    answering.goto(f"{root}{reverse('judge:index')}")
    asked = answering.get_by_role("region", name="Your answer is needed")
    asked.get_by_role("link").first.click()
    expect(answering.locator("main")).to_contain_text(REASON)
    answering.get_by_role("button", name="Let the settlement of turn 2 wait for my answer").click()
    expect(answering.locator("main")).to_contain_text("This appeal holds up the settlement of turn 2")
    answering.get_by_role("link", name="Judge the battle again").click()
    answering.get_by_label("Ana", exact=True).check()
    answering.get_by_label("Bonus, 0 to 10").fill("10")
    for place in range(4):
        answering.locator(f"[name=number_{place}]").fill("9")
    answering.get_by_text("Comments on individual criteria (optional)").click()
    answering.locator("[name=reason_0]").fill("Read once more, it is Ana who said it.")
    answering.get_by_label("Rule", exact=True).fill("4.2.1")
    answering.get_by_label("Reason for judging again (public)").fill("The sentence is Ana's.")
    answering.get_by_label("Lock this score. I can't change it").check()
    answering.get_by_role("button", name="Lock this score").click()
    expect(answering.locator("#newest")).to_contain_text("Losses before and now")
    assert Result.objects.get().winner == 0
    answering.goto(f"{root}{reverse('appeal', args=['trial', 1])}")
    answering.get_by_label("Judged again (I have already locked a new score)").check()
    answering.get_by_label("By which rule?").fill("4.2.1")
    answering.get_by_label("Why?").fill("The score rested on the wrong strat.")
    answering.get_by_role("button", name="Send the final answer").click()
    expect(answering.locator("main")).to_contain_text("The answer: ")

    head = seen_by(browser, root, lost.judges["battle"].user, 1280)
    head.goto(of_battle)
    expect(head.locator("main")).to_contain_text("The sentence is Ana's.")
    expect(head.locator("main")).to_contain_text("Score: +10 for Gaz → +10 for Ana.")
    expect(head.get_by_role("link", name="Appeal 1").first).to_be_visible()

    host = seen_by(browser, root, User.objects.get(username="root"), 1280)
    host.goto(f"{root}{reverse('verify-chain', args=['trial'])}")
    expect(host.locator("main")).to_contain_text("Same. Nothing was changed")
    host.goto(f"{root}{reverse('log', args=['trial'])}")
    expect(host.locator("main")).to_contain_text("Judge Dee")

    loser.goto(of_battle)
    expect(loser.locator("main")).to_contain_text("The sentence is Ana's.")
    fits(loser)
