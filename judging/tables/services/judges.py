"""T11.3, T11.4: judges of a table are named, asked, and rule. While one is asked, the table and its clocks wait."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import is_administrator
from judging.common.notify import News
from judging.common.texts import checked_text, checked_token
from judging.notifications.services import lapse, tell
from judging.tables import clocks, game_state
from judging.tables.conduct.endings import check_none_waits, hold_ending
from judging.tables.conduct.models import EndingRuling
from judging.tables.conduct.record import keep_act
from judging.tables.drafts.models import Drafter
from judging.tables.models import Entry, JudgeProposal, Seat, Table, TableJudge, TableRuling, TableState
from judging.tables.services.chain import By, Stale, link_of, logged_as, refusal
from judging.tables.services.posting import carry_out, check_running, held_table
from tables.core.entries import Entry as Said
from tables.core.log.folding import Carried
from tables.core.state import State
from tables.core.views import SPECTATOR, told

RULING_RULE = "T11.3"


@dataclass(frozen=True)
class TableVerdict:
    """T11.3: a judge's ruling: sentences such as `#7 dies; A draws 1`, the rule, the reason, and the card that it is
    about, by which it can be found."""

    program: str
    cites: str
    reason: str
    card: str = ""


@locking.writes
def ask(*, table: Table, user: User, question: str, now: datetime) -> Table:
    """T11.2: a player asks for a ruling; table and clocks are stopped until it is answered or withdrawn, or lapses
    after the table's time for appeals. Refused if nobody judges."""
    text = checked_text(question, what="question", most=500, cites="T11.2", field="question").strip()
    locked_table = held_table(table)
    check_running(locked_table)
    seat = locked_table.seats.filter(user=user).first()
    if seat is None:
        raise Refused(gettext("Only players of this table can ask a judge."), "T11.2")
    if not locked_table.judges.filter(dismissed_at__isnull=True).exists():
        raise Refused(
            gettext("This table has no judge. Propose one first, or propose a change to the other players."),
            "T11.2",
            "question",
        )
    check_none_waits(locked_table)
    if locked_table.question:
        raise Refused(gettext("A question is already waiting for an answer."), "T11.2", "question")
    locked_table.question, locked_table.asked_by = text, seat.letter
    locked_table.stopped_at, locked_table.still_until = locked_table.stopped_at or now, now + locked_table.appeal_within
    locked_table.due_at = locked_table.beat_at = None
    locked_table.save()
    return locked_table


@locking.writes
def take_question_back(*, table: Table, user: User, now: datetime) -> Table:
    """T11.3: the player withdraws their question, or a judge says that no answer is needed; the clocks continue. If
    no judge has answered for three days, any player may do so (R59)."""
    locked_table = held_table(table)
    seat = locked_table.seats.filter(user=user).first()
    if not locked_table.question:
        return locked_table
    waited = locked_table.stopped_at is not None and locked_table.stopped_at + clocks.SILENT <= now
    if not ((seat is not None and (waited or seat.letter == locked_table.asked_by)) or is_judge(locked_table, user)):
        raise Refused(gettext("Only the player who asked, or a judge, can take a question back."), "T11.2")
    end_question(locked_table, now)
    locked_table.save()
    return locked_table


def silent_tables(now: datetime) -> list[int]:
    """T11.2: the tables whose question no judge has answered in time."""
    rows = Table.objects.filter(still_until__lte=now, state=TableState.RUNNING).exclude(question="")
    return list(rows.values_list("pk", flat=True))


@locking.writes
def lapse_question(*, table_id: int, now: datetime) -> Table | None:
    """T11.2: a question lapses if no judge has answered in time: the clocks continue, and everybody is notified.
    None if it has been answered by now."""
    locked_table = held_table(Table(pk=table_id))
    if table_id not in silent_tables(now):
        return None
    end_question(locked_table, now)
    locked_table.save()
    keep_act(locked_table, "lapsed", None, now)
    judges = locked_table.judges.filter(dismissed_at__isnull=True).values_list("user_id", flat=True)
    people = sorted({*judges, *locked_table.seats.values_list("user_id", flat=True)})
    data = {"slug": locked_table.slug, "table": locked_table.name}
    tell(
        [News(pk, "table.lapsed", f"table-lapsed-{locked_table.pk}-{now:%Y%m%d%H%M}", now, data=data) for pk in people],
        now,
    )
    return locked_table


@locking.writes
def rule(
    *, table: Table, user: User, verdict: TableVerdict, on: str, token: str, now: datetime, at_once: bool = False
) -> Entry | EndingRuling:
    """T11.3: a judge's ruling, carried out at once: a public entry with its citation and reason. It answers the open
    question. One that ends the game waits for its appeal time, unless it answers the appeal (`at_once`).

    Refused for anyone who does not judge here, and if a sentence means nothing at the table.
    """
    token = checked_token(token)
    verdict = checked(verdict)
    locked_table = held_table(table)
    if not is_judge(locked_table, user):
        raise Refused(gettext("Only the judges of this table can rule here."), RULING_RULE)
    judge = locked_table.judges.get(user=user)
    if (previous := Entry.objects.filter(table=locked_table, user=user, token=token).first()) is not None:
        return previous
    if (pending := EndingRuling.objects.filter(table=locked_table, judge=judge, token=token).first()) is not None:
        return pending
    check_running(locked_table)
    check_none_waits(locked_table)
    if on != locked_table.head:
        raise Stale(Entry.objects.filter(table=locked_table, hash=on).values_list("n", flat=True).first() or 0)
    statement = _said_ruling(verdict)
    if not at_once and ends_game(locked_table, statement):
        row = EndingRuling(
            judge=judge, program=verdict.program, cites=verdict.cites, reason=verdict.reason, card=verdict.card,
            token=token,
        )  # fmt: skip
        return hold_ending(locked_table, row, now)
    answered_by_judge(locked_table, now)
    seats = list(locked_table.seats.all())
    entry = carry_out(locked_table, seats, By("judge", user.pk), statement, now, on=on, token=token)
    TableRuling.objects.create(
        entry=entry, game=locked_table.game, card=verdict.card, cites=verdict.cites, program=verdict.program,
        reason=verdict.reason,
    )  # fmt: skip
    return entry


def ends_game(table: Table, said: Said) -> bool:
    """T11.3: whether a ruling would end the game, or remove a seat from it. Refused if it can't be carried out."""
    tried, before = _tried(table, said).table, game_state.state_of(table)
    return isinstance(tried, State) and (tried.result is not None or len(tried.living) < len(before.living))


def _tried(table: Table, statement: Said) -> Carried:
    tried = game_state.carried(table, logged_as(table, By("judge"), link_of(statement)))
    if tried.reason is not None:
        raise refusal(tried.reason)
    return tried


def trial(*, table: Table, verdict: TableVerdict) -> list[dict[str, object]]:
    """T11.3: the public events of a ruling, if it were made; nothing is stored. Raises Refused."""
    tried = _tried(table, _said_ruling(checked(verdict)))
    return [dict(event) for event in told(game_state.rules_of(table), tried.events, SPECTATOR)]


def checked(verdict: TableVerdict) -> TableVerdict:
    """T11.3: a complete ruling. Refused without sentences, a citation or a reason."""
    program = checked_text(verdict.program, what="ruling", most=500, cites=RULING_RULE, field="program").strip()
    cites = " ".join(verdict.cites.split())[:60]
    if not cites:
        raise Refused(gettext("Name the rule, ruling or text behind your decision."), RULING_RULE, "cites")
    reason = checked_text(verdict.reason, what="reason", most=2_000, cites=RULING_RULE, field="reason").strip()
    return TableVerdict(" ".join(program.split()), cites, reason, " ".join(verdict.card.split())[:120])


def is_judge(table: Table, user: User) -> bool:
    """T11.3: whether a user judges a table now."""
    return table.judges.filter(user_id=user.pk, dismissed_at__isnull=True).exists()


def answered_by_judge(table: Table, now: datetime) -> None:
    """T11.3: a judge's action answers any open question."""
    if table.question:
        end_question(table, now)


def _said_ruling(verdict: TableVerdict) -> Said:
    return Said("ruling", "judge", (verdict.program,), cites=verdict.cites, reason=verdict.reason)


def end_question(table: Table, now: datetime) -> None:
    """T10: end a locked table's question and continue the clocks; the caller saves the table."""
    table.question, table.asked_by, table.still_until = "", "", None
    if table.state == TableState.RUNNING:
        seats: list[Seat] = list(table.seats.all())
        clocks.ask_anew(table, game_state.state_of(table), seats, now)


NAMING_RULE = "T11.4"


@locking.writes
def name_judge(*, table: Table, by: User, username: str, name: str, now: datetime) -> TableJudge | JudgeProposal:
    """T11.4: until anybody but the opener sits down, the opener or an administrator names a judge; later players
    have seen who judges. From then on a player, the head judge or an administrator proposes one, and every seat has
    to agree. The first judge is the head. Refused for players as judges."""
    locked_table, seats = _lock_table(table)
    judges = _current_judges(locked_table)
    _check_may_name(locked_table, seats, judges, by)
    user = User.objects.filter(username=username.strip(), is_active=True).first()
    if user is None:
        raise Refused(gettext("No one has that log-in name."), NAMING_RULE, "username")
    if any(seat.user_id == user.pk for seat in seats):
        raise Refused(gettext("Players can't judge their own table."), NAMING_RULE, "username")
    if judge := next((judge for judge in judges if judge.user_id == user.pk), None):
        return judge
    name = " ".join(name.split())[:40]
    if not name:
        raise Refused(gettext("Enter a display name for the judge."), NAMING_RULE, "name")
    if (
        locked_table.state == TableState.OPEN
        and Drafter.objects.filter(draft__table=locked_table).exclude(user=by).exists()
    ):
        raise Refused(gettext("The draft isn't over yet. Propose a judge once the players are seated."), NAMING_RULE)
    if not _has_other_players(locked_table, seats):
        return _take_office(locked_table, user, name, now)
    return _propose(locked_table, seats, by, JudgeProposal(user=user, name=name), now)


@locking.writes
def dismiss_judge_of_table(*, table: Table, by: User, judge_id: int, now: datetime) -> JudgeProposal | None:
    """T11.4: a judge resigns, or is dismissed by the head judge or an administrator. A player can propose it, and
    every seat has to agree; the opener can do it alone only before anybody else sits down."""
    locked_table, seats = _lock_table(table)
    judges = _current_judges(locked_table)
    judge = next((judge for judge in judges if judge.pk == judge_id), None)
    if judge is None:
        raise Refused(gettext("There is no such judge here."), NAMING_RULE)
    _check_may_name(locked_table, seats, judges, by, itself=judge)
    is_alone = locked_table.opened_by_id == by.pk and not _has_other_players(locked_table, seats)
    is_head = any(each.is_head and each.user_id == by.pk for each in judges)
    if is_administrator(by) and not _is_seated(seats, by) or is_head or by.pk == judge.user_id or is_alone:
        _leave_office(locked_table, judge, now)
        return None
    return _propose(locked_table, seats, by, JudgeProposal(user=judge.user, name=judge.name, dismisses=True), now)


@locking.writes
def answer_proposal(*, table: Table, by: User, proposal_id: int, agrees: bool, now: datetime) -> Table:
    """T11.4: a player agrees to a proposed judge or dismissal, which is done once all have; or refuses, which closes
    it. Its proposer may withdraw it. Refused for others, and once it is closed."""
    locked_table, seats = _lock_table(table)
    row = locked_table.judge_proposals.filter(pk=proposal_id, closed_at__isnull=True).select_related("user").first()
    if row is None:
        raise Refused(gettext("This proposal is closed. Reload the page."), NAMING_RULE)
    own_letters = [seat.letter for seat in seats if seat.user_id == by.pk]
    if not own_letters and (agrees or row.proposed_by_id != by.pk):
        raise Refused(gettext("Only the players of this table can answer this."), NAMING_RULE)
    row.agreed = sorted({*row.agreed, *own_letters}) if agrees else row.agreed
    if not agrees:
        row.closed_at = now
        keep_act(locked_table, "judge refused", by.pk, now, name=_display_name(seats, by), judge=row.name)
    row.save(update_fields=["agreed", "closed_at"])
    lapse(kind="table.judge_proposed", keys=[_key(row)], now=now, users=None if not agrees else [by.pk])
    _done_if_agreed(locked_table, seats, row, now)
    return locked_table


def waiting_for(row: JudgeProposal, letters: Iterable[str]) -> tuple[str, ...]:
    """T11.4: the letters of the seats that have not agreed yet."""
    return tuple(letter for letter in letters if letter not in row.agreed)


def _lock_table(table: Table) -> tuple[Table, list[Seat]]:
    locked_table = held_table(table)
    return locked_table, list(locked_table.seats.all())


def _current_judges(table: Table) -> list[TableJudge]:
    return list(table.judges.filter(dismissed_at__isnull=True).select_related("user"))


def _has_other_players(table: Table, seats: list[Seat]) -> bool:
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
            NAMING_RULE,
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
    user_ids = [seat.user_id for seat in seats if seat.letter not in row.agreed]
    tell([News(user, "table.judge_proposed", _key(row), now, data=data) for user in user_ids], now)
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
    tell([News(pk, "table.judge_named", key, now, data=data) for pk in sorted(people)], now)
    return judge


def _leave_office(table: Table, judge: TableJudge, now: datetime) -> None:
    """T11.4: a judge leaves office; a question that nobody is left to answer lapses at once."""
    judge.dismissed_at, judge.is_head = now, False
    judge.save(update_fields=["dismissed_at", "is_head"])
    keep_act(table, "judge dismissed", None, now, judge=judge.name)
    if table.question and not table.judges.filter(dismissed_at__isnull=True).exists():
        end_question(table, now)
        table.save()
