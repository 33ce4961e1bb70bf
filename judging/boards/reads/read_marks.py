"""3.1: what somebody has read of the boards, and what is new to him there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from judging.boards.models import BoardThread, Mention, Message, ReadMark
from judging.boards.reads.boards import BOARDS, Board, boards_for
from judging.game.viewer import Viewer
from judging.notices.models import Notice

MOST_MENTIONS = 20


@dataclass(frozen=True)
class Unread:
    """How many messages and posts by the service are new to somebody, and how many of these messages name him."""

    new: int = 0
    mentions: int = 0

    def __add__(self, other: Unread) -> Unread:
        return Unread(self.new + other.new, self.mentions + other.mentions)


@dataclass(frozen=True)
class NamesYou:
    """A message that names the viewer, and that he has not seen yet."""

    board: Board
    number: int
    by: str
    at: datetime


def read_until(viewer: Viewer) -> dict[str, datetime | None]:
    """Up to when the viewer has read each board that he reads and that is watched for him; None: nothing of it.

    For players and judges all boards are watched, from their joining on; for everybody else those that he has opened.
    """
    if viewer.user_id is None:
        return {}
    rows = ReadMark.objects.filter(round=viewer.round, user_id=viewer.user_id)
    marks = dict(rows.values_list("board", "until"))
    start = viewer.player.joined_at if viewer.player else None
    takes_part = viewer.player is not None or bool(viewer.roles)
    keys = (board.key for board in boards_for(viewer))
    return {key: marks.get(key, start) for key in keys if takes_part or key in marks}


def unread_by_board(viewer: Viewer) -> dict[str, Unread]:
    """What is new to the viewer, by board; boards with nothing new are missing. Three questions, however many."""
    marks = read_until(viewer)
    if not marks:
        return {}
    found = {key: Unread(*counted) for key, *counted in _messages(viewer, marks)}
    for key, number in _notices(viewer, marks).items():
        found[key] = found.get(key, Unread()) + Unread(number)
    return found


def unread(viewer: Viewer) -> Unread:
    """What is new to the viewer on all boards together."""
    return sum(unread_by_board(viewer).values(), Unread())


def mentions_of(viewer: Viewer) -> list[NamesYou]:
    """The latest messages that name the viewer and that he has not seen."""
    keys = [board.key for board in boards_for(viewer)]
    rows = Message.objects.filter(_unseen(viewer), thread__round=viewer.round, thread__key__in=keys)
    rows = standing(rows).select_related("thread").order_by("-at", "-pk")[:MOST_MENTIONS]
    return [NamesYou(BOARDS[row.thread.key], row.number, row.name, row.at) for row in rows]


def standing(rows: QuerySet[Message]) -> QuerySet[Message]:
    """The messages that are neither withdrawn nor hidden."""
    return rows.filter(withdrawn_at__isnull=True, hidden_at__isnull=True)


def _messages(viewer: Viewer, marks: dict[str, datetime | None]) -> list[tuple[str, int, int]]:
    """New messages by others, and those that name the viewer, though older, by board."""
    is_after = [Q(thread__key=key, at__gt=mark) if mark else Q(thread__key=key) for key, mark in marks.items()]
    threads = BoardThread.objects.filter(round=viewer.round, key__in=list(marks))
    rows = standing(Message.objects.filter(thread__in=threads)).exclude(author_id=viewer.user_id)
    unseen = _unseen(viewer)
    rows = rows.filter(reduce(or_, is_after) | unseen).order_by()
    counted = rows.values("thread__key").annotate(new=Count("pk"), naming=Count("pk", filter=unseen))
    return list(counted.values_list("thread__key", "new", "naming"))


def _unseen(viewer: Viewer) -> Q:
    mentions = Mention.objects.filter(message=OuterRef("pk"), user_id=viewer.user_id or 0, seen_at__isnull=True)
    return Q(Exists(mentions))


def _notices(viewer: Viewer, marks: dict[str, datetime | None]) -> dict[str, int]:
    """New posts by the service, by board."""
    by_thread = {board.notices: board.key for key, board in BOARDS.items() if board.notices and key in marks}
    is_after = [
        Q(thread=thread, at__gt=mark) if (mark := marks[key]) else Q(thread=thread) for thread, key in by_thread.items()
    ]
    if not is_after:
        return {}
    rows = Notice.objects.filter(reduce(or_, is_after), turn__round=viewer.round).order_by()
    counted = rows.values("thread").annotate(number=Count("pk")).values_list("thread", "number")
    return {by_thread[thread]: number for thread, number in counted}
