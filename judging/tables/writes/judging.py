"""T11.3: judges of a table: named, asked, ruling; while one is asked, the table and its clocks stand still."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.game import locking
from judging.game.errors import Refused
from judging.game.texts import checked_text, checked_token
from judging.tables import clocks, world
from judging.tables.models import Entry, Seat, Table, TableJudge, TableRuling, TableState
from judging.tables.writes.chain import By, link_of, logged_as, refusal
from judging.tables.writes.heads import Stale
from judging.tables.writes.posting import carry_out, check_running, held_table
from tables.core.entries import Entry as Said
from tables.core.views import SPECTATOR, told

RULE = "T11.3"


@dataclass(frozen=True)
class TableVerdict:
    """T11.3: what a judge decides: sentences such as `#7 dies; A draws 1`, the rule, the reason, and the card it is
    about, under which it is found again."""

    program: str
    cites: str
    reason: str
    card: str = ""


@locking.writes
def name_judge(*, table: Table, by: User, username: str, name: str, now: datetime) -> TableJudge:
    """T11.3: the table's opener, its head judge or an administrator names somebody; the first is its head. Refused for
    who sits at the table."""
    held = held_table(table)
    head = held.judges.filter(is_head=True, dismissed_at__isnull=True).first()
    if not (by.is_superuser or held.opened_by_id == by.pk or (head is not None and head.user_id == by.pk)):
        raise Refused(gettext("Who opened the table or heads its judges names them."), "T11.4")
    user = User.objects.filter(username=username.strip(), is_active=True).first()
    if user is None:
        raise Refused(gettext("Nobody has that log-in."), "T11.4", "username")
    if held.seats.filter(user=user).exists():
        raise Refused(gettext("Who sits at a table can't judge it."), "T11.4", "username")
    name = " ".join(name.split())[:40]
    if not name:
        raise Refused(gettext("Say under which name the judge is shown."), "T11.4", "name")
    judge, _ = TableJudge.objects.update_or_create(
        table=held, user=user, defaults={"name": name, "named_at": now, "dismissed_at": None, "is_head": head is None}
    )
    return judge


@locking.writes
def dismiss_judge_of_table(*, table: Table, by: User, judge_id: int, now: datetime) -> None:
    """T11.3: a judge is dismissed by who may name one, or goes by himself."""
    held = held_table(table)
    judge = held.judges.filter(pk=judge_id, dismissed_at__isnull=True).first()
    if judge is None:
        raise Refused(gettext("There is no such judge here."), "T11.4")
    heads = held.judges.filter(is_head=True, dismissed_at__isnull=True, user=by).exists()
    if not (by.is_superuser or heads or by.pk in (held.opened_by_id, judge.user_id)):
        raise Refused(gettext("Who opened the table or heads its judges dismisses them."), "T11.4")
    judge.dismissed_at, judge.is_head = now, False
    judge.save(update_fields=["dismissed_at", "is_head"])


@locking.writes
def ask(*, table: Table, user: User, question: str, now: datetime) -> Table:
    """T11.3: a player asks for a ruling; table and clocks stand still until it is answered or taken back."""
    text = checked_text(question, what="question", most=500, cites="T11.2", field="question").strip()
    held = held_table(table)
    check_running(held)
    seat = held.seats.filter(user=user).first()
    if seat is None:
        raise Refused(gettext("Only who sits at the table asks."), "T11.2")
    if held.question:
        raise Refused(gettext("A question waits for its answer already."), "T11.2", "question")
    held.question, held.asked_by = text, seat.letter
    held.stopped_at = held.stopped_at or now
    held.due_at = held.beat_at = None
    held.save()
    return held


@locking.writes
def take_question_back(*, table: Table, user: User, now: datetime) -> Table:
    """T11.3: who asked needs no answer any more, or a judge says that none is needed; the clocks go on. Where no judge
    has answered for three days, anybody who plays there may say so (R59)."""
    held = held_table(table)
    seat = held.seats.filter(user=user).first()
    if not held.question:
        return held
    waited = held.stopped_at is not None and held.stopped_at + clocks.SILENT <= now
    if not ((seat is not None and (waited or seat.letter == held.asked_by)) or is_judge(held, user)):
        raise Refused(gettext("Only who asked takes his question back, or a judge."), "T11.2")
    _go_on(held, now)
    held.save()
    return held


@locking.writes
def rule(*, table: Table, user: User, verdict: TableVerdict, on: str, token: str, now: datetime) -> Entry:
    """T11.3: a judge's ruling, carried out at once: an entry that all see, with its citation and reason. It answers
    what was asked. Refused for who does not judge here, and where a sentence means nothing at the table."""
    token = checked_token(token)
    verdict = checked(verdict)
    held = held_table(table)
    if not is_judge(held, user):
        raise Refused(gettext("Only the judges of this table rule here."), RULE)
    if (made := Entry.objects.filter(table=held, user=user, token=token).first()) is not None:
        return made
    check_running(held)
    if on != held.head:
        raise Stale(Entry.objects.filter(table=held, hash=on).values_list("n", flat=True).first() or 0)
    answered_by_judge(held, now)
    seats = list(held.seats.all())
    entry = carry_out(held, seats, By("judge", user.pk), _said_ruling(verdict), now, on=on, token=token)
    TableRuling.objects.create(
        entry=entry, game=held.game, card=verdict.card, cites=verdict.cites, program=verdict.program,
        reason=verdict.reason,
    )  # fmt: skip
    return entry


def trial(*, table: Table, verdict: TableVerdict) -> list[dict[str, object]]:
    """T11.3: what would happen if it were ruled so, as all would see it; nothing is stored. Raises Refused."""
    tried = world.carried(table, logged_as(table, By("judge"), link_of(_said_ruling(checked(verdict)))))
    if tried.reason is not None:
        raise refusal(tried.reason)
    return [dict(event) for event in told(world.rules_of(table), tried.events, SPECTATOR)]


def checked(verdict: TableVerdict) -> TableVerdict:
    """T11.3: a ruling with all that it needs. Refused without sentences, a citation or a reason."""
    program = checked_text(verdict.program, what="ruling", most=500, cites=RULE, field="program").strip()
    cites = " ".join(verdict.cites.split())[:60]
    if not cites:
        raise Refused(gettext("Say by which rule, ruling or text you decide."), RULE, "cites")
    reason = checked_text(verdict.reason, what="reason", most=2_000, cites=RULE, field="reason").strip()
    return TableVerdict(" ".join(program.split()), cites, reason, " ".join(verdict.card.split())[:120])


def is_judge(table: Table, user: User) -> bool:
    """T11.3: whether somebody judges a table now."""
    return table.judges.filter(user_id=user.pk, dismissed_at__isnull=True).exists()


def answered_by_judge(table: Table, now: datetime) -> None:
    """T11.3: whatever was asked is answered by what a judge does now."""
    if table.question:
        _go_on(table, now)


def _said_ruling(verdict: TableVerdict) -> Said:
    return Said("ruling", "judge", (verdict.program,), cites=verdict.cites, reason=verdict.reason)


def _go_on(table: Table, now: datetime) -> None:
    """T10: the question is gone, and the clocks go on where they stood."""
    table.question, table.asked_by = "", ""
    if table.state == TableState.RUNNING:
        seats: list[Seat] = list(table.seats.all())
        clocks.ask_anew(table, world.state_of(table), seats, now)
