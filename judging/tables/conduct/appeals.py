"""R57, T11.3: appeals at a table: against a ruling by who plays there, against a sanction by whom it concerns.

Another judge than the one appealed against answers: drawn from the table's seed among the others, the head if there is
none else; and where there is nobody, it waits until another judge is named. All of it is public.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Max, Q
from django.utils.translation import gettext

from judging.game import locking
from judging.game.errors import Refused
from judging.game.judges import is_administrator
from judging.game.telling import News, NewsKind
from judging.game.texts import checked_text, checked_token, utc
from judging.notifications.writes import tell
from judging.tables import world
from judging.tables.away.names import called
from judging.tables.conduct.models import EndingRuling, Sanction, TableAppeal
from judging.tables.conduct.record import contested_in_words, keep_act
from judging.tables.models import Entry, Table, TableJudge, TableRuling, TableState
from judging.tables.writes.posting import held_table
from tables.core.proof.draws import Draws
from wargame.rules.command.appeals import (
    AppealStanding,
    answer_by,
    draw_of,
    last_minute,
    next_candidates,
    why_no_appeal,
)
from wargame.rules.core.faults import Finding

RULE = "R57"
MOST_OPEN = 2
"""R57: so many open appeals a player has at most at a table."""
MOST_REASON = 4_000
State = TableAppeal.State


@dataclass(frozen=True)
class ContestedRuling:
    """R57: what an appeal is against: a judge's ruling by its entry, or a sanction. `concerned`: the users' keys."""

    title: str
    made_at: datetime
    against: TableJudge
    concerned: frozenset[int]
    entry: Entry | None = None
    sanction: Sanction | None = None
    ending: EndingRuling | None = None

    @property
    def cites(self) -> str:
        """The rule by which it was decided."""
        row = self.sanction or self.ending
        return row.cites if row else str(self.entry.args.get("cites", "")) if self.entry else ""

    @property
    def reason(self) -> str:
        """Why it was decided so."""
        row = self.sanction or self.ending
        return row.reason if row else str(self.entry.args.get("reason", "")) if self.entry else ""


def contested(table: Table, kind: str, number: int) -> ContestedRuling | None:
    """R57: the ruling of that entry, the sanction of that number, or the `ending` that waits; None where there is none.
    A ruling by which a sanction or an ending is carried out is contested as that."""
    if kind == "sanction":
        rows = Sanction.objects.select_related("judge").filter(table=table, lifted_at__isnull=True)
        row = rows.filter(number=number).first()
        if row is None:
            return None
        return ContestedRuling(
            contested_in_words(row.number, None), row.made_at, row.judge, frozenset({row.user_id}), sanction=row
        )
    is_it = Q(pk=number) if kind == "ending" else Q(entry__n=number) if kind == "ruling" else Q(pk=None)
    ending = EndingRuling.objects.select_related("judge").filter(is_it, table=table, sanction=None).first()
    if ending is not None and (ending.entry_id or ending.closed_at is None):
        seated = frozenset(table.seats.values_list("user_id", flat=True))
        return ContestedRuling(
            contested_in_words(None, None, ending.pk), ending.made_at, ending.judge, seated, ending=ending
        )
    entry = Entry.objects.filter(table=table, n=number, kind="ruling").first() if kind == "ruling" else None
    if entry is None or Sanction.objects.filter(entry=entry).exists():
        return None
    judge = TableJudge.objects.filter(table=table, user_id=entry.user_id or 0).first()
    if judge is None:
        return None
    seated = frozenset(table.seats.values_list("user_id", flat=True))
    return ContestedRuling(contested_in_words(None, entry.n), entry.at, judge, seated, entry=entry)


def until(table: Table, about: ContestedRuling) -> datetime:
    """R57: the last minute in which it may be appealed against."""
    return last_minute(about.made_at, table.appeal_within)


def why_not(table: Table, user_id: int | None, about: ContestedRuling, now: datetime) -> Finding | None:
    """R57: why somebody may not appeal against it now; None if he may."""
    own = TableAppeal.objects.filter(table=table, user_id=user_id or 0)
    whom = gettext("The sanctioned person") if about.sanction else gettext("Players at this table")
    standing = AppealStanding(
        concerns=user_id in about.concerned,
        before=own.filter(entry=about.entry, sanction=about.sanction, ending=about.ending).exists(),
        decided_at=about.made_at,
        open=own.filter(state=State.OPEN).count(),
        whom=whom,
    )
    return why_no_appeal(standing, within=table.appeal_within, most=MOST_OPEN, now=now)


@locking.writes
def lodge_at_table(
    *, table: Table, user: User, about: ContestedRuling, cites: str, reason: str, token: str, now: datetime
) -> TableAppeal:
    """R57: an appeal is lodged, and the judge who answers is drawn; the same form sent twice makes one.

    Refused for whom it does not concern, a second time, out of time, with two open ones, and without rule or reason.
    """
    token = checked_token(token)
    held = held_table(table)
    if before := TableAppeal.objects.filter(user=user, token=token).first():
        return before
    if finding := why_not(held, user.pk, about, now):
        raise Refused(finding.sentence, RULE)
    seat = held.seats.filter(user=user).first()
    name = called(seat) if seat else about.sanction.name if about.sanction else user.get_username()
    row = TableAppeal(
        table=held, user=user, name=name, letter=seat.letter if seat else "", entry=about.entry,
        sanction=about.sanction, ending=about.ending, against=about.against, lodged_at=now, token=token,
    )  # fmt: skip
    row.cites = checked_cites(cites, "cites")
    row.reason = checked_text(reason, what="reason", most=MOST_REASON, cites=RULE, field="reason").strip()
    row.number = (TableAppeal.objects.filter(table=held).aggregate(last=Max("number"))["last"] or 0) + 1
    _draw(held, row, now)
    row.save(force_insert=True)
    keep_act(held, "appealed", user.pk, now, name=name, number=row.number, **_against(row))
    _note_draw(held, row, now)
    tell_of(row, NewsKind.TABLE_APPEALED, now, but=user.pk)
    return row


@locking.writes
def take_back_at_table(*, appeal: TableAppeal, user: User, now: datetime) -> TableAppeal:
    """R57: who lodged an appeal takes it back; once more changes nothing. Refused for others, and once it is
    answered."""
    row = held_appeal(appeal)
    if row.user_id != user.pk:
        raise Refused(gettext("Only %(name)s can withdraw this appeal.") % {"name": row.name}, RULE)
    if row.state == State.WITHDRAWN:
        return row
    check_open(row)
    row.state, row.answered_at = State.WITHDRAWN, now
    row.save(update_fields=["state", "answered_at"])
    keep_act(row.table, "withdrawn", user.pk, now, name=row.name, number=row.number)
    return row


def pass_on_at_tables(now: datetime) -> int:
    """R57: appeals whose judge did not answer in time, judges no more, or was missing go to the next who is drawn; how
    many did."""
    rows = TableAppeal.objects.filter(state=State.OPEN)
    late = rows.filter(due_at__lte=now) | rows.filter(judge__isnull=True)
    late |= rows.filter(judge__dismissed_at__isnull=False)
    return sum(_passed_on(row, now) for row in late.distinct().order_by("pk"))


@locking.writes
def _passed_on(appeal: TableAppeal, now: datetime) -> bool:
    row = held_appeal(appeal)
    gone = row.judge is None or row.judge.dismissed_at is not None
    if row.state != State.OPEN or (not gone and row.due_at > now):
        return False
    before = row.judge_id
    drawn = _draw(row.table, row, now)
    if not drawn and before is None:
        return False
    row.save(update_fields=["judge", "draws", "due_at"])
    _note_draw(row.table, row, now)
    return drawn


def _draw(table: Table, row: TableAppeal, now: datetime) -> bool:
    """R57, T8: draws who answers from the table's seed, notes among whom, and gives him his time; whether somebody is
    there to answer."""
    judges = {judge.pk: judge for judge in table.judges.filter(dismissed_at__isnull=True).exclude(pk=row.against_id)}
    able = {judge.name: judge for judge in judges.values() if judge.user_id not in (row.user_id, row.against.user_id)}
    head = next((name for name, judge in able.items() if judge.is_head), "")
    among = sorted(set(next_candidates(list(able), [one["drew"] for one in row.draws], head)))
    row.due_at = answer_by(now, table.appeal_within)
    if not among:
        row.judge = None
        return False
    name = draw_of(row.number, len(row.draws) + 1)
    drew = among[_draws(table).draw(name, 1, len(among)) - 1]
    row.judge = able[drew]
    row.draws = [*row.draws, {"at": now.isoformat(), "name": name, "among": among, "drew": drew}]
    return True


def _draws(table: Table) -> Draws:
    """T8: the table's draws, from its committed seed; before the cards are dealt, from the commitment itself."""
    if table.state in (TableState.RUNNING, TableState.OVER):
        return world.state_of(table).draws
    return Draws(bytes.fromhex(table.commitment), table.slug)


def _note_draw(table: Table, row: TableAppeal, now: datetime) -> None:
    """R57: all read who was drawn, and he is told; where nobody is there to answer, who may name a judge is."""
    data = {"slug": table.slug, "table": table.name, "number": row.number, "due": row.due_at.isoformat()}
    key = f"table-{table.pk}-appeal-{row.number}-{len(row.draws)}"
    if row.judge is not None:
        keep_act(table, "drawn", None, now, judge=row.judge.name, number=row.number)
        tell([News(row.judge.user_id, NewsKind.TABLE_APPEAL_YOURS, key, now, data=data, due_at=row.due_at)], now)
    else:
        tell([News(pk, NewsKind.TABLE_NO_JUDGE, key, now, data=data) for pk in who_name_judges(table)], now)


def who_name_judges(table: Table) -> list[int]:
    """T11.4: who may propose a judge at a table: its players, its opener, its head judge, and administrators, who may
    also answer an appeal that nobody else can."""
    heads = table.judges.filter(is_head=True, dismissed_at__isnull=True).values_list("user_id", flat=True)
    admins = User.objects.filter(is_superuser=True, is_active=True).values_list("pk", flat=True)
    return sorted({table.opened_by_id, *heads, *admins, *table.seats.values_list("user_id", flat=True)})


def may_take_over(row: TableAppeal, user: User | AnonymousUser) -> bool:
    """R57: whether an administrator, who is no party, may answer an appeal that no judge of the table can."""
    parties = {row.user_id, row.against.user_id, *row.table.seats.values_list("user_id", flat=True)}
    return row.state == State.OPEN and row.judge_id is None and is_administrator(user) and user.pk not in parties


@locking.writes
def take_appeal_over(*, appeal: TableAppeal, user: User, now: datetime) -> TableAppeal:
    """R57: an administrator answers an appeal that no judge of the table can; until it is answered they judge the table
    for it. Refused for anybody else."""
    row = held_appeal(appeal)
    if row.judge is not None and row.judge.user_id == user.pk:
        return row
    if not may_take_over(row, user):
        raise Refused(
            gettext("Only an administrator who isn't a party can answer this appeal, and only if no judge can."), RULE
        )
    name = user.get_username()[:40]
    row.judge, _ = TableJudge.objects.update_or_create(
        table=row.table, user=user,
        defaults={"name": name, "named_at": now, "dismissed_at": None, "is_head": False},
    )  # fmt: skip
    row.due_at = answer_by(now, row.table.appeal_within)
    row.save(update_fields=["judge", "due_at"])
    keep_act(row.table, "administrator", user.pk, now, by=name, number=row.number)
    return row


def tell_of(row: TableAppeal, kind: NewsKind, now: datetime, *, but: int = 0) -> None:
    """R57: both sides are told of what became of an appeal: who plays there, who decided, and who lodged it."""
    seated = row.table.seats.values_list("user_id", flat=True) if not row.sanction_id else ()
    users = {row.user_id, row.against.user_id, *seated} - {but}
    data = {"slug": row.table.slug, "table": row.table.name, "number": row.number, "name": row.name}
    data |= {"outcome": row.state, **_against(row)}
    tell([News(pk, kind, f"table-{row.table_id}-appeal-{row.number}", now, data=data) for pk in sorted(users)], now)


def title_of(row: TableAppeal) -> str:
    """R57: what an appeal is against, as a part of a sentence."""
    against = _against(row)
    return contested_in_words(against.get("sanction"), against.get("entry"), against.get("ending"))


def _against(row: TableAppeal) -> dict[str, int]:
    """R57: what an appeal is against, as it is kept: the number of a sanction, or of the entry of a ruling."""
    if row.sanction is not None:
        return {"sanction": row.sanction.number}
    if row.ending_id:
        return {"ending": row.ending_id}
    return {"entry": row.entry.n} if row.entry is not None else {}


def held_appeal(appeal: TableAppeal) -> TableAppeal:
    """R57: the appeal as it is now, with its table, which is held."""
    table = held_table(Table(pk=appeal.table_id))
    joined = ("judge", "against", "entry", "sanction__judge", "ending", "user")
    row = TableAppeal.objects.select_related(*joined).get(pk=appeal.pk)
    row.table = table
    return row


def check_open(row: TableAppeal) -> None:
    """R57: Refused where an appeal is answered or taken back."""
    if row.state != State.OPEN:
        when = utc(row.answered_at) if row.answered_at else "before"
        raise Refused(
            gettext("This appeal was closed at %(when)s: %(state)s.")
            % {"when": when, "state": row.get_state_display()},
            RULE,
        )


def checked_cites(text: str, field: str) -> str:
    """R57: the rule, ruling or text that it rests on. Refused without one."""
    cites = " ".join(text.split())[:60]
    if not cites:
        raise Refused(gettext("Name the rule, ruling or text you rely on, like 4.2.1 or K36."), RULE, field)
    return cites


def precedents_of(table: Table, cites: Sequence[str]) -> list[TableRuling]:
    """R57, T11.3: what was ruled at tables of the same game by these rules, the newest first."""
    rows = TableRuling.objects.filter(game=table.game, cites__in=[cite for cite in cites if cite])
    return list(rows.select_related("entry__table").defer("entry__table__seed")[:10])
