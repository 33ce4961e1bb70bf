"""4.2: The steps from a score to a result, for the sheet's page and the API alike."""

from datetime import datetime
from typing import Any, cast

from judging.battles.desk.publishing import Narrative, keep_narrative, odds_so_far, publish_with
from judging.battles.desk.rolling import roll
from judging.battles.desk.scoring import Reasons, lock_opinion, lock_score
from judging.battles.desk.sheet import Sheet
from judging.battles.models import Proposal, Result, Score
from judging.common.errors import Refused
from wargame.models import Judge


def keep_written(sheet: Sheet, text: str, base_version: int, now: datetime) -> Narrative:
    """4.1.1: Store the narrative on top of the version that its writer has read; the same text again changes
    nothing. Raises Refused for a judge who has a conflict with the battle, or lost it (R56, R59)."""
    judge = cast(Judge, sheet.judge)
    if sheet.barred:
        raise Refused(sheet.barred, "R56")
    if sheet.narrative and text == sheet.narrative.text:
        return sheet.narrative
    return keep_narrative(battle=sheet.battle, judge=judge, text=text, base_version=base_version, now=now)


def lock_typed(
    sheet: Sheet, *, favours: int | None, bonus: int, reasons: Reasons, decision: str, now: datetime
) -> Score | None:
    """4.2.1, R55: Lock the battle's score, or the judge's own if two score it; None while the battle has no score."""
    fields: dict[str, Any] = {"battle": sheet.battle, "judge": sheet.judge, "favours": favours, "bonus": bonus}
    if sheet.bench and sheet.bench.is_of_two and not sheet.bench.is_to_decide:
        return lock_opinion(reasons=reasons, now=now, **fields)
    return lock_score(reasons=reasons, decision=decision, now=now, **fields)


def roll_once(sheet: Sheet, now: datetime) -> Proposal:
    """4.2.4: Roll the dice; if the rules give the bonus, the judge's is 0, locked first (R36)."""
    _score_by_the_rules(sheet, now)
    return roll(battle=sheet.battle, judge=cast(Judge, sheet.judge), now=now)


def publish(sheet: Sheet, narrative: str, now: datetime) -> Result:
    """4.2.5: Publish the result with a narrative. Its odds are computed from the data that the sheet has read."""
    score = sheet.score or _score_by_the_rules(sheet, now)
    is_due = score is not None and not (sheet.barred or sheet.is_published)
    odds = odds_so_far(sheet.battle, sheet.counting, cast(Score, score)) if is_due else None
    return publish_with(sheet.battle, cast(Judge, sheet.judge), narrative, odds, now)


def _score_by_the_rules(sheet: Sheet, now: datetime) -> Score | None:
    """R36: Lock the score by the rules, if there is none yet."""
    if sheet.score is not None or not (sheet.rules_score and sheet.may_publish):
        return None
    return lock_score(battle=sheet.battle, judge=cast(Judge, sheet.judge), favours=None, bonus=0, now=now)
