"""What the frame of every page shows: the round, its turn, who looks, and where the pages are."""

from __future__ import annotations

from functools import cached_property

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from judging.boards.reads.read_marks import Unread, unread
from judging.chain.reads import Head, head_of
from judging.command.waiting import TeamWaiting, waiting_for
from judging.game.rounds import current_turn, round_by_slug, running_round
from judging.game.viewer import Viewer, viewer_of
from judging.home.reads import host_links
from judging.menu import Menu, menu_of
from judging.notifications.reads import Bell, bell_now, bell_of
from judging.votes.reads import LAST_CALL, waiting_votes
from wargame.models import Round, Turn
from wargame.models.choices import RoundState
from wargame.version import full_version


class Site:
    """Lazy: a page that shows none of it asks the database for none of it."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @cached_property
    def round(self) -> Round | None:
        """The round of the page's address, else the running one, the viewer's own if there are several."""
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
        """Whether the page asks for news: it is one of a round that is played, or the front door, and is not the map,
        which asks for itself, and no old map, which never changes."""
        match = self._request.resolver_match
        if match is None or self._here in ("map", "map-fragment", "map-turn"):
            return False
        if "slug" not in match.kwargs and self._here != "home":
            return False
        return self.round is not None and self.round.state == RoundState.RUNNING and self.turn is not None

    @property
    def poll_seconds(self) -> float:
        """How often it asks, in seconds."""
        return float(settings.POLL_SECONDS)

    @cached_property
    def viewer(self) -> Viewer | None:
        """Who looks at the round; None without a round. The page's view has often found out already."""
        if self._known_viewer:
            return self._known_viewer
        user = getattr(self._request, "user", None)
        return viewer_of(user, self.round) if self.round and user is not None else None

    @cached_property
    def votes_due(self) -> int:
        """R46: in how many votes that close within 24 h the viewer is missing."""
        return len(waiting_votes(self.viewer, timezone.now(), LAST_CALL)) if self.viewer else 0

    @cached_property
    def waiting(self) -> TeamWaiting:
        """1.1, 5.3.4: what waits for the viewer because he leads his team."""
        return waiting_for(self.viewer) if self.viewer else TeamWaiting()

    @cached_property
    def bell(self) -> Bell:
        """1.2: what is unread of all that concerns the viewer, in all rounds."""
        asks = bell_of if self._here == "notifications" else bell_now
        return asks(self._request.user)

    @cached_property
    def unread(self) -> Unread:
        """3.1: what is new to the viewer on the boards."""
        return unread(self.viewer) if self.viewer else Unread()

    @cached_property
    def menu(self) -> Menu:
        """The links of the page's head."""
        return menu_of(self.round, self.viewer, self._here)

    @cached_property
    def chain_head(self) -> Head | None:
        """R38: the head of the round's chain, for whoever wants to keep it."""
        return head_of(self.round, timezone.now()) if self.round else None

    @property
    def links(self) -> list[tuple[str, str]]:
        """The links to what the host says about the site."""
        return host_links()

    @property
    def signs_up(self) -> bool:
        """Whether anybody can sign up, without an invitation."""
        return bool(settings.SIGN_UP == "open")

    @property
    def logo(self) -> str:
        """The address of the host's own logo, or nothing."""
        return reverse("logo") if settings.SITE_LOGO else ""

    @property
    def version(self) -> str:
        """The version of the site, with its commit."""
        return full_version()

    @property
    def _known_viewer(self) -> Viewer | None:
        return getattr(self._request, "viewer", None)

    @property
    def _here(self) -> str:
        match = self._request.resolver_match
        return match.view_name if match else ""


def site(request: HttpRequest) -> dict[str, Site]:
    """The context processor: `site` in every template."""
    return {"site": Site(request)}
