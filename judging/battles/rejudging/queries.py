"""R58: Battles judged again: who may do it, until when, and their views for pages and the API."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import NamedTuple, cast

from django.db.models import Q, QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from judging.battles.assignments.models import Decision
from judging.battles.checks import able_to_judge, check_judge
from judging.battles.models import AdjustmentRequest, Battle, Opinion, Proposal, Result, RiskRuling, Score, Strat
from judging.battles.outcome_schema import StoredOutcome, StoredReason
from judging.battles.rejudging.models import Rejudgement
from judging.battles.resolution import published_strats, risk_rulings
from judging.battles.results import ShownReason, shown_reasons
from judging.common.errors import Refused
from judging.common.judges import is_supreme
from judging.common.markup import to_html
from judging.common.request_cache import request_cached
from judging.turns.rulings.differences import CorrectionDifference, difference_of
from wargame.models import Judge, Turn
from wargame.models.choices import Role, TurnState
from wargame.rules.command.appeals import may_change_alone, why_not_anew
from wargame.rules.core import clock
from wargame.rules.core.faults import Finding
from wargame.rules.core.wording import listed

State = Rejudgement.State


@dataclass(frozen=True)
class LossDifference:
    """R58: The change to an army's losses: by slot, before and now; and whether it was killed or captured."""

    army: str
    before: tuple[int, ...]
    now: tuple[int, ...]
    fate_before: str
    fate_now: str

    @property
    def is_same(self) -> bool:
        return (self.before, self.fate_before) == (self.now, self.fate_now)


@dataclass(frozen=True)
class AttemptDifference:
    """4.3, 4.5, R58: The result of a kill or capture that a strat asked for, in words: `failed to kill Gaz`."""

    army: str
    before: str
    now: str


class AnewChoice(NamedTuple):
    """R53, R58: A judge's options for a new score that waits for consent, or why they may not agree."""

    may_agree: bool
    may_drop: bool
    why_not: str
    cites: str


@dataclass(frozen=True)
class AnewView:
    """R58: A battle judged again: the score and the winner before and now, army by army, and `follows`, its changes
    to a settled turn (None: of an open one, whose settlement is to come, or none). `reasons` are those on the
    round's criteria for another bonus, and `reasons_before` those for the one before it (R54). Unless it `is_shown`,
    its outcome is left out: nobody sees that before it is applied."""

    id: int
    number: int
    battle: int
    turn: int
    at: str
    state: str
    by: str
    made_at: datetime
    decided_at: datetime | None
    decided_by: str
    cites: str
    reason: str
    score_before: str
    score_now: str
    winners_before: tuple[str, ...]
    winners_now: tuple[str, ...]
    accepted: tuple[str, ...]
    risks: tuple[str, ...]
    armies: tuple[LossDifference, ...]
    attempts: tuple[AttemptDifference, ...]
    reasons_before: tuple[ShownReason, ...]
    reasons: tuple[ShownReason, ...]
    narrative_before: SafeString
    follows: CorrectionDifference | None

    @property
    def is_shown(self) -> bool:
        return self.state == State.APPLIED

    @property
    def changes_winner(self) -> bool:
        return self.is_shown and self.winners_before != self.winners_now


def why_not(battle: Battle, now: datetime) -> Finding | None:
    """R58: The reason why a published battle can no longer be judged again; None if it can."""
    turn = battle.turn
    last = Turn.objects.filter(round=turn.round_id).order_by("-number").only("number", "state", "lock_at").first()
    return why_not_anew(
        turn=turn.number,
        present=last.number if last else turn.number,
        is_settled=turn.state == TurnState.SETTLED,
        is_present_open=last is not None and last.state == TurnState.OPEN and clock.is_in_time(now, last.lock_at),
    )


def may_judge_anew(battle: Battle, judge: Judge) -> bool:
    """R58: The judge who answers an open appeal against the result; if there is none, the head battle judge."""
    if judge.role != Role.BATTLE:
        return False
    answerers = _answerers(battle)
    return judge in answerers if answerers else is_supreme(judge)


@request_cached
def _answerers(battle: Battle) -> list[Judge | None]:
    """R57: The judges who answer the open appeals against a battle's result, in the order of the appeals; None for
    nobody yet."""
    return [appeal.judge for appeal in battle.appeals.filter(answered_at__isnull=True).select_related("judge")]


@request_cached
def _proposals(battle: Battle) -> list[Rejudgement]:
    """R58: the locked scores of a battle that wait for consent."""
    rows = list(Rejudgement.objects.filter(battle=battle, state=State.PROPOSED).select_related("judge"))
    for row in rows:
        row.battle = battle
    return rows


ALONE = gettext_lazy("The dice are already known, so another battle judge must agree before your score takes effect.")


@request_cached
def deciders_of(battle: Battle) -> frozenset[int]:
    """R57: The user keys of all who had a part in a battle's result: they scored it, as one of two judges or over
    them, rolled or published it, changed it after the dice or agreed to that, ruled on a strat's request, accepted a
    late strat, or judged it again or agreed to that."""
    anew = Rejudgement.objects.filter(battle=battle, state=State.APPLIED)
    changes = AdjustmentRequest.objects.filter(battle=battle, answered_at__isnull=False)
    by_key = (
        *((model.objects.filter(battle=battle), "judge") for model in (Result, Score, Opinion, Proposal, Decision)),
        *((rows, field) for rows in (anew,) for field in ("judge", "decided_by")),
        *((changes, field) for field in ("judge", "answered_by")),
        (RiskRuling.objects.filter(strat__entry__battle=battle), "judge"),
        (Strat.objects.filter(entry__battle=battle), "accepted_by"),
    )
    had_part = reduce(or_, (Q(pk__in=rows.order_by().values(field)) for rows, field in by_key))
    by_name = Q(round=battle.turn.round_id, name__in=_named_in(battle))
    return frozenset(Judge.everybody.filter(had_part | by_name).values_list("user_id", flat=True))


def _named_in(battle: Battle) -> set[str]:
    """1.3, R53: The judges whom the battle's rows know by name alone: of overruled scores and rulings, and of
    changes after the dice."""
    names: set[str] = set()
    if score := getattr(battle, "score", None):
        names |= {str(former.get(key, "")) for former in score.overruled for key in ("judge", "by")}
        names |= {str(reason.get("judge", "")) for reason in score.reasons}
    for ruling in RiskRuling.objects.filter(strat__entry__battle=battle):
        names |= {str(former.get("judge", "")) for former in ruling.overruled}
    if result := getattr(battle, "result", None):
        changes = result.outcome["adjustments"]
        names |= {str(change.get(key, "")) for change in changes for key in ("by", "agreed")}
    return names - {""}


def may_alone(battle: Battle, judge: Judge) -> bool:
    """R53, R58: Whether a judge can judge it again alone: they answer an appeal against the result, and had no part
    in it."""
    answers = judge in _answerers(battle)
    is_published = battle.state == Battle.State.PUBLISHED
    return may_change_alone(
        answers=answers, decided=not (answers and is_published) or judge.user_id in deciders_of(battle)
    )


def why_not_lock(battle: Battle, judge: Judge) -> tuple[str, str]:
    """R57, R58: Why a judge may not lock a new score of a published battle, in a sentence, with its rule; empty if
    they may. `why_not` checks the deadline."""
    barred = why_barred_from(battle, judge)
    if barred[0]:
        return barred
    if not may_judge_anew(battle, judge):
        answerer = next(filter(None, _answerers(battle)), None)
        if answerer is not None:
            message = gettext("Only %(name)s, who answers an appeal against this result, can judge the battle again.")
            return message % {"name": answerer.name}, "R57"
        message = gettext("Only the head battle judge, or a judge who answers an appeal, can judge a battle again.")
        return message, "R58"
    rows = Rejudgement.objects.filter(battle=battle, judge__user=judge.user_id)
    if rows.filter(outcome__isnull=False).exists():
        message = gettext("You have already judged this battle again and seen the outcome. There is no second try.")
        return message, "R58"
    if may_alone(battle, judge):
        return "", ""
    if _proposals(battle):
        return gettext("A new score is already locked and is waiting for a second battle judge."), "R58"
    if not others_who_agree(battle, judge):
        message = gettext(
            "The dice are already known, so another battle judge must agree. This round has no other judge who "
            "can. Name one on the Judges page first."
        )
        return message, "R53"
    return "", ""


def why_not_apply(row: Rejudgement, judge: Judge) -> tuple[str, str]:
    """R53, R58: why a judge may not agree to a locked score, in a sentence, with its rule; empty if they may."""
    if row.judge.user_id == judge.user_id:
        return str(ALONE), "R53"
    if may_alone(row.battle, judge):
        return "", ""
    for answerer in filter(None, _answerers(row.battle)):
        if may_alone(row.battle, answerer):
            return gettext("%(name)s is answering an appeal against this result and will decide.") % {
                "name": answerer.name
            }, "R57"
    if may_judge_anew(row.battle, judge) or (row.judge.dismissed_at is None and may_judge_anew(row.battle, row.judge)):
        return "", ""
    return gettext("One of the two judges must be the head battle judge. Lock a new score."), "R53"


def may_drop(row: Rejudgement, judge: Judge) -> bool:
    """R58: Whether a judge may drop a waiting locked score: they locked it, may judge the battle again, or must
    agree."""
    is_own = row.judge.user_id == judge.user_id
    return is_own or may_judge_anew(row.battle, judge) or not why_not_apply(row, judge)[0]


def choices_for(battle: Battle, judge: Judge) -> dict[int, AnewChoice]:
    """R53, R58: A judge's options for each of a battle's waiting locked scores, by their keys."""
    choices = {}
    for row in _proposals(battle):
        why, cites = why_not_apply(row, judge)
        choices[row.pk] = AnewChoice(not why, may_drop(row, judge), why, cites)
    return choices


def others_who_agree(battle: Battle, judge: Judge) -> list[Judge]:
    """R53, R56: The other battle judges of the round who have no conflict with a battle."""
    return [other for other in able_to_judge(battle) if other.user_id != judge.user_id]


def why_barred_from(battle: Battle, judge: Judge) -> tuple[str, str]:
    """1.3, R56, R59: Why a judge may judge nothing in a battle, in a sentence, with its rule; empty if they may."""
    try:
        check_judge(battle, judge)
    except Refused as error:
        return error.sentence, error.cites
    return "", ""


def strats_that_count(battle: Battle, accepted: Iterable[Strat] = ()) -> dict[str, Strat]:
    """R35, R58: The strats of a published battle that counted, by army, replaced by late ones."""
    by_army = published_strats(battle, battle.result.outcome["strats"])
    return by_army | {strat.entry.name: strat for strat in accepted}


def late_strats(battle: Battle) -> list[Strat]:
    """R35: The late strats that don't count, the last one of each army; only of armies without a later one."""
    rows = Strat.objects.filter(entry__battle=battle, late=True, accepted_at__isnull=True)
    strats = {row.entry_id: row for row in rows.select_related("entry", "player").order_by("pk")}
    return list(strats.values())


def asking_strats(battle: Battle, late: Sequence[Strat]) -> list[tuple[Strat, RiskRuling | None]]:
    """4.3, 4.5: The strats that counted or came `late` and ask for a kill or a capture, with their rulings."""
    strats = [*strats_that_count(battle).values(), *late]
    ruled = risk_rulings({f"{strat.pk}": strat for strat in strats})
    return [(strat, ruled.get(f"{strat.pk}")) for strat in strats if strat.risk]


def anew_of(battle: Battle) -> tuple[AnewView, ...]:
    """R58: All new judgements of a battle, including waiting and dropped ones, which only judges may see."""
    rows = _joined(Rejudgement.objects.filter(battle=battle)).order_by("pk")
    return tuple(anew_view(row, number) for number, row in enumerate(rows, 1))


def public_anew(battle_id: int) -> tuple[AnewView, ...]:
    """R58: The public new judgements of the battle with that key, oldest first."""
    rows = _joined(Rejudgement.objects.filter(state=State.APPLIED, battle=battle_id)).order_by("decided_at", "pk")
    return tuple(anew_view(row, number) for number, row in enumerate(rows, 1))


def anew_view(row: Rejudgement, number: int = 1) -> AnewView:
    """The view of a row; `number` counts those of its battle."""
    names = sides_named(row.battle)
    before, now = row.outcome_before, row.outcome if row.state == State.APPLIED else None
    score: Mapping[str, object] = row.score_before
    changes_score = (score.get("favours"), score.get("bonus")) != (row.favours, row.bonus)
    armies = [army for side in names for army in side] if now else []
    return AnewView(
        id=row.pk,
        number=number,
        battle=row.battle_id,
        turn=row.battle.turn.number,
        at=row.battle.at,
        state=row.state,
        by=row.judge.name,
        made_at=row.made_at,
        decided_at=row.decided_at,
        decided_by=row.decided_by.name if row.decided_by else "",
        cites=row.cites,
        reason=row.reason,
        score_before=score_words(names, score.get("favours"), score.get("bonus")),
        score_now=score_words(names, row.favours, row.bonus),
        winners_before=names[before["winner"]],
        winners_now=names[now["winner"]] if now else (),
        accepted=tuple(army for army, _ in row.accepted),
        risks=tuple(_risk_words(one) for one in row.risks),
        armies=tuple(_difference(army, before, now) for army in armies if now),
        attempts=tuple(_attempts(armies, before, now)) if now else (),
        reasons_before=shown_reasons(cast(Sequence[StoredReason], score.get("reasons", ())) if changes_score else ()),
        reasons=shown_reasons(row.reasons),
        narrative_before=to_html(row.narrative_before),
        follows=difference_of(row.correction) if now and row.correction else None,
    )


def sides_named(battle: Battle) -> tuple[tuple[str, ...], tuple[str, ...]]:
    entries = list(battle.entries.all())
    first, second = (tuple(entry.name for entry in entries if entry.side == side) for side in (0, 1))
    return first, second


def score_words(names: Sequence[Sequence[str]], favours: object, bonus: object) -> str:
    """4.2.1: `+4 for Ana`, or `no bonus`."""
    if favours not in (0, 1) or not bonus:
        return gettext("no bonus")
    return gettext("+%(bonus)s for %(side)s") % {"bonus": bonus, "side": listed(names[1 if favours else 0])}


def score_of(score: Score) -> dict[str, object]:
    """A score as it is stored beside its successor."""
    fields = {"judge": score.judge.name, "favours": score.favours, "bonus": score.bonus, "how": score.how}
    return {**fields, "locked_at": score.locked_at.isoformat(), "reasons": score.reasons}


def _risk_words(risk: Mapping[str, object]) -> str:
    if risk.get("is_void"):
        return gettext("%(army)s's request doesn't count") % {"army": risk["army"]}
    return (
        gettext("%(army)s's target is %(target)s") % {"army": risk["army"], "target": risk["target"]}
        if risk.get("target")
        else gettext("%(army)s as the strat asks") % {"army": risk["army"]}
    )


def _difference(army: str, before: StoredOutcome, now: StoredOutcome) -> LossDifference:
    return LossDifference(army, _lost(before, army), _lost(now, army), _fate(before, army), _fate(now, army))


def _attempts(armies: Iterable[str], before: StoredOutcome, now: StoredOutcome) -> Iterator[AttemptDifference]:
    """4.3, 4.5: The kills and captures that were attempted before or are now, by army."""
    for army in armies:
        attempts = [_attempt(outcome, army) for outcome in (before, now)]
        if any(attempts):
            yield AttemptDifference(army, *(text or gettext("no attempt") for text in attempts))


def _attempt(outcome: StoredOutcome, army: str) -> str:
    """The result of an army's attempt, in words; empty if there was none."""
    for attempt in outcome["attempts"]:
        if attempt["army"] == army:
            facts = {"target": attempt["target"]}
            if not attempt["target"]:
                return gettext("no target was left")
            if attempt["risk"] == "kill":
                text = gettext("killed %(target)s") if attempt["succeeded"] else gettext("failed to kill %(target)s")
            else:
                text = (
                    gettext("captured %(target)s") if attempt["succeeded"] else gettext("failed to capture %(target)s")
                )
            return text % facts
    return ""


def _lost(outcome: StoredOutcome, army: str) -> tuple[int, ...]:
    """An army's losses in the battle and of its risked troops, by slot."""
    losses = list(outcome["losses"].get(army, [0, 0, 0, 0]))
    for attempt in outcome["attempts"]:
        if attempt["army"] == army:
            losses = [fell + risked for fell, risked in zip(losses, attempt["lost"], strict=True)]
    return tuple(losses)


def _fate(outcome: StoredOutcome, army: str) -> str:
    return "killed" if army in outcome["killed"] else "captured" if army in outcome["captured"] else ""


def _joined(rows: QuerySet[Rejudgement]) -> QuerySet[Rejudgement]:
    joined = rows.select_related("battle__turn__round", "judge", "decided_by", "correction__turn")
    big = ("position", "events", "sky")
    columns = [f"{turn}__{name}" for turn in ("battle__turn", "correction__turn") for name in big]
    return joined.defer(*columns).prefetch_related("battle__entries")
