"""4.2.1, R36, R38: a battle's score: by one judge, by two who do not see each other's, or by the head over them."""

from __future__ import annotations

from datetime import datetime

from judging.battles.checks import battle_to_judge, check_due, check_judge, check_supreme, held_battle, record_act
from judging.battles.models import Battle, Opinion, Score, Strat
from judging.battles.resolution import rules_battle
from judging.battles.stored import OverruledScore
from judging.game import locking
from judging.game.errors import Refused
from judging.game.texts import checked_text, utc
from judging.turns.positions import position_of
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules.book.formulas import MOST_BONUS
from wargame.rules.core.sides import Side

Strats = dict[str, Strat]
MAX_REASON = 1_000


@locking.writes
def lock_score(*, battle: Battle, judge: Judge, favours: int | None, bonus: int, now: datetime) -> Score:
    """4.2.1, R38: locks the bonus of 0 to 10 to one side (0 or 1; None: neither) before anything is rolled.

    The same score again is the same score. Refused if it is no battle judge's of the round (1.3), another score
    is locked (R38), strats may still come (4.1.1), it is not 0 to 10 (4.2.1), a side sent no strat (R36), or two
    judges score this battle and it is not for the head judge to decide.
    """
    battle, counting = battle_to_judge(battle.pk)
    check_judge(battle, judge)
    favours = checked_bonus(favours, bonus)
    # Before anything is checked that time changes: a second click gets the score of the first.
    before = Score.objects.filter(battle=battle).select_related("judge").first()
    if before and (before.favours, before.bonus) == (favours, bonus):
        return before
    if before:
        raise Refused(f"{before.judge.name} locked a score at {utc(before.locked_at)}; it can't be changed.", "R38")
    check_due(battle, counting, now)
    check_rules_leave_it(battle, counting, bonus)
    how = _how_one_judge_may_score(battle, counting, judge)
    return _store(battle, judge, favours, bonus, how, now)


@locking.writes
def name_second_judge(*, battle: Battle, judge: Judge, second: Judge | None, now: datetime) -> Battle:
    """4.2.1: asks another battle judge to score independently; None: nobody. Refused once a score is locked."""
    battle = held_battle(battle.pk)
    check_judge(battle, judge)
    if second is not None:
        if second.role != Role.BATTLE or second.round_id != judge.round_id:
            raise Refused("A second score comes from another battle judge of this round.", "1.3", "second")
        if second.pk == judge.pk:
            raise Refused("You can't be your own second judge.", "1.3", "second")
    if battle.second_judge_id == (second.pk if second else None):
        return battle
    if battle.state != Battle.State.WAITING or Opinion.objects.filter(battle=battle).exists():
        raise Refused("A score of this battle is locked already, so its judges stay as they are.", "R38")
    battle.second_judge = second
    battle.save(update_fields=["second_judge"])
    record_act(battle, judge, "battle.second_judge", now, second=second.name if second else None)
    return battle


@locking.writes
def lock_opinion(*, battle: Battle, judge: Judge, favours: int | None, bonus: int, now: datetime) -> Score | None:
    """4.2.1: locks one of two judges' scores. With the second they become the battle's score, if they differ by
    the round's threshold at most: their mean. Else the head judge decides with `lock_score`, and there is none yet.

    The same judge's same score again changes nothing. Refused as `lock_score`, and for a third judge.
    """
    # Two judges may lock in the same moment. The battle is held, so the second of them finds the first one's opinion,
    # and it is his request that makes the mean.
    battle, counting = battle_to_judge(battle.pk)
    check_judge(battle, judge)
    favours = checked_bonus(favours, bonus)
    own = Opinion.objects.filter(battle=battle, judge=judge).first()
    if own and (own.favours, own.bonus) != (favours, bonus):
        raise Refused(f"You locked your score at {utc(own.locked_at)}; it can't be changed.", "R38")
    if own is None:
        check_due(battle, counting, now)
        check_rules_leave_it(battle, counting, bonus)
        _check_seat(battle, judge)
        Opinion.objects.create(battle=battle, judge=judge, favours=favours, bonus=bonus, locked_at=now)
        record_act(battle, judge, "battle.opinion", now)
    return Score.objects.filter(battle=battle).first() or _mean(battle, now)


@locking.writes
def overrule_score(
    *, battle: Battle, judge: Judge, favours: int | None, bonus: int, reason: str, now: datetime
) -> Score:
    """1.3, 4.2.1: the head battle judge puts his score in the place of his assistants', before the dice are rolled.

    The former one is public with the result, and the reason. Refused for anybody else, for a score of his own (R38),
    once the dice are rolled, and for one that is locked so already.
    """
    battle, counting = battle_to_judge(battle.pk)
    check_judge(battle, judge)
    check_supreme(judge, "a score")
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
    check_rules_leave_it(battle, counting, bonus)
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    former: OverruledScore = {
        "judge": score.judge.name,
        "favours": score.favours,
        "bonus": score.bonus,
        "how": score.how,
        "locked_at": score.locked_at.isoformat(),
        "by": judge.name,
        "at": now.isoformat(),
        "reason": reason,
    }
    score.overruled = [*score.overruled, former]
    score.judge, score.favours, score.bonus, score.how, score.locked_at = judge, favours, bonus, Score.How.OVER, now
    score.save()
    record_act(battle, judge, "battle.score_overruled", now)
    return score


def difference(opinions: list[Opinion]) -> int:
    """4.2.1: by how much two scores differ: +3 to one side and +2 to the other are 5 apart."""
    first, second = map(_signed, opinions)
    return abs(first - second)


def _mean(battle: Battle, now: datetime) -> Score | None:
    """4.2.1: the mean of two scores that are near enough, rounded towards no bonus."""
    opinions = list(Opinion.objects.filter(battle=battle).select_related("judge").order_by("pk"))
    if len(opinions) < 2 or difference(opinions) > battle.turn.round.second_score_threshold:
        return None
    total = sum(map(_signed, opinions))
    bonus = abs(total) // 2
    favours = None if not bonus else int(total < 0)
    return _store(battle, opinions[0].judge, favours, bonus, Score.How.MEAN, now)


def _signed(opinion: Opinion) -> int:
    return -opinion.bonus if opinion.favours else opinion.bonus


def _store(battle: Battle, judge: Judge, favours: int | None, bonus: int, how: str, now: datetime) -> Score:
    score = Score.objects.create(battle=battle, judge=judge, favours=favours, bonus=bonus, how=how, locked_at=now)
    Battle.objects.filter(pk=battle.pk).update(state=Battle.State.SCORED)
    record_act(battle, judge, "battle.scored", now)
    return score


def _how_one_judge_may_score(battle: Battle, counting: Strats, judge: Judge) -> str:
    """4.2.1: alone where no second judge was asked; else the head judge, once both scores are locked."""
    if battle.second_judge_id is None or _stratless(battle, counting):
        return Score.How.ALONE
    if Opinion.objects.filter(battle=battle).count() < 2:
        raise Refused("Two judges score this battle; each locks a score of his own first.", "4.2.1")
    if not judge.is_head:
        raise Refused("The two scores are far apart, so the head judge sets the final one.", "1.3")
    return Score.How.HEAD


def _check_seat(battle: Battle, judge: Judge) -> None:
    """4.2.1: the second judge has one of two seats; the other is for whoever scores first."""
    if battle.second_judge_id is None:
        raise Refused("No second judge was asked to score this battle; lock its score alone.", "4.2.1")
    others = Opinion.objects.filter(battle=battle).exclude(judge=battle.second_judge_id).select_related("judge")
    taken = others.first()
    if judge.pk != battle.second_judge_id and taken:
        second = Judge.everybody.get(pk=battle.second_judge_id)
        raise Refused(f"{taken.judge.name} and {second.name} score this battle.", "4.2.1")


def checked_bonus(favours: int | None, bonus: int) -> int | None:
    """4.2.1: the side that the bonus goes to; none where there is nothing to give."""
    if not 0 <= bonus <= MOST_BONUS or favours not in (0, 1, None):
        raise Refused(f"The strategy bonus is 0 to {MOST_BONUS}, to one side.", "4.2.1", "bonus")
    if bonus and favours is None:
        raise Refused("Say which side gets the strategy bonus.", "4.2.1", "favours")
    return favours if bonus else None


def check_rules_leave_it(battle: Battle, counting: Strats, bonus: int) -> None:
    """R36: where a side sent no strat, the rules give the bonus."""
    stratless = _stratless(battle, counting)
    if bonus and stratless:
        names = " and ".join(name for side in sorted(stratless) for name in rules_battle(battle).sides[side])
        raise Refused(f"{names} sent no strat: the strategy bonus is set by the rules. Score 0.", "R36", "bonus")


def _stratless(battle: Battle, strats: Strats) -> set[int]:
    """4.2.1, R49: the sides of which no army sent a strat; mercenaries are never stratless."""
    position, sides = position_of(battle.turn), rules_battle(battle).sides
    return {
        index
        for index, names in enumerate(sides)
        if position.by_name[names[0]].side is not Side.MERCENARY and not strats.keys() & set(names)
    }
