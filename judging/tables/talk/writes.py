"""3.1, 1.3: messages at a table: written, withdrawn, moderated, and reported to its moderators."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils.translation import gettext

from judging.boards.models import Block
from judging.game import locking
from judging.game.errors import Refused
from judging.game.markup import People, marked
from judging.game.telling import News, NewsKind
from judging.game.texts import checked_text, checked_token
from judging.notifications.writes import lapse, tell
from judging.tables.away.names import called
from judging.tables.conduct.record import keep_act
from judging.tables.conduct.standing import people_of
from judging.tables.models import Table
from judging.tables.talk.boards import TALK, TableBoard, Talker, talker_of
from judging.tables.talk.models import TableMessage, TableReport
from judging.tables.writes.posting import held_table

MOST_SIGNS = 5_000
MOST_REASON = 2_000
MOST_NAMED = 20
MOST_IN_AN_HOUR = 60
"""Messages of one person at a table."""
MOST_REPORTS = 20
AN_HOUR = timedelta(hours=1)
State = TableReport.State


@locking.writes
def say_at_table(*, table: Table, user: User, board: str, text: str, token: str, now: datetime) -> TableMessage:
    """3.1: somebody writes on a board of a table; the same form sent twice makes one message. Whom it names with `@`,
    and who reads that board, is told.

    Refused for who does not read or write there, is barred, or writes too much, and for an empty or too long text.
    """
    text = checked_text(text, what="message", most=MOST_SIGNS, cites="3.1", field="text").strip()
    token = checked_token(token)
    held = held_table(table)
    talker = talker_of(held, user, now)
    place = _board(talker, board)
    own = TableMessage.objects.filter(table=held, author=user)
    if before := own.filter(token=token).first():
        return before
    if place.why_not:
        raise Refused(place.why_not, "3.1")
    if own.filter(at__gt=now - AN_HOUR).count() >= MOST_IN_AN_HOUR:
        raise Refused(
            gettext("You wrote %(most)s messages here in the past hour. Try again later.") % {"most": MOST_IN_AN_HOUR},
            "3.1",
        )
    last = TableMessage.objects.filter(table=held).aggregate(last=Max("number"))["last"] or 0
    message = TableMessage.objects.create(
        table=held, number=last + 1, board=place.key, author=user, name=name_of(talker), at=now, text=text,
        token=token, letter=talker.seat.letter if talker.seat else "", as_judge=talker.judge is not None,
    )  # fmt: skip
    _tell_named(talker, message, now)
    return message


@locking.writes
def unsay_at_table(*, table: Table, user: User, number: int, now: datetime) -> TableMessage:
    """3.1: somebody takes his own message back; it is kept, and nobody else reads it. Once more changes nothing."""
    message = _message(talker_of(held_table(table), user, now), number)
    if message.author_id != user.pk:
        raise Refused(gettext("Only its author can withdraw a message."), "1.6")
    if message.withdrawn_at is None:
        message.withdrawn_at = now
        message.save(update_fields=["withdrawn_at"])
    return message


@locking.writes
def hide_at_table(*, table: Table, user: User, number: int, reason: str, hides: bool, now: datetime) -> TableMessage:
    """1.3: a moderator hides a message with a reason that all its readers see, or shows it again."""
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
    """1.3: somebody reports a message that he reads to the table's moderators; once more changes nothing.

    Refused for one's own, for what is withdrawn or hidden, and for too many in an hour.
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
    tell([News(pk, NewsKind.TABLE_REPORTED, _key(report), now, data=data) for pk in sorted(users)], now)
    return report


@locking.writes
def decide_at_table(*, table: Table, user: User, report_id: int, does: str, reason: str, now: datetime) -> TableReport:
    """1.3: a moderator hides what was reported, warns its author, or dismisses the report; its reporter reads why.

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
    lapse(kind=NewsKind.TABLE_REPORTED, keys=[_key(report)], now=now)
    data = {"slug": talker.table.slug, "table": talker.table.name}
    news = [News(report.user_id, NewsKind.TABLE_REPORT_DECIDED, _key(report), now, data=data)]
    if does == "warn":
        news.append(News(message.author_id, NewsKind.TABLE_WARNED, _key(report), now, data=data))
    tell(news, now)
    return report


@locking.writes
def block_at_table(*, table: Table, user: User, number: int, now: datetime) -> Block:
    """1.6: somebody reads nothing more of who wrote a message, here and elsewhere, but what he says as a judge."""
    message = _message(talker_of(table, user, now), number)
    if message.author_id == user.pk:
        raise Refused(gettext("You can't block yourself."), "1.6")
    named = {"name": message.name, "at": now}
    return Block.objects.get_or_create(user=user, blocked_id=message.author_id, defaults=named)[0]


@locking.writes
def unblock_at_table(*, table: Table, user: User, number: int, now: datetime) -> None:
    """1.6: somebody reads again what the writer of a message says; once more changes nothing."""
    message = _message(talker_of(table, user, now), number)
    Block.objects.filter(user=user, blocked_id=message.author_id).delete()


def name_of(talker: Talker) -> str:
    """1.6: the name under which somebody speaks at a table: his seat's, his judge's, else his log-in's."""
    if talker.seat is not None:
        return called(talker.seat)
    return talker.judge.name if talker.judge is not None else talker.user.get_username()


def moderators_of(talker: Talker) -> list[int]:
    """1.3: the keys of those who moderate a table: its judges; without any, administrators."""
    found = [judge.user_id for judge in talker.judges]
    return found or list(User.objects.filter(is_superuser=True, is_active=True).values_list("pk", flat=True))


def _board(talker: Talker, key: str) -> TableBoard:
    found = talker.boards.get(key or TALK)
    if found is None:
        raise Refused(gettext("You don’t have access to that board."), "3.1")
    return found


def _message(talker: Talker, number: int) -> TableMessage:
    """A message on a board that he reads; a moderator finds every reported one."""
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
    """1.6: what the record calls an author; empty for a spectator: it outlives accounts, so it names none."""
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
    tell([News(pk, NewsKind.TABLE_NAMED, key, now, data=data) for pk in sorted(users)], now)


def _key(report: TableReport) -> str:
    return f"table-report-{report.pk}"
