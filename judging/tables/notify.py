"""T10, T11.4, R59: notifications of a table: whose move it is, whose time runs out, who is absent, and how it ended."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache
from django.db.models import F, Q

from judging.common import locking
from judging.common.notify import News
from judging.notifications.kinds.tables import MOVES, OF_TABLES
from judging.notifications.queries import BELL_SECONDS, bell_now
from judging.notifications.services import lapse_of_table, tell
from judging.tables.away.models import Substitution
from judging.tables.away.services import stays_away
from judging.tables.clocks import SILENT, due_of
from judging.tables.conduct.appeals import who_name_judges
from judging.tables.conduct.models import TableAct
from judging.tables.drafts.queries import waited_for
from judging.tables.models import Seat, Table, TableJudge, TableState
from judging.tables.queries import winners_of

FRESH_SUBSTITUTION = timedelta(days=1)
"""How long after a substitution the former player is notified of it."""


def news_of_absence(now: datetime) -> Iterator[News]:
    """T10.6: all news of absence now; the caller stores only new ones."""
    yield from _missed(now)
    yield from _standing_still(now)
    yield from _replaced(now)


def _missed(now: datetime) -> Iterator[News]:
    """T10.6: notify the player of each default; once the others may choose, notify them and the judges."""
    rows = Seat.objects.filter(table__state=TableState.RUNNING).filter(Q(missed__gt=0) | Q(is_played=True))
    for seat in rows.select_related("table").defer("table__seed").order_by("pk"):
        table = seat.table
        data = {"slug": table.slug, "table": table.name, "name": seat.name}
        if seat.missed:
            key = f"table-missed-{seat.pk}-{table.entries}-{seat.missed}"
            yield News(seat.user_id, "table.missed", key, now, data=data)
        if not stays_away(seat) or seat.is_played:
            continue
        players = set(table.seats.exclude(pk=seat.pk).values_list("user_id", flat=True))
        judges = set(table.judges.filter(dismissed_at__isnull=True).values_list("user_id", flat=True))
        began = TableAct.objects.filter(table=table, action__in=("waits", "time", "taken", "back")).count()
        for user in sorted(players | judges):
            yield News(user, "table.away", f"table-away-{seat.pk}-{began}", now, data=data)


def _standing_still(now: datetime) -> Iterator[News]:
    """R59: for a question that no judge answers, or a text that nobody settles, for three days: notify those who may
    name a judge, and the players."""
    rows = Table.objects.filter(state=TableState.RUNNING, stopped_at__lte=now - SILENT).defer("seed")
    for table in rows.prefetch_related("seats"):
        data = {"slug": table.slug, "table": table.name}
        seated = {seat.user_id for seat in table.seats.all()}
        for user in sorted(seated | set(who_name_judges(table))):
            yield News(user, "table.stands", f"table-stands-{table.pk}-{table.entries}", now, data=data)


def _replaced(now: datetime) -> Iterator[News]:
    """T10.6: notify the former players of seats that were taken over."""
    rows = Substitution.objects.filter(user__isnull=False, closed_at__gt=now - FRESH_SUBSTITUTION).exclude(
        before=F("user")
    )
    for row in rows.select_related("seat__table").defer("seat__table__seed"):
        data = {"slug": row.seat.table.slug, "table": row.seat.table.name, "name": row.name}
        yield News(row.before_id, "table.replaced", f"table-replaced-{row.pk}", now, data=data)


LAST = timedelta(hours=2)
"""T10: how long before the deadline the last reminder is sent; the first one comes at half of the time."""
ON_ITS_PAGE = tuple(kind for kind, each in OF_TABLES.items() if each.link[0] == "table")
"""T10: the kinds that the table's page shows as well."""
LOOKING = 30
"""T10: how many seconds after a visible page's last request for news its reader counts as looking at it."""
FRESH = timedelta(hours=6)
"""How long after the end of a table its players are notified of it."""
MOVE, HALF, SOON = 1, 2, 3


def see_table(table: Table, user: User | AnonymousUser, now: datetime) -> None:
    """T10: the user looks at the page of a table: its news become read, and nothing is sent while they look. No
    query if none of their news is unread."""
    if not isinstance(user, User):
        return
    cache.set(_looking(table.pk, user.pk), True, LOOKING)
    bell = bell_now(user)
    if bell.unread and (read := lapse_of_table(slug=table.slug, kinds=ON_ITS_PAGE, users=[user.pk], now=now)):
        cache.set(f"bell:{user.pk}", bell._replace(unread=bell.unread - read), BELL_SECONDS)


def _looking(table_id: int, user_id: int) -> str:
    return f"table-seen:{table_id}:{user_id}"


@locking.writes
def notify(now: datetime) -> int:
    """T10: notify the awaited players: at once, at half of their time, two hours before its end; return the count."""
    news: list[News] = []
    reached: list[Seat] = []
    rows = Seat.objects.filter(table__state=TableState.RUNNING, asked_at__isnull=False).select_related("table")
    waited = list(rows.order_by("pk"))
    at_table = Counter(seat.table_id for seat in waited)
    for seat in waited:
        if seat.table.beat_at is not None and seat.table.beat_at > now and at_table[seat.table_id] == 1:
            continue  # what he settled beforehand answers on the beat
        stage = _stage(seat, now)
        if stage <= seat.reminded:
            continue
        seat.reminded = stage
        reached.append(seat)
        if stage == MOVE and cache.get(_looking(seat.table_id, seat.user_id)):
            continue  # the page that they look at says so
        lapse_of_table(slug=seat.table.slug, kinds=MOVES, users=[seat.user_id], now=now)
        news.append(_of_seat(seat, stage, now))
    news += [*_of_judges(now), *_of_ends(now), *_of_drafts(now), *_of_cuts(now), *news_of_absence(now)]
    Seat.objects.bulk_update(reached, ["reminded"])
    return tell(news, now)


def _stage(seat: Seat, now: datetime) -> int:
    due = due_of(seat.table, seat)
    if due is None or seat.asked_at is None:
        return MOVE
    if now >= due - LAST and due - LAST > seat.asked_at:
        return SOON
    return HALF if now >= seat.asked_at + (due - seat.asked_at) / 2 else MOVE


def _of_seat(seat: Seat, stage: int, now: datetime) -> News:
    asked_at = seat.asked_at or now
    data: dict[str, object] = {"slug": seat.table.slug, "table": seat.table.name}
    due = due_of(seat.table, seat)
    kind = "table.move"
    if stage > MOVE and due is not None:
        kind, data["due"] = "table.due", due.isoformat()
    return News(seat.user_id, kind, f"table-{seat.pk}-{stage}-{asked_at:%Y%m%d%H%M%S}", now, data=data, due_at=due)


def _of_judges(now: datetime) -> Iterator[News]:
    judges = TableJudge.objects.filter(dismissed_at__isnull=True, table__state=TableState.RUNNING).exclude(
        table__question=""
    )
    for judge in judges.select_related("table"):
        table = judge.table
        data = {"slug": table.slug, "table": table.name}
        yield News(judge.user_id, "table.asked", f"table-asked-{table.pk}-{table.entries}", now, data=data)


def _of_drafts(now: datetime) -> Iterator[News]:
    """5.2: notify each drafter with a card to pick, once a round, and when they can build their deck."""
    for draft, drafter, number in waited_for():
        data: dict[str, object] = {"slug": draft.table.slug, "table": draft.table.name}
        key = f"draft-{drafter.pk}-{number}"
        yield News(drafter.user_id, "table.move", key, now, data=data, due_at=draft.due_at)


def _of_cuts(now: datetime) -> Iterator[News]:
    """T12: the next game of a match waits for the cuts of its players."""
    owing = Seat.objects.filter(table__state=TableState.CUTTING, table__match_game__number__gt=1, cut="")
    for seat in owing.select_related("table"):
        data: dict[str, object] = {"slug": seat.table.slug, "table": seat.table.name}
        yield News(seat.user_id, "table.move", f"table-cut-{seat.pk}", now, data=data)


def _of_ends(now: datetime) -> Iterator[News]:
    over = (TableState.OVER, TableState.GIVEN_UP)
    ended = Table.objects.filter(state__in=over, started_at__isnull=False, ended_at__gt=now - FRESH)
    for table in ended.prefetch_related("seats").defer("seed"):
        seats = list(table.seats.all())
        if table.state == TableState.GIVEN_UP:
            for seat in seats:
                facts = {"slug": table.slug, "table": table.name}
                yield News(seat.user_id, "table.unagreed", f"table-over-{table.pk}", now, data=facts)
            continue
        won = winners_of(table)
        data = {"slug": table.slug, "table": table.name, "won": list(won), "winners": len(won)}
        for seat in seats:
            yield News(seat.user_id, "table.over", f"table-over-{table.pk}", now, data=data)
