"""4.2, 1.3: How judges judged, in numbers from published battles only, and players' feedback."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext

from judging.battles.models import Battle, Score
from judging.battles.strats.queries import are_sent, counting_strats_of, last_deadline
from judging.common import locking
from judging.common.errors import Refused
from judging.common.texts import check_storable, utc
from judging.common.viewer import Viewer
from judging.feedback.models import BattleFeedback
from wargame.models import Control, Player, Round
from wargame.models.choices import Role
from wargame.rules.core.sides import Side

FEWEST = 3
"""The minimum of answers for a mean: with fewer it would reveal who said what."""

FEW = 10
"""The minimum of battles for meaningful numbers about a judge."""


@dataclass(frozen=True)
class Means:
    """4.2: the means of the players' marks, 1 to 5, and the number of answers."""

    answers: int
    fair: float
    clear: float
    in_time: float


@dataclass(frozen=True)
class JudgeNumbers:
    """1.3: a judge's published battles: how long they took from when they could be scored, in hours; their mean
    bonus for each team, and in how many battles that team fought; how many of their scores the head overruled.
    `means` is None while there are fewer than FEWEST answers."""

    judge: str
    battles: int
    mean_hours: float | None
    longest_hours: float | None
    coalition_bonus: float | None
    coalition_battles: int
    phyrexia_bonus: float | None
    phyrexia_battles: int
    overruled: int
    means: Means | None

    @property
    def are_few(self) -> bool:
        return self.battles < FEW


@dataclass(frozen=True)
class FeedbackSentence:
    """4.2: a sentence to the head battle judge, without its author."""

    battle: int
    headline: str
    judge: str
    sentence: str
    given_at: datetime


def judge_numbers(round: Round) -> tuple[JudgeNumbers, ...]:
    """1.3: the numbers of all battle judges who scored a published battle, or were overruled; by name. Seven
    statements for any number of battles."""
    scores = list(
        Score.objects.filter(battle__turn__round=round, battle__state=Battle.State.PUBLISHED)
        .select_related("judge", "battle__result")
        .prefetch_related("battle__entries__army")
    )
    took = _took([score.battle for score in scores])
    feedback: dict[int, list[BattleFeedback]] = {}
    for row in BattleFeedback.objects.filter(battle__turn__round=round):
        feedback.setdefault(row.battle_id, []).append(row)
    overruled = [one["judge"] for score in scores for one in score.overruled]
    names = sorted({*(score.judge.name for score in scores), *overruled}, key=str.casefold)
    return tuple(
        _numbers(name, [score for score in scores if score.judge.name == name], took, feedback, overruled.count(name))
        for name in names
    )


def sentences_for(viewer: Viewer) -> tuple[FeedbackSentence, ...]:
    """4.2: the players' sentences, for the head battle judge alone; newest first."""
    if not viewer.seats.filter(role=Role.BATTLE, is_head=True).exists():
        return ()
    rows = BattleFeedback.objects.filter(battle__turn__round=viewer.round).exclude(sentence="").order_by("-given_at")
    rows = rows.select_related("battle__score__judge", "battle__turn").defer("battle__turn__position")
    return tuple(
        FeedbackSentence(
            battle=row.battle_id,
            headline=gettext("Battle %(battle)s of turn %(turn)s, %(at)s")
            % {"battle": row.battle.number, "turn": row.battle.turn.number, "at": row.battle.at},
            judge=row.battle.score.judge.name,
            sentence=row.sentence,
            given_at=row.given_at,
        )
        for row in rows
    )


def _numbers(
    name: str,
    scores: Sequence[Score],
    took: dict[int, timedelta],
    feedback: dict[int, list[BattleFeedback]],
    overruled: int,
) -> JudgeNumbers:
    hours = [took[score.battle_id].total_seconds() / 3600 for score in scores]
    bonuses: dict[str, list[int]] = {Side.COALITION: [], Side.PHYREXIA: []}
    for score in scores:
        sides = {entry.side: entry.army.side for entry in score.battle.entries.all()}
        for index, side in sides.items():
            if side in bonuses:
                bonuses[side].append(score.bonus if score.favours == index else 0)
    answers = [row for score in scores for row in feedback.get(score.battle_id, ())]
    coalition, phyrexia = bonuses[Side.COALITION], bonuses[Side.PHYREXIA]
    return JudgeNumbers(
        judge=name,
        battles=len(scores),
        mean_hours=_mean(hours),
        longest_hours=round_to(max(hours)) if hours else None,
        coalition_bonus=_mean(coalition),
        coalition_battles=len(coalition),
        phyrexia_bonus=_mean(phyrexia),
        phyrexia_battles=len(phyrexia),
        overruled=overruled,
        means=_means(answers),
    )


def _means(answers: Sequence[BattleFeedback]) -> Means | None:
    if len(answers) < FEWEST:
        return None
    columns = ([getattr(row, name) for row in answers] for name in ("fair", "clear", "in_time"))
    fair, clear, in_time = (_mean(numbers) or 0.0 for numbers in columns)
    return Means(len(answers), fair, clear, in_time)


def _mean(numbers: Sequence[float]) -> float | None:
    return round_to(sum(numbers) / len(numbers)) if numbers else None


def round_to(number: float) -> float:
    return round(number, 1)


def _took(battles: Iterable[Battle]) -> dict[int, timedelta]:
    """4.1.1: by battle, the time to its result from when all strats were in, or its deadline was over."""
    rows = list(battles)
    counting = counting_strats_of(rows)
    durations = {}
    for battle in rows:
        teams = [entry.name for entry in battle.entries.all() if entry.army.side != Side.MERCENARY]
        strats, closes = counting[battle.pk], last_deadline(battle)
        could = max((strats[name].sent_at for name in teams), default=closes) if are_sent(teams, strats) else closes
        durations[battle.pk] = max(timedelta(0), battle.result.published_at - min(could, closes))
    return durations


WINDOW = timedelta(days=7)
LONGEST = 300
QUESTIONS = ("fair", "clear", "in_time")


@locking.writes
def give_feedback(
    *, battle: Battle, player: Player | None, fair: int, clear: int, in_time: int, sentence: str, now: datetime
) -> BattleFeedback:
    """4.2: store a player's feedback on the judging of their battle; later feedback in the same span replaces it.

    Refused before the result and WINDOW after it, for numbers that are not 1 to 5, for a sentence that is too long, and
    for a player who controlled no army of the battle at its deadline.
    """
    if refused := why_not(battle, player, now):
        raise refused
    for name, number in zip(QUESTIONS, (fair, clear, in_time), strict=True):
        if not 1 <= number <= 5:
            raise Refused(gettext("Answer each question with a number from 1 (no) to 5 (yes)."), "4.2", name)
    sentence = " ".join(sentence.split())
    check_storable(sentence, what="sentence", cites="4.2", field="sentence")
    if len(sentence) > LONGEST:
        raise Refused(
            gettext("The comment has %(number)s characters; the limit is %(most)s.")
            % {"number": len(sentence), "most": LONGEST},
            "4.2",
            "sentence",
        )
    values = {"fair": fair, "clear": clear, "in_time": in_time, "sentence": sentence, "given_at": now}
    row, _ = BattleFeedback.objects.update_or_create(battle=battle, player=player, defaults=values)
    return row


def why_not(battle: Battle, player: Player | None, now: datetime) -> Refused | None:
    """4.2: the reason why the player can't give feedback on the battle, or can't any more; None if they can."""
    if player is None or not _fought(battle, player):
        return Refused(
            gettext("You can only rate how this battle was judged if you controlled an army in it at its deadline."),
            "4.2",
        )
    result = getattr(battle, "result", None)
    if result is None:
        return Refused(gettext("This battle has no result yet."), "4.2.5")
    if now >= (until := result.published_at + WINDOW):
        return Refused(gettext("You could only do that until %(until)s.") % {"until": utc(until)}, "4.2")
    return None


def _fought(battle: Battle, player: Player) -> bool:
    moment = last_deadline(battle)
    controls = Control.objects.filter(army__battle_entries__battle=battle, player=player, since__lte=moment)
    return controls.filter(until__isnull=True).exists() or controls.filter(until__gt=moment).exists()
