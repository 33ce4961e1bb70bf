"""T1 to T12: two people play a whole game of Kryptik by what the pages offer, one on a phone; a judge rules what a card
does, and at the end a stranger says that everything is the same."""

import subprocess
import sys
from ast import literal_eval
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from judging.tables.cards import lists
from judging.tables.cards.decks import save_deck
from judging.tables.models import CardList, Seat, Table
from tests.services.tables_of_tests import person
from tests.services.test_tables_stranger import LINES

PHONE = {"viewport": {"width": 375, "height": 800}, "has_touch": True, "is_mobile": True}
NAMES = [f"Runner {letter}" for letter in "ABCDEFGHIJKLMNOPQ"]
STORY = "Each player tells a story of the sea; who told the best one draws a card."
MOST_STEPS = 60


@dataclass
class Player:
    """Somebody at the table, with a mouse or a thumb."""

    page: Page
    is_phone: bool

    def press(self, what: str) -> None:
        """Presses what a selector finds, whatever it is folded into; a thumb says once more that it means it."""
        part = self.page.locator(what).first
        for fold in reversed(part.locator("xpath=ancestor::details[not(@open)]").all()):
            fold.locator("xpath=./summary").evaluate("summary => { summary.parentElement.open = true }")
        is_asked = part.get_attribute("data-asks") or (self.is_phone and part.get_attribute("data-act"))
        (part.tap if self.is_phone else part.click)()
        if is_asked:
            self.page.get_by_role("button", name="Post it").click()

    def act(self, start: str) -> None:
        """Posts the first offered line that begins so."""
        self.press(f'#ct-acts button[data-line^="{start}"]')
        expect(self.page.get_by_text("Posted: entry")).to_be_visible()

    def offers(self, start: str) -> bool:
        """Whether the page offers a line that begins so."""
        return self.page.locator(f'#ct-acts button[data-line^="{start}"]').count() > 0


@pytest.fixture
def browse(transactional_db: None, live_server: LiveServer, browser: Browser) -> Iterator[Callable[..., Page]]:
    """A browser of somebody who is logged in; whatever it complains about fails the test."""
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
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def cards() -> CardList:
    """A list of quick citizens of which each has a text that only people can carry out, and a deck of them for each."""
    runners: list[dict[str, object]] = [
        {"name": name, "type": "citizen", "cost": {"any": 0}, "attack": 1, "defense": 1, "keywords": ["eager"],
         "text": f"Eager. Enter; {STORY}", "abilities": [{"when": {"enters": "self"}, "do": [{"manual": STORY}]}]}
        for name in NAMES
    ]  # fmt: skip
    now = timezone.now()
    data = {"list": {"key": "runners", "game": "kryptik", "version": 1, "made_up": True}, "cards": runners}
    made = lists.take_list(data=data, by=None, now=now)
    text = "".join(f"{2 if name == NAMES[-1] else 3} {name}\n" for name in NAMES)
    for name in ("Ana", "Bo"):
        save_deck(
            user=person(name), deck=None, name=f"Runners of {name}", text=text, game="kryptik", card_list=made, now=now
        )
    return made


def opens(player: Player, made: CardList) -> None:
    """Opens a table of Kryptik, by the form of the lobby."""
    player.page.goto("/tables/new/")
    player.page.get_by_label("Name of the table").fill("By the sea")
    player.page.get_by_label("Game and format").select_option("kryptik constructed")
    player.page.get_by_label("Card list").select_option(str(made.pk))
    player.page.get_by_role("button", name="Open the table").click()
    expect(player.page.get_by_role("heading", name="By the sea")).to_be_visible()


def sits_down(player: Player, name: str, *, is_last: bool) -> None:
    """Takes a seat with a word that the browser has made, and hands in at once if nobody else is waited for."""
    word = player.page.locator("#word")
    expect(word).not_to_have_value("")
    player.page.get_by_label("Your name at this table").fill(name)
    player.page.get_by_label("Deck").select_option(label=f"Runners of {name}")
    player.press("button:has-text('Sit down')")
    told = "Your cut word is submitted" if is_last else "You now sit at the table"
    expect(player.page.get_by_text(told)).to_be_visible()


def waited() -> str:
    return Seat.objects.filter(asked_at__isnull=False).order_by("letter")[0].name


@pytest.mark.slow
def test_two_people_play_a_game_to_its_end_and_a_stranger_says_same(
    browse: Callable[..., Page], tmp_path: Path
) -> None:
    made = cards()
    ana, bo = Player(browse("Ana"), is_phone=False), Player(browse("Bo", **PHONE), is_phone=True)
    judge = browse("Cy")
    players = {"Ana": ana, "Bo": bo}

    opens(ana, made)
    sits_down(ana, "Ana", is_last=False)
    bo.page.goto("/tables/by-the-sea/")
    sits_down(bo, "Bo", is_last=True)
    assert Table.objects.get().state == "cutting"
    ana.page.goto("/tables/by-the-sea/")
    expect(ana.page.get_by_text("Your cut word is submitted")).to_be_visible()
    bo.page.goto("/tables/by-the-sea/")
    expect(bo.page.get_by_role("heading", name="Keep this hand")).to_be_visible()

    names_cy_judge(ana.page, bo.page)
    ana.page.goto("/tables/by-the-sea/")
    hand = ana.page.locator("#ct-hand .ct-face__name").all_text_contents()
    for player in (ana, bo):
        player.act("keep hand")

    first = waited()
    turn, other = players[first], players[{"Ana": "Bo", "Bo": "Ana"}[first]]
    other.page.goto("/tables/by-the-sea/")
    other.press("input[name=stop][value='every window']")
    other.press("input[name=stop][value='attacked']")
    other.press("form:has(input[name=stop]) button:has-text('Save')")
    expect(other.page.get_by_text("Posted: entry")).to_be_visible()

    ruled = False
    for _ in range(MOST_STEPS):
        player = players[waited()]
        player.page.goto("/tables/by-the-sea/")
        row = other.page.locator(".ct-side--own .ct-count--eleven dd")
        if ruled and player is other and row.text_content() == "5":
            break
        if player.page.get_by_text(STORY).count() and player.page.get_by_role("heading", name="Say what").count():
            rules(judge, player)
            ruled = True
        elif ruled and player.offers("pass to attack"):
            player.act("pass to attack")
        elif not ruled and player.offers("cast"):
            player.act("cast")
        else:
            answers = ("attack with", "no block", "11y: hand", "pass")
            player.act(next(start for start in answers if player.offers(start)))
        other.page.goto("/tables/by-the-sea/")
    assert ruled
    other.press("button[data-line='concede!']")
    expect(turn.page.locator("body")).to_be_visible()
    turn.page.goto("/tables/by-the-sea/verify/")
    expect(turn.page.get_by_text("Everything that can be recomputed matches")).to_be_visible()

    ana_dealt, _, verdict = recomputed(turn.page.request.get("/tables/by-the-sea/proof/").body(), tmp_path)
    assert verdict == "same"
    keys = literal_eval(ana_dealt.removeprefix("A "))
    assert sorted(key.split("/")[1] for key in keys[:6]) == sorted(hand)


def names_cy_judge(page: Page, other: Page) -> None:
    """One player proposes a judge, and the other agrees."""
    page.goto("/tables/by-the-sea/judges/")
    page.get_by_label("Judge’s log-in").fill("cy")
    page.get_by_label("Shown as").fill("Cy")
    page.get_by_role("button", name="Appoint this judge").click()
    expect(page.get_by_text("Proposed as a judge").first).to_be_visible()
    other.goto("/tables/by-the-sea/judges/")
    other.get_by_role("button", name="Agree", exact=True).click()
    expect(other.get_by_text("You agreed.")).to_be_visible()
    other.goto("/tables/by-the-sea/")


def recomputed(proof: bytes, folder: Path) -> list[str]:
    """What a stranger's program says of a proof file, line by line."""
    script, file = folder / "stranger.py", folder / "proof.json"
    script.write_text(LINES, encoding="utf-8")
    file.write_bytes(proof)
    ran = subprocess.run([sys.executable, "-I", str(script), str(file)], capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def rules(judge: Page, player: Player) -> None:
    """Who is asked asks the judge; the judge reads the question, tries a ruling and gives it."""
    player.page.locator("summary", has_text="Judges and standing orders").evaluate(
        "summary => { summary.parentElement.open = true }"
    )
    player.page.get_by_label("Ask a judge").fill("Whose story was the best?")
    player.press("button:text-is('Ask')")
    expect(player.page.get_by_text("You asked the judges")).to_be_visible()
    judge.goto("/tables/by-the-sea/judges/")
    expect(judge.get_by_text("Whose story was the best?", exact=True)).to_be_visible()
    judge.get_by_label("What happens").fill("A draws 1")
    judge.get_by_label("Which rule").fill("K42")
    judge.get_by_label("Reason").fill("Ana told of the otter under the ice.")
    judge.get_by_role("button", name="Rule", exact=True).click()
    expect(judge.get_by_text("Your ruling is posted.")).to_be_visible()
    expect(judge.locator(".ct-log a.cite", has_text="K42").first).to_be_visible()
