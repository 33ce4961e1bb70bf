"""1.3: the head overrules his assistants: a score, more time, a late strat, an admission. What was stays on record.

Rulings are overruled where they are withdrawn (`services.rulings`), and what strats ask for where it is ruled on
(`services.risks`): the last ruling counts.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from judging.battles.desk.acts import check_judge, check_unjudged, record_act
from judging.battles.desk.scoring import check_rules_leave_it, checked_bonus
from judging.battles.models import Battle, BattleArmy, Opinion, Score, Strat
from judging.battles.strats.writes import held_battle
from judging.command.control.writes import hold_list, tell_list
from judging.command.desk import overrulable
from judging.command.models import Admission
from judging.command.people.joining import part_with
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.game.models import LogEntry
from judging.game.seniority import is_supreme, overrules
from judging.game.texts import checked_text, utc
from wargame.models import Army, Judge, Player
from wargame.rules.core import clock
from wargame.rules.core.sides import Side

MAX_REASON = 1_000


@transaction.atomic
def overrule_score(
    *, battle: Battle, judge: Judge, favours: int | None, bonus: int, reason: str, now: datetime
) -> Score:
    """1.3, 4.2.1: the head battle judge puts his score in the place of his assistants', before the dice are rolled.

    The former one is public with the result, and the reason. Refused for anybody else, for a score of his own (R38),
    once the dice are rolled, and for one that is locked so already.
    """
    battle = held_battle(battle.pk)
    check_judge(battle, judge)
    _check_head(judge, "a score")
    favours = checked_bonus(favours, bonus)
    score = Score.objects.select_related("judge").filter(battle=battle).first()
    if score is None:
        raise Refused("No score of this battle is locked; lock your own.", "4.2.1")
    if battle.state != Battle.State.SCORED:
        raise Refused("The dice of this battle are rolled, so its score stays as it is.", "R38")
    if score.judge_id == judge.pk or Opinion.objects.filter(battle=battle, judge=judge).exists():
        raise Refused(f"You scored this battle yourself, at {utc(score.locked_at)}; that can't be changed.", "R38")
    if (score.favours, score.bonus) == (favours, bonus):
        raise Refused("This score is locked already; there is nothing to overrule.", "4.2.1", "bonus")
    check_rules_leave_it(battle, bonus)
    reason = _checked_reason(reason)
    former = {"judge": score.judge.name, "favours": score.favours, "bonus": score.bonus, "how": score.how}
    former |= {"locked_at": score.locked_at.isoformat(), "by": judge.name, "at": now.isoformat(), "reason": reason}
    score.overruled = [*score.overruled, former]
    score.judge, score.favours, score.bonus, score.how, score.locked_at = judge, favours, bonus, Score.How.OVER, now
    score.save()
    record_act(battle, judge, "battle.score_overruled", now)
    return score


@transaction.atomic
def overrule_extension(
    *, battle: Battle, judge: Judge, reason: str, now: datetime, army: Army | None = None
) -> datetime:
    """1.3, R5: the deadline is again what it was before the last extension, for everybody or for that army; which.

    For the head of the role of who extended it, and the head battle judge. Refused for one's own extension, if the time
    before it has passed, and once a score is locked.
    """
    battle = held_battle(battle.pk)
    reason = _checked_reason(reason)
    check_unjudged(battle)
    entry = _last_extension(battle, army)
    extender = _extender(entry, battle)
    if judge.user_id == extender.user_id or not overrules(judge, extender):
        raise Refused(f"Only the head of {extender.name}, or the head battle judge, overrules this.", "1.3")
    before = datetime.fromisoformat(entry.data["before"])
    if not clock.is_in_time(now, before):
        raise Refused(f"The deadline was {utc(before)} before, and that has passed: nobody could keep it.", "R5")
    if army is None:
        Battle.objects.filter(pk=battle.pk).update(deadline=before)
    else:
        own = None if before == battle.deadline else before
        BattleArmy.objects.filter(battle=battle, army=army).update(deadline=own)
    told = {"army": entry.data["army"], "of": extender.name, "until": before.isoformat(), "reason": reason}
    record_act(battle, judge, "battle.extension_overruled", now, seat=judge.role, **told)
    return before


@transaction.atomic
def overrule_late(*, strat: Strat, judge: Judge, reason: str, now: datetime) -> Strat:
    """1.3, R35: a late strat that an assistant accepted does not count. Refused once a score is locked."""
    battle = held_battle(strat.entry.battle_id)
    check_judge(battle, judge)
    _check_head(judge, "an accepted strat")
    strat = Strat.objects.select_for_update(of=("self",)).select_related("entry", "accepted_by").get(pk=strat.pk)
    accepted_by = strat.accepted_by
    if accepted_by is None:
        raise Refused("This strat was not accepted late.", "R35")
    if accepted_by.user_id == judge.user_id:
        raise Refused("You accepted this strat yourself.", "R35")
    reason = _checked_reason(reason)
    check_unjudged(battle)
    strat.accepted_by, strat.accepted_at, strat.accepted_because = None, None, ""
    strat.save(update_fields=["accepted_by", "accepted_at", "accepted_because"])
    told = {"army": strat.entry.name, "of": accepted_by.name, "reason": reason, "seat": judge.role}
    record_act(battle, judge, "strat.overruled", now, **told)
    return strat


@transaction.atomic
def overrule_admission(*, player: Player, judge: Judge | None, reason: str, now: datetime) -> Player:
    """1.1, 1.3: whom an assistant battle judge took into a team is not one of it after all: he plays no more, and may
    ask again. What he did stays. Refused for who was taken in by his leaders, or by the head himself."""
    if judge is None or judge.round_id != player.round_id:
        raise Refused("Only the head battle judge overrules an admission.", "1.3")
    _check_head(judge, "an admission")
    reason = _checked_reason(reason)
    round_, side = player.round, Side(player.side)
    hold_list(round_, now)
    held = Player.objects.select_for_update(of=("self",)).select_related("round").get(pk=player.pk)
    found = overrulable(held, judge) if held.left_at is None else None
    if found is None:
        raise Refused(f"{held.name} was not taken in by an assistant; his team decides about him.", "1.1")
    of = found.decided_by
    names = part_with(held, by=f"{judge.name}, battle judge", reason=reason, now=now)
    found.state, found.decided_by, found.decided_at, found.reason = Admission.State.REFUSED, judge.name, now, reason
    found.save(update_fields=["state", "decided_by", "decided_at", "reason"])
    data: dict[str, object] = {"player": held.name, "side": side.value, "of": of, "armies": names, "reason": reason}
    record(round_, judge.user, "player.overruled", data, now)
    tell_list(round_, "left", {**data, "by": judge.name}, now)
    return held


def _check_head(judge: Judge, what: str) -> None:
    if not is_supreme(judge):
        raise Refused(f"Only the head battle judge overrules {what}.", "1.3")


def _last_extension(battle: Battle, army: Army | None) -> LogEntry:
    """R5: the extension that gave the present deadline. Refused if there is none, or it was overruled already."""
    turn, name = battle.turn, army.name if army else None
    both = ("battle.extended", "battle.extension_overruled")
    rows = LogEntry.objects.filter(
        round=turn.round, action__in=both, data__turn=turn.number, data__battle=battle.number
    ).order_by("pk")
    last = next((row for row in reversed(rows) if row.data["army"] == name), None)
    if last is None or last.action != "battle.extended":
        raise Refused(f"The deadline of {name or 'this battle'} was not moved.", "R5", "army")
    return last


def _extender(entry: LogEntry, battle: Battle) -> Judge:
    return Judge.everybody.get(round=battle.turn.round_id, user=entry.actor_id, role=entry.data["seat"])


def _checked_reason(reason: str) -> str:
    return checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
