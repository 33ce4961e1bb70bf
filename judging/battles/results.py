"""4.2.5: Results as pages show them, published or proposed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from judging.battles.assignments.models import Decision
from judging.battles.models import Battle, Score
from judging.battles.outcome_schema import (
    OverruledRiskRuling,
    OverruledScore,
    StoredAdjustment,
    StoredAttempt,
    StoredOutcome,
    StoredReason,
    is_damaged,
)
from judging.battles.seed_contributions import told_mix
from judging.common.markup import to_html
from wargame.models.choices import RoundState
from wargame.rules.battle.adjusting import CITES, Special
from wargame.rules.battle.four_dice import Why
from wargame.rules.core.codec import Json
from wargame.rules.core.position import Army
from wargame.rules.core.saying import grouped
from wargame.rules.core.wording import listed
from wargame.rules.settling.losses import fall
from wargame.rules.telling.telling import tell_all

AFTER = ("retreated", "killed", "captured", "liberated")
"""The kinds of events about the fate of those who fought."""


@dataclass(frozen=True)
class DiePair:
    """4.2.4: One die of each side, bare and with its bonuses; `who` won it, None for nobody."""

    bare: tuple[int, int]
    total: tuple[int, int]
    who: int | None


@dataclass(frozen=True)
class AttemptView:
    """4.3, 4.5: The fate of troops that were risked for a kill or a capture; `sentence` describes it."""

    army: str
    risk: str
    target: str
    rolls: tuple[int, ...]
    succeeded: bool
    lost: int
    sentence: str
    cites: str


@dataclass(frozen=True)
class RiskRulingView:
    """4.3, 4.5: A judge's ruling on a kill or a capture before the roll; `sentence` describes it."""

    army: str
    risk: str
    is_void: bool
    target: str
    sentence: str
    reason: str
    by: str
    cites: str


class ArmyLosses(NamedTuple):
    """4.2.4: An army's losses, by slot and in total; `risked` of them are from the risked troops (R39, R40)."""

    army: str
    by_slot: tuple[int, ...]
    total: int
    risked: int = 0


class ShownReason(NamedTuple):
    """R54: A judge's reason on a criterion; `number` is how much it favours the side that got the bonus. Without a
    `criterion` it is the one reason of the score, with the bonus that the marks suggested, and why the score
    `departs` from it."""

    criterion: str
    weight: int
    number: int
    text: str
    judge: str
    departs: str = ""


class SeparateScore(NamedTuple):
    """R55: The score of one of two judges, with reasons; `favours` is the side, None if there is no bonus, `armies`
    are its names."""

    judge: str
    favours: int | None
    bonus: int
    armies: str
    reasons: tuple[ShownReason, ...] = ()


class DecidedOver(NamedTuple):
    """R55: Who decided over two scores that were far apart, as `third` judge or as `head`, and why."""

    judge: str
    how: str
    reason: str


class ShownNote(NamedTuple):
    """4.2.1: a note that its judge shows to everybody."""

    criterion: str
    text: str
    judge: str


class Unchanged(NamedTuple):
    """R53: The outcome of the dice alone: losses, and who would have been killed and captured."""

    losses: tuple[ArmyLosses, ...]
    killed: tuple[str, ...]
    captured: tuple[str, ...]


@dataclass(frozen=True)
class ResultView:
    """4.2.5: A result, published or proposed. `by_creature` are an army's losses by slot and creature; `absent` are
    stratless halves of pairs, who took no part (4.4); `odds` are each side's chances in percent by the formula book,
    once the round is over, and `odds_told` compares them with the outcome; `notes` the criteria, notes and names of
    judges who chose to show them; `overruled` are sentences about what the head judge overruled before the roll
    (1.3), `mixed` about what was mixed into the dice besides the strats (R38); `separate_scores` are those of two
    judges, and `decided_over` who decided, if they were far apart (R55). `unchanged` is the outcome of the dice
    alone, if a judge changed a special case (R53); `scored_by`, `reasons` and `odds_looked` say who gave the bonus,
    why, and how often the odds were looked up before (R54)."""

    winner: int
    winners: tuple[str, ...]
    bonuses: tuple[dict[str, int], dict[str, int]]
    rounds: tuple[tuple[DiePair, ...], ...]
    dice_won: tuple[int, int]
    losses: tuple[ArmyLosses, ...]
    by_creature: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    absent: tuple[str, ...]
    attempts: tuple[AttemptView, ...]
    adjustments: tuple[dict[str, object], ...]
    risk_rulings: tuple[RiskRulingView, ...]
    killed: tuple[str, ...]
    captured: tuple[str, ...]
    why: str
    why_cites: str
    narrative: SafeString
    after: tuple[Json, ...]
    published_at: datetime | None
    seed: str
    odds: tuple[int, ...] = ()
    odds_told: str = ""
    notes: tuple[ShownNote, ...] = ()
    overruled: tuple[str, ...] = ()
    mixed: tuple[str, ...] = ()
    separate_scores: tuple[SeparateScore, ...] = ()
    decided_over: DecidedOver | None = None
    unchanged: Unchanged | None = None
    scored_by: str = ""
    reasons: tuple[ShownReason, ...] = ()
    odds_looked: int | None = None

    @property
    def own_reasons(self) -> tuple[ShownReason, ...]:
        """R54: The reasons of the score that counts, without those that are shown with the scores of two judges
        (R55)."""
        separate = {reason for one in self.separate_scores for reason in one.reasons}
        return tuple(reason for reason in self.reasons if reason not in separate)

    @property
    def has_offer(self) -> bool:
        """R54: Whether the marks suggested a bonus; those of older services did not."""
        return any(not reason.criterion for reason in self.reasons)

    @property
    def sums(self) -> tuple[int, int]:
        """R37: The sum of each side's four dice, with their bonuses, in the round that decided."""
        last = self.rounds[-1] if self.rounds else ()
        return sum(pair.total[0] for pair in last), sum(pair.total[1] for pair in last)


def published_view(battle: Battle, names: Sequence[tuple[str, ...]], armies: Mapping[str, Army]) -> ResultView:
    """4.2.5, R38: A published result with its narrative and seed, and who went where once the turn is settled.

    The battle's `notes` are the visible ones.
    """
    result, everybody = battle.result, {*names[0], *names[1]}
    is_over = battle.turn.round.state == RoundState.OVER
    return replace(
        result_view(battle, result.outcome, names, armies),
        narrative=to_html(result.narrative),
        after=_told_after(battle.turn.events, everybody),
        published_at=result.published_at,
        seed=battle.seed,
        odds=tuple(round(permille / 10) for permille in result.odds) if is_over else (),
        odds_told=_odds_told(result.odds, result.winner) if is_over and result.odds else "",
        notes=tuple(ShownNote(n.criterion.name, n.text, n.criterion.judge.name) for n in battle.notes.all()),
        overruled=tuple(_overruled(battle, names)),
        separate_scores=_separate_scores(battle, names),
        decided_over=_decided_over(battle),
        unchanged=unchanged_view(result.unchanged),
        odds_looked=result.odds_looked,
        **score_told(battle),
    )


def _separate_scores(battle: Battle, names: Sequence[tuple[str, ...]]) -> tuple[SeparateScore, ...]:
    """R55: Both scores, if there were two; otherwise no query."""
    score: Score | None = getattr(battle, "score", None)
    if score is None or score.how == Score.How.ALONE:
        return ()
    labels = {None: "", 0: listed(names[0]), 1: listed(names[1])}
    return tuple(
        SeparateScore(row.judge.name, row.favours, row.bonus, labels[row.favours], shown_reasons(row.reasons))
        for row in battle.opinions.all()
    )


def _decided_over(battle: Battle) -> DecidedOver | None:
    score: Score | None = getattr(battle, "score", None)
    if score is None or score.how not in (Score.How.THIRD, Score.How.HEAD):
        return None
    decision: Decision | None = getattr(battle, "decision", None)
    return DecidedOver(decision.judge.name, score.how, decision.reason) if decision else None


def score_told(battle: Battle) -> Json:
    """R54: Who scored a battle, in words, and the reasons; for the fields of a `ResultView`."""
    score: Score | None = getattr(battle, "score", None)
    if score is None:
        return {}
    names = [score.judge.name]
    if score.how == score.How.MEAN:
        names = [opinion.judge.name for opinion in battle.opinions.all()] or names
    how = "" if score.how == score.How.ALONE else f": {score.get_how_display()}"
    return {"scored_by": f"{listed(names)}{how}", "reasons": shown_reasons(score.reasons)}


def shown_reasons(reasons: Iterable[StoredReason]) -> tuple[ShownReason, ...]:
    """R54: The reasons on the criteria, for display."""
    return tuple(
        ShownReason(one["criterion"], one["weight"], one["number"], one["text"], one["judge"], one.get("departs", ""))
        for one in reasons
    )


def unchanged_view(outcome: StoredOutcome | None) -> Unchanged | None:
    """R53: The outcome of the dice alone; None if nothing was changed."""
    if outcome is None or is_damaged(outcome):
        return None
    return Unchanged(_losses(outcome), tuple(outcome["killed"]), tuple(outcome["captured"]))


def _losses(outcome: StoredOutcome) -> tuple[ArmyLosses, ...]:
    """4.2.5, R39: Each army's losses, including those of the risked troops (R40)."""
    died = {one["army"]: one["lost"] for one in outcome["attempts"]}
    rows = []
    for name, losses in sorted(outcome["losses"].items()):
        risked = died.get(name) or [0, 0, 0, 0]
        by_slot = tuple(a + b for a, b in zip(losses, risked, strict=True))
        rows.append(ArmyLosses(name, by_slot, sum(by_slot), sum(risked)))
    return tuple(rows)


def _overruled(battle: Battle, names: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """1.3: Sentences about the assistants' decisions that the head judge overruled before the roll."""
    score = getattr(battle, "score", None)
    scores: Sequence[OverruledScore] = score.overruled if score else ()
    # What each score made place for; what it was judged anew from is told with that (R58).
    hows = [*(one["how"] for one in scores[1:]), *([score.how] if score else [])]
    for one, then in zip(scores, hows, strict=False):
        if then == Score.How.ANEW:
            continue
        fields = {"name": one["by"], "judge": one["judge"], "bonus": one["bonus"], "reason": one["reason"]}
        if one["bonus"]:
            message = gettext("%(name)s overruled the score by %(judge)s (+%(bonus)s for %(armies)s): %(reason)s")
            yield message % {**fields, "armies": listed(names[one["favours"] or 0])}
        else:
            yield gettext("%(name)s overruled the score by %(judge)s (no bonus): %(reason)s") % fields
    for entry in battle.entries.all():
        for strat in entry.strats.all():
            ruling = getattr(strat, "risk_ruling", None)
            rulings: Sequence[OverruledRiskRuling] = ruling.overruled if ruling else ()
            for former in rulings:
                yield _former(strat.risk, entry.name, former)


def _former(risk: str, army: str, former: OverruledRiskRuling) -> str:
    """1.3: The overruled ruling on a kill or a capture."""
    if former["target"]:
        texts = {
            "kill": gettext("%(judge)s had ruled that the kill by %(army)s targeted %(target)s: %(reason)s"),
            "capture": gettext("%(judge)s had ruled that the capture by %(army)s targeted %(target)s: %(reason)s"),
        }
    else:
        texts = {
            "kill": gettext("%(judge)s had ruled that the kill by %(army)s was void: %(reason)s"),
            "capture": gettext("%(judge)s had ruled that the capture by %(army)s was void: %(reason)s"),
        }
    return texts[risk] % {**former, "army": army}


def result_view(
    battle: Battle, outcome: StoredOutcome, names: Sequence[tuple[str, ...]], armies: Mapping[str, Army]
) -> ResultView:
    """4.2.5: The view of an outcome, published or not; `armies` as they went into the battle."""
    bonuses = (dict(outcome["bonus"][0]), dict(outcome["bonus"][1]))
    is_lost = is_damaged(outcome)
    winner = battle.result.winner if is_lost and hasattr(battle, "result") else outcome["winner"]
    why, cites = "", "R38"
    if is_lost:
        message = gettext(
            "The data of battle %(number)s is damaged. We know who won, but not how. The site's host has the "
            "data in a backup."
        )
        why = message % {"number": battle.pk}
    if not is_lost:
        has_strat = any(name in outcome["strats"] for name in names[winner])
        why, cites = Why[outcome["why"]].told(winners=len(names[winner]), sent=has_strat)
    losses = _losses(outcome)
    return ResultView(
        winner=winner,
        winners=names[winner],
        bonuses=bonuses,
        rounds=tuple(_dice(rolls, bonuses) for rolls in outcome["rolls"]),
        dice_won=(outcome["dice_won"][0], outcome["dice_won"][1]),
        losses=losses,
        by_creature=tuple((loss.army, _fallen(armies[loss.army], loss.by_slot)) for loss in losses),
        absent=tuple(name for side in names for name in side if not is_lost and name not in outcome["took_part"]),
        attempts=tuple(_attempt(each, sum(outcome["risked"][each["army"]])) for each in outcome["attempts"]),
        adjustments=tuple(_adjustment(one) for one in outcome["adjustments"]),
        risk_rulings=tuple(risk_ruling_view(**ruling) for ruling in outcome["risk_rulings"]),
        killed=tuple(outcome["killed"]),
        captured=tuple(outcome["captured"]),
        why=why,
        why_cites=cites,
        narrative=to_html(""),
        after=(),
        published_at=None,
        seed="",
        mixed=told_mix(outcome.get("mix")),
    )


def _adjustment(one: StoredAdjustment) -> dict[str, object]:
    """R53: A change for display, with the rule behind it and the judge who agreed to it."""
    return {"cites": CITES[Special(one["kind"])], "agreed": "", **one}


def risk_ruling_view(
    *, army: str, risk: str, is_void: bool, target: str, cites: str, reason: str, by: str
) -> RiskRulingView:
    """4.3, 4.5: A judge's ruling on an army's risk, as pages show it."""
    if is_void:
        texts = {
            "kill": gettext("The kill requested by %(army)s is void, so no troops are risked."),
            "capture": gettext("The capture requested by %(army)s is void, so no troops are risked."),
        }
    else:
        texts = {
            "kill": gettext("The kill requested by %(army)s targets %(target)s."),
            "capture": gettext("The capture requested by %(army)s targets %(target)s."),
        }
    sentence = texts[risk] % {"army": army, "target": target}
    return RiskRulingView(army, risk, is_void, target, sentence, reason, by, cites)


def _fallen(army: Army, losses: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """R32: An army's casualties by creature; those with the same name are added up."""
    counts: dict[str, int] = {}
    for troop, number in zip(army.troops, fall(army.troops, tuple(losses))[1], strict=True):
        if number:
            name = troop.creature or gettext("slot %(number)s") % {"number": troop.slot}
            counts[name] = counts.get(name, 0) + number
    return tuple(counts.items())


def _attempt(attempt: StoredAttempt, risked: int) -> AttemptView:
    risk, army, target, toll = attempt["risk"], attempt["army"], attempt["target"], sum(attempt["lost"])
    cites = "4.3.3" if risk == "kill" else "4.5"
    sentence = _aim(risk, army, target, risked)
    if target:
        # What the formulas add to the dice is secret until the round is over, so 7 against 6 may fail (4.3.3).
        how = gettext("They rolled %(own)s against %(other)s. With the secret formulas added, they succeeded.")
        if not attempt["succeeded"]:
            how = gettext(
                "They rolled %(own)s against %(other)s. Even with the secret formulas added, that wasn't enough."
            )
        sentence += " " + how % {"own": attempt["rolls"][0], "other": attempt["rolls"][1]}
    elif attempt["fate"]:
        sentence += " " + gettext("The battle was lost.")
    else:
        sentence += " " + gettext("No one was left to capture.")
    if attempt["fate"]:
        fell = gettext("The risked troops got away (they rolled %(roll)s out of 100).")
        if toll:
            fell = gettext("The %(number)s risked troops died (they rolled %(roll)s out of 100).")
        sentence += " " + fell % {"number": grouped(toll), "roll": attempt["fate"]}
    return AttemptView(army, risk, target, tuple(attempt["rolls"]), attempt["succeeded"], toll, sentence, cites)


def _aim(risk: str, army: str, target: str, risked: int) -> str:
    """4.3, 4.5: How many troops were held back, and for what."""
    if target:
        texts = {
            "kill": gettext("%(army)s held %(number)s troops back from the battle to kill %(target)s."),
            "capture": gettext("%(army)s held %(number)s troops back from the battle to capture %(target)s."),
        }
    else:
        texts = {
            "kill": gettext("%(army)s held %(number)s troops back from the battle to kill an enemy."),
            "capture": gettext("%(army)s held %(number)s troops back from the battle to capture an enemy."),
        }
    return texts[risk] % {"army": army, "number": grouped(risked), "target": target}


def _odds_told(permille: Sequence[int], winner: int) -> str:
    """R38: The odds compared with the outcome."""
    if permille[0] == permille[1]:
        return gettext("Both sides were equally likely to win.")
    if permille[winner] > permille[1 - winner]:
        return gettext("The more likely side won.")
    return gettext("The less likely side won.")


def _told_after(events: Sequence[Mapping[str, object]], names: set[str]) -> tuple[dict[str, object], ...]:
    """4.2.5: The fates of the armies with these names when the turn was settled."""
    reports = tell_all(event for event in events if event["kind"] in AFTER)
    return tuple(event for event in reports if not names.isdisjoint(event["armies"]))


def _dice(rolls: list[list[int]], bonuses: tuple[dict[str, int], dict[str, int]]) -> tuple[DiePair, ...]:
    pairs = []
    for first, second in zip(*rolls, strict=True):
        total = (first + bonuses[0]["total"], second + bonuses[1]["total"])
        winner = None if total[0] == total[1] else int(total[1] > total[0])
        pairs.append(DiePair((first, second), total, winner))
    return tuple(pairs)
