"""3.1, T12.7, 1.3: a table's boards: their readers and writers, messages, withdrawing, moderation and reports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Max, Q
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from judging.boards.models import Block
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import is_administrator
from judging.common.markup import People, marked, to_html
from judging.common.notify import News
from judging.common.texts import checked_text, checked_token
from judging.notifications.services import lapse, tell
from judging.tables import game_state
from judging.tables.conduct.people import called, is_barred, people_of
from judging.tables.conduct.record import keep_act
from judging.tables.models import Seat, Table, TableJudge, TableState
from judging.tables.queries import TableView
from judging.tables.services.posting import held_table
from judging.tables.talk.models import TableMessage, TableReport

Visitor = AbstractBaseUser | AnonymousUser
TALK, WATCHERS, SIDE = "talk", "watchers", "side"
ENDED = (TableState.OVER, TableState.GIVEN_UP)


@dataclass(frozen=True)
class TableBoard:
    """3.1: a board as its viewer may use it. `why_not` says why they can't write there; empty if they can."""

    key: str
    title: str
    about: str
    why_not: str = ""

    @property
    def may_write(self) -> bool:
        return not self.why_not


@dataclass(frozen=True)
class Talker:
    """1.6: a person at a table: their seat, or their office as its judge. `sides`: the side of each seat."""

    table: Table
    user: Visitor
    seats: tuple[Seat, ...]
    judges: tuple[TableJudge, ...]
    now: datetime
    sides: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def seat(self) -> Seat | None:
        return next((seat for seat in self.seats if self.user.pk and seat.user_id == self.user.pk), None)

    @cached_property
    def judge(self) -> TableJudge | None:
        return next((judge for judge in self.judges if self.user.pk and judge.user_id == self.user.pk), None)

    @cached_property
    def is_barred(self) -> bool:
        """1.3: whether a judge has barred them from the table."""
        return is_barred(self.table, self.user.pk, self.now)

    @cached_property
    def moderates(self) -> bool:
        """1.3: whether they hide messages and decide reports: the table's judges, and administrators without a seat
        there."""
        return self.judge is not None or (is_administrator(self.user) and self.seat is None)

    @cached_property
    def blocked(self) -> frozenset[int]:
        """1.6: the users that they block."""
        return frozenset(Block.objects.filter(user_id=self.user.pk or 0).values_list("blocked_id", flat=True))

    @cached_property
    def boards(self) -> Mapping[str, TableBoard]:
        """3.1: the boards that they read, by their keys."""
        result = [self._talk()]
        if side_board := self._side():
            result.append(side_board)
        if self.user.pk and (self.seat is None or self.table.state in ENDED):
            result.append(self._watchers())
        return {board.key: board for board in result}

    def _talk(self) -> TableBoard:
        about = gettext("Players and judges can write here. Everyone can read it.")
        why = self._why_nobody()
        if not why and self.seat is None and self.judge is None:
            why = gettext("Players and judges write here. You can write to the spectators.")
        return TableBoard(TALK, gettext("At the table"), about, why)

    def _watchers(self) -> TableBoard:
        about = gettext("For spectators. Players can’t read it until the table is finished.")
        return TableBoard(WATCHERS, gettext("Spectators"), about, self._why_nobody())

    def _side(self) -> TableBoard | None:
        side = self.sides.get(self.seat.letter, "") if self.seat else ""
        if not side or list(self.sides.values()).count(side) < 2:
            return None
        key = f"{SIDE} {side}"[:12]
        return TableBoard(
            key, gettext("Your side only"), gettext("Only players on your side can read it."), self._why_nobody()
        )

    def _why_nobody(self) -> str:
        if not self.user.pk:
            return gettext("Log in to write.")
        if self.is_barred:
            return gettext("A judge has banned you from this table.")
        return gettext("This table was cancelled.") if self.table.state == TableState.GIVEN_UP else ""

    def readers(self, board: str) -> frozenset[int] | None:
        """3.1: the keys of the users who read a board; None if it is open to everybody who may see the table."""
        if board.startswith(SIDE):
            letters = [letter for letter, side in self.sides.items() if f"{SIDE} {side}"[:12] == board]
            return frozenset(seat.user_id for seat in self.seats if seat.letter in letters)
        return None

    def keeps_from(self, board: str) -> frozenset[int]:
        """T12.7: the keys of the users who can't read a board that others read: the watchers' board for players."""
        if board == WATCHERS and self.table.state not in ENDED:
            return frozenset(seat.user_id for seat in self.seats)
        return frozenset()


def talker_of(table: Table, user: Visitor, now: datetime, *, seats: tuple[Seat, ...] | None = None) -> Talker:
    """3.1: a user as a talker at a table."""
    seats = tuple(table.seats.order_by("letter")) if seats is None else seats
    judges = tuple(table.judges.filter(dismissed_at__isnull=True))
    return Talker(table, user, seats, judges, now, _sides(table, seats))


def _sides(table: Table, seats: tuple[Seat, ...]) -> Mapping[str, str]:
    """5.1: the partners, once the cards are dealt; only with more than two players does anybody have a partner."""
    if len(seats) < 3 or table.state not in (TableState.RUNNING, TableState.OVER):
        return {}
    state: Any = game_state.state_of(table)
    return {seat.letter: state.seat(seat.letter).side for seat in seats}


ON_A_PAGE = 50
LATEST = 5
"""The most messages shown beside the table itself."""


@dataclass(frozen=True)
class TalkMessage:
    """3.1: a message as its viewer may read it: without its text if it is withdrawn or hidden, or if they block its
    author, unless that one spoke as a judge."""

    row: TableMessage
    html: SafeString
    is_mine: bool
    is_blocked: bool
    may_moderate: bool
    may_report: bool

    @property
    def may_read(self) -> bool:
        return bool(self.html)


@dataclass(frozen=True)
class Reports:
    """1.3: the reports of a table: open ones for moderators, the viewer's own, and warnings of the viewer."""

    waiting: tuple[TableReport, ...]
    own: tuple[TableReport, ...]
    warned: tuple[TableReport, ...]

    @property
    def are_any(self) -> bool:
        return bool(self.waiting or self.own or self.warned)


def said_on(talker: Talker, board: str, *, before: int | None = None, most: int = ON_A_PAGE) -> tuple[TalkMessage, ...]:
    """3.1: the last messages of a board of the viewer, the oldest first; `before`: those before a number."""
    if board not in talker.boards:
        return ()
    rows = TableMessage.objects.filter(table=talker.table, board=board)
    rows = rows.filter(number__lt=before) if before else rows
    return tuple(_message_as_read(row, talker) for row in reversed(rows.order_by("-number")[:most]))


@dataclass(frozen=True)
class Beside:
    """T12.7: the talk shown beside the table: its last messages. `watchers`: the viewer reads their board."""

    said: tuple[TalkMessage, ...]
    may_write: bool
    watchers: bool


def beside(seen: TableView, user: Visitor) -> Beside:
    """T12.7: the end of a table's talk, for its own page."""
    talker = Talker(seen.table, user, seen.seats, seen.judges, seen.now)
    return Beside(said_on(talker, TALK, most=LATEST), talker.boards[TALK].may_write, WATCHERS in talker.boards)


def reports_at(talker: Talker) -> Reports:
    """1.3: the reports of a table that concern the viewer. Moderators read messages of a side's board only as they
    were reported."""
    if not talker.user.pk:
        return Reports((), (), ())
    rows = TableReport.objects.filter(message__table=talker.table).select_related("message")
    me = talker.user.pk
    pending: Sequence[TableReport] = ()
    if talker.moderates:
        pending = list(rows.filter(state=TableReport.State.WAITING).exclude(message__author=me))
    condition = Q(user=me) | Q(message__author=me, state=TableReport.State.WARNED)
    concerned = list(rows.filter(condition).order_by("-pk")[:20])
    own_reports = tuple(row for row in concerned if row.user_id == me)
    return Reports(tuple(pending), own_reports, tuple(row for row in concerned if row not in own_reports))


def _message_as_read(row: TableMessage, talker: Talker) -> TalkMessage:
    is_own = bool(talker.user.pk) and row.author_id == talker.user.pk
    blocked = row.author_id in talker.blocked and not row.as_judge
    is_visible = row.withdrawn_at is None and row.hidden_at is None
    reads = (is_visible and not blocked) or is_own or (talker.moderates and row.withdrawn_at is None)
    return TalkMessage(
        row, to_html(row.text) if reads else SafeString(""), is_own, blocked,
        may_moderate=talker.moderates and row.withdrawn_at is None and not is_own,
        may_report=is_visible and not is_own and bool(talker.user.pk),
    )  # fmt: skip


MOST_SIGNS = 5_000
MOST_REASON = 2_000
MOST_NAMED = 20
MOST_IN_AN_HOUR = 60
"""The most messages of one person at a table."""
MOST_REPORTS = 20
AN_HOUR = timedelta(hours=1)
State = TableReport.State


@locking.writes
def say_at_table(*, table: Table, user: User, board: str, text: str, token: str, now: datetime) -> TableMessage:
    """3.1: write on a board of a table; the same form sent twice makes one message. Readers of that board whom it names
    with `@` are notified.

    Refused for anyone who can't read or write there, is barred, or writes too much, and for an empty or too long text.
    """
    text = checked_text(text, what="message", most=MOST_SIGNS, cites="3.1", field="text").strip()
    token = checked_token(token)
    locked_table = held_table(table)
    talker = talker_of(locked_table, user, now)
    place = _board(talker, board)
    own_messages = TableMessage.objects.filter(table=locked_table, author=user)
    if before := own_messages.filter(token=token).first():
        return before
    if place.why_not:
        raise Refused(place.why_not, "3.1")
    if own_messages.filter(at__gt=now - AN_HOUR).count() >= MOST_IN_AN_HOUR:
        raise Refused(
            gettext("You wrote %(most)s messages here in the past hour. Try again later.") % {"most": MOST_IN_AN_HOUR},
            "3.1",
        )
    last = TableMessage.objects.filter(table=locked_table).aggregate(last=Max("number"))["last"] or 0
    message = TableMessage.objects.create(
        table=locked_table, number=last + 1, board=place.key, author=user, name=name_of(talker), at=now, text=text,
        token=token, letter=talker.seat.letter if talker.seat else "", as_judge=talker.judge is not None,
    )  # fmt: skip
    _tell_named(talker, message, now)
    return message


@locking.writes
def unsay_at_table(*, table: Table, user: User, number: int, now: datetime) -> TableMessage:
    """3.1: withdraw the user's own message; it is stored, but nobody else reads it. A second call changes nothing."""
    message = _message(talker_of(held_table(table), user, now), number)
    if message.author_id != user.pk:
        raise Refused(gettext("Only its author can withdraw a message."), "1.6")
    if message.withdrawn_at is None:
        message.withdrawn_at = now
        message.save(update_fields=["withdrawn_at"])
    return message


@locking.writes
def hide_at_table(*, table: Table, user: User, number: int, reason: str, hides: bool, now: datetime) -> TableMessage:
    """1.3: a moderator hides a message with a reason for all its readers, or shows it again."""
    reason = checked_text(reason, what="reason", most=MOST_REASON, cites="1.3", field="reason").strip()
    talker = talker_of(held_table(table), user, now)
    message = _moderated(talker, number)
    if hides != (message.hidden_at is None):
        raise Refused(
            gettext("This message is already hidden.") if hides else gettext("This message isn’t hidden."), "1.3"
        )
    _hide(talker, message, reason, hides, now)
    return message


@locking.writes
def report_at_table(*, table: Table, user: User, number: int, reason: str, now: datetime) -> TableReport:
    """1.3: report a message to the table's moderators; a second call changes nothing.

    Refused for one's own, for a withdrawn or hidden message, and for too many in an hour.
    """
    reason = checked_text(reason, what="reason", most=MOST_REASON, cites="1.3", field="reason").strip()
    talker = talker_of(held_table(table), user, now)
    message = _message(talker, number)
    if message.author_id == user.pk:
        raise Refused(gettext("This is your own message. Withdraw it instead."), "1.3")
    if before := TableReport.objects.filter(message=message, user=user).first():
        return before
    if message.withdrawn_at is not None or message.hidden_at is not None:
        raise Refused(gettext("No one can read this message any more."), "1.3")
    if TableReport.objects.filter(user=user, at__gt=now - AN_HOUR).count() >= MOST_REPORTS:
        raise Refused(
            gettext("You sent %(most)s reports in the past hour. Try again later.") % {"most": MOST_REPORTS},
            "1.3",
        )
    report = TableReport.objects.create(message=message, user=user, text=message.text, reason=reason, at=now)
    data = {"slug": talker.table.slug, "table": talker.table.name}
    users = set(moderators_of(talker)) - {user.pk, message.author_id}
    tell([News(pk, "table.reported", _key(report), now, data=data) for pk in sorted(users)], now)
    return report


@locking.writes
def decide_at_table(*, table: Table, user: User, report_id: int, does: str, reason: str, now: datetime) -> TableReport:
    """1.3: a moderator hides a reported message, warns its author, or dismisses the report; its reporter reads why.

    Refused for others, about one's own message, and once it is decided.
    """
    states = {"hide": State.HIDDEN, "warn": State.WARNED, "dismiss": State.DISMISSED}
    if does not in states:
        raise Refused(gettext("Choose to hide the message, warn its author or dismiss the report."), "1.3")
    reason = checked_text(reason, what="reason", most=MOST_REASON, cites="1.3", field="reason").strip()
    talker = talker_of(held_table(table), user, now)
    rows = TableReport.objects.select_related("message").filter(message__table=talker.table)
    report = rows.filter(pk=report_id).first()
    if report is None or not talker.moderates or report.message.author_id == user.pk:
        raise Refused(gettext("You can't decide this report."), "1.3")
    if report.state != State.WAITING:
        raise Refused(gettext("%(judge)s has already decided this report.") % {"judge": report.decided_by}, "1.3")
    by, message = name_of(talker), report.message
    if does == "hide" and message.hidden_at is None:
        _hide(talker, message, reason, True, now)
    elif does == "warn":
        keep_act(talker.table, "warned", user.pk, now, by=by, name=_name_for_the_record(message), reason=reason)
    report.state, report.decided_by, report.decided_at, report.answer = states[does], by, now, reason
    report.save(update_fields=["state", "decided_by", "decided_at", "answer"])
    lapse(kind="table.reported", keys=[_key(report)], now=now)
    data = {"slug": talker.table.slug, "table": talker.table.name}
    news = [News(report.user_id, "table.report_decided", _key(report), now, data=data)]
    if does == "warn":
        news.append(News(message.author_id, "table.warned", _key(report), now, data=data))
    tell(news, now)
    return report


@locking.writes
def block_at_table(*, table: Table, user: User, number: int, now: datetime) -> Block:
    """1.6: block the author of a message, here and elsewhere, but for what they say as a judge."""
    message = _message(talker_of(table, user, now), number)
    if message.author_id == user.pk:
        raise Refused(gettext("You can't block yourself."), "1.6")
    defaults = {"name": message.name, "at": now}
    return Block.objects.get_or_create(user=user, blocked_id=message.author_id, defaults=defaults)[0]


@locking.writes
def unblock_at_table(*, table: Table, user: User, number: int, now: datetime) -> None:
    """1.6: unblock the author of a message; a second call changes nothing."""
    message = _message(talker_of(table, user, now), number)
    Block.objects.filter(user=user, blocked_id=message.author_id).delete()


def name_of(talker: Talker) -> str:
    """1.6: a person's name in a table's talk: their seat's, their judge's name, else their log-in."""
    if talker.seat is not None:
        return called(talker.seat)
    return talker.judge.name if talker.judge is not None else talker.user.get_username()


def moderators_of(talker: Talker) -> list[int]:
    """1.3: the keys of a table's moderators: its judges; without any, administrators."""
    user_ids = [judge.user_id for judge in talker.judges]
    return user_ids or list(User.objects.filter(is_superuser=True, is_active=True).values_list("pk", flat=True))


def _board(talker: Talker, key: str) -> TableBoard:
    board = talker.boards.get(key or TALK)
    if board is None:
        raise Refused(gettext("You don’t have access to that board."), "3.1")
    return board


def _message(talker: Talker, number: int) -> TableMessage:
    """A message on a board that the talker reads; a moderator finds every reported one."""
    message = TableMessage.objects.filter(table=talker.table, number=number).first()
    if message is None or message.board not in talker.boards:
        raise Refused(gettext("No such message, or you can't read it."), "3.1")
    return message


def _moderated(talker: Talker, number: int) -> TableMessage:
    if not talker.moderates:
        raise Refused(gettext("Only judges of this table can hide others’ messages. You can report one."), "1.3")
    message = _message(talker, number)
    if message.withdrawn_at is not None:
        raise Refused(gettext("Its author has withdrawn this message. No one else can read it."), "1.3")
    return message


def _hide(talker: Talker, message: TableMessage, reason: str, hides: bool, now: datetime) -> None:
    by = name_of(talker)
    message.hidden_at, message.hidden_by = (now, by) if hides else (None, "")
    message.hidden_because = reason if hides else ""
    message.save(update_fields=["hidden_at", "hidden_by", "hidden_because"])
    action = "hid" if hides else "showed"
    keep_act(talker.table, action, talker.user.pk, now, by=by, name=_name_for_the_record(message), reason=reason)


def _name_for_the_record(message: TableMessage) -> str:
    """1.6: the author's name in the record; empty for a spectator: the record outlives accounts."""
    return message.name if message.letter or message.as_judge else ""


def _tell_named(talker: Talker, message: TableMessage, now: datetime) -> None:
    people = people_of(talker.table)
    names = marked(message.text, People({person.name: "#" for person in people.values()})).names
    users = {people[name.casefold()].user_id for name in names if name.casefold() in people}
    if len(users) > MOST_NAMED:
        raise Refused(
            gettext("A message can mention at most %(most)s people. Remove some of the @ mentions.")
            % {"most": MOST_NAMED},
            "3.1",
            "text",
        )
    readers = talker.readers(message.board)
    users = users & readers if readers is not None else users
    users -= {message.author_id, *talker.keeps_from(message.board)}
    if not message.as_judge:
        users -= set(Block.objects.filter(user__in=users, blocked=message.author_id).values_list("user_id", flat=True))
    data = {"slug": talker.table.slug, "table": talker.table.name, "by": message.name}
    key = f"table-{talker.table.pk}-message-{message.number}"
    tell([News(pk, "table.named", key, now, data=data) for pk in sorted(users)], now)


def _key(report: TableReport) -> str:
    return f"table-report-{report.pk}"
