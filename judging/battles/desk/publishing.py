"""4.1.1, 4.2.5, R38: The draft narrative of a battle, and the publishing of its result."""

from datetime import datetime
from typing import Any, NamedTuple

from django.db import IntegrityError
from django.db.models import Count, Exists, OuterRef
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.battles.assignments.models import OwnNarrative
from judging.battles.assignments.narratives import are_apart, keep_own
from judging.battles.checks import battle_to_judge, check_due, check_judge, record_act
from judging.battles.desk.rolling import rolled
from judging.battles.models import AdjustmentRequest, Battle, NarrativeDraft, Proposal, Result, Score, Strat
from judging.battles.outcome_schema import StoredOutcome
from judging.battles.resolution import odds_between, outcome_of, rules_battle, sides_of
from judging.battles.strats.queries import counting_strats
from judging.common import locking
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.texts import check_storable, utc
from wargame.models import Judge
from wargame.rules.battle.battle import BattleSide
from wargame.rules.core import clock
from wargame.rules.core.saying import grouped

MAX_NARRATIVE = 50_000

Narrative = NarrativeDraft | OwnNarrative
"""R55: The narrative of a battle: by all its judges together, or by one of two alone."""


@locking.writes
def keep_narrative(*, battle: Battle, judge: Judge, text: str, base_version: int, now: datetime) -> Narrative:
    """4.1.1: Store the text on top of version `base_version` (0: none yet); the same text again changes nothing.

    While two judges score the battle it is the judge's own, which the other does not read (R55). Raises Refused if it
    is too long, the battle is published, or another judge has saved since.
    """
    check_storable(text, what="narrative", cites="4.1.1", field="narrative")
    if len(text) > MAX_NARRATIVE:
        raise Refused(
            gettext("The story has %(number)s characters; the limit is %(most)s.")
            % {"number": grouped(len(text)), "most": grouped(MAX_NARRATIVE)},
            "4.1.1",
            "narrative",
        )
    present_battle = Battle.objects.annotate(scored=Count("opinions")).get(pk=battle.pk)
    if present_battle.state == Battle.State.PUBLISHED:
        raise Refused(gettext("The result is published, so its story can't change."), "4.1.1", "narrative")
    if are_apart(present_battle, present_battle.scored):
        return keep_own(battle=battle, judge=judge, text=text, base_version=base_version, now=now)
    present = NarrativeDraft.objects.filter(battle=battle).first()
    if present is not None and present.text == text:
        return present
    if (
        present is None
        and base_version
        and OwnNarrative.objects.filter(battle=battle, judge=judge, version=base_version).exists()
    ):
        base_version = 0  # he goes on with what he wrote apart
    if base_version == 0 and present is None:
        return _first_narrative(battle, judge, text, now)
    # The version is compared by the update itself, so that of two judges who save at once the second one is told, and
    # no row is held while somebody types.
    rows = NarrativeDraft.objects.filter(battle=battle, version=base_version)
    if not rows.update(text=text, judge=judge, saved_at=now, version=base_version + 1):
        raise _stale_narrative(battle)
    return NarrativeDraft.objects.get(battle=battle)


class OddsOfSides(NamedTuple):
    """R38: In how many of the trials each side won, and the sides, with score and rulings, that were tried."""

    sides: tuple[BattleSide, BattleSide]
    wins: tuple[int, int]


def publish_result(*, battle: Battle, judge: Judge, narrative: str, now: datetime) -> Result:
    """4.2.5, R38: Publish winner, rolls and losses as they were rolled; roll first if nobody has yet.

    The same judge's second request gets the first result, if it has the same story. Raises Refused for anybody but a
    battle judge of the round (1.3), if strats may still come or the round's results wait for the lock (4.1.1), if there
    is no score (R38), or if another judge published the result, or this one with another story.
    """
    check_judge(battle, judge)
    score = Score.objects.filter(battle=battle).exclude(battle__state=Battle.State.PUBLISHED).first()
    odds = odds_so_far(battle, counting_strats(battle), score) if score else None
    return publish_with(battle, judge, narrative, odds, now)


@locking.writes
def publish_with(battle: Battle, judge: Judge, narrative: str, odds: OddsOfSides | None, now: datetime) -> Result:
    """4.2.5, R38: `publish_result` with `odds_so_far`; if they are None or something has changed since, they are
    computed while the battle is locked."""
    battle, counting = battle_to_judge(battle.pk)
    check_judge(battle, judge)
    narrative = _checked_narrative(narrative)
    current = _standing(battle)
    before: Result | None = getattr(current, "result", None)
    if before and before.judge_id == judge.pk and before.narrative == narrative:
        return before
    if before:
        message = gettext("%(name)s published this result at %(utc)s.")
        if narrative:
            message = gettext(
                "%(name)s published this result at %(utc)s, so your story was not used. Copy it if you want to keep it."
            )
        raise Refused(message % {"name": before.judge.name, "utc": utc(before.published_at)}, "4.2.5", "narrative")
    check_due(battle, counting, now)
    check_publishing_time(battle, now)
    if current.is_asked:  # what is published does not change any more
        waits = gettext(
            "A change to this battle is waiting for a second judge. The judge must answer first, or the change "
            "must be withdrawn."
        )
        raise Refused(waits, "R53")
    # The roll is in the same transaction: a result that is refused or fails leaves no dice that nobody asked for.
    proposal = getattr(current, "proposal", None) or rolled(battle, counting, judge, now)
    result = _publish(battle, counting, current.score, proposal, judge, narrative, odds, now)
    _announce(battle, result, now)
    record_act(battle, judge, "battle.published", now, winner=result.winner)
    return result


def _standing(battle: Battle) -> Any:
    """The locked battle with its score, its roll and result, and whether a change waits for a second judge, read
    together after the lock: rows that were joined to the locked row may be older than the lock."""
    requests = AdjustmentRequest.objects.filter(battle=OuterRef("pk"), answered_at=None)
    rows = Battle.objects.select_related("score", "proposal", "result__judge")
    rows = rows.only("score", "proposal", "result", "result__judge")
    return rows.annotate(is_asked=Exists(requests)).get(pk=battle.pk)


def check_publishing_time(battle: Battle, now: datetime) -> None:
    """4.1.1: Check whether the round's results wait for the lock."""
    turn = battle.turn
    if turn.round.results_after_lock and clock.is_in_time(now, turn.lock_at):
        raise Refused(
            gettext("In this round, results can only be published after the lock, from %(utc)s.")
            % {"utc": utc(clock.closes(turn.lock_at))},
            "4.1.1",
        )


def odds_so_far(battle: Battle, counting: dict[str, Strat], score: Score) -> OddsOfSides:
    """R38: The odds for the current state, computed before the battle is locked: they take as long as a few hundred
    battles."""
    return _odds_of(battle, sides_of(battle, counting, score.favours, score.bonus))


def _odds_of(battle: Battle, sides: tuple[BattleSide, BattleSide]) -> OddsOfSides:
    return OddsOfSides(sides, odds_between(battle, sides).wins)


def _publish(
    battle: Battle,
    counting: dict[str, Strat],
    score: Score,
    proposal: Proposal,
    judge: Judge,
    narrative: str,
    odds: OddsOfSides | None,
    now: datetime,
) -> Result:
    # Unless the score or a risk was ruled on otherwise since they were worked out, the odds are of this battle.
    sides = sides_of(battle, counting, score.favours, score.bonus)
    if odds is None or odds.sides != sides:
        odds = _odds_of(battle, sides)
    result = Result.objects.create(
        battle=battle,
        judge=judge,
        winner=proposal.outcome["winner"],
        outcome=proposal.outcome,
        odds=odds.wins,
        unchanged=_unchanged(battle, counting, score, proposal),
        odds_looked=_looks_at_odds(battle, score),
        narrative=narrative,
        published_at=now,
    )
    Battle.objects.filter(pk=battle.pk).update(state=Battle.State.PUBLISHED)
    return result


def _unchanged(battle: Battle, counting: dict[str, Strat], score: Score, proposal: Proposal) -> StoredOutcome | None:
    """R53: The outcome of the dice alone, if something was changed; an older service did not store it with the roll."""
    if not proposal.adjustments:
        return None
    return proposal.unchanged or outcome_of(battle, score, counting)


def _looks_at_odds(battle: Battle, score: Score) -> int:
    """R54: How often a judge looked at the odds before the score was locked."""
    turn = battle.turn
    looks = LogEntry.objects.filter(round=turn.round, action="battle.odds_looked", at__lte=score.locked_at)
    return looks.filter(data__turn=turn.number, data__battle=battle.number).count()


def _checked_narrative(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_NARRATIVE:
        raise Refused(
            gettext("The story has %(number)s characters; the limit is %(most)s.")
            % {"number": grouped(len(text)), "most": grouped(MAX_NARRATIVE)},
            "4.2.5",
        )
    check_storable(text, what="narrative", cites="4.2.5")
    return text


def _announce(battle: Battle, result: Result, now: datetime) -> None:
    """3.1: the result in the Battle Results thread."""
    captures = [each for each in result.outcome["attempts"] if each["succeeded"]]
    details = {
        "at": battle.at,
        "sides": rules_battle(battle).sides,
        "taken": [{key: each[key] for key in ("army", "risk", "target")} for each in captures],
    }
    Notice.objects.create(
        turn=battle.turn,
        thread=Notice.Thread.RESULTS,
        kind="result",
        at=now,
        data={"battle": battle.pk, "number": battle.number, "winner": result.winner, **details},
    )


def _first_narrative(battle: Battle, judge: Judge, text: str, now: datetime) -> NarrativeDraft:
    """Two judges may save the first one in the same moment: the database accepts one row, and the other judge is
    notified."""
    try:
        with locking.transaction():
            return NarrativeDraft.objects.create(battle=battle, judge=judge, text=text, saved_at=now)
    except IntegrityError:
        raise _stale_narrative(battle) from None


def _stale_narrative(battle: Battle) -> Refused:
    present = NarrativeDraft.objects.select_related("judge").filter(battle=battle).first()
    if present is None:
        why = gettext("No one has saved a story yet, so that version doesn't exist. Start with version 0.")
        return Refused(why, "4.1.1", "narrative")
    why = gettext(
        "%(name)s saved another story at %(time)s UTC, after you opened this page. Yours is still in the form; "
        "theirs is below it. Save again to replace theirs."
    ) % {"name": present.judge.name, "time": f"{present.saved_at:%H:%M:%S}"}
    return Refused(why, "4.1.1", "narrative")
