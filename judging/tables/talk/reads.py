"""3.1: what is said at a table, as somebody may read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.safestring import SafeString

from judging.game.markup import to_html
from judging.tables.reads import TableView
from judging.tables.talk.boards import TALK, WATCHERS, Talker, User
from judging.tables.talk.models import TableMessage, TableReport

ON_A_PAGE = 50
LATEST = 5
"""So many are shown beside the table itself."""


@dataclass(frozen=True)
class TalkMessage:
    """3.1: a message as its viewer may read it: without its text where it is withdrawn or hidden, or he blocks its
    author, who did not speak as a judge."""

    row: TableMessage
    html: SafeString
    is_mine: bool
    is_blocked: bool
    may_moderate: bool
    may_report: bool

    @property
    def may_read(self) -> bool:
        """Whether its text is shown."""
        return bool(self.html)


@dataclass(frozen=True)
class Reports:
    """1.3: the reports of a table: what waits for a moderator, what the viewer reported, what he was warned for."""

    waiting: tuple[TableReport, ...]
    own: tuple[TableReport, ...]
    warned: tuple[TableReport, ...]

    @property
    def are_any(self) -> bool:
        """Whether there is anything to be shown."""
        return bool(self.waiting or self.own or self.warned)


def said_on(talker: Talker, board: str, *, before: int | None = None, most: int = ON_A_PAGE) -> tuple[TalkMessage, ...]:
    """3.1: the last messages of a board that the viewer reads, the oldest first; `before`: those before a number."""
    if board not in talker.boards:
        return ()
    rows = TableMessage.objects.filter(table=talker.table, board=board)
    rows = rows.filter(number__lt=before) if before else rows
    return tuple(_message_as_read(row, talker) for row in reversed(rows.order_by("-number")[:most]))


@dataclass(frozen=True)
class Beside:
    """T12.7: what is shown of the talk beside the table: its last messages. `watchers`: the viewer reads their
    board."""

    said: tuple[TalkMessage, ...]
    may_write: bool
    watchers: bool


def beside(seen: TableView, user: User) -> Beside:
    """T12.7: the last of a table's talk, for its own page."""
    talker = Talker(seen.table, user, seen.seats, seen.judges, seen.now)
    return Beside(said_on(talker, TALK, most=LATEST), talker.boards[TALK].may_write, WATCHERS in talker.boards)


def reports_at(talker: Talker) -> Reports:
    """1.3: the reports of a table that concern the viewer. What a side said among itself its moderators read only as
    it was reported."""
    if not talker.user.pk:
        return Reports((), (), ())
    rows = TableReport.objects.filter(message__table=talker.table).select_related("message")
    me = talker.user.pk
    waiting: Sequence[TableReport] = ()
    if talker.moderates:
        waiting = list(rows.filter(state=TableReport.State.WAITING).exclude(message__author=me))
    mine = Q(user=me) | Q(message__author=me, state=TableReport.State.WARNED)
    concerned = list(rows.filter(mine).order_by("-pk")[:20])
    own = tuple(row for row in concerned if row.user_id == me)
    return Reports(tuple(waiting), own, tuple(row for row in concerned if row not in own))


def _message_as_read(row: TableMessage, talker: Talker) -> TalkMessage:
    mine = bool(talker.user.pk) and row.author_id == talker.user.pk
    blocked = row.author_id in talker.blocked and not row.as_judge
    stands = row.withdrawn_at is None and row.hidden_at is None
    reads = (stands and not blocked) or mine or (talker.moderates and row.withdrawn_at is None)
    return TalkMessage(
        row, to_html(row.text) if reads else SafeString(""), mine, blocked,
        may_moderate=talker.moderates and row.withdrawn_at is None and not mine,
        may_report=stands and not mine and bool(talker.user.pk),
    )  # fmt: skip
