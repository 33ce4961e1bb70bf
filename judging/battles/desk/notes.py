"""4.2.1, 4.3, 4.5: A judge's criteria and notes, and rulings on claims, kills and captures before the roll."""

from collections.abc import Mapping
from datetime import datetime

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext

from judging.battles.checks import check_judge, held_battle, record_act
from judging.battles.models import Battle, Claim, Criterion, Note, RiskRuling, Score, Strat
from judging.battles.outcome_schema import OverruledRiskRuling
from judging.battles.resolution import rules_battle
from judging.battles.seed_contributions import check_unmixed
from judging.battles.strats.queries import counting_strats
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import is_bound_by
from judging.common.positions import position_of
from judging.common.rulebook import titles
from judging.common.texts import check_storable, checked_text
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules.battle.kills_and_captures import may_be_taken
from wargame.rules.book.risked_troops import NoRisk, Risk, why_no_risk
from wargame.rules.core.saying import grouped
from wargame.rules.core.wording import listed

MAX_CRITERIA = 12
MAX_NAME = 60
MAX_NOTE = 5_000
MAX_CLAIM = 300


@locking.writes
def add_criterion(*, judge: Judge, name: str) -> Criterion:
    """4.2.1: Add a judge's own criterion; a retired one with that name comes back. Raises Refused beyond 12."""
    if judge.role != Role.BATTLE:
        raise Refused(gettext("Only battle judges can have criteria for battles."), "1.3")
    name = checked_text(name.strip(), what="criterion", most=MAX_NAME, cites="4.2.1", field="name")
    criterion = Criterion.objects.filter(judge=judge, name=name).first()
    used = Criterion.objects.filter(judge=judge, retired=False).count()
    if used >= MAX_CRITERIA and (criterion is None or criterion.retired):
        raise Refused(
            gettext("You already have %(most)s criteria. Retire one first.") % {"most": MAX_CRITERIA},
            "4.2.1",
            "name",
        )
    criterion = criterion or Criterion(judge=judge, name=name)
    criterion.retired = False
    criterion.save()
    return criterion


def retire_criterion(*, judge: Judge, criterion_id: int) -> None:
    """4.2.1: Retire the criterion; its notes stay."""
    Criterion.objects.filter(judge=judge, pk=criterion_id).update(retired=True)


@locking.writes
def keep_notes(*, battle: Battle, judge: Judge, notes: Mapping[int, str], now: datetime) -> None:
    """4.2.1: Store the judge's notes by the criteria's keys; empty ones are deleted.

    Notes can't change once the result is published.
    """
    note_texts = Note.objects.filter(battle=battle, criterion=OuterRef("pk")).values("text")
    criteria = Criterion.objects.filter(judge=judge, pk__in=notes).annotate(noted=Subquery(note_texts))
    by_key = {criterion.pk: criterion for criterion in criteria}
    changed = {key: text for key, text in notes.items() if key in by_key and text != (by_key[key].noted or "")}
    if not changed:
        return
    check_judge(battle, judge)
    for key, text in changed.items():
        if len(text) > MAX_NOTE:
            long = gettext("The note on %(name)s has %(number)s characters; the limit is %(most)s.") % {
                "name": by_key[key].name,
                "number": grouped(len(text)),
                "most": grouped(MAX_NOTE),
            }
            raise Refused(long, "4.2.1", f"note_{key}")
        check_storable(text, what="note", cites="4.2.1", field=f"note_{key}")
    if held_battle(battle.pk).state == Battle.State.PUBLISHED:
        raise Refused(gettext("The result is published, so its notes can't change."), "4.2.1")
    rows = [Note(battle=battle, criterion=by_key[key], text=text, saved_at=now) for key, text in changed.items()]
    unique, columns = ["battle", "criterion"], ["text", "saved_at"]
    Note.objects.bulk_create(rows, update_conflicts=True, unique_fields=unique, update_fields=columns)


@locking.writes
def show_notes(*, battle: Battle, judge: Judge, shown: bool, now: datetime) -> None:
    """4.2.1: Show the judge's own notes on a published battle to everybody, or hide them again."""
    battle = held_battle(battle.pk)
    check_judge(battle, judge)
    if battle.state != Battle.State.PUBLISHED:
        raise Refused(gettext("Notes are shown with the result, so publish the result first."), "4.2.1")
    notes = Note.objects.filter(battle=battle, criterion__judge=judge)
    if notes.exclude(shown=shown).update(shown=shown):
        record_act(battle, judge, "battle.notes_shown" if shown else "battle.notes_hidden", now)


@locking.writes
def judge_claim(*, strat: Strat, judge: Judge, claim: str, verdict: str, cites: str, note: str, now: datetime) -> Claim:
    """4.1.2, 2.2.3: Store the judge's verdict on a claim; the strat's author reads it with the result.

    Raises Refused for a rule or ruling that does not exist, and once the result is published.
    """
    battle = held_battle(strat.entry.battle_id)
    check_judge(battle, judge)
    _check_unpublished(battle)
    claim = checked_text(claim.strip(), what="claim", most=MAX_CLAIM, cites="4.1.2", field="claim")
    if verdict not in Claim.Verdict.values:
        raise Refused(gettext("A claim must be accepted, limited or refused."), "4.1.2")
    cites = cites.strip().removeprefix("§").strip().upper()
    if cites not in titles():
        unknown = gettext("The rulebook has no rule “%(cites)s”. Enter one like 4.2.1 or R36.") % {"cites": cites[:20]}
        raise Refused(unknown, "4.1.2", "cites")
    if len(note) > MAX_NOTE:
        raise Refused(
            gettext("The note has %(number)s characters; the limit is %(most)s.")
            % {"number": grouped(len(note)), "most": grouped(MAX_NOTE)},
            "4.1.2",
            "note",
        )
    check_storable(note, what="note", cites="4.1.2", field="note")
    defaults = {"verdict": verdict, "cites": cites, "note": note.strip(), "made_at": now}
    row, _ = Claim.objects.update_or_create(strat=strat, claim=claim, judge=judge, defaults=defaults)
    record_act(battle, judge, "battle.strat_judged", now)
    return row


@locking.writes
def withdraw_claim(*, battle: Battle, judge: Judge, claim_id: int, now: datetime) -> None:
    """4.1.2: Withdraw the judge's verdict on a claim, while nobody else has read it."""
    battle = held_battle(battle.pk)
    check_judge(battle, judge)
    _check_unpublished(battle)
    count, _ = Claim.objects.filter(pk=claim_id, judge=judge, strat__entry__battle=battle).delete()
    if count:
        record_act(battle, judge, "battle.strat_judged", now)


def _check_unpublished(battle: Battle) -> None:
    if battle.state == Battle.State.PUBLISHED:
        raise Refused(gettext("The result is published, so the verdicts on its claims can't change."), "4.1.2")


MAX_REASON = 1_000
CITES = {Risk.KILL: "4.3.2", Risk.CAPTURE: "4.5"}


@locking.writes
def rule_on_risk(*, strat: Strat, judge: Judge, target: str, cites: str, reason: str, now: datetime) -> RiskRuling:
    """4.3.2, 4.5, 1.3: Rule that the kill or the capture that a strat asks for is aimed at `target`, an enemy of the
    battle, or, if `target` is empty, void. The last ruling counts; rule and reason are public with the result.

    Raises Refused for anybody but a battle judge of the round (1.3), if the dice are rolled (R38), if the strat does
    not count (R35) or asks for neither, or if that enemy can't be taken.
    """
    battle = held_battle(strat.entry.battle_id)
    _check_open(battle, judge, now)
    strat = _counting(battle, strat)
    target = _checked_target(battle, strat, target) if target else ""
    cites = cites.strip().removeprefix("§").strip().upper()
    if cites not in titles():
        raise Refused(
            gettext("The rulebook has no rule “%(cites)s”. Enter one like 4.2.1 or R36.") % {"cites": cites[:20]},
            "1.3",
            "cites",
        )
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    before = RiskRuling.objects.filter(strat=strat).select_related("judge").first()
    fields = {"judge": judge, "target": target, "is_void": not target, "cites": cites, "reason": reason, "made_at": now}
    fields["overruled"] = _overruled(before, judge)
    ruling, _ = RiskRuling.objects.update_or_create(strat=strat, defaults=fields)
    record_act(battle, judge, "battle.strat_judged", now)
    return ruling


@locking.writes
def withdraw_risk_ruling(*, battle: Battle, judge: Judge, ruling_id: int, now: datetime) -> None:
    """1.3: Restore the request as its strat has it. Raises Refused once the dice are rolled."""
    battle = held_battle(battle.pk)
    _check_open(battle, judge, now)
    ruling = RiskRuling.objects.filter(pk=ruling_id, strat__entry__battle=battle).select_related("judge").first()
    if ruling is not None:
        _check_not_bound(ruling, judge)
        ruling.delete()
        record_act(battle, judge, "battle.strat_judged", now)


def _overruled(before: RiskRuling | None, judge: Judge) -> list[OverruledRiskRuling]:
    """1.3: The earlier rulings of other judges. Raises Refused for an assistant after their head."""
    if before is None:
        return []
    _check_not_bound(before, judge)
    if before.judge.user_id == judge.user_id:
        return list(before.overruled)
    former: OverruledRiskRuling = {
        "judge": before.judge.name,
        "target": before.target,
        "cites": before.cites,
        "reason": before.reason,
        "made_at": before.made_at.isoformat(),
    }
    return [*before.overruled, former]


def _check_not_bound(ruling: RiskRuling, judge: Judge) -> None:
    if is_bound_by(judge, ruling.judge):
        raise Refused(
            gettext("%(name)s has already ruled on this request. As an assistant, you can't overrule that.")
            % {"name": ruling.judge.name},
            "1.3",
        )


def _check_open(battle: Battle, judge: Judge, now: datetime) -> None:
    check_judge(battle, judge)
    if battle.state not in (Battle.State.WAITING, Battle.State.SCORED):
        raise Refused(
            gettext("The dice for this battle have been rolled, so you can't change anything they decided."), "R38"
        )
    check_unmixed(battle, Score.objects.filter(battle=battle).first(), now)


def _counting(battle: Battle, strat: Strat) -> Strat:
    """R35: the strat, if it is the one that counts and asks for a kill or a capture."""
    counting = next((one for one in counting_strats(battle).values() if one.pk == strat.pk), None)
    if counting is None:
        raise Refused(gettext("This strat no longer counts. Look at the one that does."), "R35", "strat")
    if not counting.risk:
        raise Refused(gettext("This strat doesn't ask for a kill or capture."), "R35", "strat")
    return counting


def _checked_target(battle: Battle, strat: Strat, target: str) -> str:
    """4.3.2, 4.5: an enemy in the battle that can be killed or captured by the strat's army."""
    position, risk = position_of(battle.turn), Risk(strat.risk)
    army_name = strat.entry.name
    enemies = next(side for side in rules_battle(battle).sides if army_name not in side)
    if target not in enemies:
        names = listed(enemies)
        raise Refused(
            gettext("In this battle, %(own)s can only target an enemy, not %(target)s. You can name %(shown)s.")
            % {"target": target[:40], "own": army_name, "shown": names},
            CITES[risk],
            "ruling",
        )
    if len(enemies) == 1:
        raise Refused(
            gettext("There is only one enemy here for %(own)s, so you can't choose.") % {"own": army_name},
            CITES[risk],
            "ruling",
        )
    army, foe = position.by_name[army_name], position.by_name[target]
    if not may_be_taken(army, risk, foe):
        why = why_no_risk(army, risk, [foe]) or NoRisk.NOT_ANEW
        raise Refused(
            gettext("%(own)s can't attempt to %(risk)s %(target)s. %(sentence)s")
            % {"own": army_name, "risk": risk, "target": target, "sentence": why.sentence},
            why.cites,
            "ruling",
        )
    return target
