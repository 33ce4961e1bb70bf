"""5.1 to 5.4: two people play a whole Standard game of Seize, one with a mouse, one with a thumb; and the openings of a
Draft, an Arena and a Guild Master game as they are seen on a phone."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from judging.tables.cards import lists
from judging.tables.cards.decks import save_deck
from judging.tables.models import CardList, DeckVersion, Seat, Table
from judging.tables.queries import TableView
from judging.tables.services import opening
from tests.pages.picking import submit_picks
from tests.pages.test_whole_table_browser import PHONE, Player, browse, sits_down, waited
from tests.services.tables_of_tests import WORDS, Game, opened, person, sit

__all__ = ["browse"]
SLUG = "by-the-gate"
MOST_STEPS = 80
RUNNER = {
    "name": "Runner", "type": "mercenary", "class": "Rogue", "stars": 1, "health": 6, "bounty": 15, "text": "",
    "melee": {"n": 6, "dir": "all"}, "move": {"n": 5, "dir": "all"},
}  # fmt: skip


def quick() -> CardList:
    """A list of mercenaries who are in the other's Guild Hall within a turn, and a deck of them for each."""
    cards = [RUNNER, {"name": "Torch", "type": "treasure", "stars": 1, "text": ""}]
    data = {"list": {"key": "quick", "game": "seize", "version": 1, "made_up": True}, "cards": cards}
    made = lists.take_list(data=data, by=None, now=timezone.now())
    for name in ("Ana", "Bo"):
        save_deck(
            user=person(name), deck=None, name=f"Runners of {name}", text="20 Runner\n20 Torch", game="seize",
            card_list=made, now=timezone.now(),
        )  # fmt: skip
    return made


def opens(player: Player, made: CardList) -> None:
    """Opens a table of Seize, by the form of the lobby."""
    player.page.goto("/tables/new/")
    player.page.get_by_label("Name of the table").fill("By the gate")
    player.page.get_by_label("Game and format").select_option("seize standard")
    player.page.get_by_label("Card list").select_option(str(made.pk))
    player.page.get_by_role("button", name="Open the table").click()
    expect(player.page.get_by_role("heading", name="By the gate")).to_be_visible()


def wish(seen: TableView) -> str:
    """What somebody does: cards are acquired, a mercenary is played, runs into the other's hall and plunders; where an
    enemy stands in one's own hall, it stays and strikes."""
    own, other = ("1", "6") if seen.letter == "A" else ("6", "1")
    enemies = seen.view["zones"][f"{'B' if seen.letter == 'A' else 'A'}.battlefield"]
    stormed = any(str(one["at"]).endswith(own) for one in enemies)
    starts = [
        "acquire" if seen.view["turn"]["number"] == 1 else "enough",
        "attack",
        "plunder",
        f"play Runner to c{own}",
    ]
    for start in starts:
        if found := next((line for line in seen.legal if line.startswith(start)), ""):
            return found
    moves = [line for line in seen.legal if line.startswith("move") and f": c{own}-" in line and line.endswith(other)]
    if moves and not stormed:
        return moves[0]
    return "enough" if "enough" in seen.legal else seen.legal[0]


def writes(player: Player, line: str) -> None:
    """The same by text."""
    player.page.locator("summary", has_text="Write it yourself").first.click()
    player.page.get_by_label("Your lines").fill(line)
    player.page.locator(".ct-lines").get_by_role("button", name="Post", exact=True).first.click()


@pytest.mark.slow
def test_two_people_play_a_standard_game_to_its_end_by_what_the_pages_offer(browse: Callable[..., Page]) -> None:
    made = quick()
    ana, bo = Player(browse("Ana"), is_phone=False), Player(browse("Bo", **PHONE), is_phone=True)
    players = {"Ana": ana, "Bo": bo}
    opens(ana, made)
    sits_down(ana, "Ana", is_last=False)
    bo.page.goto(f"/tables/{SLUG}/")
    sits_down(bo, "Bo", is_last=True)
    ana.page.goto(f"/tables/{SLUG}/")
    expect(ana.page.get_by_text("Your cut word is submitted")).to_be_visible()

    game = Game(Table.objects.get(), timezone.now())
    done: set[str] = set()
    for _ in range(MOST_STEPS):
        if game.row().state == "over":
            break
        name = waited()
        line = wish(game.view(name))
        players[name].page.goto(f"/tables/{SLUG}/")
        if line == "enough" or line.startswith("plunder"):
            writes(players[name], line)
        elif line.startswith("discard"):
            form = players[name].page.locator(".ct-fill[open] .ct-picking")
            submit_picks(form, line.removeprefix("discard ").split(", "))
        else:
            players[name].press(f'#ct-acts button[data-line="{line}"]')
        expect(players[name].page.get_by_text("Posted: entry")).to_be_visible()
        done.add(line.partition(" ")[0])

    assert done >= {"keep", "acquire", "play", "move", "attack", "plunder", "pass"}
    for player in players.values():
        player.page.goto(f"/tables/{SLUG}/")
        expect(player.page.get_by_text("The table is finished").first).to_be_visible()
    assert bo.page.evaluate("document.documentElement.scrollWidth") <= 375
    bo.page.goto(f"/tables/{SLUG}/verify/")
    expect(bo.page.get_by_text("Everything that can be recomputed matches")).to_be_visible()


def test_a_draft_an_arena_and_a_guild_master_game_open_on_a_phone(browse: Callable[..., Page]) -> None:
    players = {name: Player(browse(name, **PHONE), is_phone=True) for name in ("Ana", "Bo", "Cy")}
    ana, bo = players["Ana"], players["Bo"]
    draft = reverse("table-draft", args=[opened(game="seize", format="draft", name="Four boosters").slug])
    for player, name in ((ana, "Ana"), (bo, "Bo")):
        player.page.goto(draft)
        player.page.get_by_label("Your name at this table").fill(name)
        player.press("button:has-text('Join the draft')")
    card = bo.page.locator("#ct .ct-hand .ct-face__name").first.text_content()
    bo.page.locator("#ct .ct-hand summary").first.tap()
    bo.press(f'button[data-line="pick {card}"]')
    expect(bo.page.get_by_text(f"You picked {card}; no one else knows yet.")).to_be_visible()
    ana.page.goto(draft)
    expect(ana.page.get_by_role("heading", name="Pick a card")).to_be_visible()
    expect(ana.page.get_by_text(f"You picked {card}")).to_have_count(0)

    arena = opened(game="seize", format="arena", name="In the Arena")
    for name, called in {"Ana": "Mages in the Arena", "Bo": "Warriors in the Arena"}.items():
        sit(arena, name, called)
    player = players[waited()]
    player.page.goto(reverse("table", args=[arena.slug]))
    player.press('#ct-acts button[data-line="pillar b3"]')
    expect(player.page.locator('[data-square="b3"].ct-ground--pillar')).to_be_visible()
    _whole(player.page, 24)

    guild = opened(game="seize", format="guild master", name="Three masters", places=3)
    decks = DeckVersion.objects.filter(deck__name__icontains="guild").order_by("deck__name")
    for name, version in zip(("Ana", "Bo", "Cy"), decks, strict=True):
        coming = opening.Coming(name, version, WORDS[name])
        opening.sit_down(table=guild, user=person(name), coming=coming, now=guild.opened_at)
    name = Seat.objects.filter(table=guild, asked_at__isnull=False).order_by("letter")[0].name
    asked = players[name]
    asked.page.goto(reverse("table", args=[guild.slug]))
    _whole(asked.page, 48)
    asked.press("#ct-acts button[name=action]")
    expect(asked.page.get_by_text("Posted: entry")).to_be_visible()


def _whole(page: Page, squares: int) -> None:
    """The battlefield is seen whole, as wide as the phone is."""
    assert page.locator("[data-square]").count() == squares
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    right = page.locator("[data-square]").evaluate_all(
        "all => Math.max(...all.map(one => one.getBoundingClientRect().right))"
    )
    assert right <= 375
