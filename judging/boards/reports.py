"""1.3, 1.6: Reports to the moderators: who reads and decides which, making and deciding them, and blocking people."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from django.contrib.auth.models import User
from django.core.cache import cache
from django.db.models import Q, QuerySet
from django.dispatch import Signal
from django.urls import reverse
from django.utils.translation import gettext

from judging.boards.models import Block, Message, Report
from judging.boards.queries.boards import BOARDS, PRESS, Board, board_for, may_moderate
from judging.boards.services import MAX_REASON, judge_name, name_of
from judging.common import locking
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.texts import checked_text
from judging.common.viewer import Viewer
from judging.turns.models import Post
from judging.turns.posts.queries import posts_seen_by
from wargame.models import Judge, Player
from wargame.models.choices import RoundState

WAITING_SECONDS = 60
"""How old the count on the judges' desk may be, in seconds."""

MOST = 200
"""How many reports of a kind a page shows at most; it shows all waiting ones."""

State = Report.State


@dataclass(frozen=True)
class ReportView:
    """1.3: A report. `place` is where it was said, in words; `address` leads there, empty for viewers who can't open
    it."""

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
    """1.3: A user's page of reports: those that wait for them, those that they decided, those that they sent, and
    their warnings."""

    waiting: tuple[ReportView, ...]
    decided: tuple[ReportView, ...]
    own: tuple[ReportView, ...]
    warnings: tuple[ReportView, ...]


def reports_for(viewer: Viewer) -> Reports:
    """1.3: The reports of the round that the viewer may see, latest first."""
    if viewer.user_id is None:
        return Reports((), (), (), ())
    rows = _rows(viewer).order_by("-pk")
    over = rows.exclude(state=State.WAITING).iterator(chunk_size=MOST)
    decided = islice((row for row in over if may_decide(viewer, row)), MOST)
    own_rows, warned = rows.filter(user=viewer.user_id), rows.filter(_written_by(viewer), state=State.WARNED)
    return Reports(
        waiting=tuple(view_of(viewer, row) for row in _waiting(viewer)),
        decided=tuple(view_of(viewer, row) for row in decided),
        own=tuple(view_of(viewer, row) for row in own_rows[:MOST]),
        warnings=tuple(view_of(viewer, row) for row in warned[:MOST]),
    )


def report_for(viewer: Viewer, pk: int) -> ReportView | None:
    """1.3: The report with that key, if the viewer decides it."""
    row = _rows(viewer).filter(pk=pk).first()
    return view_of(viewer, row) if row is not None and may_decide(viewer, row) else None


def new_warnings(viewer: Viewer) -> QuerySet[Report]:
    """1.3: the warnings of the round that the viewer has not seen."""
    rows = Report.objects.filter(_written_by(viewer), round=viewer.round)
    return rows.filter(state=State.WARNED, author_saw_at__isnull=True)


def waiting_for(viewer: Viewer) -> int:
    """1.3: how many reports wait for the viewer."""
    return len(_waiting(viewer)) if viewer.user_id is not None else 0


def waiting_lately(viewer: Viewer) -> int:
    """1.3: how many reports wait for the viewer, at most WAITING_SECONDS old: it mostly asks for nothing."""
    number: int | None = cache.get_or_set(_waiting_key(viewer), lambda: waiting_for(viewer), WAITING_SECONDS)
    return number or 0


def forget_waiting(viewer: Viewer) -> None:
    """1.3: The viewer has decided a report: clear their cached count."""
    cache.delete(_waiting_key(viewer))


def _waiting_key(viewer: Viewer) -> str:
    return f"reports:{viewer.round.pk}:{viewer.user_id}"


def may_decide(viewer: Viewer, report: Report) -> bool:
    """1.3: Whether the viewer may decide a report."""
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
    """The reports that wait for the viewer, oldest first: all of them, however many wait for others."""
    rows = _rows(viewer).filter(state=State.WAITING).order_by("pk")
    return [row for row in rows if may_decide(viewer, row)]


def _written_by(viewer: Viewer) -> Q:
    return Q(message__author=viewer.user_id or 0) | Q(post__player__user=viewer.user_id or 0)


def _rows(viewer: Viewer) -> QuerySet[Report]:
    rows = Report.objects.filter(round=viewer.round).select_related("user", "message__thread")
    return rows.select_related("post__player", "post__turn").defer("post__turn__position", "post__turn__events")


def _author_id(report: Report) -> int:
    if report.message is not None:
        return report.message.author_id
    return report.post.player.user_id if report.post is not None else 0


def view_of(viewer: Viewer, row: Report) -> ReportView:
    """1.3: A report for its viewer, who sent it, decides it, or was warned."""
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
    """1.3: When the viewer reported a message; None if they have not."""
    return Report.objects.filter(message=message, user=viewer.user_id or 0).values_list("at", flat=True).first()


MOST_REPORTS = 20
WITHIN = timedelta(hours=1)
"""The period of the limit on reports by one user."""

MOST_BLOCKS = 200


report_sent, report_decided = Signal(), Signal()
"""1.3: Sent within the transaction that stores it, with `report` and `now`; a decision also with `by`, its user."""


@locking.writes
def report_message(*, viewer: Viewer, board: Board, message: Message, reason: str, now: datetime) -> Report:
    """1.3: Report a message that the viewer reads to the moderators, who read it in its current version. Again while
    it waits changes nothing. Raises Refused for one's own, for withdrawn or hidden ones, and for too many in an
    hour."""
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    user_id = _checked_reporter(viewer)
    if board_for(viewer, board.key) is None:
        raise Refused(gettext("No such message, or you can't read it."), "1.3")
    # Held so that two clicks make one report.
    row = locking.hold(Message.objects, pk=message.pk)
    if row.author_id == viewer.user_id:
        raise Refused(gettext("This is your own message: edit or withdraw it."), "1.3")
    if before := Report.objects.filter(message=row, user=viewer.user_id).first():
        return _before(before)
    if row.withdrawn_at is not None or row.hidden_at is not None:
        raise Refused(gettext("No one can read this message any more."), "1.3")
    _check_rate(viewer, now)
    report = Report.objects.create(
        round=viewer.round, message=row, user_id=user_id, text=row.text, reason=reason, at=now
    )
    report_sent.send(Report, report=report, now=now)
    return report


@locking.writes
def report_post(*, viewer: Viewer, post_id: int, reason: str, now: datetime) -> Report:
    """1.3: Report a post of the movement thread that the viewer may see, like `report_message`."""
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    user_id = _checked_reporter(viewer)
    if not posts_seen_by(viewer, now).filter(pk=post_id).exists():
        raise Refused(gettext("No such post, or you can't read it."), "1.3")
    post = locking.hold(Post.objects.select_related("player"), pk=post_id)
    if post.player.user_id == viewer.user_id:
        raise Refused(gettext("This is your own post: edit or withdraw it."), "1.3")
    if before := Report.objects.filter(post=post, user=viewer.user_id).first():
        return _before(before)
    _check_rate(viewer, now)
    last = post.versions.order_by("-number").first()
    text = last.text if last else ""
    report = Report.objects.create(round=viewer.round, post=post, user_id=user_id, text=text, reason=reason, at=now)
    report_sent.send(Report, report=report, now=now)
    return report


@locking.writes
def decide_report(*, viewer: Viewer, report: Report, does: str, reason: str, now: datetime) -> Report:
    """1.3: A moderator hides the reported text, with their reason as its public mark, warns its author, or dismisses
    the report; its reporter reads the reason. Raises Refused for anybody who may not decide it, and once it is decided.

    Orders are never hidden: a report of a post ends with a warning or without (3.1). Decisions about public texts are
    in the log.
    """
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    states = {"hide": State.HIDDEN, "warn": State.WARNED, "dismiss": State.DISMISSED}
    if does not in states:
        raise Refused(gettext("Choose to hide the message, warn its author or dismiss the report."), "1.3")
    # The message before its report, in the order of `locking.ORDER`: who hides it without a report holds it alone.
    message = locking.hold(Message.objects, pk=report.message_id) if report.message_id else None
    row = locking.hold(Report.objects.select_related("message__thread", "post__player"), pk=report.pk)
    if not may_decide(viewer, row):
        raise Refused(gettext("You can't decide this report."), "1.3")
    if row.state != State.WAITING:
        raise Refused(gettext("%(judge)s has already decided this report.") % {"judge": row.decided_by}, "1.3")
    user = User.objects.get(pk=viewer.user_id or 0)
    by = judge_name(viewer) or name_of(viewer, user)
    if does == "hide":
        _hide(message, by, reason, now)
    row.state, row.decided_by, row.decided_at, row.answer = states[does], by, now, reason
    row.save(update_fields=["state", "decided_by", "decided_at", "answer"])
    _record(viewer, user, row, does, reason, now)
    forget_waiting(viewer)
    report_decided.send(Report, report=row, by=user, now=now)
    return row


@locking.writes
def see_warnings(*, viewer: Viewer, now: datetime) -> None:
    """1.3: Mark the viewer's warnings as seen."""
    new_warnings(viewer).update(author_saw_at=now)


@locking.writes
def block(*, viewer: Viewer, name: str, now: datetime) -> Block:
    """1.6: Hide another person's texts from the viewer, except their orders and what they say as a judge, and stop
    private messages from them. Again changes nothing. Raises Refused for an unknown name."""
    if viewer.user_id is None:
        raise Refused(gettext("Log in to block someone."), "1.6")
    players = Player.objects.filter(round=viewer.round, name__iexact=name.strip())
    person = players.first() or Judge.everybody.filter(round=viewer.round, name__iexact=name.strip()).first()
    if person is None:
        messages = Message.objects.filter(thread__round=viewer.round, name__iexact=name.strip(), roles=[])
        message = messages.filter(player__isnull=True).order_by("-pk").first()
        if message is None:
            raise Refused(
                gettext("No one in this round is called “%(name)s”.") % {"name": name.strip()[:40]}, "1.6", "name"
            )
        blocked, full_name = message.author_id, message.name
    else:
        blocked, full_name = person.user_id, person.name
    if blocked == viewer.user_id:
        raise Refused(gettext("You can't block yourself."), "1.6", "name")
    before = Block.objects.filter(user=viewer.user_id, blocked=blocked).first()
    if before is not None:
        return before
    if Block.objects.filter(user=viewer.user_id).count() >= MOST_BLOCKS:
        raise Refused(gettext("You already block %(number)s people.") % {"number": MOST_BLOCKS}, "1.6")
    Block.objects.bulk_create(
        [Block(user_id=viewer.user_id, blocked_id=blocked, name=full_name, at=now)], ignore_conflicts=True
    )
    return Block.objects.get(user=viewer.user_id, blocked=blocked)


@locking.writes
def unblock(*, viewer: Viewer, block_id: int) -> None:
    """1.6: Remove a block; again changes nothing."""
    Block.objects.filter(user=viewer.user_id or 0, pk=block_id).delete()


def _checked_reporter(viewer: Viewer) -> int:
    if viewer.user_id is None:
        raise Refused(gettext("Log in to report something."), "1.6")
    if viewer.round.state == RoundState.ARCHIVE:
        raise Refused(gettext("This is an archive of a round played elsewhere. It has no moderators here."))
    return viewer.user_id


def _check_rate(viewer: Viewer, now: datetime) -> None:
    if Report.objects.filter(user=viewer.user_id or 0, at__gt=now - WITHIN).count() >= MOST_REPORTS:
        raise Refused(
            gettext("You sent %(number)s reports within an hour. Wait a while, then try again.")
            % {"number": MOST_REPORTS},
            "1.3",
        )


def _before(report: Report) -> Report:
    if report.state != State.WAITING:
        raise Refused(
            gettext("You reported this, and %(judge)s has decided: %(answer)s")
            % {"judge": report.decided_by, "answer": report.answer},
            "1.3",
        )
    return report


def _hide(message: Message | None, by: str, reason: str, now: datetime) -> None:
    if message is None:
        raise Refused(gettext("Orders are never hidden. Warn their author, or dismiss the report."), "3.1")
    if message.hidden_at is None:
        message.hidden_at, message.hidden_by, message.hidden_because = now, by, reason
        message.save(update_fields=["hidden_at", "hidden_by", "hidden_because"])


def _record(viewer: Viewer, user: User, report: Report, does: str, reason: str, now: datetime) -> None:
    """1.3: Decisions about public texts are public; nobody else learns of those about private ones."""
    if does == "dismiss":
        return
    if report.post is not None:
        turn = report.post.turn.number
        record(viewer.round, user, "post.warned", {"turn": turn, "by": report.post.player.name, "reason": reason}, now)
        return
    message = report.message
    board = board_for(viewer, message.thread.key) if message else None
    if message is None or board is None or not board.is_public:
        return
    action = "board.hidden" if does == "hide" else "board.warned"
    data = {"board": board.name, "message": message.number, "by": message.name, "reason": reason}
    record(viewer.round, user, action, data, now)
