"""4.3, 4.5, 1.3: a judge voids a kill or a capture, or says at whom it is aimed, before the dice are rolled.

Apart from `acts`, because these are writers, which hold rows and leave entries, and the acts are forms that call them.
"""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext

from judging.battles.checks import check_judge, held_battle, record_act
from judging.battles.mixing import check_unmixed
from judging.battles.models import Battle, RiskRuling, Score, Strat
from judging.battles.resolution import rules_battle
from judging.battles.stored import OverruledRiskRuling
from judging.battles.strats.reads import counting_strats
from judging.game import locking
from judging.game.errors import Refused
from judging.game.judges import is_bound_by
from judging.game.positions import position_of
from judging.game.rulebook import titles
from judging.game.texts import checked_text
from wargame.models import Judge
from wargame.rules.battle.kills_and_captures import may_be_taken
from wargame.rules.book.risked_troops import NoRisk, Risk, why_no_risk
from wargame.rules.core.wording import listed

MAX_REASON = 1_000
CITES = {Risk.KILL: "4.3.2", Risk.CAPTURE: "4.5"}


@locking.writes
def rule_on_risk(*, strat: Strat, judge: Judge, target: str, cites: str, reason: str, now: datetime) -> RiskRuling:
    """4.3.2, 4.5, 1.3: the kill or the capture that a strat asks for is aimed at `target`, an enemy of the battle, or,
    where `target` is empty, void. The last ruling counts; rule and reason are public with the result.

    Refused if it is no battle judge's of the round (1.3), the dice are rolled (R38), the strat does not count (R35) or
    asks for neither, or that enemy can't be taken.
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
    given = {"judge": judge, "target": target, "is_void": not target, "cites": cites, "reason": reason, "made_at": now}
    given["overruled"] = _overruled(before, judge)
    ruling, _ = RiskRuling.objects.update_or_create(strat=strat, defaults=given)
    record_act(battle, judge, "battle.strat_judged", now)
    return ruling


@locking.writes
def withdraw_risk_ruling(*, battle: Battle, judge: Judge, ruling_id: int, now: datetime) -> None:
    """1.3: the request stands again as its strat has it. Refused once the dice are rolled."""
    battle = held_battle(battle.pk)
    _check_open(battle, judge, now)
    ruling = RiskRuling.objects.filter(pk=ruling_id, strat__entry__battle=battle).select_related("judge").first()
    if ruling is not None:
        _check_not_bound(ruling, judge)
        ruling.delete()
        record_act(battle, judge, "battle.strat_judged", now)


def _overruled(before: RiskRuling | None, judge: Judge) -> list[OverruledRiskRuling]:
    """1.3: the rulings of other judges that came before. Refused for an assistant after his head."""
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
    own = strat.entry.name
    enemies = next(side for side in rules_battle(battle).sides if own not in side)
    if target not in enemies:
        shown = listed(enemies)
        raise Refused(
            gettext("In this battle, %(own)s can only target an enemy, not %(target)s. You can name %(shown)s.")
            % {"target": target[:40], "own": own, "shown": shown},
            CITES[risk],
            "ruling",
        )
    if len(enemies) == 1:
        raise Refused(
            gettext("There is only one enemy of %(own)s here, so you can't choose.") % {"own": own},
            CITES[risk],
            "ruling",
        )
    army, foe = position.by_name[own], position.by_name[target]
    if not may_be_taken(army, risk, foe):
        why = why_no_risk(army, risk, [foe]) or NoRisk.NOT_ANEW
        raise Refused(
            gettext("%(own)s can't attempt to %(risk)s %(target)s. %(sentence)s")
            % {"own": own, "risk": risk, "target": target, "sentence": why.sentence},
            why.cites,
            "ruling",
        )
    return target
