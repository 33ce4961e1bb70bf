"""The frame of every page: the round, its turn, the viewer, and the menu."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from judging.boards.queries.read_marks import Unread, unread
from judging.chain.queries import Head, head_of
from judging.command.badges import TeamWaiting, waiting_lately
from judging.common.rounds import current_turn, round_by_slug, running_round
from judging.common.viewer import Viewer, viewer_of
from judging.home.queries import host_links
from judging.notifications.queries import Bell, bell_now, bell_of
from judging.setup.overview import STEPS
from judging.votes.queries import LAST_CALL, waiting_votes
from wargame.models import Round, Turn
from wargame.models.choices import RoundState
from wargame.version import full_version

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
    """A link of the menu. `title` is marked, and translated when it is shown; `name` is its address, `others` are
    the addresses that belong to it; `of_round`: the address has the round's slug. Templates attach counts to entries
    by `name`."""

    title: str
    name: str
    others: tuple[str, ...] = ()
    of_round: bool = True


@dataclass(frozen=True)
class MenuEntry:
    """A link as it is shown; `is_here`: the open page belongs to it."""

    title: str
    name: str
    url: str
    is_here: bool


@dataclass(frozen=True)
class MenuGroup:
    title: str
    entries: tuple[MenuEntry, ...]


@dataclass(frozen=True)
class Menu:
    """`short` is always visible, `more` is folded."""

    short: tuple[MenuEntry, ...]
    more: tuple[MenuGroup, ...]

    @property
    def here(self) -> MenuEntry | None:
        """The entry under More to which the open page belongs, if any."""
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
"""The links of everybody in a round that is played."""

OF_SETUP = (
    MenuPage(gettext_noop("Set-up"), "setup", STEP_PAGES),
    MenuPage(gettext_noop("Musters"), "musters", ("muster",)),
    MenuPage(gettext_noop("Players"), "players", TEAM_PAGES),
    BOARDS,
)
"""2.5: the links of everybody in a round that has not begun."""

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
    """The menu of a page whose address is `here`, as its viewer sees it; without a query.

    Players have My turn first, judges their desk; a site without a round has only the links outside of rounds.
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


class Site:
    """Lazy: a page queries only the parts that it shows."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @cached_property
    def round(self) -> Round | None:
        if self._known_viewer:
            return self._known_viewer.round
        match = self._request.resolver_match
        slug = match.kwargs.get("slug") if match else None
        return round_by_slug(slug) if slug else running_round(getattr(self._request, "user", None))

    @cached_property
    def turn(self) -> Turn | None:
        """The present turn of the round, whichever turn the page is about; a round in its set-up has none."""
        return current_turn(self.round) if self.round and self.round.state != RoundState.SETUP else None

    @property
    def is_live(self) -> bool:
        """Whether the page polls for news: pages of a round that is played, and the front page. The map polls by
        itself, and an old map never changes."""
        match = self._request.resolver_match
        if match is None or self._here in ("map", "map-fragment", "map-turn"):
            return False
        if "slug" not in match.kwargs and self._here != "home":
            return False
        return self.round is not None and self.round.state == RoundState.RUNNING and self.turn is not None

    @property
    def poll_seconds(self) -> float:
        """The polling interval, in seconds."""
        return float(settings.POLL_SECONDS)

    @cached_property
    def viewer(self) -> Viewer | None:
        """The viewer of the round; None without a round. Often the page's view has found them already."""
        if self._known_viewer:
            return self._known_viewer
        user = getattr(self._request, "user", None)
        return viewer_of(user, self.round) if self.round and user is not None else None

    @cached_property
    def votes_due(self) -> int:
        """R46: the number of votes that close within 24 h and lack the viewer's ballot."""
        return len(waiting_votes(self.viewer, timezone.now(), LAST_CALL)) if self.viewer else 0

    @cached_property
    def waiting(self) -> TeamWaiting:
        """1.1, 5.3.4: the team's business that waits for the viewer as a leader."""
        return waiting_lately(self.viewer) if self.viewer else TeamWaiting()

    @cached_property
    def bell(self) -> Bell:
        """1.2: the viewer's unread notifications, in all rounds."""
        asks = bell_of if self._here == "notifications" else bell_now
        return asks(self._request.user)

    @cached_property
    def unread(self) -> Unread:
        """3.1: the viewer's unread messages on the boards."""
        return unread(self.viewer) if self.viewer else Unread()

    @cached_property
    def menu(self) -> Menu:
        return menu_of(self.round, self.viewer, self._here)

    @cached_property
    def chain_head(self) -> Head | None:
        """R38: the latest hash of the round's chain, for anybody who wants to store it."""
        return head_of(self.round, timezone.now()) if self.round else None

    @property
    def links(self) -> list[tuple[str, str]]:
        return host_links()

    @property
    def signs_up(self) -> bool:
        return bool(settings.SIGN_UP == "open")

    @property
    def logo(self) -> str:
        return reverse("logo") if settings.SITE_LOGO else ""

    @property
    def version(self) -> str:
        return full_version()

    @property
    def _known_viewer(self) -> Viewer | None:
        return getattr(self._request, "viewer", None)

    @property
    def _here(self) -> str:
        match = self._request.resolver_match
        return match.view_name if match else ""


def site(request: HttpRequest) -> dict[str, Site]:
    return {"site": Site(request)}
