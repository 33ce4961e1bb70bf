"""T10.6, R59: who is told that somebody stays away, that a default was played for him, and that a table stands
still."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import F, Q

from judging.game.telling import News, NewsKind
from judging.tables.away.choosing import stays_away
from judging.tables.away.models import Substitution
from judging.tables.clocks import SILENT
from judging.tables.conduct.appeals import who_name_judges
from judging.tables.conduct.models import TableAct
from judging.tables.models import Seat, Table, TableState

FRESH = timedelta(days=1)
"""So long after somebody took a seat over its former player is told of it."""


def news_of_absence(now: datetime) -> Iterator[News]:
    """T10.6: everything that is to be told of absence now; what was told before is left out by whoever stores it."""
    yield from _missed(now)
    yield from _standing_still(now)
    yield from _replaced(now)


def _missed(now: datetime) -> Iterator[News]:
    """T10.6: he himself is told of each default; once the others may choose, they and the judges are."""
    rows = Seat.objects.filter(table__state=TableState.RUNNING).filter(Q(missed__gt=0) | Q(is_played=True))
    for seat in rows.select_related("table").defer("table__seed").order_by("pk"):
        table = seat.table
        data = {"slug": table.slug, "table": table.name, "name": seat.name}
        if seat.missed:
            key = f"table-missed-{seat.pk}-{table.entries}-{seat.missed}"
            yield News(seat.user_id, NewsKind.TABLE_MISSED, key, now, data=data)
        if not stays_away(seat) or seat.is_played:
            continue
        others = set(table.seats.exclude(pk=seat.pk).values_list("user_id", flat=True))
        judges = set(table.judges.filter(dismissed_at__isnull=True).values_list("user_id", flat=True))
        began = TableAct.objects.filter(table=table, action__in=("waits", "time", "taken", "back")).count()
        for user in sorted(others | judges):
            yield News(user, NewsKind.TABLE_AWAY, f"table-away-{seat.pk}-{began}", now, data=data)


def _standing_still(now: datetime) -> Iterator[News]:
    """R59: a question that no judge answers, or a text that nobody settles, for three days: who may name a judge is
    told, and who plays there."""
    rows = Table.objects.filter(state=TableState.RUNNING, stopped_at__lte=now - SILENT).defer("seed")
    for table in rows.prefetch_related("seats"):
        data = {"slug": table.slug, "table": table.name}
        seated = {seat.user_id for seat in table.seats.all()}
        for user in sorted(seated | set(who_name_judges(table))):
            yield News(user, NewsKind.TABLE_STANDS, f"table-stands-{table.pk}-{table.entries}", now, data=data)


def _replaced(now: datetime) -> Iterator[News]:
    """T10.6: whose seat somebody has taken over."""
    rows = Substitution.objects.filter(user__isnull=False, closed_at__gt=now - FRESH).exclude(before=F("user"))
    for row in rows.select_related("seat__table").defer("seat__table__seed"):
        data = {"slug": row.seat.table.slug, "table": row.seat.table.name, "name": row.name}
        yield News(row.before_id, NewsKind.TABLE_REPLACED, f"table-replaced-{row.pk}", now, data=data)
