"""4.2.4, 4.2.6, R38: the roll, and what a judge may change of a special case before he publishes it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from judging.battles.checks import battle_to_judge, check_due, check_judge, held_battle, record_act
from judging.battles.models import Battle, Proposal, Score, Strat
from judging.battles.resolution import outcome_of
from judging.battles.stored import StoredAdjustment
from judging.battles.strats.reads import counting_strats
from judging.game import locking
from judging.game.errors import Refused
from judging.game.texts import checked_text
from wargame.models import Judge
from wargame.rules.battle.adjusting import CITES, MOST_PERCENT, Special

MAX_REASON = 1_000


@locking.writes
def roll(*, battle: Battle, judge: Judge, now: datetime) -> Proposal:
    """4.2.4, R38: rolls the dice of the committed seed, once; battle judges alone see what came until it is published.

    Rolling again gives the first roll. Refused if it is no battle judge's of the round (1.3), strats may still
    come (4.1.1), or there is no score (R38).
    """
    battle, counting = battle_to_judge(battle.pk)
    check_judge(battle, judge)
    return rolled(battle, counting, judge, now)


def rolled(battle: Battle, counting: Mapping[str, Strat], judge: Judge, now: datetime) -> Proposal:
    """4.2.4: `roll` for a battle that its judge holds, with its strats that count."""
    # Dice are thrown once (R38): whoever comes second, with the battle held, gets what the first one rolled.
    before = Proposal.objects.filter(battle=battle).first()
    if before:
        return before
    check_due(battle, counting, now)
    score = Score.objects.filter(battle=battle).first()
    if score is None:
        raise Refused("This battle has no score yet; lock one before the dice are rolled.", "R38")
    outcome = outcome_of(battle, score, dict(counting))
    proposal = Proposal.objects.create(battle=battle, judge=judge, outcome=outcome, rolled_at=now)
    Battle.objects.filter(pk=battle.pk, state=Battle.State.SCORED).update(state=Battle.State.ROLLED)
    record_act(battle, judge, "battle.rolled", now)
    return proposal


@locking.writes
def adjust(*, battle: Battle, judge: Judge, kind: str, army: str, percent: int, reason: str, now: datetime) -> Proposal:
    """4.2.6, R42: changes an army's losses, or its part of its side's, and works the outcome out anew from the same
    dice. The change and its reason are public with the result; 100 percent takes an earlier change back.

    Refused before the roll and after the publishing, and for an army, a kind or a number that can't be.
    """
    battle = held_battle(battle.pk)
    check_judge(battle, judge)
    proposal = Proposal.objects.filter(battle=battle).first()
    if proposal is None:
        raise Refused("Nothing is rolled yet, so there is nothing to adjust.", "4.2.6")
    if battle.state == Battle.State.PUBLISHED:
        raise Refused("The result is published; it is not adjusted any more.", "4.2.6")
    special = _checked_kind(kind)
    _check_army(battle, special, army)
    if not 0 <= percent <= MOST_PERCENT:
        raise Refused(f"Adjust to 0 to {MOST_PERCENT} percent; 100 changes nothing.", CITES[special], "percent")
    same = (special.value, army)
    _check_not_bound(proposal, judge, same)
    kept: list[StoredAdjustment] = [one for one in proposal.adjustments if (one["kind"], one["army"]) != same]
    if percent != 100:
        reason = checked_text(reason, what="reason", most=MAX_REASON, cites=CITES[special], field="reason")
        kept.append({"kind": special.value, "army": army, "percent": percent, "reason": reason, "by": judge.name})
    return _work_out_anew(battle, proposal, judge, kept, now)


def _check_not_bound(proposal: Proposal, judge: Judge, same: tuple[str, str]) -> None:
    """1.3: refused for an assistant where the head battle judge has adjusted the same."""
    head = Judge.objects.filter(round=judge.round_id, role=judge.role, is_head=True).exclude(pk=judge.pk).first()
    for one in proposal.adjustments:
        if head is not None and (one["kind"], one["army"]) == same and one["by"] == head.name:
            raise Refused(f"{head.name} has adjusted that already; an assistant can't overrule him.", "1.3")


def _work_out_anew(
    battle: Battle, proposal: Proposal, judge: Judge, adjustments: list[StoredAdjustment], now: datetime
) -> Proposal:
    score = Score.objects.get(battle=battle)
    proposal.adjustments = adjustments
    proposal.outcome = outcome_of(battle, score, counting_strats(battle), adjustments)
    proposal.save(update_fields=["adjustments", "outcome"])
    record_act(battle, judge, "battle.adjusted", now)
    return proposal


def _checked_kind(kind: str) -> Special:
    if kind not in list(Special):
        raise Refused("What can be adjusted is an army's losses or its part in them.", "4.2.6", "kind")
    return Special(kind)


def _check_army(battle: Battle, kind: Special, army: str) -> None:
    entry = battle.entries.filter(name=army).first()
    if entry is None:
        raise Refused(f"{army[:40] or 'No army'} does not fight in this battle. Choose one that does.", "4.2.6", "army")
    if kind is Special.INVOLVED and battle.entries.filter(side=entry.side).count() < 2:
        raise Refused(f"{army} fights alone on its side, so all of the side's losses are its own.", "R42", "kind")
