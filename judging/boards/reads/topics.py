"""3.1: the topics of a board, with what is new to somebody in each. Who reads a board reads all of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, IntegerField, OuterRef, Subquery

from judging.boards.models import Message, Topic
from judging.boards.reads.boards import Board
from judging.boards.reads.read_marks import Unread, unread_by_topic
from judging.game.models import GENERAL
from judging.game.viewer import Viewer
from wargame.models import Round

FIRST_TOPICS = 6
"""How many stand above a board's general talk."""


@dataclass(frozen=True)
class TopicRow:
    """3.1: a topic in the list: who began it, how many messages it has, and when somebody wrote in it last. The general
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
    """The topic of that number on a board that the viewer reads, without its counts; None if there is none."""
    if number == GENERAL:
        return TopicRow(GENERAL)
    row = Topic.objects.filter(thread__round=viewer.round, thread__key=board.key, number=number).first()
    return TopicRow(row.number, row.title, bool(row.pinned_at), bool(row.closed_at)) if row else None


def topics_on(viewer: Viewer, board: Board) -> list[TopicRow]:
    """The topics of a board that the viewer reads: pinned ones first, then by their last messages."""
    written = Message.objects.filter(thread=OuterRef("thread"), topic=OuterRef("number")).order_by()
    counted = written.values("topic").annotate(number=Count("pk")).values("number")
    rows = Topic.objects.filter(thread__round=viewer.round, thread__key=board.key).annotate(
        messages=Subquery(counted, output_field=IntegerField()),
        last_at=Subquery(written.order_by("-at").values("at")[:1]),
        by=Subquery(written.order_by("number").values("name")[:1]),
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
    """The title of a topic; empty if there is none of that number."""
    rows = Topic.objects.filter(thread__round=round, thread__key=board.key, number=number)
    return rows.values_list("title", flat=True).first() or ""
