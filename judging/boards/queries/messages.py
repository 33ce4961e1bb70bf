"""3.1, 1.6: Messages, topics and private conversations as a viewer may see them, and unread ones. Hidden text never
leaves this module."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, IntegerField, Max, OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.boards.models import BoardThread, Mention, Message, Topic
from judging.boards.queries.boards import (
    Board,
    Readers,
    boards_for,
    may_moderate,
    press_for,
    why_no_press,
    why_not_write,
)
from judging.boards.queries.read_marks import Unread, blocked_by, standing, unread_by_board, unread_by_topic
from judging.common.models import GENERAL
from judging.common.viewer import Viewer
from wargame.models import Player, Round
from wargame.models.choices import Press, Role, RoundState

_SPECIAL = re.compile(r"([\\`*_\[\]<>])")


def quoted(text: str, name: str, address: str) -> str:
    """The quote for a reply: the author's lines with `>` before them, without lines that they quoted themselves."""
    lines = text.strip("\n").split("\n")
    body = "\n".join(line for line in lines if not line.lstrip().startswith(">")).strip("\n") or "\n".join(lines)
    bare = _SPECIAL.sub(r"\\\1", name)
    head = f"> **{bare}** [wrote]({address}):\n>\n"
    return head + "\n".join(f"> {line}".rstrip() for line in body.split("\n")) + "\n\n"


MOST_FED = 50


@dataclass(frozen=True)
class MessageView:
    """3.1: A message as its viewer may see it. `text` and `html` are empty if they may not; its author and the
    moderators of its board always may. `roles` are the author's judge roles; `side` is empty for authors who did not
    play. `is_blocked`: the viewer blocks its author (1.6), who did not write as a judge."""

    row: Message
    by: str
    side: str
    roles: tuple[str, ...]
    text: str
    html: SafeString
    may_see: bool
    is_mine: bool
    may_edit: bool
    may_moderate: bool
    names_viewer: bool
    is_blocked: bool = False
    may_report: bool = False

    @property
    def number(self) -> int:
        return self.row.number

    @property
    def at(self) -> datetime:
        return self.row.at

    @property
    def is_standing(self) -> bool:
        """Whether it is neither withdrawn nor hidden."""
        return self.row.withdrawn_at is None and self.row.hidden_at is None


@dataclass(frozen=True)
class VersionView:
    """3.1: A text of a message, and since when it had it."""

    number: int
    at: datetime
    html: SafeString


def messages_on(round: Round, board: Board) -> QuerySet[Message]:
    """The messages of a board, without a check of the viewer."""
    return Message.objects.filter(thread__round=round, thread__key=board.key)


def message_for(viewer: Viewer, board: Board, number: int) -> MessageView | None:
    return next(iter(message_views(viewer, board, Readers(viewer.round, board), [number])), None)


def message_views(viewer: Viewer, board: Board, readers: Readers, numbers: Collection[int]) -> list[MessageView]:
    """The messages with these numbers on a board that the viewer reads, in order."""
    rows = messages_on(viewer.round, board).filter(number__in=numbers) if numbers else Message.objects.none()
    messages = list(rows.select_related("player").order_by("number"))
    naming = _naming(viewer, messages)
    moderates, writes = may_moderate(viewer, board), not why_not_write(viewer, board)[0]
    blocked = blocked_by(viewer) if messages else frozenset()
    return [
        _view(row, viewer, readers, moderates, writes, row.pk in naming, row.author_id in blocked and not row.roles)
        for row in messages
    ]


def history_of(viewer: Viewer, board: Board, message: MessageView) -> list[VersionView]:
    """All texts of a message, current one first; empty for viewers who may not see it."""
    if not message.may_see:
        return []
    row, readers = message.row, Readers(viewer.round, board)
    former = [(old.number, old.at, old.text) for old in row.versions.order_by("-number")]
    texts = [(row.version, row.edited_at or row.at, row.text), *former]
    return [VersionView(number, at, readers.render(text).html) for number, at, text in texts]


def latest_on(round: Round, board: Board, topic: int | None = None) -> list[tuple[Message, SafeString]]:
    """The public view of the latest messages of a public board, or of one topic, newest first, for a feed."""
    rows = standing(messages_on(round, board)).order_by("-number")
    rows = rows if topic is None else rows.filter(topic=topic)
    readers = Readers(round, board)
    return [(row, readers.render(row.text).html) for row in rows[:MOST_FED]]


def _naming(viewer: Viewer, rows: Iterable[Message]) -> set[int]:
    """The keys of those messages that mention the viewer and that they have not seen."""
    if viewer.user_id is None or not rows:
        return set()
    mentions = Mention.objects.filter(user_id=viewer.user_id, message__in=list(rows), seen_at__isnull=True)
    return set(mentions.values_list("message_id", flat=True))


def _view(
    row: Message,
    viewer: Viewer,
    readers: Readers,
    moderates: bool,
    writes: bool,
    names_viewer: bool,
    is_blocked: bool,
) -> MessageView:
    is_mine = viewer.user_id is not None and row.author_id == viewer.user_id
    is_standing = row.withdrawn_at is None and row.hidden_at is None
    is_blocked = is_blocked and not moderates
    may_see = (is_standing or is_mine or moderates) and not is_blocked
    return MessageView(
        row=row,
        by=row.name,
        side=row.player.side if row.player else "",
        roles=tuple(str(Role(role).label) for role in row.roles),
        text=row.text if may_see else "",
        html=readers.render(row.text).html if may_see else SafeString(""),
        may_see=may_see,
        is_mine=is_mine,
        may_edit=is_mine and writes and row.withdrawn_at is None,
        may_moderate=moderates and row.withdrawn_at is None,
        names_viewer=names_viewer and not is_blocked,
        is_blocked=is_blocked,
        may_report=is_standing and not is_mine and viewer.user_id is not None,
    )


@dataclass(frozen=True)
class BoardRow:
    """3.1: A board in the list: how many messages of people and how many `notices` of the service it has, and when
    either last posted there."""

    board: Board
    messages: int
    last_at: datetime | None
    unread: Unread
    notices: int = 0

    @property
    def entries(self) -> int:
        """The sum of both, like the count of unread ones."""
        return self.messages + self.notices


def board_rows(viewer: Viewer, now: datetime) -> tuple[BoardRow, ...]:
    """The boards that the viewer reads, public ones first; as many queries for many boards as for one."""
    threads = BoardThread.objects.filter(round=viewer.round).annotate(
        number=Count("messages"), last=Max("messages__at")
    )
    talk = {key: (number, last) for key, number, last in threads.values_list("key", "number", "last")}
    of_service = (
        Notice.objects.filter(turn__round=viewer.round, at__lte=now)
        .order_by()
        .values_list("thread")
        .annotate(number=Count("pk"), last=Max("at"))
    )
    posts = {thread: (number, last) for thread, number, last in of_service}
    new = unread_by_board(viewer)
    rows = []
    for board in boards_for(viewer):
        (number, last), (notices, told_last) = talk.get(board.key, (0, None)), posts.get(board.notices, (0, None))
        times = [when for when in (last, told_last) if when]
        rows.append(BoardRow(board, number, max(times, default=None), new.get(board.key, Unread()), notices))
    return tuple(rows)


def quote_for(viewer: Viewer, board: Board, asked: str, now: datetime) -> str:
    """The initial text of a reply to `message-3` or `notice-12`; empty for an entry that is not on the board."""
    kind, _, number = asked.partition("-")
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        return ""
    if kind == "message":
        return _quoted_message(viewer, board, int(number))
    if kind == "notice" and board.notices:
        rows = Notice.objects.filter(turn__round=viewer.round, thread=board.notices, at__lte=now)
        notice = rows.filter(pk=int(number)).select_related("turn").defer("turn__position", "turn__events").first()
        if notice:
            address = reverse("turn", args=[viewer.round.slug, notice.turn.number])
            return quoted(notice.text.partition("\n")[0], gettext("The service"), address)
    return ""


def _quoted_message(viewer: Viewer, board: Board, number: int) -> str:
    message = message_for(viewer, board, number)
    if message is None or not message.is_standing or message.is_blocked:
        return ""
    return quoted(message.text, message.by, reverse("board-message", args=[viewer.round.slug, board.key, number]))


FIRST_TOPICS = 6
"""How many topics are shown above a board's general talk."""


@dataclass(frozen=True)
class TopicRow:
    """3.1: A topic in the list: who began it, how many messages it has, and the time of the last one. The general
    talk has no title and is not in any list."""

    number: int
    title: str = ""
    is_pinned: bool = False
    is_closed: bool = False
    by: str = ""
    messages: int = 0
    last_at: datetime | None = None
    unread: Unread = Unread()

    @property
    def is_general(self) -> bool:
        return self.number == GENERAL


def topic_for(viewer: Viewer, board: Board, number: int) -> TopicRow | None:
    """The topic with that number on a board that the viewer reads, without its counts; None if there is none."""
    if number == GENERAL:
        return TopicRow(GENERAL)
    row = Topic.objects.filter(thread__round=viewer.round, thread__key=board.key, number=number).first()
    return TopicRow(row.number, row.title, bool(row.pinned_at), bool(row.closed_at)) if row else None


def topics_on(viewer: Viewer, board: Board) -> list[TopicRow]:
    """The topics of a board that the viewer reads: pinned ones first, then by their last messages."""
    messages = Message.objects.filter(thread=OuterRef("thread"), topic=OuterRef("number")).order_by()
    counts = messages.values("topic").annotate(number=Count("pk")).values("number")
    rows = Topic.objects.filter(thread__round=viewer.round, thread__key=board.key).annotate(
        messages=Subquery(counts, output_field=IntegerField()),
        last_at=Subquery(messages.order_by("-at").values("at")[:1]),
        by=Subquery(messages.order_by("number").values("name")[:1]),
    )
    new = unread_by_topic(viewer)
    topics = [
        TopicRow(
            number=row["number"],
            title=row["title"],
            is_pinned=row["pinned_at"] is not None,
            is_closed=row["closed_at"] is not None,
            by=row["by"] or "",
            messages=row["messages"] or 0,
            last_at=row["last_at"],
            unread=new.get((board.key, row["number"]), Unread()),
        )
        for row in rows.values("number", "title", "pinned_at", "closed_at", "by", "messages", "last_at")
    ]
    topics.sort(key=lambda row: (row.last_at.timestamp() if row.last_at else 0.0, row.number), reverse=True)
    return sorted(topics, key=lambda row: not row.is_pinned)


def title_of(round: Round, board: Board, number: int) -> str:
    """The title of a topic; empty if there is none with that number."""
    rows = Topic.objects.filter(thread__round=round, thread__key=board.key, number=number)
    return rows.values_list("title", flat=True).first() or ""


@dataclass(frozen=True)
class ConversationRow:
    """1.6: A conversation in the list, with its other participants."""

    board: Board
    others: tuple[str, ...]
    messages: int
    last_at: datetime | None
    unread: Unread


def conversations_of(viewer: Viewer) -> list[ConversationRow]:
    """1.6: The viewer's conversations, by their last messages."""
    boards = press_for(viewer)
    if not boards:
        return []
    threads = BoardThread.objects.filter(round=viewer.round, key__in=list(boards))
    counts = threads.annotate(number=Count("messages"), last=Max("messages__at")).values_list("key", "number", "last")
    totals = {key: (number, last) for key, number, last in counts}
    new = unread_by_board(viewer)
    rows = []
    for key, board in boards.items():
        number, last = totals.get(key, (0, None))
        names = tuple(player.name for player in board.people if player != viewer.player)
        rows.append(ConversationRow(board, names, number, last, new.get(key, Unread())))
    return sorted(rows, key=lambda row: row.last_at.timestamp() if row.last_at else 0.0, reverse=True)


def who_may_be_written_to(viewer: Viewer) -> tuple[list[Player], str]:
    """1.6: The players to whom the viewer may write in private, by name; or why there are none."""
    if viewer.round.state == RoundState.ARCHIVE:
        return [], gettext("This is an archive of a round played elsewhere. You can't write here.")
    if viewer.player is None or viewer.round.press == Press.NONE:
        return [], why_no_press(viewer, ())
    rows = Player.objects.filter(round=viewer.round, left_at__isnull=True).exclude(pk=viewer.player.pk)
    if viewer.round.press == Press.TEAM:
        rows = rows.filter(side=viewer.player.side)
    people = list(rows.order_by("name"))
    return people, "" if people else gettext("There is no one you can write to yet.")
