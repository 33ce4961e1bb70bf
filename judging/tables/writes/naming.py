"""T11.4: who judges a table: named before anybody else sits down, or agreed to by everybody who sits there."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.game import locking
from judging.game.errors import Refused
from judging.game.judges import is_administrator
from judging.game.telling import News, NewsKind
from judging.notifications.writes import lapse, tell
from judging.tables.conduct.record import keep_act
from judging.tables.drafts.models import Drafter
from judging.tables.models import JudgeProposal, Seat, Table, TableJudge, TableState
from judging.tables.writes.judging import end_question
from judging.tables.writes.posting import held_table

RULE = "T11.4"


@locking.writes
def name_judge(*, table: Table, by: User, username: str, name: str, now: datetime) -> TableJudge | JudgeProposal:
    """T11.4: until anybody but the opener sits down, the opener or an administrator names a judge; whoever sits down
    later has seen who judges. From then on a player, the head judge or an administrator proposes one, and every seat
    has to agree. The first judge is the head. Refused for players as judges."""
    held, seats = _lock_table(table)
    judges = _current_judges(held)
    _check_may_name(held, seats, judges, by)
    user = User.objects.filter(username=username.strip(), is_active=True).first()
    if user is None:
        raise Refused(gettext("No one has that log-in."), RULE, "username")
    if any(seat.user_id == user.pk for seat in seats):
        raise Refused(gettext("Players can't judge their own table."), RULE, "username")
    if judge := next((judge for judge in judges if judge.user_id == user.pk), None):
        return judge
    name = " ".join(name.split())[:40]
    if not name:
        raise Refused(gettext("Enter a display name for the judge."), RULE, "name")
    if held.state == TableState.OPEN and Drafter.objects.filter(draft__table=held).exclude(user=by).exists():
        raise Refused(gettext("The draft isn't over yet. Propose a judge once the players are seated."), RULE)
    if not _has_other_players(held, seats):
        return _take_office(held, user, name, now)
    return _propose(held, seats, by, JudgeProposal(user=user, name=name), now)


@locking.writes
def dismiss_judge_of_table(*, table: Table, by: User, judge_id: int, now: datetime) -> JudgeProposal | None:
    """T11.4: a judge resigns, or is dismissed by the head judge or an administrator. A player proposes it, and every
    seat has to agree; only before anybody else sits down can the opener do it alone."""
    held, seats = _lock_table(table)
    judges = _current_judges(held)
    judge = next((judge for judge in judges if judge.pk == judge_id), None)
    if judge is None:
        raise Refused(gettext("There is no such judge here."), RULE)
    _check_may_name(held, seats, judges, by, itself=judge)
    is_alone = held.opened_by_id == by.pk and not _has_other_players(held, seats)
    is_head = any(each.is_head and each.user_id == by.pk for each in judges)
    if is_administrator(by) and not _is_seated(seats, by) or is_head or by.pk == judge.user_id or is_alone:
        _leave_office(held, judge, now)
        return None
    return _propose(held, seats, by, JudgeProposal(user=judge.user, name=judge.name, dismisses=True), now)


@locking.writes
def answer_proposal(*, table: Table, by: User, proposal_id: int, agrees: bool, now: datetime) -> Table:
    """T11.4: a player agrees to a proposed judge or dismissal, which is done once all have; or refuses, which closes
    it. Whoever proposed it may withdraw it. Refused for others, and once it is closed."""
    held, seats = _lock_table(table)
    row = held.judge_proposals.filter(pk=proposal_id, closed_at__isnull=True).select_related("user").first()
    if row is None:
        raise Refused(gettext("This proposal is closed. Reload the page."), RULE)
    mine = [seat.letter for seat in seats if seat.user_id == by.pk]
    if not mine and (agrees or row.proposed_by_id != by.pk):
        raise Refused(gettext("Only the players of this table can answer this."), RULE)
    row.agreed = sorted({*row.agreed, *mine}) if agrees else row.agreed
    if not agrees:
        row.closed_at = now
        keep_act(held, "judge refused", by.pk, now, name=_display_name(seats, by), judge=row.name)
    row.save(update_fields=["agreed", "closed_at"])
    lapse(kind=NewsKind.TABLE_JUDGE_PROPOSED, keys=[_key(row)], now=now, users=None if not agrees else [by.pk])
    _done_if_agreed(held, seats, row, now)
    return held


def waiting_for(row: JudgeProposal, letters: Iterable[str]) -> tuple[str, ...]:
    """T11.4: the letters of the seats that have not agreed yet."""
    return tuple(letter for letter in letters if letter not in row.agreed)


def _lock_table(table: Table) -> tuple[Table, list[Seat]]:
    held = held_table(table)
    return held, list(held.seats.all())


def _current_judges(table: Table) -> list[TableJudge]:
    return list(table.judges.filter(dismissed_at__isnull=True).select_related("user"))


def _has_other_players(table: Table, seats: list[Seat]) -> bool:
    """Whether anybody but the opener sits here."""
    return any(seat.user_id != table.opened_by_id for seat in seats)


def _is_seated(seats: list[Seat], user: User) -> bool:
    return any(seat.user_id == user.pk for seat in seats)


def _display_name(seats: list[Seat], user: User) -> str:
    return next((seat.name for seat in seats if seat.user_id == user.pk), user.get_username())


def _check_may_name(
    table: Table, seats: list[Seat], judges: list[TableJudge], by: User, itself: TableJudge | None = None
) -> None:
    heads = any(judge.is_head and judge.user_id == by.pk for judge in judges)
    resigns = itself is not None and itself.user_id == by.pk
    if not (is_administrator(by) or by.pk == table.opened_by_id or _is_seated(seats, by) or heads or resigns):
        raise Refused(
            gettext("Only the players, the person who opened the table and the head judge can name or dismiss judges."),
            RULE,
        )


def _propose(table: Table, seats: list[Seat], by: User, row: JudgeProposal, now: datetime) -> JudgeProposal:
    if before := table.judge_proposals.filter(user=row.user, closed_at__isnull=True).first():
        return before
    row.table, row.proposed_by, row.proposed_at = table, by, now
    row.agreed = [seat.letter for seat in seats if seat.user_id == by.pk]
    row.save()
    name = _display_name(seats, by)
    keep_act(
        table, "judge dismissal proposed" if row.dismisses else "judge proposed", by.pk, now, name=name, judge=row.name
    )
    data = {"slug": table.slug, "table": table.name, "by": name, "judge": row.name, "dismisses": row.dismisses}
    others = [seat.user_id for seat in seats if seat.letter not in row.agreed]
    tell([News(user, NewsKind.TABLE_JUDGE_PROPOSED, _key(row), now, data=data) for user in others], now)
    _done_if_agreed(table, seats, row, now)
    return row


def _key(row: JudgeProposal) -> str:
    return f"table-{row.table_id}-judge-{row.pk}"


def _done_if_agreed(table: Table, seats: list[Seat], row: JudgeProposal, now: datetime) -> None:
    if row.closed_at is not None or waiting_for(row, [seat.letter for seat in seats]):
        return
    row.closed_at = now
    row.save(update_fields=["closed_at"])
    if _is_seated(seats, row.user):
        return
    judge = table.judges.filter(user=row.user, dismissed_at__isnull=True).first()
    if not row.dismisses:
        _take_office(table, row.user, row.name, now)
    elif judge is not None:
        _leave_office(table, judge, now)


def _take_office(table: Table, user: User, name: str, now: datetime) -> TableJudge:
    is_head = not table.judges.filter(is_head=True, dismissed_at__isnull=True).exists()
    judge, _ = TableJudge.objects.update_or_create(
        table=table, user=user, defaults={"name": name, "named_at": now, "dismissed_at": None, "is_head": is_head}
    )
    keep_act(table, "judge named", None, now, judge=name)
    data = {"slug": table.slug, "table": table.name, "judge": name}
    people = {user.pk, *table.seats.values_list("user_id", flat=True)}
    key = f"table-{table.pk}-judge-{judge.pk}-{now:%Y%m%d%H%M%S}"
    tell([News(pk, NewsKind.TABLE_JUDGE_NAMED, key, now, data=data) for pk in sorted(people)], now)
    return judge


def _leave_office(table: Table, judge: TableJudge, now: datetime) -> None:
    """T11.4: a judge is one no more; a question that nobody is left to answer lapses at once."""
    judge.dismissed_at, judge.is_head = now, False
    judge.save(update_fields=["dismissed_at", "is_head"])
    keep_act(table, "judge dismissed", None, now, judge=judge.name)
    if table.question and not table.judges.filter(dismissed_at__isnull=True).exists():
        end_question(table, now)
        table.save()
