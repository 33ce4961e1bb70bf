"""3.1: all boards that somebody reads, with what is new there, and what is quoted when something is answered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max
from django.urls import reverse

from judging.boards.mentions import quoted
from judging.boards.models import BoardThread
from judging.boards.reads.boards import Board, boards_for
from judging.boards.reads.messages import message_for
from judging.boards.reads.read_marks import Unread, unread_by_board
from judging.game.viewer import Viewer
from judging.notices.models import Notice


@dataclass(frozen=True)
class BoardRow:
    """3.1: a board in the list: how many messages it has, and when somebody, or the service, wrote there last."""

    board: Board
    messages: int
    last_at: datetime | None
    unread: Unread


def board_rows(viewer: Viewer, now: datetime) -> tuple[BoardRow, ...]:
    """The boards that the viewer reads, the public ones first; as many questions for many boards as for one."""
    counted = BoardThread.objects.filter(round=viewer.round).annotate(
        number=Count("messages"), last=Max("messages__at")
    )
    talk = {key: (number, last) for key, number, last in counted.values_list("key", "number", "last")}
    told = dict(
        Notice.objects.filter(turn__round=viewer.round, at__lte=now)
        .order_by()
        .values_list("thread")
        .annotate(last=Max("at"))
    )
    new = unread_by_board(viewer)
    rows = []
    for board in boards_for(viewer):
        number, last = talk.get(board.key, (0, None))
        times = [when for when in (last, told.get(board.notices)) if when]
        rows.append(BoardRow(board, number, max(times, default=None), new.get(board.key, Unread())))
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
            return quoted(notice.text.partition("\n")[0], "The service", address)
    return ""


def _quoted_message(viewer: Viewer, board: Board, number: int) -> str:
    message = message_for(viewer, board, number)
    if message is None or not message.is_standing:
        return ""
    return quoted(message.text, message.by, reverse("board-message", args=[viewer.round.slug, board.key, number]))
