"""3.1: Read marks on the boards, and unread messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.db.models.query import RawQuerySet

from judging.boards.models import Block, Mention, Message, Participant
from judging.boards.queries.boards import PRESS, Board, board_for, boards_for
from judging.common.models import GENERAL, WHOLE, ReadMark
from judging.common.request_cache import request_cached
from judging.common.viewer import Viewer

MOST_MENTIONS = 20

NEVER = datetime(1, 1, 1, tzinfo=UTC)
"""Before everything."""

Place = tuple[str, int]
"""A topic: the key of its board and its number."""


@dataclass(frozen=True)
class Unread:
    """How many messages and posts by the service are new to a user, and how many of these messages mention them."""

    new: int = 0
    mentions: int = 0

    def __add__(self, other: Unread) -> Unread:
        return Unread(self.new + other.new, self.mentions + other.mentions)


@dataclass(frozen=True)
class NamesYou:
    """A message that mentions the viewer, who has not seen it yet."""

    board: Board
    number: int
    by: str
    at: datetime


def read_until(viewer: Viewer, board: Board, topic: int) -> tuple[bool, datetime | None]:
    """Whether a topic is watched for the viewer, and up to when they have read it; None: nothing of it.

    Players and judges watch all topics, from their joining on; everybody else those that they have opened.
    """
    if viewer.user_id is None:
        return False, None
    rows = ReadMark.objects.filter(round=viewer.round, user_id=viewer.user_id, board=board.key)
    until = rows.filter(topic__in=(WHOLE, topic)).aggregate(until=Max("until"))["until"]
    takes_part = viewer.player is not None or bool(viewer.roles)
    return takes_part or until is not None, until or (viewer.player.joined_at if viewer.player else None)


@request_cached
def unread_by_topic(viewer: Viewer) -> dict[Place, Unread]:
    """Unread entries of the viewer, by board and topic; those with nothing new are missing. One query."""
    if viewer.user_id is None:
        return {}
    unread: dict[Place, Unread] = {}
    rows: RawQuerySet[Any] = Message.objects.raw(
        *_unread_statement(viewer, [board.key for board in boards_for(viewer)])
    )
    for row in rows:
        place = row.place, row.in_topic
        unread[place] = unread.get(place, Unread()) + Unread(row.new, row.naming)
    return unread


def unread_by_board(viewer: Viewer) -> dict[str, Unread]:
    """Unread entries of the viewer, by board; boards with nothing new are missing."""
    unread: dict[str, Unread] = {}
    for (key, _), each in unread_by_topic(viewer).items():
        unread[key] = unread.get(key, Unread()) + each
    return unread


def unread(viewer: Viewer) -> Unread:
    """Unread entries of the viewer on all boards together."""
    return sum(unread_by_board(viewer).values(), Unread())


def press_unread(viewer: Viewer) -> Unread:
    """1.6: Unread messages in the viewer's conversations."""
    new = unread_by_board(viewer)
    return sum((each for key, each in new.items() if key.startswith(PRESS)), Unread())


def mentions_of(viewer: Viewer) -> list[NamesYou]:
    """The latest messages that mention the viewer and that they have not seen."""
    unseen = Mention.objects.filter(message=OuterRef("pk"), user_id=viewer.user_id or 0, seen_at__isnull=True)
    readable = Q(thread__key__in=[board.key for board in boards_for(viewer)])
    if viewer.player is not None:
        own = Participant.objects.filter(player=viewer.player, left_at__isnull=True)
        readable |= Q(Exists(own.filter(conversation__thread=OuterRef("thread"))))
    rows = Message.objects.filter(Exists(unseen), readable, thread__round=viewer.round)
    rows = standing(rows).exclude(by_blocked(viewer)).select_related("thread").order_by("-at", "-pk")[:MOST_MENTIONS]
    pairs = ((board_for(viewer, row.thread.key), row) for row in rows)
    return [NamesYou(board, row.number, row.name, row.at) for board, row in pairs if board]


@request_cached
def blocked_by(viewer: Viewer) -> frozenset[int]:
    """1.6: the keys of the users whom the viewer blocks."""
    if viewer.user_id is None:
        return frozenset()
    return frozenset(Block.objects.filter(user_id=viewer.user_id).values_list("blocked_id", flat=True))


def by_blocked(viewer: Viewer) -> Q:
    """1.6: The messages of users whom the viewer blocks, except those that they wrote as judges."""
    blocks = Block.objects.filter(user_id=viewer.user_id or 0, blocked_id=OuterRef("author_id"))
    return Q(Exists(blocks), roles=[])


def standing(rows: QuerySet[Message]) -> QuerySet[Message]:
    """The messages that are neither withdrawn nor hidden."""
    return rows.filter(withdrawn_at__isnull=True, hidden_at__isnull=True)


def _unread_statement(viewer: Viewer, boards: Sequence[str]) -> tuple[str, list[object]]:
    """What `unread_by_topic` asks, and its values. It is written here because every page asks it, and Django would take
    thirty times as long to write it as the database to answer.

    By topic: new messages by others on these boards and in the viewer's conversations, and those that name the viewer,
    though older; and new posts by the service, whose threads are called like the boards on which they stand. A topic
    of which nothing was read is new from `start` on; without that it is not watched: see `read_until`.
    """
    player = viewer.player
    start = player.joined_at if player else NEVER if viewer.roles else None
    marks, places = [viewer.user_id, viewer.round.pk], ", ".join(["%s"] * len(boards))
    return UNREAD.format(boards=places), [
        *(*marks, WHOLE, *marks, viewer.user_id, viewer.user_id, start),
        *(viewer.round.pk, *boards, player.pk if player else 0, viewer.user_id, start, start),
        *(GENERAL, *marks, WHOLE, *marks, GENERAL, viewer.round.pk, *boards, start, start),
    ]


UNREAD = """SELECT MIN(message.id) AS id, thread.key AS place, message.topic AS in_topic, COUNT(message.id) AS new,
    COUNT(mention.id) AS naming
FROM judging_message message
JOIN judging_boardthread thread ON thread.id = message.thread_id
LEFT JOIN judging_readmark whole ON whole.user_id = %s AND whole.round_id = %s AND whole.topic = %s
    AND whole.board = thread.key
LEFT JOIN judging_readmark mark ON mark.user_id = %s AND mark.round_id = %s AND mark.topic = message.topic
    AND mark.board = thread.key
LEFT JOIN judging_mention mention ON mention.message_id = message.id AND mention.user_id = %s
    AND mention.seen_at IS NULL
LEFT JOIN judging_block block ON block.user_id = %s AND block.blocked_id = message.author_id
WHERE COALESCE(whole.until, mark.until, %s) IS NOT NULL
    AND thread.round_id = %s
    AND (thread.key IN ({boards}) OR thread.id IN (
        SELECT conversation.thread_id FROM judging_participant participant
        JOIN judging_conversation conversation ON conversation.id = participant.conversation_id
        WHERE participant.player_id = %s AND participant.left_at IS NULL
    ))
    AND message.withdrawn_at IS NULL AND message.hidden_at IS NULL AND message.author_id <> %s
    AND (block.id IS NULL OR CAST(message.roles AS text) <> '[]')
    AND (mention.id IS NOT NULL OR (
        message.at > COALESCE(whole.until, mark.until, %s) AND message.at > COALESCE(mark.until, whole.until, %s)
    ))
GROUP BY thread.key, message.topic
UNION ALL
SELECT MIN(notice.id), notice.thread, %s, COUNT(notice.id), 0
FROM judging_notice notice
JOIN wargame_turn turn ON turn.id = notice.turn_id
LEFT JOIN judging_readmark whole ON whole.user_id = %s AND whole.round_id = %s AND whole.topic = %s
    AND whole.board = notice.thread
LEFT JOIN judging_readmark mark ON mark.user_id = %s AND mark.round_id = %s AND mark.topic = %s
    AND mark.board = notice.thread
WHERE turn.round_id = %s AND notice.thread IN ({boards})
    AND notice.at > COALESCE(whole.until, mark.until, %s) AND notice.at > COALESCE(mark.until, whole.until, %s)
GROUP BY notice.thread"""
