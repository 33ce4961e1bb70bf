"""3.1: what is shown of a thread: by side, one's own, what is new, posts with orders; as its address says.

All of it stands behind the `?`, so that it can be linked to and goes on working without scripts.

Apart from `pages`, because it reads an address and writes one, and knows of posts what each of them shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.http import QueryDict
from django.utils.dateparse import parse_datetime
from django.utils.http import urlencode
from django.utils.translation import gettext

from judging.drawing.crests import short_side
from judging.turns.posts.reads import PostView
from wargame.rules.core.sides import TEAMS

A_PAGE = 100
"""Posts of a page: more than a turn has, so that the links to single posts lead to them."""


@dataclass(frozen=True)
class Filters:
    """3.1: what is asked for. `since`: later posts of others are new; `new`: those alone."""

    side: str = ""
    mine: bool = False
    orders: bool = False
    new: bool = False
    since: datetime | None = None

    @property
    def is_set(self) -> bool:
        """Whether something is left out."""
        return bool(self.side or self.mine or self.orders or self.new)

    def shows(self, post: PostView) -> bool:
        """Whether a post is shown."""
        if (self.side and post.side != self.side) or (self.mine and not post.is_mine):
            return False
        if self.orders and not any(line.line.kind != "talk" for line in post.lines):
            return False
        return not self.new or self.is_new(post)

    def is_new(self, post: PostView) -> bool:
        """Whether somebody else wrote a post, or its latest version, since then."""
        return self.since is not None and not post.is_mine and post.edited_at > self.since

    @property
    def query(self) -> str:
        """What stands behind the `?` of an address for this; empty for nothing."""
        given = {
            "side": self.side,
            "mine": "1" if self.mine else "",
            "orders": "1" if self.orders else "",
            "new": "1" if self.new else "",
            "since": f"{self.since:%Y-%m-%dT%H:%M:%S.%f}Z" if self.since and self.new else "",
        }
        return urlencode({key: value for key, value in given.items() if value})

    def choices(self, is_player: bool) -> Iterator[tuple[str, str, bool]]:
        """The links above a thread: their words, what stands behind their `?`, and whether it is so now."""
        yield gettext("Everything"), replace(Filters(), since=self.since).query, not self.is_set
        for side in TEAMS:
            is_on = self.side == side.value
            yield short_side(side), replace(self, side="" if is_on else side.value).query, is_on
        if is_player:
            yield gettext("Mine"), replace(self, mine=not self.mine).query, self.mine
        if self.since:
            yield gettext("New"), replace(self, new=not self.new).query, self.new
        yield gettext("With orders"), replace(self, orders=not self.orders).query, self.orders


def filters_from(query: QueryDict, read_until: datetime | None) -> Filters:
    """What an address asks for; what is damaged asks for nothing. `read_until` counts where it does not say since when
    posts are new."""
    side = query.get("side", "")
    return Filters(
        side=side if side in [team.value for team in TEAMS] else "",
        mine=bool(query.get("mine")),
        orders=bool(query.get("orders")),
        new=bool(query.get("new")),
        since=_moment(query.get("since", "")) or read_until,
    )


def _moment(text: str) -> datetime | None:
    try:
        when = parse_datetime(text[:40])
    except ValueError:
        return None
    if when is None:
        return None
    try:
        return when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)
    except OverflowError:
        return None
