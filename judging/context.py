"""What the frame of every page shows: the round, its turn, who looks, and where the pages are."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from judging.boards.reads.read_marks import Unread, unread
from judging.game.rounds import current_turn, round_by_slug, running_round
from judging.game.viewer import Viewer, viewer_of
from judging.setup.overview import STEPS
from judging.votes.reads import LAST_CALL, waiting_votes
from wargame.models import Round, Turn
from wargame.models.choices import RoundState

Page = tuple[str, str, tuple[str, ...]]

POST_PAGES = ("post", "post-edit", "post-withdraw", "post-new", "post-preview")
COMMAND_PAGES = (
    *("command", "command-army", "players", "player", "join", "admissions", "service"),
    *("control-request", "control-requests", "contingencies", "control-power", "votes", "vote", "vote-new"),
)
"""1.1, 1.4, 5.2: the pages of joining, ranks, votes and control."""

BOARD_PAGES = ("boards", "board", "board-history", "board-edit", "board-withdraw", "board-moderate")

TURN_PAGES = (
    *("turns", "turn", "turn-before", "rulings", "penalties", "neutrals", "neutrals-turn"),
    *("log", "log-entry", "judges"),
)

ROUND_PAGES: tuple[Page, ...] = (
    ("Map", "map", ("map", "map-turn")),
    ("Movement", "movement", ("movement", "movement-turn", *POST_PAGES)),
    ("Battles", "battles", ("battles", "battles-turn", "battle", "strat")),
    ("Results", "results", ("results",)),
    ("Turns", "turns", TURN_PAGES),
    ("Armies", "armies", ("armies", "army")),
    ("Command", "command", COMMAND_PAGES),
    ("Boards", "boards", BOARD_PAGES),
    ("Numbers", "numbers", ("numbers",)),
)
"""The pages that everybody has: title, name of the address, names of the addresses that belong to it."""

STEP_PAGES = (
    *("setup", "setup-description", "setup-give-up", "setup-starts"),
    *("setup-team", "setup-team-descriptions", "setup-team-wins"),
    *(f"setup-{step.key}" for step in STEPS),
)
SETUP_PAGES: tuple[Page, ...] = (
    ("Set-up", "setup", STEP_PAGES),
    ("Musters", "musters", ("musters", "muster")),
    ("Players", "players", COMMAND_PAGES),
    ("Boards", "boards", BOARD_PAGES),
)
"""2.5: the pages of a round that has not begun."""


class Site:
    """Lazy: a page that shows none of it asks the database for none of it."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @cached_property
    def round(self) -> Round | None:
        """The round of the page's address, else the running one."""
        if self._known:
            return self._known.round
        match = self._request.resolver_match
        slug = match.kwargs.get("slug") if match else None
        return round_by_slug(slug) if slug else running_round()

    @cached_property
    def turn(self) -> Turn | None:
        """The present turn of the round, whichever turn the page is about."""
        return current_turn(self.round) if self.round else None

    @property
    def is_live(self) -> bool:
        """Whether the page asks for news: it is one of a round that is played, is not the map, which asks for itself,
        and no old map, which never changes."""
        match = self._request.resolver_match
        if match is None or "slug" not in match.kwargs or self._here in ("map", "map-fragment", "map-turn"):
            return False
        return self.round is not None and self.round.state == RoundState.RUNNING and self.turn is not None

    @property
    def poll_seconds(self) -> float:
        """How often it asks, in seconds."""
        return float(settings.POLL_SECONDS)

    @cached_property
    def viewer(self) -> Viewer | None:
        """Who looks at the round; None without a round. The page's view has often found out already."""
        if self._known:
            return self._known
        user = getattr(self._request, "user", None)
        return viewer_of(user, self.round) if self.round and user is not None else None

    @cached_property
    def votes_due(self) -> int:
        """R46: in how many votes that close within 24 h the viewer is missing."""
        return len(waiting_votes(self.viewer, timezone.now(), LAST_CALL)) if self.viewer else 0

    @cached_property
    def unread(self) -> Unread:
        """3.1: what is new to the viewer on the boards."""
        return unread(self.viewer) if self.viewer else Unread()

    @cached_property
    def navigation(self) -> list[dict[str, object]]:
        """The links of the page's head, as `title`, `url` and `is_here`."""
        pages = [
            ("Rounds", reverse("rounds"), ("rounds", "round-new")),
            ("Creatures", reverse("creatures"), ("creatures",)),
            ("Rules", reverse("rules"), ("rules",)),
            ("API", reverse("api-docs"), ()),
        ]
        if self.viewer and self.viewer.roles:
            pages.insert(0, ("Judge desk", reverse("judge:index"), ()))
        found = self._round_pages + pages
        return [{"title": title, "url": url, "is_here": self._here in names} for title, url, names in found]

    @property
    def _round_pages(self) -> list[Page]:
        if self.round is None:
            return []
        slug = self.round.slug
        if self.round.state == RoundState.SETUP:
            return [(title, reverse(name, args=[slug]), names) for title, name, names in SETUP_PAGES]
        pages = [(title, reverse(name, args=[slug]), names) for title, name, names in ROUND_PAGES]
        if self.viewer and self.viewer.player:
            pages.append(("Mine", reverse("mine", args=[slug]), ("mine", "army-change", "newcomers")))
        return pages

    @property
    def version(self) -> str:
        """The version of the site."""
        return version()

    @property
    def _known(self) -> Viewer | None:
        return getattr(self._request, "viewer", None)

    @property
    def _here(self) -> str:
        match = self._request.resolver_match
        return (match.url_name or "") if match else ""


def site(request: HttpRequest) -> dict[str, Site]:
    """The context processor: `site` in every template."""
    return {"site": Site(request)}


@lru_cache(maxsize=1)
def version() -> str:
    """The newest version in the changelog's headings; empty without one."""
    changelog = settings.BASE_DIR / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8") if changelog.exists() else ""
    match = re.search(r"^## \[?v?(\d[\w.]*)", text, re.MULTILINE)
    return match.group(1) if match else ""
