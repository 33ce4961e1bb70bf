"""R57, T11.3: appeals at a table against rulings and sanctions: lodging them, drawing the judge, the answer, and who
may read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Max, Q
from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import is_administrator
from judging.common.notify import News
from judging.common.texts import checked_text, checked_token, utc
from judging.notifications.services import tell
from judging.tables import game_state
from judging.tables.conduct.endings import carry_out_ending, drop_ending, open_ending
from judging.tables.conduct.models import EndingRuling, Sanction, TableAppeal
from judging.tables.conduct.people import called, judge_of
from judging.tables.conduct.record import contested_in_words, keep_act, sanction_in_words
from judging.tables.conduct.sanctions import lift_sanction
from judging.tables.models import Entry, Table, TableJudge, TableRuling, TableState
from judging.tables.services.judges import TableVerdict, rule
from judging.tables.services.posting import held_table
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
"""R57: the most open appeals of a player at a table."""
MOST_REASON = 4_000
State = TableAppeal.State


@dataclass(frozen=True)
class ContestedRuling:
    """R57: the target of an appeal: a judge's ruling by its entry, or a sanction. `concerned`: the users' keys."""

    title: str
    made_at: datetime
    against: TableJudge
    concerned: frozenset[int]
    entry: Entry | None = None
    sanction: Sanction | None = None
    ending: EndingRuling | None = None

    @property
    def cites(self) -> str:
        row = self.sanction or self.ending
        return row.cites if row else str(self.entry.args.get("cites", "")) if self.entry else ""

    @property
    def reason(self) -> str:
        row = self.sanction or self.ending
        return row.reason if row else str(self.entry.args.get("reason", "")) if self.entry else ""


def contested(table: Table, kind: str, number: int) -> ContestedRuling | None:
    """R57: the ruling of that entry, the sanction of that number, or the pending `ending`; None if there is none. A
    ruling that carries out a sanction or an ending is contested as that."""
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
    """R57: the last minute for an appeal against it."""
    return last_minute(about.made_at, table.appeal_within)


def why_not(table: Table, user_id: int | None, about: ContestedRuling, now: datetime) -> Finding | None:
    """R57: why the user may not appeal against it now; None if they may."""
    appeals = TableAppeal.objects.filter(table=table, user_id=user_id or 0)
    whom = gettext("The sanctioned person") if about.sanction else gettext("Players at this table")
    standing = AppealStanding(
        concerns=user_id in about.concerned,
        before=appeals.filter(entry=about.entry, sanction=about.sanction, ending=about.ending).exists(),
        decided_at=about.made_at,
        open=appeals.filter(state=State.OPEN).count(),
        whom=whom,
    )
    return why_no_appeal(standing, within=table.appeal_within, most=MOST_OPEN, now=now)


@locking.writes
def lodge_at_table(
    *, table: Table, user: User, about: ContestedRuling, cites: str, reason: str, token: str, now: datetime
) -> TableAppeal:
    """R57: lodge an appeal and draw the judge who answers it; the same form sent twice makes one.

    Refused for a user whom it does not concern, a second time, out of time, with two open ones, and without rule or
    reason.
    """
    token = checked_token(token)
    locked_table = held_table(table)
    if before := TableAppeal.objects.filter(user=user, token=token).first():
        return before
    if finding := why_not(locked_table, user.pk, about, now):
        raise Refused(finding.sentence, RULE)
    seat = locked_table.seats.filter(user=user).first()
    name = called(seat) if seat else about.sanction.name if about.sanction else user.get_username()
    row = TableAppeal(
        table=locked_table, user=user, name=name, letter=seat.letter if seat else "", entry=about.entry,
        sanction=about.sanction, ending=about.ending, against=about.against, lodged_at=now, token=token,
    )  # fmt: skip
    row.cites = checked_cites(cites, "cites")
    row.reason = checked_text(reason, what="reason", most=MOST_REASON, cites=RULE, field="reason").strip()
    row.number = (TableAppeal.objects.filter(table=locked_table).aggregate(last=Max("number"))["last"] or 0) + 1
    _draw(locked_table, row, now)
    row.save(force_insert=True)
    keep_act(locked_table, "appealed", user.pk, now, name=name, number=row.number, **_against(row))
    _note_draw(locked_table, row, now)
    tell_of(row, "table.appealed", now, but=user.pk)
    return row


@locking.writes
def take_back_at_table(*, appeal: TableAppeal, user: User, now: datetime) -> TableAppeal:
    """R57: the user withdraws their appeal; a second call changes nothing. Refused for others, and once it is
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
    """R57: pass on appeals without a judge, or whose judge did not answer in time or is no judge any more; return
    their number."""
    rows = TableAppeal.objects.filter(state=State.OPEN)
    late = rows.filter(due_at__lte=now) | rows.filter(judge__isnull=True)
    late |= rows.filter(judge__dismissed_at__isnull=False)
    return sum(_passed_on(row, now) for row in late.distinct().order_by("pk"))


@locking.writes
def _passed_on(appeal: TableAppeal, now: datetime) -> bool:
    row = held_appeal(appeal)
    is_gone = row.judge is None or row.judge.dismissed_at is not None
    if row.state != State.OPEN or (not is_gone and row.due_at > now):
        return False
    before = row.judge_id
    is_drawn = _draw(row.table, row, now)
    if not is_drawn and before is None:
        return False
    row.save(update_fields=["judge", "draws", "due_at"])
    _note_draw(row.table, row, now)
    return is_drawn


def _draw(table: Table, row: TableAppeal, now: datetime) -> bool:
    """R57, T8: draw a judge from the table's seed, record the candidates, and set the deadline; return whether there
    is a judge to answer."""
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
    """T8: the table's draws, from its committed seed; before the deal, from the commitment itself."""
    if table.state in (TableState.RUNNING, TableState.OVER):
        return game_state.state_of(table).draws
    return Draws(bytes.fromhex(table.commitment), table.slug)


def _note_draw(table: Table, row: TableAppeal, now: datetime) -> None:
    """R57: announce the drawn judge and notify them; if there is none, notify those who may name a judge."""
    data = {"slug": table.slug, "table": table.name, "number": row.number, "due": row.due_at.isoformat()}
    key = f"table-{table.pk}-appeal-{row.number}-{len(row.draws)}"
    if row.judge is not None:
        keep_act(table, "drawn", None, now, judge=row.judge.name, number=row.number)
        tell([News(row.judge.user_id, "table.appeal_yours", key, now, data=data, due_at=row.due_at)], now)
    else:
        tell([News(pk, "table.no_judge", key, now, data=data) for pk in who_name_judges(table)], now)


def who_name_judges(table: Table) -> list[int]:
    """T11.4: the users who may propose a judge at a table: its players, its opener, its head judge, and
    administrators, who may also answer an appeal that nobody else can."""
    heads = table.judges.filter(is_head=True, dismissed_at__isnull=True).values_list("user_id", flat=True)
    admins = User.objects.filter(is_superuser=True, is_active=True).values_list("pk", flat=True)
    return sorted({table.opened_by_id, *heads, *admins, *table.seats.values_list("user_id", flat=True)})


def may_take_over(row: TableAppeal, user: User | AnonymousUser) -> bool:
    """R57: whether an administrator, who is not a party, may answer an appeal that no judge of the table can."""
    parties = {row.user_id, row.against.user_id, *row.table.seats.values_list("user_id", flat=True)}
    return row.state == State.OPEN and row.judge_id is None and is_administrator(user) and user.pk not in parties


@locking.writes
def take_appeal_over(*, appeal: TableAppeal, user: User, now: datetime) -> TableAppeal:
    """R57: an administrator takes over an appeal that no judge of the table can answer; until it is answered they
    judge the table for it. Refused for anybody else."""
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


def tell_of(row: TableAppeal, kind: str, now: datetime, *, but: int = 0) -> None:
    """R57: notify both sides of the state of an appeal: the players, the judge who decided, and the appellant."""
    seated = row.table.seats.values_list("user_id", flat=True) if not row.sanction_id else ()
    users = {row.user_id, row.against.user_id, *seated} - {but}
    data = {"slug": row.table.slug, "table": row.table.name, "number": row.number, "name": row.name}
    data |= {"outcome": row.state, **_against(row)}
    tell([News(pk, kind, f"table-{row.table_id}-appeal-{row.number}", now, data=data) for pk in sorted(users)], now)


def title_of(row: TableAppeal) -> str:
    """R57: the target of an appeal, as a part of a sentence."""
    against = _against(row)
    return contested_in_words(against.get("sanction"), against.get("entry"), against.get("ending"))


def _against(row: TableAppeal) -> dict[str, int]:
    """R57: the target of an appeal, as stored: the number of a sanction, or of the entry of a ruling."""
    if row.sanction is not None:
        return {"sanction": row.sanction.number}
    if row.ending_id:
        return {"ending": row.ending_id}
    return {"entry": row.entry.n} if row.entry is not None else {}


def held_appeal(appeal: TableAppeal) -> TableAppeal:
    """R57: the current appeal, with its table locked."""
    table = held_table(Table(pk=appeal.table_id))
    joined = ("judge", "against", "entry", "sanction__judge", "ending", "user")
    row = TableAppeal.objects.select_related(*joined).get(pk=appeal.pk)
    row.table = table
    return row


def check_open(row: TableAppeal) -> None:
    """R57: Refused if an appeal is answered or withdrawn."""
    if row.state != State.OPEN:
        when = utc(row.answered_at) if row.answered_at else "before"
        raise Refused(
            gettext("This appeal was closed at %(when)s: %(state)s.")
            % {"when": when, "state": row.get_state_display()},
            RULE,
        )


def checked_cites(text: str, field: str) -> str:
    """R57: the rule, ruling or text that it is based on. Refused without one."""
    cites = " ".join(text.split())[:60]
    if not cites:
        raise Refused(gettext("Name the rule, ruling or text you rely on, like 4.2.1 or K36."), RULE, field)
    return cites


def precedents_of(table: Table, cites: Sequence[str]) -> list[TableRuling]:
    """R57, T11.3: the rulings at tables of the same game by these rules, the newest first."""
    rows = TableRuling.objects.filter(game=table.game, cites__in=[cite for cite in cites if cite])
    return list(rows.select_related("entry__table").defer("entry__table__seed")[:10])


@dataclass(frozen=True)
class Answer:
    """R57: a typed answer. `program`: the replacement ruling, in the sentences of a ruling."""

    how: str = ""
    cites: str = ""
    text: str = ""
    program: str = ""


@locking.writes
def answer_at_table(*, appeal: TableAppeal, user: User, given: Answer, now: datetime) -> TableAppeal:
    """R57: answer an appeal, with a rule and a reason. A corrected ruling is carried out at once; a new ruling requires
    that the judge has taken the table back to before the old one. A corrected sanction is lifted.

    A second request of the same judge changes nothing. Refused for any other judge.
    """
    row = held_appeal(appeal)
    if row.judge is None or row.judge.user_id != user.pk:
        judge_name = row.judge.name if row.judge else gettext("the judge still to be named")
        raise Refused(gettext("Only %(whose)s can answer this appeal.") % {"whose": judge_name}, RULE)
    if row.state != State.OPEN and row.state == given.how:
        return row
    check_open(row)
    if given.how not in hows(row):
        raise Refused(
            gettext("Choose whether the decision stands, is corrected or is replaced by a new ruling."), RULE, "how"
        )
    row.answer_cites = checked_cites(given.cites, "answer_cites")
    row.answer = checked_text(given.text, what="answer", most=MOST_REASON, cites=RULE, field="text").strip()
    if given.how == State.UPHELD and (ending := _ending_of(row)) is not None:
        carry_out_ending(row.table, ending, now)
    elif row.sanction is not None and given.how == State.MENDED:
        lift_sanction(table=row.table, user=user, number=row.sanction.number, reason=row.answer, now=now)
    elif given.how == State.ANEW:
        row.mended = _anew(row, user, given, now)
    elif given.how == State.MENDED:
        row.mended = _mended(row, user, given, now)
    row.state, row.answered_at = given.how, now
    row.save()
    if not any(one["drew"] == row.judge.name for one in row.draws):
        TableJudge.objects.filter(pk=row.judge.pk).update(dismissed_at=now)  # an administrator, for this appeal only
    keep_act(row.table, "answered", user.pk, now, by=row.judge.name, number=row.number, outcome=row.state)
    tell_of(row, "table.answered", now, but=user.pk)
    return row


def hows(row: TableAppeal) -> tuple[str, ...]:
    """R57: the possible results of an appeal: no new ruling on a sanction, or on a ruling that is not in effect."""
    return (
        (State.UPHELD, State.MENDED) if row.sanction_id or row.ending_id else (State.UPHELD, State.MENDED, State.ANEW)
    )


def gone_back(row: TableAppeal) -> Entry | None:
    """T11.3: the entry by which the answering judge has taken the table back to before the contested ruling; None
    until then."""
    if row.entry is None or row.judge is None:
        return None
    rewinds = Entry.objects.filter(table=row.table_id, kind="rewind", by="judge", user=row.judge.user_id)
    rows = rewinds.filter(n__gt=row.entry.n, at__gte=row.lodged_at.replace(microsecond=0)).order_by("-n")
    return next((entry for entry in rows if int(entry.args.get("to", row.entry.n)) < row.entry.n), None)


def _mended(row: TableAppeal, user: User, answer: Answer, now: datetime) -> Entry | None:
    """T11.3: the correcting ruling; at a table that is over nothing is carried out any more, and the answer says so."""
    ending = _ending_of(row)
    if ending is not None:
        drop_ending(row.table, ending, now)
    if (ending is not None or row.table.state == TableState.OVER) and not answer.program.strip():
        return None
    return _ruled(row, user, answer, now, at_once=ending is not None)


def _ending_of(row: TableAppeal) -> EndingRuling | None:
    """T11.3: the ruling that waits for the answer, if the appeal is against it or against its sanction."""
    ending = open_ending(row.table)
    if ending is None or ending.pk != row.ending_id and (ending.sanction_id or 0) != row.sanction_id:
        return None
    return ending


def _anew(row: TableAppeal, user: User, answer: Answer, now: datetime) -> Entry | None:
    back = gone_back(row)
    if back is None:
        number = row.entry.n if row.entry else 0
        raise Refused(
            gettext(
                "To make a new ruling, first take the table back to before entry %(number)s. Otherwise, correct "
                "the existing ruling."
            ) % {
                "number": number
            },
            RULE, "how",
        )  # fmt: skip
    return _ruled(row, user, answer, now) if answer.program.strip() else back


def _ruled(row: TableAppeal, user: User, answer: Answer, now: datetime, *, at_once: bool = False) -> Entry | None:
    """T11.3: the replacement ruling; None if it ends the game, and so waits for its own appeal time."""
    card = TableRuling.objects.filter(entry=row.entry).values_list("card", flat=True).first() or ""
    entry = rule(
        table=row.table, user=user, verdict=TableVerdict(answer.program, row.answer_cites, row.answer[:2_000], card),
        on=row.table.head, token=f"appeal {row.number}", now=now, at_once=at_once,
    )  # fmt: skip
    row.table.refresh_from_db(fields=["entries", "head", "state"])
    return entry if isinstance(entry, Entry) else None


MOST = 100


@dataclass(frozen=True)
class SanctionView:
    """1.3: a sanction and the viewer's options. `appeal`: the number of an appeal against it."""

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
    views = []
    for row in rows:
        is_own = user_id is not None and row.user_id == user_id and row.lifted_at is None and row.pk not in appealed
        about = contested(table, "sanction", row.number) if is_own else None
        lifts = judge is not None and row.lifted_at is None and (judge.is_head or judge.pk == row.judge_id)
        may = about is not None and why_not(table, user_id, about, now) is None
        views.append(SanctionView(row, sanction_in_words(row.kind, row.until), appealed.get(row.pk), lifts, may))
    return tuple(views)


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
    """R57: an appeal and the viewer's options. `ways`: the possible results for its judge."""

    may_withdraw: bool
    may_answer: bool
    ways: tuple[str, ...]
    may_take_over: bool = False


def appeal_of(table: Table, number: int, user: User | AnonymousUser) -> TableAppealView | None:
    """R57: the appeal of that number as the user sees it; None if there is none."""
    joined = ("table", "judge", "against", "entry", "sanction", "ending", "mended")
    row = TableAppeal.objects.select_related(*joined).filter(table=table, number=number).first()
    if row is None:
        return None
    is_open = row.state == TableAppeal.State.OPEN
    answers = is_open and row.judge is not None and row.judge.user_id == user.pk
    return TableAppealView(
        row, title_of(row), is_open and row.user_id == user.pk, answers, hows(row), may_take_over(row, user)
    )
