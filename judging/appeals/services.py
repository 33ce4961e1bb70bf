"""R57: Appeals are lodged, answered, withdrawn, and passed on if a judge is silent.

Each function that writes locks the round first, so that appeals have numbers without gaps and nobody has a third open
one, then the current turn: an appeal that delays its settlement is on time or not, and the stages claim the turn by it.
"""

from datetime import datetime

from django.db.models import Max, Q
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.appeals.models import Appeal
from judging.appeals.queries import able_judges, head_for, is_party, may_overrule, why_not
from judging.appeals.subjects import Subject, subject_of
from judging.battles.rejudging.models import Rejudgement
from judging.command.models import Admission
from judging.common import locking, rulebook
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.texts import checked_text, checked_token, utc
from judging.turns.models import Correction, Ruling
from wargame.models import Judge, Player, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.command.appeals import answer_by, draw_of, drawn_judge, longest_hold, newly_able, next_candidates
from wargame.rules.core.dice import turn_dice

MAX_REASON = 4_000
State, Kind = Appeal.State, Appeal.Kind


@locking.writes
def lodge(
    *,
    round: Round,
    player: Player | None,
    subject: Subject,
    cites: str,
    reason: str,
    token: str,
    now: datetime,
    user: int | None = None,
) -> Appeal:
    """R57: Lodge a player's appeal, and draw the judge who answers; the same form sent twice creates one appeal. A
    refused applicant is no player: they appeal as the `user` whom it concerns.

    Raises Refused if it does not concern them, out of time, a second time, with as many open ones as the round allows,
    and without a rule of the rulebook or a reason.
    """
    token = checked_token(token)
    round = locking.hold(Round.objects, pk=round.pk)
    is_applicant = subject.applicant is not None and subject.applicant == user
    appeals = Appeal.objects.filter(round=round, admission__user=user) if is_applicant else player and player.appeals
    before = appeals.filter(token=token).first() if appeals else None
    if before:
        return before
    if round.state != RoundState.RUNNING:
        raise Refused(gettext("This round isn't being played now, so you can't appeal."), "R57")
    finding = why_not(player, subject, round, now, user)
    if finding or not (player or is_applicant):
        raise Refused(finding.sentence if finding else gettext("Only players can appeal."), "R57")
    turn = locking.hold_first(Turn.objects.filter(round=round).order_by("-number"))
    if turn is None:
        raise Refused(gettext("No turn has been played yet."), "R57")
    turn.round = round
    lodger = {} if is_applicant else {"player": player}
    row = Appeal(round=round, turn=turn, kind=subject.kind, against=subject.against, **lodger, **subject.fields)
    row.is_hidden, row.cites = subject.is_hidden, _checked_cites(cites, "cites")
    row.reason = checked_text(reason, what="reason", most=MAX_REASON, cites="R57", field="reason").strip()
    row.number = (Appeal.objects.filter(round=round).aggregate(last=Max("number"))["last"] or 0) + 1
    row.lodged_at, row.token = now, token
    _draw(row, subject, now)
    row.save(force_insert=True)
    _record(row, row.lodger.user, "lodged", now)
    return row


@locking.writes
def take_back(*, appeal: Appeal, user: int | None, now: datetime) -> Appeal:
    """R57: Withdraw an appeal; a second request changes nothing. Raises Refused for anybody but who lodged it, and
    once it is answered."""
    row = _held_appeal(appeal)
    if row.lodger.user_id != user:
        raise Refused(gettext("Only %(name)s can withdraw this appeal.") % {"name": row.lodger.name}, "R57")
    if row.state == State.WITHDRAWN:
        return row
    _check_open(row)
    row.state, row.answered_at, row.holds = State.WITHDRAWN, now, False
    row.save(update_fields=["state", "answered_at", "holds"])
    _record(row, row.lodger.user, "withdrawn", now)
    _let_go(row, now)
    return row


@locking.writes
def answer(*, appeal: Appeal, judge: Judge | None, how: str, cites: str, text: str, now: datetime) -> Appeal:
    """R57: Answer an appeal, as the judge who was drawn: UPHELD, MENDED or ANEW. The same judge's second request
    changes nothing. The head battle judge may overrule an assistant's answer with another one (1.3).

    Raises Refused for any other judge, without a rule or a reason, and if nothing was corrected or judged again since
    it came.
    """
    row = _held_appeal(appeal)
    # What was corrected or judged again by an answer is overruled by doing it once more: the same answer again.
    if judge is not None and (how != row.state or how != State.UPHELD) and may_overrule(row, judge.user_id):
        return _overruled(row, judge, how, cites, text, now)
    if judge is None or row.judge_id != judge.pk:
        if row.judge is None:
            raise Refused(
                gettext("Only the head battle judge can answer this appeal, and this round has none yet."), "R57"
            )
        raise Refused(gettext("Only %(whose)s can answer this appeal.") % {"whose": row.judge.name}, "R57")
    if row.state != State.OPEN and row.state == how:
        return row
    _check_open(row)
    _fill_in(row, how, cites, text)
    row.state, row.answered_at, row.holds = how, now, False
    row.save()
    _record(row, judge.user, "answered", now, how=how)
    _let_go(row, now)
    return row


def _overruled(row: Appeal, judge: Judge, how: str, cites: str, text: str, now: datetime) -> Appeal:
    """1.3, R57: The head battle judge overrules an assistant's answer, in public; the old answer is kept."""
    assert row.answered_at is not None
    if row.rejudgement is not None and how != State.ANEW:
        message = gettext("This answer led to a new score. To overrule the answer, judge the battle again first.")
        raise Refused(message, "R58", "how")
    if row.correction is not None and how == State.UPHELD:
        message = gettext(
            "This answer led to a correction of the turn. To overrule the answer, apply another correction first."
        )
        raise Refused(message, "3.3.3", "how")
    former = {"how": row.state, "cites": row.answer_cites, "text": row.answer, "at": row.answered_at.isoformat()}
    before = row.judge.name if row.judge else ""
    row.overruled = [*row.overruled, {"judge": before, **former}]
    _fill_in(row, how, cites, text)
    row.is_party = is_party(judge, row, subject_of(row, now))
    row.judge, row.state, row.answered_at = judge, how, now
    row.save()
    _record(row, judge.user, "overruled", now, how=how, before=before)
    return row


def _fill_in(row: Appeal, how: str, cites: str, text: str) -> None:
    """Check and set the fields of an answer."""
    if how not in (State.UPHELD, State.MENDED, State.ANEW):
        message = gettext("Choose an outcome: the decision stands, it is corrected, or the battle is judged again.")
        raise Refused(message, "R57", "how")
    row.answer_cites = _checked_cites(cites, "answer_cites")
    row.answer = checked_text(text, what="answer", most=MAX_REASON, cites="R57", field="answer").strip()
    since, row.correction, row.rejudgement = row.answered_at or row.lodged_at, None, None
    if how == State.MENDED:
        _check_mended(row, since)
    if how == State.ANEW:
        _check_anew(row, since)


@locking.writes
def hold_up(*, appeal: Appeal, judge: Judge | None, holds: bool, now: datetime) -> Appeal:
    """R57: Delay the settlement of the turn in which an appeal came until its answer, for a turn's length at most,
    or end the delay; a second request changes nothing. Raises Refused for all but the judge who answers, and once
    the turn is settled."""
    row = _held_appeal(appeal)
    if judge is None or row.judge_id != judge.pk:
        raise Refused(
            gettext("Only the judge who answers an appeal can decide whether it holds up the settlement."), "R57"
        )
    _check_open(row)
    if row.holds == holds:
        return row
    turn = row.turn
    latest = longest_hold(turn.lock_at, row.round.turn_length)
    if turn.state == TurnState.SETTLED:
        raise Refused(gettext("Turn %(number)s is already settled.") % {"number": turn.number}, "R57")
    if holds and latest <= now:
        raise Refused(
            gettext("Appeals could only delay the settlement until %(utc)s, which has passed.") % {"utc": utc(latest)},
            "R57",
        )
    row.holds = holds
    row.save(update_fields=["holds"])
    if not holds:
        _let_go(row, now)
        return row
    Turn.objects.filter(pk=turn.pk).update(held_until=latest)
    _tell(row, {"until": latest.isoformat()}, now)
    _record(row, judge.user, "holds", now, until=latest.isoformat())
    return row


def pass_on(now: datetime) -> int:
    """R57: Pass on appeals whose judge did not answer in time, or is no longer a battle judge, to the next who is
    drawn; also those of a head who was a party, once somebody independent is there. Returns how many."""
    rows = Appeal.objects.filter(state=State.OPEN, round__state=RoundState.RUNNING)
    is_gone = Q(judge__isnull=True) | Q(judge__dismissed_at__isnull=False) | ~Q(judge__role=Role.BATTLE)
    due = rows.filter(Q(due_at__lte=now) | Q(is_party=True) | is_gone).order_by("round", "number")
    return sum(_passed_on(appeal, now) for appeal in due.select_related("turn").defer("turn__position"))


@locking.writes
def _passed_on(appeal: Appeal, now: datetime) -> bool:
    row = _held_appeal(appeal)
    if row.state != State.OPEN:
        return False
    before, subject, why = row.judge, subject_of(row, now), "silent"
    is_gone = before is None or before.dismissed_at is not None or before.role != Role.BATTLE
    if not is_gone and row.due_at > now:
        able = [judge.name for judge in able_judges(row, subject)]
        if not row.is_party or not newly_able(able, [one["drew"] for one in row.draws]):
            return False
        why = "independent"
    is_drawn = _draw(row, subject, now)
    if not is_drawn and before is None:
        return False
    row.save(update_fields=["judge", "draws", "due_at", "is_party"])
    if is_drawn:
        _record(row, None, "passed_on", now, before=before.name if before else "", why=why)
    return is_drawn


def _draw(row: Appeal, subject: Subject | None, now: datetime) -> bool:
    """R57, R38: Draw the judge who answers from the turn's seed, record among whom, and set their deadline; returns
    whether there is a judge to answer. A head who is the only one left gets the time again."""
    able = {judge.name: judge for judge in able_judges(row, subject)}
    head = head_for(row, row.lodger.user_id)
    seats = able | ({head.name: head} if head and head.name not in able else {})
    among = next_candidates(list(able), [one["drew"] for one in row.draws], head.name if head else "")
    row.due_at = answer_by(now, row.round.appeal_within)
    if not among:
        row.judge, row.is_party = None, False
        return False
    dice = turn_dice(bytes.fromhex(row.turn.seed), row.round.dice_name, row.turn.number)
    number = len(row.draws) + 1
    drew = drawn_judge(among, dice, row.number, number)
    entry = {"at": now.isoformat(), "name": draw_of(row.number, number), "among": sorted(set(among)), "drew": drew}
    row.judge, row.draws = seats[drew], [*row.draws, entry]
    row.is_party = drew not in able
    return True


def _held_appeal(appeal: Appeal) -> Appeal:
    """The current appeal, with its round and turn locked."""
    round = locking.hold(Round.objects, pk=appeal.round_id)
    turn = locking.hold(Turn.objects, pk=appeal.turn_id)
    joined = ("player__user", "admission__user", "judge__user", "against", "of_turn", "entry")
    about = ("battle__turn", "ruling__turn", "penalty__turn")
    row = Appeal.objects.select_related(*joined, *about).get(pk=appeal.pk)
    row.round = turn.round = round
    row.turn = turn
    return row


def _check_open(row: Appeal) -> None:
    if row.state != State.OPEN:
        state = row.get_state_display()
        if row.answered_at is None:
            raise Refused(gettext("This appeal is already closed: %(state)s.") % {"state": state}, "R57")
        message = gettext("This appeal was closed at %(when)s: %(state)s.")
        raise Refused(message % {"when": utc(row.answered_at), "state": state}, "R57")


def _checked_cites(text: str, field: str) -> str:
    number = text.strip().rstrip(".").upper()
    if not number:
        raise Refused(gettext("Name the rule it is based on, like 4.2.1 or R36."), "R57", field)
    if rulebook.anchor_of(number) is None:
        raise Refused(
            gettext("The rulebook has no rule “%(cites)s”. Enter one like 4.2.1 or R36.")
            % {"cites": text.strip()[:20]},
            "R57",
            field,
        )
    return number


def _check_mended(row: Appeal, since: datetime) -> None:
    """R57, 3.3.3: Corrections come first, within the rules, so that everybody reads the result."""
    about = row.battle or row.ruling
    turn = about.turn if about else row.of_turn
    if turn is not None:
        applied = Correction.objects.filter(turn=turn, state=Correction.State.APPLIED, decided_at__gt=since)
        row.correction = applied.order_by("decided_at").last()
    if row.admission is not None and not _is_taken_in(row.admission):
        again = gettext("Nothing is corrected yet. Before you answer, %(name)s must apply again and be admitted.") % {
            "name": row.admission.name
        }
        raise Refused(again, "1.1", "how")
    if row.admission is not None or row.correction is not None or row.kind in (Kind.REQUEST, Kind.SANCTION, Kind.VOTE):
        return
    if row.ruling and Ruling.objects.filter(pk=row.ruling.pk, withdrawn_at__isnull=False).exists():
        return
    if row.penalty and row.penalty.lifted_at is not None:
        return
    raise Refused(_what_first(row), "3.3.3", "how")


def _what_first(row: Appeal) -> str:
    if row.penalty:
        return gettext("Nothing is corrected yet. Lift the penalty first, then answer.")
    if row.ruling:
        return gettext("Nothing is corrected yet. Withdraw the ruling or apply a correction first, then answer.")
    return gettext("Nothing is corrected yet. Apply a correction first, then answer.")


def _is_taken_in(refused: Admission) -> bool:
    """1.1: Whether the refused applicant now plays for that team."""
    rows = Player.objects.filter(round=refused.round_id, user=refused.user_id, side=refused.side)
    return rows.filter(left_at__isnull=True).exists()


def _check_anew(row: Appeal, since: datetime) -> None:
    rejudgements = Rejudgement.objects.filter(battle=row.battle_id or 0, state=Rejudgement.State.APPLIED)
    row.rejudgement = rejudgements.filter(decided_at__gt=since).order_by("decided_at").last()
    if row.battle is None:
        raise Refused(gettext("Only the result of a battle can be judged again."), "R58", "how")
    if row.rejudgement is None:
        raise Refused(
            gettext(
                "This battle hasn't been judged again since the appeal. Judge it again on its page first, then answer."
            ),
            "R58",
            "how",
        )


def _let_go(row: Appeal, now: datetime) -> None:
    """R57: End the delay of the settlement, unless another appeal delays it."""
    turn = row.turn
    if turn.held_until is None or Appeal.objects.filter(turn=turn, state=State.OPEN, holds=True).exists():
        return
    if (
        Turn.objects.filter(pk=turn.pk, held_until__isnull=False)
        .exclude(state=TurnState.SETTLED)
        .update(held_until=None)
    ):
        _tell(row, {"until": ""}, now)


def _tell(row: Appeal, details: dict[str, object], now: datetime) -> None:
    """3.1: Post in the turn's thread that a settlement waits, or no longer does."""
    data = {"turn": row.turn.number, "appeal": row.number, **details}
    Notice.objects.create(turn=row.turn, thread=Notice.Thread.MOVEMENT, kind="held", at=now, data=data)


def _record(row: Appeal, actor: object, what: str, now: datetime, **more: object) -> None:
    action = f"appeal.hidden_{what}" if row.is_hidden and what != "holds" else f"appeal.{what}"
    data = {"appeal": row.number, "turn": row.turn.number, "player": row.lodger.name, "side": row.lodger.side}
    judge = row.judge.name if row.judge else ""
    record(row.round, actor, action, {**data, "judge": judge, **more}, now)  # type: ignore[arg-type]
