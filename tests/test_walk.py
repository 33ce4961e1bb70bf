"""One whole turn, for real: the launcher with a short turn, players and a judge in a browser, to the next unlock."""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.launching import Launched, wait_for

ROUND = "/rounds/the-third-invasion/"
API = "/api/v1/rounds/the-third-invasion/"
A_TURN = 120_000
"""Milliseconds in which a turn of 75 seconds is over, and the pages have shown it."""


@pytest.fixture
def game(launch: Callable[..., Launched]) -> Launched:
    return launch(DEMO="on", DEMO_TURN_LENGTH="75s", SWEEP_SECONDS="0.5").wait_until_ready()


@pytest.fixture
def visit(game: Launched, browser: Browser) -> Callable[[str], Page]:
    """A page for a person of the demo, logged in; without a name, for an onlooker who is not."""

    def visit(username: str = "") -> Page:
        page = browser.new_context(base_url=game.address).new_page()
        if username:
            page.goto("/accounts/login/")
            page.locator("[name=username]").fill(username)
            page.locator("[name=password]").fill("wargame-demo")
            page.locator("main").get_by_role("button", name="Log in").click()
            expect(page.get_by_role("button", name="Log out")).to_be_visible()
        return page

    return visit


def test_a_turn_is_played_from_the_first_post_to_the_next_unlock(game, visit):
    onlooker, judge, player = visit(), visit("magistra"), visit("auricthorn")
    turn = api(game)["results"][0]["turn"]
    onlooker.goto(ROUND)
    army = own_army(game, "Auric Thorn")

    post_a_mistake_and_an_order(player, army)
    score_the_waiting_battle(judge)
    publish_the_others_after_the_deadline(game, judge, turn)

    expect(onlooker.locator("#masthead-turn")).to_contain_text(f"Turn {turn + 1}", timeout=A_TURN)
    see_the_update(player, turn, army)
    assert own_army(game, "Auric Thorn")["at"] == north_of(army["at"])
    assert errors_of(game) == []


def errors_of(game: Launched) -> list[str]:
    """What the service wrote down as an error, though nobody saw it on a page."""
    logs = sorted(game.data.glob("logs/*.log"))
    return [line for log in logs for line in log.read_text().splitlines() if " ERROR " in line]


def post_a_mistake_and_an_order(player: Page, army: dict[str, Any]) -> None:
    """3.2.2.1, 3.3.6: both are shown for what they are; the later one counts."""
    at = army["at"]
    player.goto(ROUND + "movement/")
    lines = [f"{army['name']}: {at} > {to}" for to in (far_from(at), north_of(at))]
    player.get_by_label("Your post").fill("\n".join(lines))
    expect(player.locator("#preview")).to_contain_text("3.2.2.1")
    player.get_by_role("button", name="Post", exact=True).click()
    mine = player.locator("article.post").filter(has_text=f"{at} > {north_of(at)}").last
    expect(mine).to_contain_text(f"{at} > {far_from(at)}")
    expect(mine).to_contain_text("3.3.6")


def score_the_waiting_battle(judge: Page) -> None:
    """4.2.1, R54: marks and a reason, locked and rolled, looked at and published."""
    judge.goto("/judge/")
    judge.get_by_role("row").filter(has_text="all in").get_by_role("link").first.click()
    judge.get_by_role("radio").first.check()
    for place in range(4):
        judge.locator(f"[name=number_{place}]").fill("3")
    judge.locator("[name=why]").fill("The plan fits this enemy.")
    judge.locator("[name=narrative]").fill("A hard fight at dawn.")
    judge.get_by_role("button", name="Lock and roll").click()
    yes = judge.get_by_role("button", name="Yes, lock and roll")  # asked where a strat goes for a kill or capture
    yes.or_(judge.locator("#proposal")).first.wait_for()
    if yes.count():
        yes.click()
    expect(judge.locator("#proposal")).to_contain_text("won")
    judge.get_by_role("button", name="Publish the result", exact=True).click()
    expect(judge.locator("#result")).to_contain_text("won")


def publish_the_others_after_the_deadline(game: Launched, judge: Page, turn: int) -> None:
    """4.2.1, R36: a side that sent no strat by the deadline has lost; the judge only publishes."""
    for battle in battles(game, turn):
        wait_for(lambda number=battle["id"]: publishes(judge, number), game.said, seconds=A_TURN / 1000)


def publishes(judge: Page, battle: int) -> bool:
    judge.goto(f"/judge/battles/{battle}/")
    for name in ("Roll…", "Yes, roll", "Publish the result"):
        button = judge.get_by_role("button", name=name, exact=True)
        if button.count():
            with judge.expect_navigation():
                button.click()
    return bool(judge.locator("#result").count())


def see_the_update(player: Page, turn: int, army: dict[str, Any]) -> None:
    """3.1: the update says what moved, what was refused and under which rule, and which battles are on."""
    player.goto(f"{ROUND}turns/{turn}/")
    expect(player.locator("main")).to_contain_text(f"{army['name']} moved from {army['at']} to {north_of(army['at'])}")
    expect(player.get_by_role("heading", name=re.compile("Refused"))).to_be_visible()
    player.goto(f"{ROUND}turns/{turn}/map/")
    expect(player.locator("#map-svg")).to_be_visible()


def api(game: Launched, path: str = "/api/v1/rounds/") -> Any:
    with urlopen(game.address + path) as answer:
        return json.load(answer)


def own_army(game: Launched, name: str) -> dict[str, Any]:
    army: dict[str, Any] = api(game, f"{API}armies/{name.replace(' ', '%20')}/")
    return army


def battles(game: Launched, turn: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api(game, f"{API}turns/{turn}/battles/")["results"]
    return found


def north_of(square: str) -> str:
    """The square one step north, or south on the northern edge."""
    letter = square[-1]
    return square[:-1] + chr(ord(letter) - 1 if letter > "A" else ord(letter) + 1)


def far_from(square: str) -> str:
    """A square of the same row that is four steps away."""
    column = int(square[:-1])
    return f"{column + 4 if column < 20 else column - 4}{square[-1]}"
