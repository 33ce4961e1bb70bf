"""3.1: the messages of a board as somebody may see them, and all boards that somebody reads with what is new there.

What was withdrawn or hidden has no text for others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from judging.boards.models import BoardThread, Mention, Message
from judging.boards.quotes import quoted
from judging.boards.reads.boards import Board, Readers, boards_for, may_moderate, why_not_write
from judging.boards.reads.read_marks import Unread, blocked_by, standing, unread_by_board
from judging.game.viewer import Viewer
from judging.notices.models import Notice
from wargame.models import Round
from wargame.models.choices import Role

MOST_FED = 50


@dataclass(frozen=True)
class MessageView:
    """3.1: a message as its viewer may see it. `text` and `html` are empty where he may not; its author and the
    moderators of its board always may. `roles` are what the author judged; `side` is empty for who did not play.
    `is_blocked`: the viewer blocks its author (1.6), who did not write as a judge."""

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
    """3.1: a text that a message had from then on."""

    number: int
    at: datetime
    html: SafeString


def messages_on(round: Round, board: Board) -> QuerySet[Message]:
    """The messages of a board, whoever may read them."""
    return Message.objects.filter(thread__round=round, thread__key=board.key)


def message_for(viewer: Viewer, board: Board, number: int) -> MessageView | None:
    """The message of that number on a board that the viewer reads; None if there is none."""
    return next(iter(message_views(viewer, board, Readers(viewer.round, board), [number])), None)


def message_views(viewer: Viewer, board: Board, readers: Readers, numbers: Collection[int]) -> list[MessageView]:
    """The messages of these numbers on a board that the viewer reads, in their order."""
    rows = messages_on(viewer.round, board).filter(number__in=numbers) if numbers else Message.objects.none()
    found = list(rows.select_related("player").order_by("number"))
    naming = _naming(viewer, found)
    moderates, writes = may_moderate(viewer, board), not why_not_write(viewer, board)[0]
    blocked = blocked_by(viewer) if found else frozenset()
    return [
        _view(row, viewer, readers, moderates, writes, row.pk in naming, row.author_id in blocked and not row.roles)
        for row in found
    ]


def history_of(viewer: Viewer, board: Board, message: MessageView) -> list[VersionView]:
    """Every text that a message had, the present one first; nothing for who may not see it."""
    if not message.may_see:
        return []
    row, readers = message.row, Readers(viewer.round, board)
    former = [(old.number, old.at, old.text) for old in row.versions.order_by("-number")]
    texts = [(row.version, row.edited_at or row.at, row.text), *former]
    return [VersionView(number, at, readers.render(text).html) for number, at, text in texts]


def latest_on(round: Round, board: Board, topic: int | None = None) -> list[tuple[Message, SafeString]]:
    """The newest messages of a public board, or of one topic, the newest first, for a feed: what everybody sees."""
    rows = standing(messages_on(round, board)).order_by("-number")
    rows = rows if topic is None else rows.filter(topic=topic)
    readers = Readers(round, board)
    return [(row, readers.render(row.text).html) for row in rows[:MOST_FED]]


def _naming(viewer: Viewer, rows: Iterable[Message]) -> set[int]:
    """The keys of those that name the viewer, and that he has not seen."""
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
    """3.1: a board in the list: how many messages of people and how many `notices` of the service it has, and when
    either wrote there last."""

    board: Board
    messages: int
    last_at: datetime | None
    unread: Unread
    notices: int = 0

    @property
    def entries(self) -> int:
        """Of both: those that are new are counted so, too."""
        return self.messages + self.notices


def board_rows(viewer: Viewer, now: datetime) -> tuple[BoardRow, ...]:
    """The boards that the viewer reads, the public ones first; as many questions for many boards as for one."""
    counted = BoardThread.objects.filter(round=viewer.round).annotate(
        number=Count("messages"), last=Max("messages__at")
    )
    talk = {key: (number, last) for key, number, last in counted.values_list("key", "number", "last")}
    of_service = (
        Notice.objects.filter(turn__round=viewer.round, at__lte=now)
        .order_by()
        .values_list("thread")
        .annotate(number=Count("pk"), last=Max("at"))
    )
    told = {thread: (number, last) for thread, number, last in of_service}
    new = unread_by_board(viewer)
    rows = []
    for board in boards_for(viewer):
        (number, last), (notices, told_last) = talk.get(board.key, (0, None)), told.get(board.notices, (0, None))
        times = [when for when in (last, told_last) if when]
        rows.append(BoardRow(board, number, max(times, default=None), new.get(board.key, Unread()), notices))
    return tuple(rows)


def quote_for(viewer: Viewer, board: Board, asked: str, now: datetime) -> str:
    """What a form begins with that answers `message-3` or `notice-12`; empty for what is not on the board."""
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
