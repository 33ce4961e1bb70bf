"""4.2.4, 4.2.6, R38, R53: The roll, and judges' changes of a special case before it is published."""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import OperationalError
from django.db.models import QuerySet
from django.utils.translation import gettext

from judging.battles.checks import battle_to_judge, check_due, check_judge, held_battle, record_act
from judging.battles.models import AdjustmentRequest, Battle, Proposal, Score, Strat
from judging.battles.outcome_schema import StoredAdjustment
from judging.battles.resolution import bounds_of, outcome_of, sides_of
from judging.battles.seed_contributions import awaited, check_mixed, rolls_by_itself
from judging.battles.strats.queries import counting_strats
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import is_supreme
from judging.common.log_entry import record
from judging.common.rulebook import titles
from judging.common.texts import checked_text
from wargame.models import Judge
from wargame.models.choices import DiceMix, Role, RoundState
from wargame.rules.battle.adjusting import CITES, MOST_PERCENT, UNCHANGED, Adjustment, Special, why_two
from wargame.rules.battle.battle import BattleSide

logger = logging.getLogger(__name__)

MAX_REASON = 1_000


@locking.writes
def roll(*, battle: Battle, judge: Judge, now: datetime) -> Proposal:
    """4.2.4, R38: Roll the dice of the committed seed, once; only battle judges see the result until it is published.

    Rolling again returns the first roll. Raises Refused for anybody but a battle judge of the round (1.3), if strats
    may still come (4.1.1), if there is no score, or if something must still be mixed into the dice (R38).
    """
    battle, counting = battle_to_judge(battle.pk)
    check_judge(battle, judge)
    return rolled(battle, counting, judge, now)


def rolled(battle: Battle, counting: Mapping[str, Strat], judge: Judge, now: datetime) -> Proposal:
    """4.2.4: `roll` for a locked battle, with its strats that count."""
    # Dice are thrown once (R38): whoever comes second, with the battle held, gets what the first one rolled.
    before = Proposal.objects.filter(battle=battle).first()
    if before:
        return before
    check_due(battle, counting, now)
    score = Score.objects.filter(battle=battle).first()
    if score is None:
        raise Refused(gettext("This battle has no score yet. Lock one before you roll the dice."), "R38")
    check_mixed(battle, counting, score, now)
    Battle.objects.filter(pk=battle.pk, state=Battle.State.SCORED).update(state=Battle.State.ROLLED)
    return _store_roll(battle, counting, score, judge, now)


def _store_roll(
    battle: Battle, counting: Mapping[str, Strat], score: Score, judge: Judge | None, now: datetime
) -> Proposal:
    outcome = outcome_of(battle, score, dict(counting))
    proposal = Proposal.objects.create(battle=battle, judge=judge, outcome=outcome, rolled_at=now)
    data = {"turn": battle.turn.number, "battle": battle.number}
    record(battle.turn.round, judge.user if judge else None, "battle.rolled", data, now)
    return proposal


def roll_mixed(now: datetime) -> int:
    """R38: Roll the dice of all battles whose last word or beacon value has come, or whose time for it is over;
    returns how many. Harmless at any time, and twice at once; a battle that can't be rolled does not block others."""
    rolled_now = 0
    for battle_id in _mixed_battles().values_list("pk", flat=True):
        try:
            rolled_now += _roll_mixed(battle_id=battle_id, now=now)
        except (locking.Busy, OperationalError):
            raise
        except Exception:
            logger.exception("Rolling the dice of battle %d failed.", battle_id)
    return rolled_now


def _mixed_battles() -> QuerySet[Battle]:
    """R38: scored battles into whose dice something may be mixed."""
    rows = Battle.objects.filter(state=Battle.State.SCORED, turn__round__state=RoundState.RUNNING)
    return rows.exclude(dice_mix=DiceMix.COMMITTED)


@locking.writes
def _roll_mixed(*, battle_id: int, now: datetime) -> bool:
    """R38: of two workers that find the same battle, one update counts; the roll is in the same transaction."""
    battle, counting = battle_to_judge(battle_id)
    score = Score.objects.filter(battle=battle).first()
    if score is None or not rolls_by_itself(battle, counting) or awaited(battle, counting, score, now):
        return False
    if not _mixed_battles().filter(pk=battle_id).update(state=Battle.State.ROLLED):
        return False
    _store_roll(battle, counting, score, None, now)
    return True


class NotAlone(Refused):
    """R53: A change that one judge may not make alone. The log records the try."""


def adjust(
    *, battle: Battle, judge: Judge, kind: str, army: str, percent: int, reason: str, now: datetime, cites: str = ""
) -> Proposal:
    """4.2.6, R42, R53: Change the losses of an army that ran, or the part of one of a pair, within the round's bounds,
    and compute the outcome again from the same dice. The change, its rule and its reason are public with the result,
    and so is each try, in the log; 100 percent undoes an earlier change.

    Raises Refused before the roll and after the publishing, for an invalid army, kind or number, for a part of a pair
    without a rule, and if it needs a second judge: use `ask_adjustment` for that.
    """
    fields: dict[str, Any] = {"kind": kind, "army": army, "percent": percent}
    try:
        return _adjust(battle=battle, judge=judge, cites=cites, reason=reason, now=now, **fields)
    except NotAlone:
        _note_try(battle=battle, judge=judge, now=now, **fields)
        raise


@locking.writes
def _note_try(*, battle: Battle, judge: Judge, kind: str, army: str, percent: int, now: datetime) -> None:
    """R53: Log a change that was tried and not made."""
    record_act(held_battle(battle.pk), judge, "battle.adjust_tried", now, kind=kind, army=army, percent=percent)


@locking.writes
def _adjust(
    *, battle: Battle, judge: Judge, kind: str, army: str, percent: int, cites: str, reason: str, now: datetime
) -> Proposal:
    battle, proposal = _rolled_battle(battle, judge)
    change = _checked_change(battle, kind, army, percent)
    if why := why_two(_sides(battle), change, bounds_of(battle.turn.round)):
        needs = gettext("The head battle judge can ask a second battle judge to agree to the change.")
        raise NotAlone(f"{why} {needs}", "R53", "percent")
    _check_not_bound(proposal, judge, (change.kind.value, army))
    if percent == UNCHANGED or not cites and change.kind is Special.LOSSES:
        cites = CITES[change.kind]
    cites = _checked_rule(cites)
    if percent != UNCHANGED:
        reason = checked_text(reason, what="reason", most=MAX_REASON, cites=cites, field="reason")
    adjustment = _stored_adjustment(change, judge, reason, cites)
    return _work_out_anew(battle, proposal, judge, adjustment, now)


@locking.writes
def ask_adjustment(
    *, battle: Battle, judge: Judge, kind: str, army: str, percent: int, cites: str, reason: str, now: datetime
) -> AdjustmentRequest:
    """R53: The head battle judge requests a change that nobody makes alone. It is made once a second battle judge
    agrees, and published with rule, reason and both names.

    Raises Refused for anybody else, for changes that one judge may make alone, if there is no other battle judge to
    agree, and while another request waits.
    """
    battle, _ = _rolled_battle(battle, judge)
    if not is_supreme(judge):
        raise Refused(gettext("Only the head battle judge can request this change."), "R53")
    change = _checked_change(battle, kind, army, percent)
    if not why_two(_sides(battle), change, bounds_of(battle.turn.round)):
        raise Refused(gettext("A judge can make this change alone, so no one has to agree to it."), "R53", "percent")
    cites = _checked_rule(cites)
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="R53", field="reason")
    if not Judge.objects.filter(round=judge.round_id, role=Role.BATTLE).exclude(user=judge.user_id).exists():
        raise Refused(
            gettext("This round has no other battle judge who could agree to the change. Name one first (1.3)."), "R53"
        )
    if AdjustmentRequest.objects.filter(battle=battle, answered_at=None).exists():
        raise Refused(gettext("Another change to this battle is waiting for an answer."), "R53")
    request = AdjustmentRequest.objects.create(
        battle=battle,
        judge=judge,
        kind=change.kind.value,
        army=army,
        percent=percent,
        cites=cites,
        reason=reason,
        asked_at=now,
    )
    fields = {"kind": request.kind, "army": army, "percent": percent}
    record_act(battle, judge, "battle.adjust_asked", now, **fields)
    return request


@locking.writes
def answer_adjustment(
    *, battle: Battle, judge: Judge, request_id: int, accepted: bool, answer: str, now: datetime
) -> AdjustmentRequest:
    """R53: A second battle judge agrees to a change, which is then made, or refuses it with a reason.

    Raises Refused for the judge who requested it, and if it no longer waits.
    """
    battle, proposal = _rolled_battle(battle, judge)
    request = _waiting_request(battle, request_id)
    if request.judge.user_id == judge.user_id:
        raise Refused(gettext("You asked for this change yourself. Another battle judge must agree to it."), "R53")
    if not accepted:
        answer = checked_text(answer, what="reason", most=MAX_REASON, cites="R53", field="answer")
    _close(request, judge, accepted, answer.strip(), now)
    fields = {"kind": request.kind, "army": request.army, "percent": request.percent, "of": request.judge.name}
    record_act(battle, judge, "battle.adjust_agreed" if accepted else "battle.adjust_refused", now, **fields)
    if accepted:
        change = Adjustment(Special(request.kind), request.army, request.percent)
        adjustment = _stored_adjustment(change, request.judge, request.reason, request.cites, agreed=judge.name)
        _work_out_anew(battle, proposal, judge, adjustment, now)
    return request


@locking.writes
def withdraw_adjustment(*, battle: Battle, judge: Judge, request_id: int, now: datetime) -> None:
    """R53: Withdraw the request for a change: by the judge who made it, or the current head battle judge."""
    battle, _ = _rolled_battle(battle, judge)
    request = _waiting_request(battle, request_id)
    if request.judge.user_id != judge.user_id and not is_supreme(judge):
        raise Refused(
            gettext("Only %(name)s or the head battle judge can withdraw this request.") % {"name": request.judge.name},
            "R53",
        )
    _close(request, judge, None, "", now)
    fields = {"kind": request.kind, "army": request.army, "percent": request.percent}
    record_act(battle, judge, "battle.adjust_withdrawn", now, **fields)


def _rolled_battle(battle: Battle, judge: Judge) -> tuple[Battle, Proposal]:
    """4.2.6: The battle, locked, with its roll. Raises Refused before the roll and after the publishing."""
    battle = held_battle(battle.pk)
    check_judge(battle, judge)
    proposal = Proposal.objects.filter(battle=battle).first()
    if proposal is None:
        raise Refused(gettext("Nothing is rolled yet, so there is nothing to adjust."), "4.2.6")
    if battle.state == Battle.State.PUBLISHED:
        raise Refused(gettext("The result is published, so it can't be adjusted."), "4.2.6")
    return battle, proposal


def _waiting_request(battle: Battle, request_id: int) -> AdjustmentRequest:
    rows = AdjustmentRequest.objects.filter(pk=request_id, battle=battle, answered_at=None)
    request = rows.select_related("judge").first()
    if request is None:
        raise Refused(gettext("This request is no longer waiting for anyone."), "R53")
    return request


def _close(request: AdjustmentRequest, judge: Judge, accepted: bool | None, answer: str, now: datetime) -> None:
    request.answered_by, request.answered_at, request.accepted, request.answer = judge, now, accepted, answer
    request.save(update_fields=["answered_by", "answered_at", "accepted", "answer"])


def _sides(battle: Battle) -> tuple[BattleSide, BattleSide]:
    score = Score.objects.get(battle=battle)
    return sides_of(battle, counting_strats(battle), score.favours, score.bonus)


def _checked_change(battle: Battle, kind: str, army: str, percent: int) -> Adjustment:
    special = _checked_kind(kind)
    _check_army(battle, special, army)
    if not 0 <= percent <= MOST_PERCENT:
        raise Refused(
            gettext("Enter 0 to %(most_percent)s percent; 100 changes nothing.") % {"most_percent": MOST_PERCENT},
            CITES[special],
            "percent",
        )
    return Adjustment(special, army, percent)


def _checked_rule(cites: str) -> str:
    """1.3: The number of the rule or ruling behind a change."""
    cites = cites.strip().removeprefix("§").strip().upper()
    if not cites:
        raise Refused(gettext("Name the rule or ruling it is based on, such as 4.2.6 or R42."), "1.3", "cites")
    if cites not in titles():
        raise Refused(
            gettext("The rulebook has no rule “%(cites)s”. Enter one like 4.2.1 or R36.") % {"cites": cites[:20]},
            "1.3",
            "cites",
        )
    return cites


def _check_not_bound(proposal: Proposal, judge: Judge, same: tuple[str, str]) -> None:
    """1.3: Raise Refused for an assistant if the head battle judge has adjusted the same."""
    head = Judge.objects.filter(round=judge.round_id, role=judge.role, is_head=True).exclude(pk=judge.pk).first()
    for one in proposal.adjustments:
        if head is not None and (one["kind"], one["army"]) == same and one["by"] == head.name:
            raise Refused(
                gettext("%(name)s has already adjusted that. As an assistant, you can't overrule it.")
                % {"name": head.name},
                "1.3",
            )


def _stored_adjustment(change: Adjustment, judge: Judge, reason: str, cites: str, agreed: str = "") -> StoredAdjustment:
    return {
        "kind": change.kind.value,
        "army": change.army,
        "percent": change.percent,
        "reason": reason,
        "by": judge.name,
        "cites": cites,
        "agreed": agreed,
    }


def _work_out_anew(
    battle: Battle, proposal: Proposal, judge: Judge, adjustment: StoredAdjustment, now: datetime
) -> Proposal:
    """4.2.6, R38: The outcome with one change more, or less, from the same dice; the outcome of the dice alone is
    stored beside it (R53)."""
    score, strats = Score.objects.get(battle=battle), counting_strats(battle)
    same = (adjustment["kind"], adjustment["army"])
    adjustments: list[StoredAdjustment] = [one for one in proposal.adjustments if (one["kind"], one["army"]) != same]
    if adjustment["percent"] != UNCHANGED:
        adjustments.append(adjustment)
    proposal.adjustments = adjustments
    proposal.unchanged = outcome_of(battle, score, strats) if adjustments else None
    proposal.outcome = outcome_of(battle, score, strats, adjustments)
    proposal.save(update_fields=["adjustments", "unchanged", "outcome"])
    fields = {"kind": adjustment["kind"], "army": adjustment["army"], "percent": adjustment["percent"]}
    record_act(battle, judge, "battle.adjusted", now, **fields)
    return proposal


def _checked_kind(kind: str) -> Special:
    if kind not in list(Special):
        raise Refused(
            gettext("You can only adjust an army's losses or its share of the side's losses."), "4.2.6", "kind"
        )
    return Special(kind)


def _check_army(battle: Battle, kind: Special, army: str) -> None:
    entry = battle.entries.filter(name=army).first()
    if entry is None:
        raise Refused(
            gettext("Choose an army that fights in this battle."),
            "4.2.6",
            "army",
        )
    if kind is Special.INVOLVED and battle.entries.filter(side=entry.side).count() < 2:
        raise Refused(
            gettext("There is no second army on the side of %(army)s to share the losses with.") % {"army": army},
            "R42",
            "kind",
        )
