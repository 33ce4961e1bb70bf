"""1.6: the conversations that somebody is in, with what is new there, and to whom he may write."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max
from django.utils.translation import gettext

from judging.boards.models import BoardThread
from judging.boards.reads.boards import Board, press_for, why_no_press
from judging.boards.reads.read_marks import Unread, unread_by_board
from judging.game.viewer import Viewer
from wargame.models import Player
from wargame.models.choices import Press, RoundState


@dataclass(frozen=True)
class ConversationRow:
    """1.6: a conversation in the list, with the others who are in it."""

    board: Board
    others: tuple[str, ...]
    messages: int
    last_at: datetime | None
    unread: Unread


def conversations_of(viewer: Viewer) -> list[ConversationRow]:
    """1.6: the conversations that the viewer is in, by their last messages."""
    boards = press_for(viewer)
    if not boards:
        return []
    threads = BoardThread.objects.filter(round=viewer.round, key__in=list(boards))
    counted = threads.annotate(number=Count("messages"), last=Max("messages__at")).values_list("key", "number", "last")
    found = {key: (number, last) for key, number, last in counted}
    new = unread_by_board(viewer)
    rows = []
    for key, board in boards.items():
        number, last = found.get(key, (0, None))
        others = tuple(player.name for player in board.people if player != viewer.player)
        rows.append(ConversationRow(board, others, number, last, new.get(key, Unread())))
    return sorted(rows, key=lambda row: row.last_at.timestamp() if row.last_at else 0.0, reverse=True)


def who_may_be_written_to(viewer: Viewer) -> tuple[list[Player], str]:
    """1.6: the players to whom the viewer may write in private, by name; or why there are none."""
    if viewer.round.state == RoundState.ARCHIVE:
        return [], gettext("This is an archive of a round played elsewhere. You can't write here.")
    if viewer.player is None or viewer.round.press == Press.NONE:
        return [], why_no_press(viewer, ())
    rows = Player.objects.filter(round=viewer.round, left_at__isnull=True).exclude(pk=viewer.player.pk)
    if viewer.round.press == Press.TEAM:
        rows = rows.filter(side=viewer.player.side)
    people = list(rows.order_by("name"))
    return people, "" if people else gettext("There is no one you can write to yet.")
