"""T10: what waits for a user: a move, a cut word, a pick, a question to the judge."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.db.models import Q, QuerySet

from judging.common.viewer import Viewer
from judging.tables.clocks import due_of
from judging.tables.drafts.models import Drafter
from judging.tables.drafts.queries import waited_for
from judging.tables.models import Seat, TableJudge, TableState

NONE_SECONDS = 5


@dataclass(frozen=True)
class AwaitedTable:
    """T10: a table that waits for the user. `kind`: `move`, `cut`, `pick`, or `judge` for a question to them; `due`:
    their deadline; None without one."""

    kind: str
    slug: str
    name: str
    due: datetime | None = None


def awaited(viewer: Viewer, now: datetime) -> list[AwaitedTable]:
    """T10: all tables that wait for somebody, whatever their role in the round they look at.

    One statement if none waits, and then none for NONE_SECONDS; else five at most, and two or three more for each draft
    that they are in. What they settled beforehand answers on the beat: until then nothing is asked of him.
    """
    user = viewer.user_id
    if user is None or cache.get(f"no-table:{user}"):
        return []
    # While a judge is asked, the table stands still and waits for nobody who plays (T11.2).
    moves = Q(table__state=TableState.RUNNING, asked_at__isnull=False, table__still_until=None)
    seats = Seat.objects.filter(moves | Q(table__state=TableState.CUTTING, cut=""), user=user)
    drafts = Drafter.objects.filter(user=user, draft__table__state=TableState.OPEN, draft__begun_at__isnull=False)
    named = TableJudge.objects.filter(user=user, dismissed_at__isnull=True, table__state=TableState.RUNNING)
    judged = named.exclude(table__question="")
    keys = [rows.order_by().values_list("pk") for rows in (drafts, judged)]
    if not seats.order_by().values_list("pk").union(*keys, all=True).exists():
        cache.set(f"no-table:{user}", True, NONE_SECONDS)
        return []
    return [*_of_seats(seats, now), *_of_drafts(user), *_of_judge(judged)]


def _of_seats(seats: QuerySet[Seat], now: datetime) -> Iterator[AwaitedTable]:
    found = list(seats.select_related("table").defer("table__seed").order_by("table_id"))
    on_the_beat = [seat.table_id for seat in found if seat.table.beat_at is not None and seat.table.beat_at > now]
    rows = Seat.objects.filter(table__in=on_the_beat, asked_at__isnull=False)
    counts = Counter(rows.values_list("table_id", flat=True)) if on_the_beat else Counter[int]()
    for seat in found:
        if seat.table.state == TableState.CUTTING:
            yield AwaitedTable("cut", seat.table.slug, seat.table.name)
        elif seat.table_id not in on_the_beat or counts[seat.table_id] > 1:
            yield AwaitedTable("move", seat.table.slug, seat.table.name, due_of(seat.table, seat))


def _of_drafts(user: int) -> Iterator[AwaitedTable]:
    for draft, _, _ in waited_for(user):
        yield AwaitedTable("pick", draft.table.slug, draft.table.name, draft.due_at)


def _of_judge(judged: QuerySet[TableJudge]) -> Iterator[AwaitedTable]:
    for judge in judged.select_related("table").defer("table__seed").order_by("table_id"):
        yield AwaitedTable("judge", judge.table.slug, judge.table.name)
