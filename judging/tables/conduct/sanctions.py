"""1.3: judges of a table sanction misconduct there: a warning, the loss of the game, a bar. Each has a public rule
and reason; the person concerned is notified, and may appeal (R57)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.common.notify import News
from judging.common.texts import checked_text, checked_token
from judging.notifications.services import tell
from judging.tables import game_state
from judging.tables.conduct.endings import check_none_waits, drop_ending, hold_ending, open_ending
from judging.tables.conduct.models import EndingRuling, Sanction, TableAppeal
from judging.tables.conduct.people import Person, judge_of, people_of
from judging.tables.conduct.record import keep_act
from judging.tables.models import Table, TableJudge, TableState
from judging.tables.services.posting import held_table

RULE = "1.3"
MOST_REASON = 2_000
MOST_DAYS = 365
Kind = Sanction.Kind


@dataclass(frozen=True)
class NewSanction:
    """1.3: a typed sanction. `days` of a bar: empty for good."""

    kind: str = Kind.WARNING
    whom: str = ""
    cites: str = ""
    reason: str = ""
    days: str = ""


@locking.writes
def sanction(*, table: Table, user: User, given: NewSanction, token: str, now: datetime) -> Sanction:
    """1.3: a judge of a table sanctions one of its people; the same form sent twice makes one.

    The loss of the game, and the bar of a current player, wait for their appeal time. Refused for anyone who does not
    judge there, against judges, without a rule or a reason, and for a loss where there is nothing to lose.
    """
    token = checked_token(token)
    locked_table = held_table(table)
    judge = _judge(locked_table, user)
    if before := Sanction.objects.filter(judge=judge, token=token).first():
        return before
    row = _checked(locked_table, judge, given, now)
    row.number = (Sanction.objects.filter(table=locked_table).aggregate(last=Max("number"))["last"] or 0) + 1
    row.made_at, row.token = now, token
    plays = bool(row.letter) and locked_table.state == TableState.RUNNING and not _is_out(locked_table, row.letter)
    if row.kind == Kind.LOSS and not plays:
        raise Refused(
            gettext("%(name)s isn't playing here and has no game to lose.") % {"name": row.name}, RULE, "kind"
        )
    if row.kind != Kind.WARNING and plays:
        check_none_waits(locked_table)
    row.save(force_insert=True)
    if row.kind != Kind.WARNING and plays:
        loss = EndingRuling(
            judge=judge, program=f"{row.letter} loses", cites=row.cites, reason=row.reason, token=token,
            sanction=row,
        )  # fmt: skip
        hold_ending(locked_table, loss, now)
    fields: dict[str, object] = {"by": judge.name, "name": row.name, "kind": row.kind, "cites": row.cites}
    if row.until is not None:
        fields["until"] = row.until.isoformat()
    keep_act(locked_table, "sanctioned", user.pk, now, reason=row.reason, number=row.number, **fields)
    data = {"slug": locked_table.slug, "table": locked_table.name, "number": row.number}
    news = [News(row.user_id, "table.sanctioned", f"table-{locked_table.pk}-sanction-{row.number}", now, data=data)]
    tell(news, now)
    return row


@locking.writes
def lift_sanction(*, table: Table, user: User, number: int, reason: str, now: datetime) -> Sanction:
    """1.3: lift a sanction; open to the judge who imposed it, the table's head judge, and the judge who answers an
    appeal against it (R57). It stays on record, and a lost game stays lost unless the table goes back. A second call
    changes nothing."""
    locked_table = held_table(table)
    judge = _judge(locked_table, user)
    row = Sanction.objects.select_related("judge").filter(table=locked_table, number=number).first()
    if row is None:
        raise Refused(gettext("There is no such sanction here."), RULE)
    answers = TableAppeal.objects.filter(sanction=row, judge=judge, state=TableAppeal.State.OPEN).exists()
    if not (judge.is_head or judge.pk == row.judge_id or answers):
        raise Refused(
            gettext("Only %(name)s, the head judge or the judge answering an appeal can lift this sanction.")
            % {"name": row.judge.name},
            RULE,
        )
    if row.lifted_at is not None:
        return row
    row.lifted_because = checked_text(reason, what="reason", most=MOST_REASON, cites=RULE, field="lifted").strip()
    row.lifted_at, row.lifted_by = now, judge
    row.save(update_fields=["lifted_at", "lifted_by", "lifted_because"])
    if (loss := open_ending(locked_table)) is not None and loss.sanction_id == row.pk:
        drop_ending(locked_table, loss, now)
    keep_act(
        locked_table, "lifted", user.pk, now, by=judge.name, name=row.name, number=number, reason=row.lifted_because
    )
    data = {"slug": locked_table.slug, "table": locked_table.name, "number": number}
    tell([News(row.user_id, "table.lifted", f"table-{locked_table.pk}-lifted-{number}", now, data=data)], now)
    return row


def _checked(table: Table, judge: TableJudge, values: NewSanction, now: datetime) -> Sanction:
    if values.kind not in Kind.values:
        raise Refused(gettext("Choose the kind of sanction."), RULE, "kind")
    person = _person(table, values.whom)
    cites = " ".join(values.cites.split())[:60]
    if not cites:
        raise Refused(gettext("Name the rule that was broken."), RULE, "cites")
    reason = checked_text(values.reason, what="reason", most=MOST_REASON, cites=RULE, field="reason").strip()
    until = None
    if values.kind == Kind.BAR and values.days.strip():
        days = number_of(values.days, 0)
        if not 1 <= days <= MOST_DAYS:
            raise Refused(
                gettext("A ban can last 1 to %(most)s days. Leave the days empty for a permanent one.")
                % {"most": MOST_DAYS},
                RULE,
                "days",
            )
        until = now + timedelta(days=days)
    return Sanction(
        table=table, kind=values.kind, user_id=person.user_id, name=person.name, letter=person.letter, judge=judge,
        cites=cites, reason=reason, until=until,
    )  # fmt: skip


def _person(table: Table, name: str) -> Person:
    person = people_of(table).get(" ".join(name.split()).casefold())
    if person is None:
        message = (
            gettext("No one called “%(name)s” has played or written here.") % {"name": name.strip()[:40]}
            if name.strip()
            else gettext("Name the person to sanction.")
        )
        raise Refused(message, RULE, "whom")
    if person.is_judge:
        raise Refused(gettext("You can't sanction a judge; dismiss them instead."), "T11.4", "whom")
    return person


def _judge(table: Table, user: User) -> TableJudge:
    judge = judge_of(table, user.pk)
    if judge is None:
        raise Refused(gettext("Only the judges of this table can impose sanctions."), RULE)
    return judge


def _is_out(table: Table, letter: str) -> bool:
    return letter not in game_state.state_of(table).living
