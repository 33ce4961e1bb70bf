"""4.2, R36 to R38: the battle judge's score, and the result that the dice make of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from judging.models import Battle, Notice, Result, Score, Strat
from judging.selectors.fights import drawn_up, outcome_of
from judging.selectors.rounds import position_of
from judging.selectors.strats import all_sent, counting_strats
from judging.services.errors import Refused
from judging.services.log import record
from judging.services.strats import held_battle
from judging.services.texts import check_storable, utc
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules import clock
from wargame.rules.formulas import MOST_BONUS
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
        names = " and ".join(name for side in sorted(stratless) for name in drawn_up(battle).sides[side])
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
    outcome = outcome_of(battle, score, counting_strats(battle))
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


def _stratless(battle: Battle, strats: Strats) -> set[int]:
    """4.2.1, R49: the sides of which no army sent a strat; mercenaries are never stratless."""
    position, sides = position_of(battle.turn), drawn_up(battle).sides
    return {
        index
        for index, names in enumerate(sides)
        if position.by_name[names[0]].side is not Side.MERCENARY and not strats.keys() & set(names)
    }


def _announce(battle: Battle, winner: int, now: datetime) -> None:
    """3.1: the result in the Battle Results thread."""
    sides = drawn_up(battle).sides
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
