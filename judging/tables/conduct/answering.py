"""R57: the judge who was drawn answers an appeal: the decision stands, is mended, or is ruled anew after the table has
gone back to before it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.game import locking
from judging.game.errors import Refused
from judging.game.telling import NewsKind
from judging.game.texts import checked_text
from judging.tables.conduct.appeals import MOST_REASON, RULE, State, check_open, checked_cites, held_appeal, tell_of
from judging.tables.conduct.endings import carry_out_ending, drop_ending, open_ending
from judging.tables.conduct.models import EndingRuling, TableAppeal
from judging.tables.conduct.record import keep_act
from judging.tables.conduct.sanctions import lift_sanction
from judging.tables.models import Entry, TableJudge, TableRuling, TableState
from judging.tables.writes.judging import TableVerdict, rule


@dataclass(frozen=True)
class Answer:
    """R57: an answer as it is typed. `program`: what is ruled in place of what was, in the sentences of a ruling."""

    how: str = ""
    cites: str = ""
    text: str = ""
    program: str = ""


@locking.writes
def answer_at_table(*, appeal: TableAppeal, user: User, given: Answer, now: datetime) -> TableAppeal:
    """R57: an appeal is answered, with a rule and a reason. A mended ruling is carried out at once; one that is ruled
    anew needs that the judge has taken the table back to before the old one. A mended sanction is lifted.

    The same judge's second request changes nothing. Refused for any other judge.
    """
    row = held_appeal(appeal)
    if row.judge is None or row.judge.user_id != user.pk:
        whose = row.judge.name if row.judge else gettext("the judge still to be named")
        raise Refused(gettext("Only %(whose)s can answer this appeal.") % {"whose": whose}, RULE)
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
    tell_of(row, NewsKind.TABLE_ANSWERED, now, but=user.pk)
    return row


def hows(row: TableAppeal) -> tuple[str, ...]:
    """R57: what may come of an appeal: a sanction is not ruled anew, nor what has not taken effect yet."""
    return (
        (State.UPHELD, State.MENDED) if row.sanction_id or row.ending_id else (State.UPHELD, State.MENDED, State.ANEW)
    )


def gone_back(row: TableAppeal) -> Entry | None:
    """T11.3: the entry by which the judge who answers has taken the table back to before the contested ruling; None as
    long as he has not."""
    if row.entry is None or row.judge is None:
        return None
    found = Entry.objects.filter(table=row.table_id, kind="rewind", by="judge", user=row.judge.user_id)
    rows = found.filter(n__gt=row.entry.n, at__gte=row.lodged_at.replace(microsecond=0)).order_by("-n")
    return next((entry for entry in rows if int(entry.args.get("to", row.entry.n)) < row.entry.n), None)


def _mended(row: TableAppeal, user: User, given: Answer, now: datetime) -> Entry | None:
    """T11.3: the ruling that mends; at a table that is over nothing is carried out any more, and the answer says so."""
    ending = _ending_of(row)
    if ending is not None:
        drop_ending(row.table, ending, now)
    if (ending is not None or row.table.state == TableState.OVER) and not given.program.strip():
        return None
    return _ruled(row, user, given, now, at_once=ending is not None)


def _ending_of(row: TableAppeal) -> EndingRuling | None:
    """T11.3: the ruling that waits for the answer, if the appeal is against it or against its sanction."""
    ending = open_ending(row.table)
    if ending is None or ending.pk != row.ending_id and (ending.sanction_id or 0) != row.sanction_id:
        return None
    return ending


def _anew(row: TableAppeal, user: User, given: Answer, now: datetime) -> Entry | None:
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
    return _ruled(row, user, given, now) if given.program.strip() else back


def _ruled(row: TableAppeal, user: User, given: Answer, now: datetime, *, at_once: bool = False) -> Entry | None:
    """T11.3: what is ruled instead; None where it ends the game, and so waits for its own appeal time."""
    card = TableRuling.objects.filter(entry=row.entry).values_list("card", flat=True).first() or ""
    entry = rule(
        table=row.table, user=user, verdict=TableVerdict(given.program, row.answer_cites, row.answer[:2_000], card),
        on=row.table.head, token=f"appeal {row.number}", now=now, at_once=at_once,
    )  # fmt: skip
    row.table.refresh_from_db(fields=["entries", "head", "state"])
    return entry if isinstance(entry, Entry) else None
