"""T11.3, R57: a ruling that ends the game waits until nobody can appeal against it any more, or an appeal is
answered. Until then the table is stopped, and everybody at it knows."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.notify import News
from judging.notifications.services import lapse, tell
from judging.tables import clocks, game_state
from judging.tables.conduct.models import EndingRuling, TableAppeal
from judging.tables.conduct.record import keep_act
from judging.tables.models import Entry, Table, TableRuling, TableState
from judging.tables.services.chain import By
from judging.tables.services.posting import carry_out, held_table
from tables.core.entries import Entry as Said
from wargame.rules.command.appeals import last_minute

RULE = "T11.3"


def open_ending(table: Table) -> EndingRuling | None:
    """T11.3: the ruling that would end the game, while it is pending."""
    if table.still_until is None or table.question:
        return None
    rows = EndingRuling.objects.filter(table=table, closed_at__isnull=True)
    return rows.select_related("judge", "sanction").first()


def check_none_waits(table: Table) -> None:
    """T11.3: Refused while a ruling that ends the game is pending."""
    if open_ending(table) is not None:
        raise Refused(gettext("A ruling that ends the game is pending until its time for appeals is over."), RULE)


def hold_ending(table: Table, row: EndingRuling, now: datetime) -> EndingRuling:
    """T11.3: stop a locked table until the ruling takes effect, and notify its people."""
    row.table, row.made_at, row.due_at = table, now, last_minute(now, table.appeal_within)
    row.save(force_insert=True)
    table.question, table.asked_by = "", ""
    table.still_until, table.stopped_at = row.due_at, table.stopped_at or now
    table.due_at = table.beat_at = None
    table.save()
    keep_act(
        table, "ends", row.judge.user_id, now, by=row.judge.name, program=row.program, cites=row.cites,
        reason=row.reason, until=row.due_at.isoformat(),
    )  # fmt: skip
    data = {"slug": table.slug, "table": table.name, "by": row.judge.name, "until": row.due_at.isoformat()}
    tell([News(user, "table.ending", _key(row), now, data=data) for user in _people(table)], now)
    return row


@locking.writes
def withdraw_ending(*, table: Table, user: User, now: datetime) -> Table:
    """T11.3: the judge who ruled, or the head judge, withdraws a ruling that has not taken effect; the game
    continues."""
    locked_table = held_table(table)
    row = open_ending(locked_table)
    if row is None:
        raise Refused(gettext("There is no ruling left to withdraw. Reload the page."), RULE)
    judge = locked_table.judges.filter(user=user, dismissed_at__isnull=True).first()
    if judge is None or not (judge.is_head or judge.pk == row.judge_id):
        raise Refused(
            gettext("Only %(name)s or the head judge can withdraw this ruling.") % {"name": row.judge.name}, RULE
        )
    drop_ending(locked_table, row, now)
    keep_act(locked_table, "ending withdrawn", user.pk, now, by=judge.name)
    return locked_table


def drop_ending(table: Table, row: EndingRuling, now: datetime) -> None:
    """T11.3: drop the ruling; a locked table continues where it was, and the awaited players are notified again."""
    row.closed_at = now
    row.save(update_fields=["closed_at"])
    lapse(kind="table.ending", keys=[_key(row)], now=now)
    table.still_until = None
    if table.state == TableState.RUNNING:
        seats = list(table.seats.all())
        for seat in seats:
            seat.reminded = 0
        clocks.ask_anew(table, game_state.state_of(table), seats, now)
    table.save()


def carry_out_ending(table: Table, row: EndingRuling, now: datetime) -> Entry | None:
    """T11.3: the ruling takes effect at a locked table; nothing is carried out if the game has ended otherwise."""
    row.closed_at, table.still_until = now, None
    if table.state == TableState.RUNNING:
        row.entry = _lost(table, row, now) if row.sanction else _ruled(table, row, now)
    row.save(update_fields=["closed_at", "entry"])
    table.save()
    return row.entry


def due_endings(now: datetime) -> list[int]:
    """T11.3: the tables with a ruling that takes effect now: nobody has appealed, or all appeals are closed."""
    contested = TableAppeal.objects.filter(state=TableAppeal.State.OPEN)
    rows = EndingRuling.objects.filter(Q(due_at__lte=now) | ~Q(table__state=TableState.RUNNING), closed_at__isnull=True)
    rows = rows.exclude(pk__in=contested.exclude(ending=None).values("ending"))
    rows = rows.exclude(sanction__in=contested.exclude(sanction=None).values("sanction"))
    return list(rows.order_by("due_at").values_list("table_id", flat=True))


@locking.writes
def end_table(*, table_id: int, now: datetime) -> Entry | None:
    """T11.3: a table's ruling takes effect once its time for appeals is over; None if there is none. Happens once."""
    locked_table = held_table(Table(pk=table_id))
    row = (
        EndingRuling.objects.filter(table=locked_table, closed_at__isnull=True)
        .select_related("judge", "sanction")
        .first()
    )
    if row is None or table_id not in due_endings(now):
        return None
    return carry_out_ending(locked_table, row, now)


def _ruled(table: Table, row: EndingRuling, now: datetime) -> Entry:
    statement = Said("ruling", "judge", (row.program,), cites=row.cites, reason=row.reason)
    entry = carry_out(table, list(table.seats.all()), By("judge", row.judge.user_id), statement, now)
    TableRuling.objects.create(
        entry=entry, game=table.game, card=row.card, cites=row.cites, program=row.program, reason=row.reason
    )
    return entry


def _lost(table: Table, row: EndingRuling, now: datetime) -> Entry:
    """1.3, T10: the entry by which a game is lost: if it leaves one side alone, the table ends with that side's win;
    else a ruling removes the seat. It replaces no ruling on cards."""
    assert row.sanction is not None
    state, seats, letter = game_state.state_of(table), list(table.seats.all()), row.sanction.letter
    side = state.side(letter)
    remaining = [each for each in state.living if state.side(each) != side]
    if len(remaining) == len(state.living) - 1 and len({state.side(each) for each in remaining}) == 1:
        statement, by = Said("end", "service", cites=row.cites, reason=row.reason, seat=remaining[0]), "service"
    else:
        statement, by = Said("ruling", "judge", (row.program,), cites=row.cites, reason=row.reason), "judge"
    entry = carry_out(table, seats, By(by, row.judge.user_id), statement, now)
    row.sanction.entry = entry
    row.sanction.save(update_fields=["entry"])
    return entry


def _key(row: EndingRuling) -> str:
    return f"table-ending-{row.pk}"


def _people(table: Table) -> list[int]:
    seated = table.seats.values_list("user_id", flat=True)
    judges = table.judges.filter(dismissed_at__isnull=True).values_list("user_id", flat=True)
    return sorted({*seated, *judges})
