"""What the head of every page leads to: a short row of what people come for, and the rest under More.

Apart from `context`, because which page belongs under which heading is a table of its own, and asks for no rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from judging.game.viewer import Viewer
from judging.setup.overview import STEPS
from wargame.models import Round
from wargame.models.choices import RoundState

MY_TURN_PAGES = ("mine", "army-change", "newcomers")
POST_PAGES = ("post", "post-edit", "post-withdraw", "post-new", "post-preview")
TEAM_PAGES = (
    *("command", "command-army", "players", "player", "join", "admissions", "service"),
    *(
        "give-army",
        "control-request",
        "control-requests",
        "contingencies",
        "control-power",
        "votes",
        "vote",
        "vote-new",
    ),
)
"""1.1, 1.4, 5.2: the pages of joining, ranks, votes and control."""

BOARD_PAGES = (
    *("boards", "board", "board-history", "board-edit", "board-withdraw", "board-moderate", "board-report"),
    *("board-topics", "board-topic", "board-topic-new", "board-topic-moderate"),
    *("press", "press-new", "press-leave", "reports", "report", "post-report", "blocks", "search"),
)

STEP_PAGES = (
    *("setup", "setup-description", "setup-give-up", "setup-starts"),
    *("setup-team", "setup-team-descriptions", "setup-team-wins"),
    *(f"setup-{step.key}" for step in STEPS),
)


TABLE_PAGES = (
    *("table", "table-new", "table-decks", "table-deck", "table-deck-new", "table-lists", "table-list"),
    *("table-list-new", "table-desk", "table-verify", "table-rulings", "table-plays-by", "table-agreements"),
    *("table-draft", "table-people", "table-talk", "table-conduct", "table-appeal", "table-appeal-new", "table-entry"),
    *("table-entries", "table-back", "table-look", "table-sit", "table-cut", "table-judges", "table-ask"),
)


@dataclass(frozen=True)
class MenuPage:
    """A link of the menu. `title` is marked, and translated when it is shown; `name` is its address, `others` are the
    addresses that belong to it; `of_round`: the address has the round's slug. Templates hang counts
    at entries by `name`."""

    title: str
    name: str
    others: tuple[str, ...] = ()
    of_round: bool = True


@dataclass(frozen=True)
class MenuEntry:
    """A link as it is shown; `is_here`: the page that is open belongs to it."""

    title: str
    name: str
    url: str
    is_here: bool


@dataclass(frozen=True)
class MenuGroup:
    """Links under one heading of More."""

    title: str
    entries: tuple[MenuEntry, ...]


@dataclass(frozen=True)
class Menu:
    """`short` is always seen, `more` is folded."""

    short: tuple[MenuEntry, ...]
    more: tuple[MenuGroup, ...]

    @property
    def here(self) -> MenuEntry | None:
        """The entry under More to which the open page belongs, if it is one of those."""
        return next((entry for group in self.more for entry in group.entries if entry.is_here), None)


MY_TURN = MenuPage(gettext_noop("My turn"), "mine", MY_TURN_PAGES)
DESK = MenuPage(gettext_noop("Judging"), "judge:index", of_round=False)
BOARDS = MenuPage(gettext_noop("Boards"), "boards", BOARD_PAGES)

OF_ROUND = (
    MenuPage(gettext_noop("Map"), "map", ("map-turn",)),
    MenuPage(gettext_noop("Orders thread"), "movement", ("movement-turn", *POST_PAGES)),
    MenuPage(gettext_noop("Battles"), "battles", ("battles-turn", "battle", "strat")),
    MenuPage(gettext_noop("Teams"), "command", TEAM_PAGES),
    BOARDS,
)
"""What everybody has of a round that is played."""

OF_SETUP = (
    MenuPage(gettext_noop("Set-up"), "setup", STEP_PAGES),
    MenuPage(gettext_noop("Musters"), "musters", ("muster",)),
    MenuPage(gettext_noop("Players"), "players", TEAM_PAGES),
    BOARDS,
)
"""2.5: what everybody has of a round that has not begun."""

THE_WAR = (
    MenuPage(gettext_noop("Results"), "results"),
    MenuPage(gettext_noop("Turns"), "turns", ("turn", "turn-before")),
    MenuPage(gettext_noop("Armies"), "armies", ("army",)),
    MenuPage(gettext_noop("Bases and towns"), "places"),
    MenuPage(gettext_noop("Players"), "records"),
    MenuPage(gettext_noop("Numbers"), "numbers"),
)
HOW_IT_IS_JUDGED = (
    MenuPage(gettext_noop("Judges"), "judges"),
    MenuPage(gettext_noop("Rules and settings"), "plays-by"),
    MenuPage(gettext_noop("Rulings"), "rulings"),
    MenuPage(gettext_noop("Penalties"), "penalties"),
    MenuPage(gettext_noop("Appeals"), "appeals", ("appeal", "appeal-new")),
    MenuPage(gettext_noop("Mercenaries"), "neutrals", ("neutrals-turn",)),
    MenuPage(gettext_noop("Formula book"), "round-book"),
    MenuPage(gettext_noop("Log"), "log", ("log-entry",)),
    MenuPage(gettext_noop("Verify"), "verify", ("verify-turn",)),
)
ALWAYS = (
    MenuPage(gettext_noop("How to play"), "how-to-play", ("sandbox",), of_round=False),
    MenuPage(gettext_noop("Rules"), "rules", ("rule",), of_round=False),
    MenuPage(gettext_noop("Creatures"), "creatures", of_round=False),
    MenuPage(gettext_noop("Rounds"), "rounds", ("round-new",), of_round=False),
    MenuPage(gettext_noop("Card tables"), "tables", TABLE_PAGES, of_round=False),
    MenuPage(gettext_noop("API"), "api-docs", of_round=False),
)


def menu_of(round_: Round | None, viewer: Viewer | None, here: str) -> Menu:
    """The menu of a page whose address is `here`, as its viewer sees it; asks the database for nothing.

    Who plays has My turn first, who judges his desk; a site without a round has only what belongs to none.
    """

    def shown(pages: Iterator[MenuPage] | tuple[MenuPage, ...]) -> tuple[MenuEntry, ...]:
        args = [round_.slug] if round_ else []
        return tuple(
            MenuEntry(
                gettext(page.title),
                page.name,
                reverse(page.name, args=args if page.of_round else ()),
                here in _names(page),
            )
            for page in pages
        )

    short = shown(_short(round_, viewer))
    if round_ is None:
        return Menu((*short, *shown(ALWAYS)), ())
    always = MenuGroup(gettext("Rules and lists"), shown(ALWAYS))
    if round_.state == RoundState.SETUP:
        return Menu(short, (always,))
    of_round = (
        MenuGroup(gettext("The war"), shown(THE_WAR)),
        MenuGroup(gettext("How the round is judged"), shown(HOW_IT_IS_JUDGED)),
    )
    return Menu(short, (*of_round, always))


def _short(round_: Round | None, viewer: Viewer | None) -> Iterator[MenuPage]:
    if viewer and viewer.roles:
        yield DESK
    if round_ is None:
        return
    if round_.state == RoundState.SETUP:
        yield from OF_SETUP
        return
    if viewer and viewer.player:
        yield MY_TURN
    yield from OF_ROUND


def _names(page: MenuPage) -> tuple[str, ...]:
    return (page.name, *page.others)
