"""3.1: A board as a page: its messages, the service's posts and the posts with orders, in the order of their times."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Value
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.announcements.queries import NoticeView, notice_views
from judging.boards.models import Message
from judging.boards.queries.boards import Board, Readers, may_moderate, why_not_write
from judging.boards.queries.messages import MessageView, TopicRow, message_views, messages_on, topic_for
from judging.boards.queries.read_marks import read_until
from judging.common.models import GENERAL
from judging.common.positions import SeenSite, places_of
from judging.common.viewer import Viewer
from judging.turns.models import Post
from judging.turns.posts.queries import posts_seen_by
from wargame.rules.core import clock

PAGE = 50
"""Entries per page."""

NOTICE, ORDERS, MESSAGE = range(3)
"""The kinds of entries, in their order if they have the same time."""

Place = tuple[datetime, int, int]
"""The position of an entry: its time, its kind, its number or key."""


@dataclass(frozen=True)
class OrdersView:
    """3.1: The latest text of a post of the movement thread. `is_hidden`: sealed, and only its author sees it."""

    id: int
    turn: int
    by: str
    side: str
    text: str
    is_hidden: bool
    withdrawn_at: datetime | None


@dataclass(frozen=True)
class BoardEntry:
    """3.1: An entry of a board: one of the three. `is_new`: the viewer has not seen it."""

    at: datetime
    is_new: bool
    message: MessageView | None = None
    notice: NoticeView | None = None
    orders: OrdersView | None = None


@dataclass(frozen=True)
class BoardPage:
    """3.1: A page of a topic of a board. `descriptions` are those of 2.5.1.2, if the board has them; `until` is the
    time of its last entry, `mark` the time up to which the viewer had read it; `why_not` says with `cites` why the
    viewer can't write here. `read_by` are the players who read a private board."""

    board: Board
    topic: TopicRow
    entries: tuple[BoardEntry, ...]
    descriptions: tuple[SeenSite, ...]
    number: int
    pages: int
    total: int
    until: datetime | None
    mark: datetime | None
    why_not: str
    cites: str
    moderates: bool
    read_by: tuple[str, ...]

    @property
    def is_last(self) -> bool:
        return self.number == self.pages

    @property
    def has_new(self) -> bool:
        """Whether the viewer's read mark must be moved."""
        is_later = self.until is not None and (self.mark is None or self.until > self.mark)
        return is_later or any(entry.is_new for entry in self.entries)

    @property
    def shown(self) -> tuple[int, ...]:
        return tuple(entry.message.number for entry in self.entries if entry.message)


def board_page(
    viewer: Viewer, board: Board, number: int | None, now: datetime, topic: int = GENERAL
) -> BoardPage | None:
    """A page of a topic of a board, from 1; None if there is no such page or topic.

    Without a number: the first one with something new to the viewer, else the last.
    """
    row = topic_for(viewer, board, topic)
    if row is None:
        return None
    sources = _sources(viewer, board, topic, now)
    is_watched, mark = read_until(viewer, board, topic)
    total, read = _counts(sources, mark)
    pages = max(1, -(-total // PAGE))
    if number is None:
        number = min(pages, read // PAGE + 1) if mark else pages
    if not 1 <= number <= pages:
        return None
    places = _slice(sources, number)
    readers = Readers(viewer.round, board)
    entries = _entries(viewer, readers, board, places, mark, is_watched, now)
    why_not, cites = why_not_write(viewer, board)
    if row.is_closed and not why_not:
        why_not, cites = gettext("This topic is closed. A moderator can open it again."), "1.3"
    return BoardPage(
        board=board,
        topic=row,
        entries=entries,
        descriptions=tuple(places_of(viewer.round)) if board.has_descriptions and row.is_general else (),
        number=number,
        pages=pages,
        total=total,
        until=places[-1][0] if places else None,
        mark=mark,
        why_not=why_not,
        cites=cites,
        moderates=may_moderate(viewer, board),
        read_by=() if board.is_public else tuple(player.name for player in readers.players),
    )


def page_of(viewer: Viewer, board: Board, message: Message, now: datetime) -> int:
    """The number of the page of its topic on which a message of the board is shown."""
    before = 0
    for kind, rows in _sources(viewer, board, message.topic, now).items():
        here = Q(moment=message.at) if kind < MESSAGE else Q(moment=message.at, row__lt=message.number)
        before += rows.filter(Q(moment__lt=message.at) | here).count()
    return before // PAGE + 1


def _sources(viewer: Viewer, board: Board, topic: int, now: datetime) -> dict[int, QuerySet[Any, Any]]:
    """The entries of a topic, by kind, as rows of `Place`s: the service and the orders in the general talk alone."""
    sources: dict[int, QuerySet[Any, Any]] = {}
    if board.notices and topic == GENERAL:
        notices = Notice.objects.filter(turn__round=viewer.round, thread=board.notices, at__lte=now)
        sources[NOTICE] = notices.annotate(moment=F("at"), row=F("pk"))
    if board.has_orders and topic == GENERAL:
        sources[ORDERS] = posts_seen_by(viewer, now).annotate(moment=F("posted_at"), row=F("pk"))
    messages = messages_on(viewer.round, board).filter(topic=topic)
    sources[MESSAGE] = messages.annotate(moment=F("at"), row=F("number"))
    return {kind: rows.order_by() for kind, rows in sources.items()}


def _counts(sources: dict[int, QuerySet[Any, Any]], mark: datetime | None) -> tuple[int, int]:
    """The number of entries on a board, and of those up to a reader's mark; 0 without one."""
    is_read = Q(moment__lte=mark) if mark else Q(pk__in=())
    first, *rest = (
        rows.annotate(kind_of_entry=Value(kind))
        .values("kind_of_entry")
        .annotate(all=Count("pk"), read=Count("pk", filter=is_read))
        .values_list("all", "read")
        for kind, rows in sources.items()
    )
    counts = list(first.union(*rest, all=True) if rest else first)
    return sum(number for number, _ in counts), sum(read for _, read in counts)


def _slice(sources: dict[int, QuerySet[Any, Any]], number: int) -> list[Place]:
    """The places of the entries of a page, in order."""
    first, *rest = (
        rows.annotate(kind_of_entry=Value(kind)).values_list("moment", "kind_of_entry", "row")
        for kind, rows in sources.items()
    )
    together = first.union(*rest, all=True) if rest else first
    start = (number - 1) * PAGE
    return list(together.order_by("moment", "kind_of_entry", "row")[start : start + PAGE])


def _entries(
    viewer: Viewer,
    readers: Readers,
    board: Board,
    places: Sequence[Place],
    mark: datetime | None,
    is_watched: bool,
    now: datetime,
) -> tuple[BoardEntry, ...]:
    keys: dict[int, list[int]] = {kind: [] for kind in (NOTICE, ORDERS, MESSAGE)}
    for _, kind, key in places:
        keys[kind].append(key)
    rows = Notice.objects.filter(pk__in=keys[NOTICE])
    notices = {view.id: view for view in notice_views(rows, viewer.round.slug)} if keys[NOTICE] else {}
    orders = {view.id: view for view in _orders(viewer, keys[ORDERS], now)}
    messages = {view.number: view for view in message_views(viewer, board, readers, keys[MESSAGE])}
    entries = []
    for at, kind, key in places:
        is_new = is_watched and (mark is None or at > mark)
        message = messages.get(key) if kind == MESSAGE else None
        if message is not None:
            is_read = message.is_mine or message.is_blocked or not message.is_standing
            is_new = not is_read and (is_new or message.names_viewer)
        entries.append(
            BoardEntry(
                at=at,
                is_new=is_new and kind != ORDERS,
                message=message,
                notice=notices.get(key) if kind == NOTICE else None,
                orders=orders.get(key) if kind == ORDERS else None,
            )
        )
    return tuple(entries)


def _orders(viewer: Viewer, keys: Sequence[int], now: datetime) -> Iterable[OrdersView]:
    if not keys:
        return
    rows = posts_seen_by(viewer, now).filter(pk__in=keys).select_related("player", "turn")
    for post in rows.defer("turn__position", "turn__events", "turn__sky").prefetch_related("versions"):
        yield _orders_view(post, now)


def _orders_view(post: Post, now: datetime) -> OrdersView:
    versions = sorted(post.versions.all(), key=lambda version: version.number)
    return OrdersView(
        id=post.pk,
        turn=post.turn.number,
        by=post.player.name_at(post.posted_at),
        side=post.player.side,
        text=versions[-1].text if versions else "",
        is_hidden=post.sealed and clock.is_in_time(now, post.turn.lock_at),
        withdrawn_at=post.withdrawn_at,
    )
