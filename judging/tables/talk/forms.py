"""3.1, 1.3: actions of the forms for a table's talk. Each returns the message of the next page; raises Refused."""

from datetime import datetime

from django.contrib.auth.models import User
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext

from judging.tables.models import Table
from judging.tables.talk import services
from judging.tables.talk.services import TALK, TableBoard, Talker


def board_or_404(talker: Talker, key: str) -> TableBoard:
    """3.1: the board of that key. Raises Http404 if there is none that the viewer can read."""
    board = talker.boards.get(key or TALK)
    if board is None:
        raise Http404(gettext("There is no such board at this table, or you can't read it."))
    return board


def end_of(table: Table, board: str = TALK) -> str:
    """3.1: the address of a board's latest message."""
    return f"{reverse('table-talk', args=[table.slug])}?board={board}#end"


def withdraw(table: Table, user: User, now: datetime, *, number: int) -> str:
    """3.1: withdraw the user's own message."""
    services.unsay_at_table(table=table, user=user, number=number, now=now)
    return gettext("Your message is withdrawn.")


def moderate(table: Table, user: User, now: datetime, *, number: int, hides: bool, reason: str) -> str:
    """1.3: hide a message, or show it again."""
    services.hide_at_table(table=table, user=user, number=number, reason=reason, hides=hides, now=now)
    return gettext("The message is hidden.") if hides else gettext("The message is shown again.")


def report(table: Table, user: User, now: datetime, *, number: int, reason: str) -> str:
    """1.3: report a message to the moderators."""
    services.report_at_table(table=table, user=user, number=number, reason=reason, now=now)
    return gettext("You reported the message. The moderators’ answer will appear here.")


def block(table: Table, user: User, now: datetime, *, number: int) -> str:
    """1.6: block the author of a message."""
    row = services.block_at_table(table=table, user=user, number=number, now=now)
    return gettext("You no longer see messages by %(name)s, except as a judge.") % {"name": row.name}


def unblock(table: Table, user: User, now: datetime, *, number: int) -> str:
    """1.6: unblock the author of a message."""
    services.unblock_at_table(table=table, user=user, number=number, now=now)
    return gettext("You see their messages again.")


def decide(table: Table, user: User, now: datetime, *, report_id: int, does: str, reason: str) -> str:
    """1.3: a moderator decides on a report."""
    services.decide_at_table(table=table, user=user, report_id=report_id, does=does, reason=reason, now=now)
    return gettext("The report is decided. The person who sent it can read why.")
