"""3.1: what somebody has read of the boards, and what is new to him there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from operator import or_

from django.db.models import Count, DateTimeField, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from judging.boards.models import Mention, Message, ReadMark
from judging.boards.reads.boards import BOARDS, Board, boards_for
from judging.game.once import once
from judging.game.viewer import Viewer
from judging.notices.models import Notice

MOST_MENTIONS = 20

NEVER = datetime(1, 1, 1, tzinfo=UTC)
"""Before everything."""

MESSAGES, NOTICES = "messages", "notices"
"""What stands on a board: what people wrote, and what the service did."""

Counted = tuple[str, str, int, int]
"""Where new things stand: which of the two, on which board or in which thread, how many, how many name the viewer."""


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


@once
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


@once
def unread_by_board(viewer: Viewer) -> dict[str, Unread]:
    """What is new to the viewer, by board; boards with nothing new are missing. One statement, however many."""
    if viewer.user_id is None:
        return {}
    boards = boards_for(viewer)
    by_thread = {board.notices: board.key for board in boards if board.notices}
    counted = _messages(viewer, boards).union(_notices(viewer, by_thread), all=True)
    found: dict[str, Unread] = {}
    for source, place, new, naming in counted:
        key = by_thread[place] if source == NOTICES else place
        found[key] = found.get(key, Unread()) + Unread(new, naming)
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


def _messages(viewer: Viewer, boards: Iterable[Board]) -> QuerySet[Message, Counted]:
    """New messages by others, and those that name the viewer, though older, by board."""
    keys = [board.key for board in boards]
    rows = standing(Message.objects.filter(thread__round=viewer.round, thread__key__in=keys))
    rows = rows.exclude(author_id=viewer.user_id).annotate(mark=_mark(viewer, OuterRef("thread__key")))
    unseen = _unseen(viewer)
    rows = rows.filter(mark__isnull=False).filter(Q(at__gt=F("mark")) | unseen).order_by()
    placed = rows.annotate(source=Value(MESSAGES), place=F("thread__key")).values("source", "place")
    counted = placed.annotate(new=Count("pk"), naming=Count("pk", filter=unseen))
    return counted.values_list("source", "place", "new", "naming")


def _mark(viewer: Viewer, board: OuterRef | Value) -> Coalesce:
    """`read_until` within a statement: nothing where a board is not watched, `NEVER` where nothing of it was read."""
    rows = ReadMark.objects.filter(round=viewer.round, user_id=viewer.user_id or 0, board=board)
    start = viewer.player.joined_at if viewer.player else NEVER if viewer.roles else None
    return Coalesce(Subquery(rows.values("until")[:1]), Value(start, output_field=DateTimeField()))


def _unseen(viewer: Viewer) -> Q:
    mentions = Mention.objects.filter(message=OuterRef("pk"), user_id=viewer.user_id or 0, seen_at__isnull=True)
    return Q(Exists(mentions))


def _notices(viewer: Viewer, by_thread: Mapping[str, str]) -> QuerySet[Notice, Counted]:
    """New posts by the service, by the threads that stand on boards; none of them names anybody."""
    is_new = [Q(thread=thread, at__gt=_mark(viewer, Value(key))) for thread, key in by_thread.items()]
    rows = Notice.objects.filter(reduce(or_, is_new), turn__round=viewer.round).order_by()
    placed = rows.annotate(source=Value(NOTICES), place=F("thread")).values("source", "place")
    counted = placed.annotate(new=Count("pk"), naming=Value(0))
    return counted.values_list("source", "place", "new", "naming")
