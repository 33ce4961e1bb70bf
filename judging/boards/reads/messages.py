"""3.1: the messages of a board as somebody may see them: what was withdrawn or hidden has no text for others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils.safestring import SafeString

from judging.boards.models import Mention, Message
from judging.boards.reads.boards import Board, may_moderate, why_not_write
from judging.boards.reads.people import Readers
from judging.boards.reads.read_marks import standing
from judging.game.viewer import Viewer
from wargame.models import Round
from wargame.models.choices import Role

MOST_FED = 50


@dataclass(frozen=True)
class MessageView:
    """3.1: a message as its viewer may see it. `text` and `html` are empty where he may not; its author and the
    moderators of its board always may. `roles` are what the author judged; `side` is empty for who did not play."""

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
    return [_view(row, viewer, readers, moderates, writes, row.pk in naming) for row in found]


def history_of(viewer: Viewer, board: Board, message: MessageView) -> list[VersionView]:
    """Every text that a message had, the present one first; nothing for who may not see it."""
    if not message.may_see:
        return []
    row, readers = message.row, Readers(viewer.round, board)
    former = [(old.number, old.at, old.text) for old in row.versions.order_by("-number")]
    texts = [(row.version, row.edited_at or row.at, row.text), *former]
    return [VersionView(number, at, readers.render(text).html) for number, at, text in texts]


def latest_on(round: Round, board: Board) -> list[tuple[Message, SafeString]]:
    """The newest messages of a public board, the newest first, for a feed: what everybody sees of it."""
    rows = standing(messages_on(round, board)).order_by("-number")[:MOST_FED]
    readers = Readers(round, board)
    return [(row, readers.render(row.text).html) for row in rows]


def _naming(viewer: Viewer, rows: Iterable[Message]) -> set[int]:
    """The keys of those that name the viewer, and that he has not seen."""
    if viewer.user_id is None or not rows:
        return set()
    mentions = Mention.objects.filter(user_id=viewer.user_id, message__in=list(rows), seen_at__isnull=True)
    return set(mentions.values_list("message_id", flat=True))


def _view(
    row: Message, viewer: Viewer, readers: Readers, moderates: bool, writes: bool, names_viewer: bool
) -> MessageView:
    is_mine = viewer.user_id is not None and row.author_id == viewer.user_id
    is_standing = row.withdrawn_at is None and row.hidden_at is None
    may_see = is_standing or is_mine or moderates
    return MessageView(
        row=row,
        by=row.name,
        side=row.player.side if row.player else "",
        roles=tuple(Role(role).label for role in row.roles),
        text=row.text if may_see else "",
        html=readers.render(row.text).html if may_see else SafeString(""),
        may_see=may_see,
        is_mine=is_mine,
        may_edit=is_mine and writes and row.withdrawn_at is None,
        may_moderate=moderates and row.withdrawn_at is None,
        names_viewer=names_viewer,
    )
