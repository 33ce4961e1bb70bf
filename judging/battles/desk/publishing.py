"""4.2.5, R38: a battle's result is published."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from judging.battles.desk.acts import check_due, check_judge, record_act
from judging.battles.desk.rolling import roll
from judging.battles.fights import drawn_up, odds_of
from judging.battles.models import Battle, Proposal, Result, Score
from judging.battles.strats.writes import held_battle
from judging.game.errors import Refused
from judging.game.texts import check_storable, utc
from judging.notices.models import Notice
from wargame.models import Judge
from wargame.rules.core import clock

MAX_NARRATIVE = 50_000


@transaction.atomic
def publish_result(*, battle: Battle, judge: Judge, narrative: str, now: datetime) -> Result:
    """4.2.5, R38: publishes winner, rolls and losses as they were rolled; rolls first where nobody has yet.

    The same judge's second request gets the first result. Refused if it is no battle judge's of the round
    (1.3), strats may still come or the round's results wait for the lock (4.1.1), there is no score (R38), or
    another judge published the result.
    """
    battle = held_battle(battle.pk)
    check_judge(battle, judge)
    narrative = _checked_narrative(narrative)
    before = Result.objects.filter(battle=battle).select_related("judge").first()
    if before and before.judge_id == judge.pk:
        return before
    if before:
        raise Refused(f"{before.judge.name} published this result at {utc(before.published_at)}.", "4.2.5")
    check_due(battle, now)
    check_publishing_time(battle, now)
    result = _publish(battle, roll(battle=battle, judge=judge, now=now), judge, narrative, now)
    _announce(battle, result, now)
    record_act(battle, judge, "battle.published", now, winner=result.winner)
    return result


def check_publishing_time(battle: Battle, now: datetime) -> None:
    """4.1.1: where the round's results wait for the lock."""
    turn = battle.turn
    if turn.round.results_after_lock and clock.is_in_time(now, turn.lock_at):
        raise Refused(
            f"In this round results are published after the lock only, from {utc(clock.closes(turn.lock_at))} on.",
            "4.1.1",
        )


def _publish(battle: Battle, proposal: Proposal, judge: Judge, narrative: str, now: datetime) -> Result:
    score = Score.objects.get(battle=battle)
    result = Result.objects.create(
        battle=battle,
        judge=judge,
        winner=proposal.outcome["winner"],
        outcome=proposal.outcome,
        odds=odds_of(battle, score.favours, score.bonus).wins,
        narrative=narrative,
        published_at=now,
    )
    Battle.objects.filter(pk=battle.pk).update(state=Battle.State.PUBLISHED)
    return result


def _checked_narrative(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_NARRATIVE:
        raise Refused(f"The narrative has {len(text):,} characters; it may have at most {MAX_NARRATIVE:,}.", "4.2.5")
    check_storable(text, what="narrative", cites="4.2.5")
    return text


def _announce(battle: Battle, result: Result, now: datetime) -> None:
    """3.1: the result in the Battle Results thread."""
    taken = [each for each in result.outcome["attempts"] if each["succeeded"]]
    told = {
        "at": battle.at,
        "sides": drawn_up(battle).sides,
        "taken": [{key: each[key] for key in ("army", "risk", "target")} for each in taken],
    }
    Notice.objects.create(
        turn=battle.turn,
        thread=Notice.Thread.RESULTS,
        kind="result",
        at=now,
        data={"battle": battle.pk, "number": battle.number, "winner": result.winner, **told},
    )
