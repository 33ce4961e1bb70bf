"""R58: battles judged anew: who may do it, until when, and what pages and programs read of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import NamedTuple, cast

from django.db.models import Q, QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from judging.battles.anew.models import Rejudgement
from judging.battles.models import Battle, Opinion, Result, RiskRuling, Score, Strat
from judging.battles.questions import open_appeals
from judging.battles.resolution import published_strats, risk_rulings
from judging.battles.results import ShownReason, shown_reasons
from judging.battles.stored import StoredOutcome, StoredReason
from judging.game.judges import is_supreme
from judging.game.markup import to_html
from judging.turns.rulings.differences import CorrectionDifference, difference_of
from wargame.models import Judge, Turn
from wargame.models.choices import Role, TurnState
from wargame.rules.command.appeals import may_change_alone, why_not_anew
from wargame.rules.core import clock
from wargame.rules.core.faults import Finding

State = Rejudgement.State


@dataclass(frozen=True)
class LossDifference:
    """R58: what of an army's losses is otherwise: by slot, before and now; and whether it was killed or captured."""

    army: str
    before: tuple[int, ...]
    now: tuple[int, ...]
    fate_before: str
    fate_now: str

    @property
    def is_same(self) -> bool:
        return (self.before, self.fate_before) == (self.now, self.fate_now)


class AnewChoice(NamedTuple):
    """R53, R58: what a judge may do with a new judgement that waits, and otherwise why he may not apply it."""

    may_apply: bool
    may_drop: bool
    why_not: str
    cites: str
    has_worked_it_out: bool


@dataclass(frozen=True)
class AnewView:
    """R58: a battle judged anew: the score and who won before and now, army by army, and `follows`, what it changes of
    a settled turn (None: of an open one, whose settlement is to come, or nothing). `reasons` are said on the round's
    criteria for another bonus, and `reasons_before` were for the one before it (R54)."""

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
    reasons_before: tuple[ShownReason, ...]
    reasons: tuple[ShownReason, ...]
    narrative_before: SafeString
    follows: CorrectionDifference | None

    @property
    def changes_winner(self) -> bool:
        """Whether another side has won."""
        return self.winners_before != self.winners_now


def why_not(battle: Battle, now: datetime) -> Finding | None:
    """R58: why a published battle can't be judged anew any more; None if it can."""
    turn = battle.turn
    last = Turn.objects.filter(round=turn.round_id).order_by("-number").only("number", "state", "lock_at").first()
    return why_not_anew(
        turn=turn.number,
        present=last.number if last else turn.number,
        is_settled=turn.state == TurnState.SETTLED,
        is_present_open=last is not None and last.state == TurnState.OPEN and clock.is_in_time(now, last.lock_at),
    )


def may_judge_anew(battle: Battle, judge: Judge) -> bool:
    """R58: who answers an open appeal against the result; where there is none, the head battle judge."""
    answering = list(open_appeals(battle).values_list("judge_id", flat=True))
    if judge.role != Role.BATTLE:
        return False
    return judge.pk in answering if answering else is_supreme(judge)


ALONE = gettext_lazy(
    "You worked it out yourself, and the dice are known: it counts once another battle judge agrees to it."
)


def deciders_of(battle: Battle) -> frozenset[int]:
    """R57: the keys of the users who had a part in a battle's result: who scored it, gave an opinion, published it, or
    judged it anew."""
    anew = Rejudgement.objects.filter(battle=battle, state=State.APPLIED)
    rows = (Result.objects.filter(battle=battle), Score.objects.filter(battle=battle))
    parts = (*rows, Opinion.objects.filter(battle=battle), anew)
    had_part = reduce(or_, (Q(pk__in=each.order_by().values("judge")) for each in parts))
    return frozenset(Judge.everybody.filter(had_part).values_list("user_id", flat=True))


def may_alone(battle: Battle, judge: Judge, now: datetime) -> bool:
    """R53, R57: whether a judge needs nobody else to judge it anew: he answers an appeal against the result, and had no
    part in it."""
    answers = open_appeals(battle).filter(judge=judge.pk).exists()
    is_published = battle.state == Battle.State.PUBLISHED
    return may_change_alone(
        answers=answers, decided=not (answers and is_published) or judge.user_id in deciders_of(battle)
    )


def why_not_apply(row: Rejudgement, judge: Judge, now: datetime) -> tuple[str, str]:
    """R53, R57: why a judge may not put a new judgement into force, in a sentence, with its rule; empty if he may. One
    that the head battle judge worked out, who knew the dice, needs a second battle judge, who agrees by applying it."""
    if may_alone(row.battle, judge, now):
        return "", ""
    for appeal in open_appeals(row.battle).select_related("judge"):
        if appeal.judge and may_alone(row.battle, appeal.judge, now):
            return gettext("%(name)s answers an appeal against this result, and decides about it.") % {
                "name": appeal.judge.name
            }, "R57"
    if row.judge.user_id == judge.user_id:
        return str(ALONE), "R53"
    if may_judge_anew(row.battle, judge) or (row.judge.dismissed_at is None and may_judge_anew(row.battle, row.judge)):
        return "", ""
    return gettext("It needs the head battle judge and a second one; work it out anew."), "R53"


def may_drop(row: Rejudgement, judge: Judge, now: datetime) -> bool:
    """R58: whether a judge may drop a new judgement: who worked it out, and who may judge the battle anew or agree to
    it."""
    own = row.judge.user_id == judge.user_id
    return own or may_judge_anew(row.battle, judge) or not why_not_apply(row, judge, now)[0]


def choices_for(battle: Battle, judge: Judge, now: datetime) -> dict[int, AnewChoice]:
    """R53, R58: what a judge may do with each of a battle's new judgements that wait, by their keys."""
    found = {}
    rows = list(Rejudgement.objects.filter(battle=battle, state=State.PROPOSED).select_related("judge"))
    is_contested = bool(rows) and open_appeals(battle).exists()
    for row in rows:
        row.battle = battle
        own = row.judge.user_id == judge.user_id
        if own and not is_contested:
            found[row.pk] = AnewChoice(False, True, str(ALONE), "R53", own)
            continue
        why, cites = why_not_apply(row, judge, now)
        found[row.pk] = AnewChoice(not why, may_drop(row, judge, now), why, cites, own)
    return found


def others_who_agree(judge: Judge) -> QuerySet[Judge]:
    """R53: the other battle judges of his round."""
    return Judge.objects.filter(round=judge.round_id, role=Role.BATTLE).exclude(user=judge.user_id)


def strats_that_count(battle: Battle, accepted: Iterable[Strat] = ()) -> dict[str, Strat]:
    """R35, R58: the strats of a published battle that counted, by army, with late ones in the place of others."""
    found = published_strats(battle, battle.result.outcome["strats"])
    return found | {strat.entry.name: strat for strat in accepted}


def late_strats(battle: Battle) -> list[Strat]:
    """R35: the strats that came late and count for nothing, the last one of each army; those of armies without another
    that came later."""
    rows = Strat.objects.filter(entry__battle=battle, late=True, accepted_at__isnull=True)
    found = {row.entry_id: row for row in rows.select_related("entry", "player").order_by("pk")}
    return list(found.values())


def asking_strats(battle: Battle) -> list[tuple[Strat, RiskRuling | None]]:
    """4.3, 4.5: the strats that counted or came late and ask for a kill or a capture, with what was ruled on them."""
    strats = [*strats_that_count(battle).values(), *late_strats(battle)]
    ruled = risk_rulings({f"{strat.pk}": strat for strat in strats})
    return [(strat, ruled.get(f"{strat.pk}")) for strat in strats if strat.risk]


def anew_of(battle: Battle) -> tuple[AnewView, ...]:
    """R58: all new judgements of a battle, those that wait or were dropped too, which are the judges' alone."""
    rows = _joined(Rejudgement.objects.filter(battle=battle)).order_by("pk")
    return tuple(anew_view(row, number) for number, row in enumerate(rows, 1))


def public_anew(battle_id: int) -> tuple[AnewView, ...]:
    """R58: how the battle of that key was judged anew, the oldest first."""
    rows = _joined(Rejudgement.objects.filter(state=State.APPLIED, battle=battle_id)).order_by("decided_at", "pk")
    return tuple(anew_view(row, number) for number, row in enumerate(rows, 1))


def anew_view(row: Rejudgement, number: int = 1) -> AnewView:
    """A row as it is shown; `number` counts those of its battle."""
    names = sides_named(row.battle)
    before, now = row.outcome_before, row.outcome
    score: Mapping[str, object] = row.score_before
    changes_score = (score.get("favours"), score.get("bonus")) != (row.favours, row.bonus)
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
        winners_now=names[now["winner"]],
        accepted=tuple(army for army, _ in row.accepted),
        risks=tuple(_risk_words(one) for one in row.risks),
        armies=tuple(_difference(army, before, now) for side in names for army in side),
        reasons_before=shown_reasons(cast(Sequence[StoredReason], score.get("reasons", ())) if changes_score else ()),
        reasons=shown_reasons(row.reasons),
        narrative_before=to_html(row.narrative_before),
        follows=difference_of(row.correction) if row.correction else None,
    )


def sides_named(battle: Battle) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The armies of both sides, as they are called in the turn."""
    entries = list(battle.entries.all())
    first, second = (tuple(entry.name for entry in entries if entry.side == side) for side in (0, 1))
    return first, second


def score_words(names: Sequence[Sequence[str]], favours: object, bonus: object) -> str:
    """4.2.1: `+4 for Ana`, or `no bonus`."""
    if favours not in (0, 1) or not bonus:
        return gettext("no bonus")
    return f"+{bonus} for {' and '.join(names[1 if favours else 0])}"


def score_of(score: Score) -> dict[str, object]:
    """A score as it is kept beside the one that came after it."""
    told = {"judge": score.judge.name, "favours": score.favours, "bonus": score.bonus, "how": score.how}
    return {**told, "locked_at": score.locked_at.isoformat(), "reasons": score.reasons}


def _risk_words(risk: Mapping[str, object]) -> str:
    if risk.get("is_void"):
        return gettext("the request of %(army)s is void") % {"army": risk["army"]}
    return (
        gettext("%(army)s goes for %(target)s") % {"army": risk["army"], "target": risk["target"]}
        if risk.get("target")
        else gettext("%(army)s as its strat asks") % {"army": risk["army"]}
    )


def _difference(army: str, before: StoredOutcome, now: StoredOutcome) -> LossDifference:
    return LossDifference(army, _lost(before, army), _lost(now, army), _fate(before, army), _fate(now, army))


def _lost(outcome: StoredOutcome, army: str) -> tuple[int, ...]:
    """What died of an army in the battle, and of the troops that it risked, by slot."""
    lost = list(outcome["losses"].get(army, [0, 0, 0, 0]))
    for attempt in outcome["attempts"]:
        if attempt["army"] == army:
            lost = [fell + risked for fell, risked in zip(lost, attempt["lost"], strict=True)]
    return tuple(lost)


def _fate(outcome: StoredOutcome, army: str) -> str:
    return "killed" if army in outcome["killed"] else "captured" if army in outcome["captured"] else ""


def _joined(rows: QuerySet[Rejudgement]) -> QuerySet[Rejudgement]:
    joined = rows.select_related("battle__turn__round", "judge", "decided_by", "correction__turn")
    big = ("position", "events", "sky")
    kept = [f"{turn}__{name}" for turn in ("battle__turn", "correction__turn") for name in big]
    return joined.defer(*kept).prefetch_related("battle__entries")
