"""1.3, R57: the appeals and sanctions of a table, as everybody reads them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User

from judging.tables.conduct.answering import hows
from judging.tables.conduct.appeals import contested, may_take_over, title_of, why_not
from judging.tables.conduct.models import Sanction, TableAppeal
from judging.tables.conduct.record import sanction_in_words
from judging.tables.conduct.standing import judge_of
from judging.tables.models import Table

MOST = 100


@dataclass(frozen=True)
class SanctionView:
    """1.3: a sanction: what it is, and what the viewer may do about it. `appeal`: the number of one against it."""

    row: Sanction
    what: str
    appeal: int | None
    may_lift: bool
    may_appeal: bool


@dataclass(frozen=True)
class AppealRow:
    """R57: an appeal in the list."""

    row: TableAppeal
    title: str


def sanctions_of(table: Table, user_id: int | None, now: datetime) -> tuple[SanctionView, ...]:
    """1.3: the sanctions of a table, the newest first."""
    rows = list(Sanction.objects.filter(table=table).select_related("judge", "lifted_by").order_by("-number")[:MOST])
    appealed = dict(TableAppeal.objects.filter(sanction__in=rows).values_list("sanction", "number"))
    judge = judge_of(table, user_id)
    found = []
    for row in rows:
        mine = user_id is not None and row.user_id == user_id and row.lifted_at is None and row.pk not in appealed
        about = contested(table, "sanction", row.number) if mine else None
        lifts = judge is not None and row.lifted_at is None and (judge.is_head or judge.pk == row.judge_id)
        may = about is not None and why_not(table, user_id, about, now) is None
        found.append(SanctionView(row, sanction_in_words(row.kind, row.until), appealed.get(row.pk), lifts, may))
    return tuple(found)


def appeals_of(table: Table) -> tuple[AppealRow, ...]:
    """R57: the appeals of a table, the newest first."""
    rows = (
        TableAppeal.objects.filter(table=table)
        .select_related("judge", "entry", "sanction", "ending")
        .order_by("-number")
    )
    return tuple(AppealRow(row, title_of(row)) for row in rows[:MOST])


@dataclass(frozen=True)
class TableAppealView(AppealRow):
    """R57: an appeal, and what the viewer may do about it. `ways`: what its judge may make of it."""

    may_withdraw: bool
    may_answer: bool
    ways: tuple[str, ...]
    may_take_over: bool = False


def appeal_of(table: Table, number: int, user: User | AnonymousUser) -> TableAppealView | None:
    """R57: the appeal of that number as somebody sees it; None where there is none."""
    joined = ("table", "judge", "against", "entry", "sanction", "ending", "mended")
    row = TableAppeal.objects.select_related(*joined).filter(table=table, number=number).first()
    if row is None:
        return None
    is_open = row.state == TableAppeal.State.OPEN
    answers = is_open and row.judge is not None and row.judge.user_id == user.pk
    return TableAppealView(
        row, title_of(row), is_open and row.user_id == user.pk, answers, hows(row), may_take_over(row, user)
    )
