"""R58: A published battle is judged again with its seed and the dice that were rolled. The new score is locked with its
reasons first; its outcome is computed and applied as a whole, and only then shown.

If the turn is not settled, the new result counts at its settlement; for a settled one there is a correction (3.3.3).
The turns are locked first, then the battle.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from django.db.models import F
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.battles.checks import check_judge, held_battle, record_act
from judging.battles.desk.publishing import MAX_NARRATIVE
from judging.battles.desk.scoring import Reasons, check_rules_leave_it, checked_bonus, checked_reasons
from judging.battles.models import Battle, Proposal, Result, RiskRuling, Score, Strat
from judging.battles.outcome_schema import StoredOutcome
from judging.battles.rejudging.models import Rejudgement
from judging.battles.rejudging.queries import (
    asking_strats,
    late_strats,
    may_alone,
    may_drop,
    score_of,
    strats_that_count,
    why_not,
    why_not_apply,
    why_not_lock,
)
from judging.battles.resolution import odds_between, outcome_of, risk_rulings, rules_battle, sides_of
from judging.common import locking, rulebook
from judging.common.errors import Refused
from judging.common.texts import check_storable, checked_text, checked_token
from judging.turns.battles import PublishedOutcome, PublishedResult
from judging.turns.rulings.corrections import correct_result, held_next_turn, put_aside, put_into_force
from judging.turns.rulings.services import held_turn
from wargame.models import Judge, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.core.saying import grouped

MAX_REASON = 2_000
VOID, AS_ASKED = "-", "="
"""A form's values for a kill or a capture that is void, or stays as its strat asks for it; else a target's name."""

State = Rejudgement.State


@dataclass(frozen=True)
class NewJudgement:
    """R58: A judge's input. `accepted` are the keys of late strats that must count; `risks` has, by the key of a
    strat, the new ruling on its kill or capture: VOID, AS_ASKED or a target, nothing if the ruling stays. `reasons`
    are for a bonus that differs from the old one, on each criterion of the round (R54)."""

    favours: int | None
    bonus: int
    cites: str
    reason: str
    accepted: tuple[int, ...] = ()
    risks: Mapping[int, str] = field(default_factory=dict)
    narrative: str = ""
    reasons: Reasons = field(default_factory=dict)


def lock_anew(*, battle: Battle, judge: Judge, new: NewJudgement, token: str, now: datetime) -> Rejudgement:
    """R58: Lock a new score, a late strat or another ruling on a kill or capture, before anybody sees its outcome; the
    same form sent twice creates one. It applies at once if the judge answers an appeal against the result and had no
    part in it; anybody else's waits for a second battle judge's consent.

    Raises Refused if the battle is not published or its turn is too old, for judges whom `why_not_lock` rejects,
    without a reason on each criterion for another bonus (R54), and if nothing changes.
    """
    token = checked_token(token)
    odds = None
    if why_not(battle, now) is None and not why_not_lock(battle, judge)[0] and may_alone(battle, judge):
        # Odds take as long as some hundred battles, so nobody waits for them.
        odds = _odds(battle, _checked(battle, judge, new, now))
    return _locked(battle, judge, new, token, odds, now)


@locking.writes
def _locked(
    battle: Battle, judge: Judge, new: NewJudgement, token: str, odds: tuple[int, int] | None, now: datetime
) -> Rejudgement:
    turn = held_turn(battle.turn_id)
    following = _window(battle, turn, now)
    battle = _held_published_battle(battle.pk, turn, judge)
    before = Rejudgement.objects.filter(battle=battle, judge=judge, token=token).first()
    if before:
        return before
    why, cites = why_not_lock(battle, judge)
    if why:
        raise Refused(why, cites)
    row = _checked(battle, judge, new, now)
    row.token = token
    alone = may_alone(battle, judge)
    row.save(force_insert=True)
    record_act(battle, judge, "battle.anew_proposed", now, needs_second=not alone)
    if alone:
        _put_into_force(battle, row, turn, following, odds or _odds(battle, row), judge, now)
    return row


def apply_anew(*, rejudgement: Rejudgement, judge: Judge, now: datetime) -> Rejudgement:
    """R53, R58: Another battle judge agrees to a locked score, which applies it with all its consequences; a second
    request changes nothing. One of the two is the head, or answers an appeal against the result.

    Raises Refused for all others, for a dropped one, if another judgement came before it, and wherever a correction
    would.
    """
    battle = Battle.objects.select_related("turn__round").get(pk=rejudgement.battle_id)
    # Odds take as long as some hundred battles, so nobody waits for them. They follow from what is checked below.
    odds = _odds(battle, rejudgement)
    return _applied(rejudgement, odds, judge, now)


@locking.writes
def _applied(rejudgement: Rejudgement, odds: tuple[int, int], judge: Judge, now: datetime) -> Rejudgement:
    turn = held_turn(rejudgement.battle.turn_id)
    row = _proposed_row(rejudgement.pk)
    if row.state == State.APPLIED:
        return row
    following = _window(row.battle, turn, now)
    battle = _held_published_battle(row.battle_id, turn, judge)
    row.battle = battle
    if row.state == State.DROPPED:
        raise Refused(gettext("This score was dropped. Lock a new one."), "R58")
    why, cites = why_not_apply(row, judge)
    if why:
        raise Refused(why, cites)
    _put_into_force(battle, row, turn, following, odds, judge, now)
    return row


def _put_into_force(
    battle: Battle,
    row: Rejudgement,
    turn: Turn,
    following: Turn | None,
    odds: tuple[int, int],
    judge: Judge,
    now: datetime,
) -> None:
    """R58: Compute and apply a locked score; other locked ones of the battle are dropped with the score that they
    were about. All rows are locked."""
    _check_fresh(battle, row)
    accepted, strats, ruled = _as_locked(battle, row)
    row.outcome = _outcome(battle, row, strats, ruled)
    if row.correction is not None:  # an older service worked it out before it was agreed to
        put_aside(row.correction, judge, now)
        row.correction = None
    if following is not None:
        anew = PublishedResult(battle.at, row.outcome["winner"], cast(PublishedOutcome, row.outcome))
        token = f"anew-{battle.pk}-{row.pk}"
        row.correction = correct_result(
            turn=turn, following=following, judge=row.judge, anew=anew, token=token, now=now
        )
    _write(battle, row, accepted, strats, ruled, odds, now)
    Turn.objects.filter(pk=turn.pk).update(judged_anew=F("judged_anew") + 1)
    if row.correction is not None and following is not None:
        if row.correction.events == row.correction.old_events and not row.correction.changes_map:
            put_aside(row.correction, judge, now)
        else:
            put_into_force(row.correction, turn, following, judge, now)
    _decide(row, State.APPLIED, judge, now)
    for other in Rejudgement.objects.filter(battle=battle, state=State.PROPOSED):
        _drop(other, judge, now)
    _announce(battle, row, turn, now)
    record_act(battle, judge, "battle.judged_anew", now, winner=row.outcome["winner"], **_of_another(row, judge))


@locking.writes
def drop_anew(*, rejudgement: Rejudgement, judge: Judge, now: datetime) -> Rejudgement:
    """R58: Drop a locked score: by the judge who locked it, may judge the battle again or must agree to it; a second
    request changes nothing. Raises Refused for all others, and if it is applied."""
    turn = held_turn(rejudgement.battle.turn_id)
    row = _proposed_row(rejudgement.pk)
    battle = row.battle = _held_published_battle(row.battle_id, turn, judge)
    if not may_drop(row, judge):
        message = gettext(
            "Only the judge who locked it, the head battle judge or a judge whose agreement is needed can drop it."
        )
        raise Refused(message, "R58")
    if row.state == State.APPLIED:
        raise Refused(gettext("This judgement is in force. Only a new judgement can change it."), "R58")
    if row.state == State.DROPPED:
        return row
    _drop(row, judge, now)
    record_act(battle, judge, "battle.anew_dropped", now, **_of_another(row, judge))
    return row


def _drop(row: Rejudgement, judge: Judge, now: datetime) -> None:
    if row.correction is not None:  # an older service worked it out before it was agreed to
        put_aside(row.correction, judge, now)
    _decide(row, State.DROPPED, judge, now)


def _of_another(row: Rejudgement, judge: Judge) -> dict[str, str]:
    """R53: The judge who locked it, if another judge decides about it."""
    return {"of": row.judge.name} if row.judge.user_id != judge.user_id else {}


def _window(battle: Battle, turn: Turn, now: datetime) -> Turn | None:
    """R58: The next turn, locked, if there must be a correction; None for a turn that is not settled yet."""
    if turn.round.state != RoundState.RUNNING:
        raise Refused(gettext("This round is no longer being played, so its results can't change."), "R58")
    battle.turn = turn
    finding = why_not(battle, now)
    if finding:
        raise Refused(finding.sentence, finding.cites)
    return held_next_turn(turn, now) if turn.state == TurnState.SETTLED else None


def _held_published_battle(battle_id: int, turn: Turn, judge: Judge) -> Battle:
    """The battle, locked against other judgements of it, with its locked turn."""
    battle = held_battle(battle_id)
    battle.turn = turn
    check_judge(battle, judge)
    if battle.state != Battle.State.PUBLISHED:
        raise Refused(gettext("This battle has no published result. Judge it like any other."), "R58")
    return battle


def _proposed_row(key: int) -> Rejudgement:
    rows = Rejudgement.objects.select_related("battle", "judge", "correction__judge", "correction__turn__round")
    return rows.get(pk=key)


def _checked(battle: Battle, judge: Judge, new: NewJudgement, now: datetime) -> Rejudgement:
    """The row with the typed values, unsaved and without an outcome. Raises Refused if a value is invalid, or
    nothing changes."""
    favours = checked_bonus(new.favours, new.bonus)
    cites = new.cites.strip().rstrip(".").upper()
    if rulebook.anchor_of(cites) is None:
        prefix = (
            gettext("The rulebook has no rule “%(cites)s”. Name") % {"cites": new.cites.strip()[:20]}
            if cites
            else gettext("Name the rule that requires it,")
        )
        raise Refused(gettext("%(shown)s one like 4.2.1 or R36.") % {"shown": prefix}, "R58", "cites")
    reason = checked_text(new.reason, what="reason", most=MAX_REASON, cites="R58", field="reason").strip()
    narrative = new.narrative.replace("\r\n", "\n").replace("\r", "\n")
    check_storable(narrative, what="narrative", cites="4.2.5", field="narrative")
    if len(narrative) > MAX_NARRATIVE:
        raise Refused(
            gettext("The story can have at most %(most)s characters.") % {"most": grouped(MAX_NARRATIVE)},
            "4.2.5",
            "narrative",
        )
    score, result = Score.objects.select_related("judge").get(battle=battle), battle.result
    is_same = (score.favours, score.bonus) == (favours, new.bonus if favours is not None else 0)
    reasons = [] if is_same else checked_reasons(battle, judge, new.bonus if favours is not None else 0, new.reasons)
    row = Rejudgement(
        battle=battle,
        judge=judge,
        made_at=now,
        favours=favours,
        bonus=new.bonus if favours is not None else 0,
        cites=cites,
        reason=reason,
        reasons=reasons,
        narrative="" if narrative == result.narrative else narrative,
        score_before=score_of(score),
        outcome_before=result.outcome,
        narrative_before=result.narrative,
    )
    late = late_strats(battle)
    accepted = _accepted(late, new.accepted)
    row.accepted = [[strat.entry.name, strat.sha256] for strat in accepted]
    strats = strats_that_count(battle, accepted)
    check_rules_leave_it(battle, strats, row.bonus)
    row.risks = _checked_risks(battle, strats, late, new.risks)
    if is_same and not row.accepted and not row.risks:
        raise Refused(gettext("Nothing would change. Change the score, a strat or the ruling on a risk."), "R58")
    return row


def _accepted(late: list[Strat], keys: tuple[int, ...]) -> list[Strat]:
    """R35: Those of the `late` strats that have these keys. Raises Refused for any other."""
    rows = {strat.pk: strat for strat in late}
    unknown = [key for key in keys if key not in rows]
    if unknown:
        raise Refused(gettext("This battle has no such late strat waiting. Reload the page."), "R35", "accepted")
    return [rows[key] for key in dict.fromkeys(keys)]


def _checked_risks(
    battle: Battle, strats: dict[str, Strat], late: list[Strat], risks: Mapping[int, str]
) -> list[dict[str, object]]:
    """4.3, 4.5: The changed rulings on kills and captures, as a row stores them."""
    asking = {strat.pk for strat, _ in asking_strats(battle, late)}
    rulings: list[dict[str, object]] = []
    for key, ruling in risks.items():
        strat = next((one for one in strats.values() if one.pk == key), None)
        if key not in asking or strat is None:
            raise Refused(gettext("That strat doesn't ask for a kill or capture, or it doesn't count."), "4.3", "risks")
        army = strat.entry.name
        target = "" if ruling in (VOID, AS_ASKED) else _checked_target(battle, army, ruling)
        rulings.append({"army": army, "is_void": ruling == VOID, "target": target})
    return rulings


def _as_locked(battle: Battle, row: Rejudgement) -> tuple[list[Strat], dict[str, Strat], dict[str, RiskRuling]]:
    """The late strats that count by a row, all that count, and then the rulings on kills and captures, by army."""
    armies = dict(row.accepted)
    accepted = [strat for strat in late_strats(battle) if armies.get(strat.entry.name) == strat.sha256]
    strats = strats_that_count(battle, accepted)
    return accepted, strats, _with_risks(row, strats, risk_rulings(strats), row.made_at)


def _with_risks(
    row: Rejudgement, strats: dict[str, Strat], ruled: Mapping[str, RiskRuling], now: datetime
) -> dict[str, RiskRuling]:
    """4.3, 4.5: The existing rulings with the changes of a row's `risks`."""
    rulings = dict(ruled)
    for risk in row.risks:
        army, target = risk["army"], risk["target"]
        if not risk["is_void"] and not target:
            rulings.pop(army, None)
            continue
        fields = {"judge": row.judge, "target": target, "is_void": risk["is_void"], "made_at": now}
        rulings[army] = RiskRuling(strat=strats[army], cites=row.cites, reason=row.reason, **fields)
    return rulings


def _checked_target(battle: Battle, army: str, target: str) -> str:
    enemies = next(side for side in rules_battle(battle).sides if army not in side)
    if target not in enemies:
        raise Refused(
            gettext("In this battle, %(army)s can only target an enemy, not %(target)s.")
            % {"target": target[:40], "army": army},
            "4.3.2",
            "risks",
        )
    return target


def _outcome(
    battle: Battle, row: Rejudgement, strats: dict[str, Strat], ruled: Mapping[str, RiskRuling]
) -> StoredOutcome:
    """4.2, R58: The outcome, with the dice that were rolled and the judge's changes after them (4.2.6)."""
    before = battle.result.outcome
    score = Score(favours=row.favours, bonus=row.bonus)
    return outcome_of(battle, score, strats, before["adjustments"], before=before, ruled=ruled)


def _check_fresh(battle: Battle, row: Rejudgement) -> None:
    score = Score.objects.select_related("judge").get(battle=battle)
    if (score_of(score), battle.result.outcome) != (row.score_before, row.outcome_before):
        raise Refused(gettext("This battle was judged again before your score took effect. Lock a new score."), "R58")


def _odds(battle: Battle, row: Rejudgement) -> tuple[int, int]:
    """R38: The formula book's chances of each side to win, by the new score."""
    _, strats, ruled = _as_locked(battle, row)
    return odds_between(battle, sides_of(battle, strats, row.favours, row.bonus, ruled)).wins


def _write(
    battle: Battle,
    row: Rejudgement,
    accepted: list[Strat],
    strats: dict[str, Strat],
    ruled: Mapping[str, RiskRuling],
    odds: tuple[int, int],
    now: datetime,
) -> None:
    """Store the changes to the battle. The former values stay in the new row, and in the chain."""
    assert row.outcome is not None
    for strat in accepted:
        strat.accepted_by, strat.accepted_at, strat.accepted_because = row.judge, now, row.reason[:MAX_REASON]
        strat.save(update_fields=["accepted_by", "accepted_at", "accepted_because"])
    before = risk_rulings(strats)
    for risk in row.risks:
        _write_risk(before.get(risk["army"]), ruled.get(risk["army"]))
    score = Score.objects.select_related("judge").get(battle=battle)
    if (score.favours, score.bonus) != (row.favours, row.bonus):
        former = {**score_of(score), "by": row.judge.name, "at": now.isoformat(), "reason": row.reason}
        score.reasons = row.reasons
        score.overruled = [*score.overruled, former]
        score.judge, score.favours, score.bonus = row.judge, row.favours, row.bonus
        score.how, score.locked_at = Score.How.ANEW, now
        score.save()
    Proposal.objects.filter(battle=battle).update(outcome=row.outcome)
    fields = {"winner": row.outcome["winner"], "outcome": row.outcome, "odds": odds}
    fields |= {"narrative": row.narrative} if row.narrative.strip() else {}
    is_changed = bool(row.outcome["adjustments"])
    alone = outcome_of(battle, score, strats, before=row.outcome_before, ruled=ruled) if is_changed else None
    fields["unchanged"] = alone
    Result.objects.filter(battle=battle).update(**fields)


def _write_risk(before: RiskRuling | None, after: RiskRuling | None) -> None:
    if before is None:
        if after is not None:
            after.save(force_insert=True)
        return
    if after is None:
        before.delete()
        return
    former = {"judge": before.judge.name, "target": before.target, "cites": before.cites, "reason": before.reason}
    before.overruled = [*before.overruled, {**former, "made_at": before.made_at.isoformat()}]
    before.judge, before.target, before.is_void = after.judge, after.target, after.is_void
    before.cites, before.reason, before.made_at = after.cites, after.reason, after.made_at
    before.save()


def _decide(row: Rejudgement, state: str, judge: Judge, now: datetime) -> None:
    row.state, row.decided_at, row.decided_by = state, now, judge
    row.save(update_fields=["state", "decided_at", "decided_by", "outcome", "correction"])


def _announce(battle: Battle, row: Rejudgement, turn: Turn, now: datetime) -> None:
    """3.1: Post the former and the new text of the Battle Results."""
    assert row.outcome is not None
    winners = [rules_battle(battle).sides[outcome["winner"]] for outcome in (row.outcome_before, row.outcome)]
    data = {"battle": battle.pk, "number": battle.number, "at": battle.at, "before": winners[0], "now": winners[1]}
    data |= {"by": row.judge.name, "cites": row.cites, "reason": row.reason}
    Notice.objects.create(turn=turn, thread=Notice.Thread.RESULTS, kind="judged_anew", at=now, data=data)
