"""T11.3: judges of a table are asked, and rule; while one is asked, the table and its clocks stand still."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.game import locking
from judging.game.errors import Refused
from judging.game.telling import News, NewsKind
from judging.game.texts import checked_text, checked_token
from judging.notifications.writes import tell
from judging.tables import clocks, world
from judging.tables.conduct.endings import check_none_waits, hold_ending
from judging.tables.conduct.models import EndingRuling
from judging.tables.conduct.record import keep_act
from judging.tables.models import Entry, Seat, Table, TableRuling, TableState
from judging.tables.writes.chain import By, link_of, logged_as, refusal
from judging.tables.writes.heads import Stale
from judging.tables.writes.posting import carry_out, check_running, held_table
from tables.core.entries import Entry as Said
from tables.core.log.folding import Carried
from tables.core.state import State
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
def ask(*, table: Table, user: User, question: str, now: datetime) -> Table:
    """T11.2: a player asks for a ruling; table and clocks stand still until it is answered or taken back, or lapses
    after the time that the table has for appeals. Refused where nobody judges."""
    text = checked_text(question, what="question", most=500, cites="T11.2", field="question").strip()
    held = held_table(table)
    check_running(held)
    seat = held.seats.filter(user=user).first()
    if seat is None:
        raise Refused(gettext("Only players of this table can ask a judge."), "T11.2")
    if not held.judges.filter(dismissed_at__isnull=True).exists():
        raise Refused(
            gettext("This table has no judge. Propose one first, or propose a change to the other players."),
            "T11.2",
            "question",
        )
    check_none_waits(held)
    if held.question:
        raise Refused(gettext("A question is already waiting for an answer."), "T11.2", "question")
    held.question, held.asked_by = text, seat.letter
    held.stopped_at, held.still_until = held.stopped_at or now, now + held.appeal_within
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
        raise Refused(gettext("Only the player who asked, or a judge, can take a question back."), "T11.2")
    end_question(held, now)
    held.save()
    return held


def silent_tables(now: datetime) -> list[int]:
    """T11.2: the tables whose question no judge has answered in time."""
    rows = Table.objects.filter(still_until__lte=now, state=TableState.RUNNING).exclude(question="")
    return list(rows.values_list("pk", flat=True))


@locking.writes
def lapse_question(*, table_id: int, now: datetime) -> Table | None:
    """T11.2: a question lapses that no judge has answered in time: the clocks go on, and everybody is notified. None
    where it was answered in the meantime."""
    held = held_table(Table(pk=table_id))
    if table_id not in silent_tables(now):
        return None
    end_question(held, now)
    held.save()
    keep_act(held, "lapsed", None, now)
    judges = held.judges.filter(dismissed_at__isnull=True).values_list("user_id", flat=True)
    people = sorted({*judges, *held.seats.values_list("user_id", flat=True)})
    data = {"slug": held.slug, "table": held.name}
    tell(
        [News(pk, NewsKind.TABLE_LAPSED, f"table-lapsed-{held.pk}-{now:%Y%m%d%H%M}", now, data=data) for pk in people],
        now,
    )
    return held


@locking.writes
def rule(
    *, table: Table, user: User, verdict: TableVerdict, on: str, token: str, now: datetime, at_once: bool = False
) -> Entry | EndingRuling:
    """T11.3: a judge's ruling, carried out at once: an entry that all see, with its citation and reason. It answers
    what was asked. One that ends the game waits for its appeal time, unless it answers the appeal (`at_once`).

    Refused for who does not judge here, and where a sentence means nothing at the table.
    """
    token = checked_token(token)
    verdict = checked(verdict)
    held = held_table(table)
    if not is_judge(held, user):
        raise Refused(gettext("Only the judges of this table can rule here."), RULE)
    judge = held.judges.get(user=user)
    if (made := Entry.objects.filter(table=held, user=user, token=token).first()) is not None:
        return made
    if (waiting := EndingRuling.objects.filter(table=held, judge=judge, token=token).first()) is not None:
        return waiting
    check_running(held)
    check_none_waits(held)
    if on != held.head:
        raise Stale(Entry.objects.filter(table=held, hash=on).values_list("n", flat=True).first() or 0)
    said = _said_ruling(verdict)
    if not at_once and ends_game(held, said):
        row = EndingRuling(
            judge=judge, program=verdict.program, cites=verdict.cites, reason=verdict.reason, card=verdict.card,
            token=token,
        )  # fmt: skip
        return hold_ending(held, row, now)
    answered_by_judge(held, now)
    seats = list(held.seats.all())
    entry = carry_out(held, seats, By("judge", user.pk), said, now, on=on, token=token)
    TableRuling.objects.create(
        entry=entry, game=held.game, card=verdict.card, cites=verdict.cites, program=verdict.program,
        reason=verdict.reason,
    )  # fmt: skip
    return entry


def ends_game(table: Table, said: Said) -> bool:
    """T11.3: whether a ruling would end the game, or take a seat out of it. Refused where it can't be carried out."""
    tried, before = _tried(table, said).table, world.state_of(table)
    return isinstance(tried, State) and (tried.result is not None or len(tried.living) < len(before.living))


def _tried(table: Table, said: Said) -> Carried:
    tried = world.carried(table, logged_as(table, By("judge"), link_of(said)))
    if tried.reason is not None:
        raise refusal(tried.reason)
    return tried


def trial(*, table: Table, verdict: TableVerdict) -> list[dict[str, object]]:
    """T11.3: what would happen if it were ruled so, as all would see it; nothing is stored. Raises Refused."""
    tried = _tried(table, _said_ruling(checked(verdict)))
    return [dict(event) for event in told(world.rules_of(table), tried.events, SPECTATOR)]


def checked(verdict: TableVerdict) -> TableVerdict:
    """T11.3: a ruling with all that it needs. Refused without sentences, a citation or a reason."""
    program = checked_text(verdict.program, what="ruling", most=500, cites=RULE, field="program").strip()
    cites = " ".join(verdict.cites.split())[:60]
    if not cites:
        raise Refused(gettext("Name the rule, ruling or text behind your decision."), RULE, "cites")
    reason = checked_text(verdict.reason, what="reason", most=2_000, cites=RULE, field="reason").strip()
    return TableVerdict(" ".join(program.split()), cites, reason, " ".join(verdict.card.split())[:120])


def is_judge(table: Table, user: User) -> bool:
    """T11.3: whether somebody judges a table now."""
    return table.judges.filter(user_id=user.pk, dismissed_at__isnull=True).exists()


def answered_by_judge(table: Table, now: datetime) -> None:
    """T11.3: whatever was asked is answered by what a judge does now."""
    if table.question:
        end_question(table, now)


def _said_ruling(verdict: TableVerdict) -> Said:
    return Said("ruling", "judge", (verdict.program,), cites=verdict.cites, reason=verdict.reason)


def end_question(table: Table, now: datetime) -> None:
    """T10: a held table's question is gone, and the clocks go on where they stood; the caller saves the table."""
    table.question, table.asked_by, table.still_until = "", "", None
    if table.state == TableState.RUNNING:
        seats: list[Seat] = list(table.seats.all())
        clocks.ask_anew(table, world.state_of(table), seats, now)
