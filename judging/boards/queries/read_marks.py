"""3.1: what somebody has read of the boards, and what is new to him there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, DateTimeField, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from judging.announcements.models import Notice
from judging.boards.models import Block, Mention, Message, Participant
from judging.boards.queries.boards import PRESS, Board, board_for, boards_for
from judging.common import prepared
from judging.common.models import GENERAL, WHOLE, ReadMark
from judging.common.request_cache import request_cached
from judging.common.viewer import Viewer
from wargame.models import Player, Round

MOST_MENTIONS = 20

NEVER = datetime(1, 1, 1, tzinfo=UTC)
"""Before everything."""

MESSAGES, NOTICES = "messages", "notices"
"""What stands on a board: what people wrote, and what the service did."""

Counted = tuple[str, str, int, int, int]
"""Where new things stand: which of the two, on which board or in which thread, in which topic, how many, how many name
the viewer."""

Place = tuple[str, int]
"""A topic: the key of its board and its number."""


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


def read_until(viewer: Viewer, board: Board, topic: int) -> tuple[bool, datetime | None]:
    """Whether a topic is watched for the viewer, and up to when he has read it; None: nothing of it.

    For players and judges all is watched, from their joining on; for everybody else what he has opened.
    """
    if viewer.user_id is None:
        return False, None
    rows = ReadMark.objects.filter(round=viewer.round, user_id=viewer.user_id, board=board.key)
    until = rows.filter(topic__in=(WHOLE, topic)).aggregate(until=Max("until"))["until"]
    takes_part = viewer.player is not None or bool(viewer.roles)
    return takes_part or until is not None, until or (viewer.player.joined_at if viewer.player else None)


@request_cached
def unread_by_topic(viewer: Viewer) -> dict[Place, Unread]:
    """What is new to the viewer, by board and topic; those with nothing new are missing. One statement."""
    if viewer.user_id is None:
        return {}
    boards = tuple(boards_for(viewer))
    by_thread = {board.notices: board.key for board in boards if board.notices}
    found: dict[Place, Unread] = {}
    for source, place, topic, new, naming in _counted(viewer, boards, by_thread):
        key = (by_thread[place] if source == NOTICES else place, topic)
        found[key] = found.get(key, Unread()) + Unread(new, naming)
    return found


def unread_by_board(viewer: Viewer) -> dict[str, Unread]:
    """What is new to the viewer, by board; boards with nothing new are missing."""
    found: dict[str, Unread] = {}
    for (key, _), each in unread_by_topic(viewer).items():
        found[key] = found.get(key, Unread()) + each
    return found


def unread(viewer: Viewer) -> Unread:
    """What is new to the viewer on all boards together."""
    return sum(unread_by_board(viewer).values(), Unread())


def press_unread(viewer: Viewer) -> Unread:
    """1.6: what is new to the viewer in his conversations."""
    new = unread_by_board(viewer)
    return sum((each for key, each in new.items() if key.startswith(PRESS)), Unread())


def mentions_of(viewer: Viewer) -> list[NamesYou]:
    """The latest messages that name the viewer and that he has not seen."""
    rows = Message.objects.filter(_unseen(viewer), _read_by(viewer, boards_for(viewer)), thread__round=viewer.round)
    rows = standing(rows).exclude(by_blocked(viewer)).select_related("thread").order_by("-at", "-pk")[:MOST_MENTIONS]
    found = ((board_for(viewer, row.thread.key), row) for row in rows)
    return [NamesYou(board, row.number, row.name, row.at) for board, row in found if board]


@request_cached
def blocked_by(viewer: Viewer) -> frozenset[int]:
    """1.6: the keys of the users whom the viewer blocks."""
    if viewer.user_id is None:
        return frozenset()
    return frozenset(Block.objects.filter(user_id=viewer.user_id).values_list("blocked_id", flat=True))


def by_blocked(viewer: Viewer) -> Q:
    """1.6: the messages of those whom the viewer blocks, but for what they wrote as judges."""
    blocks = Block.objects.filter(user_id=viewer.user_id or 0, blocked_id=OuterRef("author_id"))
    return Q(Exists(blocks), roles=[])


def standing(rows: QuerySet[Message]) -> QuerySet[Message]:
    """The messages that are neither withdrawn nor hidden."""
    return rows.filter(withdrawn_at__isnull=True, hidden_at__isnull=True)


def _counted(viewer: Viewer, boards: tuple[Board, ...], by_thread: Mapping[str, str]) -> Iterable[Counted]:
    """What is new to the viewer, in messages and by the service."""
    player, joined = (viewer.player.pk, viewer.player.joined_at) if viewer.player else (None, None)
    somebody = Player(pk=prepared.number(3), joined_at=prepared.MOMENT) if player else None
    anybody = Viewer(prepared.number(1), Round(pk=prepared.number(2)), somebody, viewer.roles)

    def build() -> QuerySet[Any, Counted]:
        return _messages(anybody, boards).union(_notices(anybody, by_thread), all=True)

    values = zip((1, 2, 3), (viewer.user_id, viewer.round.pk, player), strict=True)
    given = {prepared.number(place): value for place, value in values} | {prepared.MOMENT: joined}
    return prepared.rows(("unread", boards, bool(player), bool(viewer.roles)), build, given)


def _messages(viewer: Viewer, boards: Iterable[Board]) -> QuerySet[Message, Counted]:
    """New messages by others, and those that name the viewer, though older, by topic."""
    rows = standing(Message.objects.filter(_read_by(viewer, boards), thread__round=viewer.round))
    rows = rows.exclude(author_id=viewer.user_id).exclude(by_blocked(viewer))
    rows = rows.annotate(mark=_mark(viewer, OuterRef("thread__key"), OuterRef("topic")))
    unseen = _unseen(viewer)
    rows = rows.filter(mark__isnull=False).filter(Q(at__gt=F("mark")) | unseen).order_by()
    placed = rows.annotate(source=Value(MESSAGES), place=F("thread__key")).values("source", "place", "topic")
    counted = placed.annotate(new=Count("pk"), naming=Count("pk", filter=unseen))
    return counted.values_list("source", "place", "topic", "new", "naming")


def _read_by(viewer: Viewer, boards: Iterable[Board]) -> Q:
    """The messages on these boards, and those of the viewer's conversations."""
    found = Q(thread__key__in=[board.key for board in boards])
    if viewer.player is not None:
        own = Participant.objects.filter(player=viewer.player, left_at__isnull=True)
        found |= Q(Exists(own.filter(conversation__thread=OuterRef("thread"))))
    return found


def _mark(viewer: Viewer, board: OuterRef | Value, topic: OuterRef | Value) -> Coalesce:
    """`read_until` within a statement: nothing where a topic is not watched, `NEVER` where nothing of it was read."""
    rows = ReadMark.objects.filter(round=viewer.round, user_id=viewer.user_id or 0, board=board)
    rows = rows.filter(Q(topic=WHOLE) | Q(topic=topic)).order_by()
    until = rows.values("board").annotate(last=Max("until")).values("last")
    start = viewer.player.joined_at if viewer.player else NEVER if viewer.roles else None
    return Coalesce(Subquery(until), Value(start, output_field=DateTimeField()))


def _unseen(viewer: Viewer) -> Q:
    mentions = Mention.objects.filter(message=OuterRef("pk"), user_id=viewer.user_id or 0, seen_at__isnull=True)
    return Q(Exists(mentions))


def _notices(viewer: Viewer, by_thread: Mapping[str, str]) -> QuerySet[Notice, Counted]:
    """New posts by the service, by the threads that stand on boards; none of them names anybody."""
    general = Value(GENERAL)
    is_new = [Q(thread=thread, at__gt=_mark(viewer, Value(key), general)) for thread, key in by_thread.items()]
    rows = Notice.objects.filter(reduce(or_, is_new), turn__round=viewer.round).order_by()
    placed = rows.annotate(source=Value(NOTICES), place=F("thread"), topic=general)
    counted = placed.values("source", "place", "topic").annotate(new=Count("pk"), naming=Value(0))
    return counted.values_list("source", "place", "topic", "new", "naming")
