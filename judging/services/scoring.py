"""4.2, R36 to R38: the battle judge's score, and the result that the dice make of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from judging.models import Battle, Notice, Result, Score, Strat
from judging.selectors.rounds import position_of
from judging.selectors.strats import all_sent, counting_strats
from judging.services.errors import Refused
from judging.services.log import record
from judging.services.strats import held_battle
from judging.services.texts import check_storable, utc
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules import clock
from wargame.rules import position as rules
from wargame.rules.battle import BattleSide, Fighter, fight, outcome_to_json
from wargame.rules.board import read_square
from wargame.rules.dice import battle_dice
from wargame.rules.formulas import DEFAULT, MOST_BONUS
from wargame.rules.risks import Risk
from wargame.rules.sides import Side

MAX_NARRATIVE = 50_000

Strats = dict[str, Strat]


@transaction.atomic
def lock_score(*, battle: Battle, judge: Judge, favours: int | None, bonus: int, now: datetime) -> Score:
    """4.2.1, R38: locks the bonus of 0 to 10 to one side (0 or 1; None: neither) before anything is rolled.

    The same score again is the same score. Refused if it is no battle judge's of the round (1.3), another score
    is locked (R38), strats may still come (4.1.1), it is not 0 to 10 (4.2.1), or a side sent no strat (R36).
    """
    battle = held_battle(battle.pk)
    _check_judge(battle, judge)
    favours = _checked_bonus(favours, bonus)
    before = Score.objects.filter(battle=battle).select_related("judge").first()
    if before and (before.favours, before.bonus) == (favours, bonus):
        return before
    if before:
        raise Refused(f"{before.judge.name} locked a score at {utc(before.locked_at)}; it can't be changed.", "R38")
    _check_due(battle, now)
    stratless = _stratless(battle, counting_strats(battle))
    if bonus and stratless:
        names = " and ".join(name for side in sorted(stratless) for name in _battle(battle).sides[side])
        raise Refused(f"{names} sent no strat: the strategy bonus is set by the rules. Score 0.", "R36")
    score = Score.objects.create(battle=battle, judge=judge, favours=favours, bonus=bonus, locked_at=now)
    Battle.objects.filter(pk=battle.pk).update(state=Battle.State.SCORED)
    _record(battle, judge, "battle.scored", now)
    return score


@transaction.atomic
def publish_result(*, battle: Battle, judge: Judge, narrative: str, now: datetime) -> Result:
    """4.2.5, R38: rolls the dice of the committed seed, and publishes winner, rolls and losses.

    The same judge's second request gets the first result. Refused if it is no battle judge's of the round
    (1.3), strats may still come (4.1.1), there is no score (R38), or another judge published the result.
    """
    battle = held_battle(battle.pk)
    _check_judge(battle, judge)
    narrative = _checked_narrative(narrative)
    before = Result.objects.filter(battle=battle).select_related("judge").first()
    if before and before.judge_id == judge.pk:
        return before
    if before:
        raise Refused(f"{before.judge.name} published this result at {utc(before.published_at)}.", "4.2.5")
    _check_due(battle, now)
    score = Score.objects.filter(battle=battle).first()
    if score is None:
        raise Refused("This battle has no score yet; lock one before the dice are rolled.", "R38")
    outcome = _fought(battle, score)
    result = Result.objects.create(
        battle=battle,
        judge=judge,
        winner=outcome["winner"],
        outcome=outcome,
        narrative=narrative,
        published_at=now,
    )
    Battle.objects.filter(pk=battle.pk).update(state=Battle.State.PUBLISHED)
    _announce(battle, outcome["winner"], now)
    _record(battle, judge, "battle.published", now, winner=outcome["winner"])
    return result


def _check_judge(battle: Battle, judge: Judge) -> None:
    if judge.role != Role.BATTLE or judge.round_id != battle.turn.round_id:
        raise Refused("Only a battle judge of this round scores its battles.", "1.3")


def _checked_bonus(favours: int | None, bonus: int) -> int | None:
    """4.2.1: the side that the bonus goes to; none where there is nothing to give."""
    if not 0 <= bonus <= MOST_BONUS or favours not in (0, 1, None):
        raise Refused(f"The strategy bonus is 0 to {MOST_BONUS}, to one side.", "4.2.1")
    if bonus and favours is None:
        raise Refused("Say which side gets the strategy bonus.", "4.2.1")
    return favours if bonus else None


def _checked_narrative(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_NARRATIVE:
        raise Refused(f"The narrative has {len(text):,} characters; it may have at most {MAX_NARRATIVE:,}.", "4.2.5")
    check_storable(text, what="narrative", cites="4.2.5")
    return text


def _check_due(battle: Battle, now: datetime) -> None:
    """4.1.1: a battle is determined after its deadline, or when both sides' controllers have sent their strats."""
    if clock.is_in_time(now, battle.deadline) and not all_sent(battle):
        raise Refused(
            f"Strats are accepted until {utc(battle.deadline)}, and not all of them are here yet. This battle can "
            "be judged when they are, or after the deadline.",
            "4.1.1",
        )


def _battle(battle: Battle) -> rules.Battle:
    """The battle as the rules know it."""
    square = read_square(battle.at)
    return next(b for b in position_of(battle.turn).battles if b.at == square)


def _stratless(battle: Battle, strats: Strats) -> set[int]:
    """4.2.1, R49: the sides of which no army sent a strat; mercenaries are never stratless."""
    position, sides = position_of(battle.turn), _battle(battle).sides
    return {
        index
        for index, names in enumerate(sides)
        if position.by_name[names[0]].side is not Side.MERCENARY and not strats.keys() & set(names)
    }


def _fought(battle: Battle, score: Score) -> dict[str, Any]:
    """4.2: the outcome as JSON, with the hashes of the strats that were mixed into the dice, and who leaves (4.4)."""
    strats = counting_strats(battle)
    drawn = _battle(battle)
    sides = _side(battle, 0, strats, score), _side(battle, 1, strats, score)
    hashes = {name: strat.sha256 for name, strat in sorted(strats.items())}
    turn = battle.turn
    seed = bytes.fromhex(battle.seed)
    dice = battle_dice(seed, turn.round.slug, turn.number, battle.number, list(hashes.values()))
    outcome = outcome_to_json(fight(sides, drawn.defends, DEFAULT, dice))
    leaves, leaves_to = _leaving(drawn.sides[outcome["winner"]], strats)
    return {**outcome, "strats": hashes, "leaves": leaves, "leaves_to": leaves_to}


def _side(battle: Battle, index: int, strats: Strats, score: Score) -> BattleSide:
    position = position_of(battle.turn)
    fighters = tuple(_fighter(position.by_name[name], strats.get(name)) for name in _battle(battle).sides[index])
    return BattleSide(fighters, score.bonus if score.favours == index else 0)


def _fighter(army: rules.Army, strat: Strat | None) -> Fighter:
    if strat is None:
        return Fighter(army, has_strat=False)
    return Fighter(army, has_strat=True, risk=Risk(strat.risk) if strat.risk else None, runs=strat.runs)


def _leaving(winners: tuple[str, ...], strats: Strats) -> tuple[str, str]:
    """4.4: the army of a winning pair that leaves, and where to; of two strats that differ, the first by name."""
    wishes = [strats[name] for name in winners if name in strats and strats[name].leaves]
    return (wishes[0].leaves, wishes[0].leaves_to) if wishes and len(winners) > 1 else ("", "")


def _announce(battle: Battle, winner: int, now: datetime) -> None:
    """3.1: the result in the Battle Results thread."""
    sides = _battle(battle).sides
    won, lost = " and ".join(sides[winner]), " and ".join(sides[1 - winner])
    Notice.objects.create(
        turn=battle.turn,
        thread=Notice.Thread.RESULTS,
        kind="result",
        at=now,
        text=f"{battle.at}: {won} beat {lost}." if len(sides[winner]) > 1 else f"{battle.at}: {won} beats {lost}.",
        data={"battle": battle.pk, "number": battle.number, "winner": winner},
    )


def _record(battle: Battle, judge: Judge, action: str, now: datetime, **more: Any) -> None:
    """1.3: who did it; the score itself stays out of the log."""
    turn = battle.turn
    record(turn.round, judge.user, action, {"turn": turn.number, "battle": battle.number, **more}, now)
