"""T10, T11.2: card tables that are stuck: for health and figures, for their judges, and for the desk."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext

from judging.common.judges import is_administrator
from judging.common.texts import utc
from judging.tables.away.services import away_from
from judging.tables.clocks import SILENT
from judging.tables.conduct.people import called
from judging.tables.models import Table, TableState

LATE = timedelta(minutes=5)
"""T10.5: how long past its deadline a table without a played default is late: the job runs every minute."""
MOST = 20
"""The most tables that the desk names."""


def late_tables(now: datetime) -> QuerySet[Table]:
    """T10: running tables whose deadline passed a while ago without any result."""
    return Table.objects.filter(state=TableState.RUNNING, due_at__lt=now - LATE).order_by("due_at")


def number_late(now: datetime) -> int:
    """T10: how many tables are late."""
    return late_tables(now).count()


def clocks_at(now: datetime) -> tuple[int, int]:
    """T10: the number of tables with a running clock, and of those with an expired one."""
    running = Table.objects.filter(state=TableState.RUNNING)
    counts = running.aggregate(
        waiting=Count("pk", filter=Q(due_at__isnull=False)), overdue=Count("pk", filter=Q(due_at__lt=now - LATE))
    )
    return counts["waiting"], counts["overdue"]


@dataclass(frozen=True)
class Trouble:
    """T10.6, T11.2: a table that can't continue by itself, and the reasons, in sentences."""

    table: Table
    why: tuple[str, ...]


def troubles_for(user: User | AnonymousUser, now: datetime, table: Table | None = None) -> tuple[Trouble, ...]:
    """T10.6, T11.2: the stuck tables that the user judges (or the given one): with an open question, an absent
    player, or an expired clock without any result. Administrators also get all other tables with an expired clock,
    or with a question that no judge has answered for three days."""
    judged = Q(judges__user_id=user.pk or 0, judges__dismissed_at__isnull=True)
    stuck = Q(due_at__lt=now - LATE) | Q(stopped_at__lte=now - SILENT)
    stopped = judged & (Q(stopped_at__isnull=False) | Q(seats__missed__gt=0) | Q(seats__is_played=True))
    condition = stopped | (stuck if is_administrator(user) else judged & stuck)
    rows = Table.objects.filter(condition, state=TableState.RUNNING)
    rows = rows.filter(pk=table.pk) if table is not None else rows
    tables = (
        Table.objects.filter(pk__in=rows.order_by().values("pk"))
        .select_related("card_list")
        .prefetch_related("seats__substitutions")
    )
    troubles = (
        Trouble(row, tuple(_why(row, now, is_at_its_desk=table is not None)))
        for row in tables.defer("seed").order_by("opened_at", "pk")[:MOST]
    )
    return tuple(trouble for trouble in troubles if trouble.why)


def _why(table: Table, now: datetime, *, is_at_its_desk: bool) -> Iterator[str]:
    """Each reason as a sentence. The table's own desk already shows the question in its own words."""
    if table.due_at is not None and table.due_at < now - LATE:
        yield gettext("Time ran out at %(time)s, but nothing happened. This is a bug in the service.") % {
            "time": utc(table.due_at)
        }
    if table.stopped_at is not None:
        question = (
            gettext("A ruling is needed.")
            if is_at_its_desk
            else gettext("A ruling is needed: “%(question)s”") % {"question": table.question}
        )
        sentences = [
            question if table.question else gettext("A card’s text needs to be settled."),
            gettext("The table and its clocks have stood still since %(time)s.") % {"time": utc(table.stopped_at)},
        ]
        if table.stopped_at <= now - SILENT:
            sentences.append(gettext("No one has answered for three days."))
        yield " ".join(sentences)
    for away in away_from(table, list(table.seats.all()), None, is_judge=True):
        yield gettext("%(name)s is away. %(how)s") % {"name": called(away.seat), "how": away.how}
