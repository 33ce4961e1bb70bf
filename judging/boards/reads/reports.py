"""1.3: what was reported to the moderators of a round, and who reads and decides which report. It is decided here and
nowhere else.

A message on a public board and a post of the movement thread go to the judges of the round; one on a team's board to
the leaders who moderate it. One of a conversation goes to the judges who don't play: of all that was said there they
read the reported message alone, as it was reported. Nobody decides about what he wrote himself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.core.cache import cache
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from judging.boards.models import Message, Report
from judging.boards.reads.boards import BOARDS, PRESS, board_for, may_moderate
from judging.game.viewer import Viewer

WAITING_SECONDS = 60
"""How old the number on the judges' desk may be."""

MOST = 200
"""How many reports of a kind a page shows at most; those that wait it shows all."""

State = Report.State


@dataclass(frozen=True)
class ReportView:
    """1.3: a report. `place` is where it was said, in words; `address` leads there, empty for whom it does not."""

    row: Report
    author: str
    place: str
    address: str
    may_decide: bool
    may_hide: bool

    @property
    def id(self) -> int:
        return self.row.pk

    @property
    def is_waiting(self) -> bool:
        return self.row.state == State.WAITING


@dataclass(frozen=True)
class Reports:
    """1.3: what the page of reports shows to somebody: what waits for him, what he decided about, what he reported, and
    what he was warned for."""

    waiting: tuple[ReportView, ...]
    decided: tuple[ReportView, ...]
    own: tuple[ReportView, ...]
    warnings: tuple[ReportView, ...]


def reports_for(viewer: Viewer) -> Reports:
    """1.3: the reports of the round that the viewer may see, the latest first."""
    if viewer.user_id is None:
        return Reports((), (), (), ())
    rows = _rows(viewer).order_by("-pk")
    over = rows.exclude(state=State.WAITING).iterator(chunk_size=MOST)
    decided = islice((row for row in over if may_decide(viewer, row)), MOST)
    own, warned = rows.filter(user=viewer.user_id), rows.filter(_written_by(viewer), state=State.WARNED)
    return Reports(
        waiting=tuple(view_of(viewer, row) for row in _waiting(viewer)),
        decided=tuple(view_of(viewer, row) for row in decided),
        own=tuple(view_of(viewer, row) for row in own[:MOST]),
        warnings=tuple(view_of(viewer, row) for row in warned[:MOST]),
    )


def report_for(viewer: Viewer, pk: int) -> ReportView | None:
    """1.3: the report of that key, if the viewer decides about it."""
    row = _rows(viewer).filter(pk=pk).first()
    return view_of(viewer, row) if row is not None and may_decide(viewer, row) else None


def new_warnings(viewer: Viewer) -> QuerySet[Report]:
    """1.3: the warnings of the round that the viewer has not seen."""
    his = Report.objects.filter(_written_by(viewer), round=viewer.round)
    return his.filter(state=State.WARNED, author_saw_at__isnull=True)


def waiting_for(viewer: Viewer) -> int:
    """1.3: how many reports wait for the viewer."""
    return len(_waiting(viewer)) if viewer.user_id is not None else 0


def waiting_lately(viewer: Viewer) -> int:
    """1.3: how many reports wait for the viewer, at most WAITING_SECONDS old: it mostly asks for nothing."""
    number: int | None = cache.get_or_set(_waiting_key(viewer), lambda: waiting_for(viewer), WAITING_SECONDS)
    return number or 0


def forget_waiting(viewer: Viewer) -> None:
    """1.3: the viewer has decided about a report: his number is counted anew."""
    cache.delete(_waiting_key(viewer))


def _waiting_key(viewer: Viewer) -> str:
    return f"reports:{viewer.round.pk}:{viewer.user_id}"


def may_decide(viewer: Viewer, report: Report) -> bool:
    """1.3: whether the viewer decides about a report."""
    if viewer.user_id is None or _author_id(report) == viewer.user_id:
        return False
    if report.message is None:
        return bool(viewer.roles)
    key = report.message.thread.key
    if key.startswith(PRESS):
        return bool(viewer.roles) and viewer.player is None
    board = board_for(viewer, key)
    return board is not None and may_moderate(viewer, board)


def _waiting(viewer: Viewer) -> list[Report]:
    """What waits for the viewer, the oldest first: all of it, however much waits for others."""
    rows = _rows(viewer).filter(state=State.WAITING).order_by("pk")
    return [row for row in rows if may_decide(viewer, row)]


def _written_by(viewer: Viewer) -> Q:
    return Q(message__author=viewer.user_id or 0) | Q(post__player__user=viewer.user_id or 0)


def _rows(viewer: Viewer) -> QuerySet[Report]:
    rows = Report.objects.filter(round=viewer.round).select_related("user", "message__thread")
    return rows.select_related("post__player", "post__turn").defer("post__turn__position", "post__turn__events")


def _author_id(report: Report) -> int:
    """The key of the user who wrote what was reported."""
    if report.message is not None:
        return report.message.author_id
    return report.post.player.user_id if report.post is not None else 0


def view_of(viewer: Viewer, row: Report) -> ReportView:
    """1.3: a report as the viewer sees it, who sent it, decides about it, or was warned."""
    decides = may_decide(viewer, row)
    if row.message is not None:
        place, address = _where(viewer, row.message)
        return ReportView(row, row.message.name, place, address, decides, row.message.withdrawn_at is None)
    post = row.post
    if post is None:
        return ReportView(row, "", "", "", decides, False)
    address = f"{reverse('movement-turn', args=[viewer.round.slug, post.turn.number])}#post-{post.pk}"
    place = gettext("Orders thread of turn %(number)s") % {"number": post.turn.number}
    return ReportView(row, post.player.name_at(post.posted_at), place, address, decides, False)


def _where(viewer: Viewer, message: Message) -> tuple[str, str]:
    key = message.thread.key
    board = board_for(viewer, key)
    address = reverse("board-message", args=[viewer.round.slug, key, message.number]) if board else ""
    if key.startswith(PRESS):
        return gettext("A private conversation"), address
    return BOARDS[key].title if key in BOARDS else key, address


def reported_at(viewer: Viewer, message: Message) -> datetime | None:
    """1.3: when the viewer reported a message; None if he has not."""
    return Report.objects.filter(message=message, user=viewer.user_id or 0).values_list("at", flat=True).first()
