"""4.2.1, R36, R38, R55: A battle's score: by one judge, by two who do not see each other's, by a third or the head
over them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext

from judging.battles.assignments import seats
from judging.battles.assignments.models import BattleSeat, Decision
from judging.battles.assignments.narratives import part_narratives
from judging.battles.assignments.queries import conflict_of, seats_in
from judging.battles.checks import battle_to_judge, check_due, check_judge, check_supreme, held_battle, record_act
from judging.battles.models import Battle, Opinion, Score, Strat
from judging.battles.outcome_schema import OverruledScore, StoredReason
from judging.battles.resolution import criteria_of, rules_battle
from judging.battles.seed_contributions import check_unmixed
from judging.common import locking
from judging.common.errors import Refused
from judging.common.positions import position_of
from judging.common.texts import checked_text, utc
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules.battle.criteria import MOST_APART, MOST_NUMBER, Criterion, departs, offered_bonus
from wargame.rules.book.formulas import MOST_BONUS
from wargame.rules.command.bench import is_within
from wargame.rules.core.sides import Side
from wargame.rules.core.wording import listed

Strats = dict[str, Strat]
MAX_REASON = 1_000


WHOLE = ""
"""R54: Stands for a criterion's name in the one reason of a score."""


class ScoreReason(NamedTuple):
    """R54: A reason on a criterion: how much it favours the side that gets the bonus, -10 to 10, and why. For the
    whole score, `departs` says why the bonus is not the one that the marks suggest."""

    number: int
    text: str
    departs: str = ""


Reasons = Mapping[str, ScoreReason]
"""R54: marks and reasons by the names of the round's criteria; by `WHOLE` the one reason of the score."""

NO_REASONS: Reasons = {}


@locking.writes
def lock_score(
    *,
    battle: Battle,
    judge: Judge,
    favours: int | None,
    bonus: int,
    now: datetime,
    reasons: Reasons = NO_REASONS,
    decision: str = "",
) -> Score:
    """4.2.1, R38, R54: Lock the bonus of 0 to 10 for one side (0 or 1; None: neither) before anything is rolled, with a
    reason and, if it is not 0, a mark on each criterion of the round.

    `decision` is the reason for a decision over two scores that are far apart (R55): public with the result, and
    required of the head, who decides if there is no third judge.

    The same score again changes nothing. Raises Refused for anybody but a battle judge of the round (1.3), if another
    score is locked (R38), strats may still come (4.1.1), it is not 0 to 10 (4.2.1), a reason is missing (R54), a side
    sent no strat (R36), two judges score this battle and this one must not decide, or it is outside the span of their
    scores (R55).
    """
    battle, counting = battle_to_judge(battle.pk)
    check_judge(battle, judge)
    favours = checked_bonus(favours, bonus)
    # Before anything is checked that time changes: a second click gets the score of the first.
    before = Score.objects.filter(battle=battle).select_related("judge").first()
    if before and (before.favours, before.bonus) == (favours, bonus):
        return before
    if before:
        raise Refused(
            gettext("%(name)s locked a score at %(utc)s; it can't be changed.")
            % {"name": before.judge.name, "utc": utc(before.locked_at)},
            "R38",
        )
    check_due(battle, counting, now)
    check_rules_leave_it(battle, counting, bonus)
    how = _how_one_judge_may_score(battle, counting, judge)
    if how in (Score.How.THIRD, Score.How.HEAD):
        _decide(battle, judge, favours, bonus, decision, how, now)
    entries = _said(battle, counting, judge, bonus, _with_reason(reasons, decision))
    return _store(battle, judge, favours, bonus, how, now, entries)


@locking.writes
def name_second_judge(*, battle: Battle, judge: Judge, second: Judge | None, now: datetime) -> Battle:
    """4.2.1: Ask another battle judge to score independently; None: nobody.

    Once one of them has scored, only the one who has not scored can leave: by themselves, or by the head; then another
    one may be named. If nobody is asked instead, the locked score is the battle's.
    """
    battle = held_battle(battle.pk)
    check_judge(battle, judge)
    opinions = list(Opinion.objects.filter(battle=battle).select_related("judge"))
    if second is not None:
        if second.role != Role.BATTLE or second.round_id != judge.round_id:
            raise Refused(gettext("Only another battle judge of this round can give a second score."), "1.3", "second")
        if second.pk == judge.pk:
            raise Refused(gettext("You can't be your own second judge."), "1.3", "second")
        if second.dismissed_at is not None or any(each.judge_id == second.pk for each in opinions):
            raise Refused(gettext("%(name)s can't also score this battle.") % {"name": second.name}, "4.2.1", "second")
        _check_second(battle, second)
    present, second_id = battle.second_judge_id, second.pk if second else None
    if present is None and second is None and len(opinions) == 1 and battle.state == Battle.State.WAITING:
        only = opinions[0]
        _store(battle, only.judge, only.favours, only.bonus, Score.How.ALONE, now, only.reasons)
        return battle
    if present == second_id:
        return battle
    if battle.state != Battle.State.WAITING or any(each.judge_id == present for each in opinions):
        raise Refused(gettext("A score for this battle is already locked, so its judges can't change."), "R38")
    if opinions and present is not None and judge.pk != present and not judge.is_head:
        raise Refused(
            gettext("One of two scores is locked. The other judge can still leave, or the head judge can remove them."),
            "R38",
        )
    battle.second_judge = second
    battle.save(update_fields=["second_judge"])
    seats.name_second(battle=battle, second=second, by=judge, now=now)
    if second is not None:
        part_narratives(battle)
    record_act(battle, judge, "battle.second_judge", now, second=second.name if second else None)
    return battle


@locking.writes
def lock_opinion(
    *,
    battle: Battle,
    judge: Judge,
    favours: int | None,
    bonus: int,
    now: datetime,
    reasons: Reasons = NO_REASONS,
) -> Score | None:
    """4.2.1: Lock one of two judges' scores. With the second, if they differ at most by the round's threshold, their
    mean becomes the battle's score. Else a third judge decides with `lock_score`, or the head if there is none (R55),
    and there is no score yet.

    The same judge's same score again changes nothing. Raises Refused like `lock_score`, and for a third judge.
    """
    # Two judges may lock in the same moment. The battle is held, so the second of them finds the first one's opinion,
    # and it is his request that makes the mean.
    battle, counting = battle_to_judge(battle.pk)
    check_judge(battle, judge)
    favours = checked_bonus(favours, bonus)
    opinion = Opinion.objects.filter(battle=battle, judge=judge).first()
    if opinion and (opinion.favours, opinion.bonus) != (favours, bonus):
        raise Refused(
            gettext("You locked your score at %(utc)s; you can't change it.") % {"utc": utc(opinion.locked_at)}, "R38"
        )
    if opinion is None:
        check_due(battle, counting, now)
        check_rules_leave_it(battle, counting, bonus)
        _check_seat(battle, judge)
        entries = _said(battle, counting, judge, bonus, reasons)
        Opinion.objects.create(battle=battle, judge=judge, favours=favours, bonus=bonus, locked_at=now, reasons=entries)
        record_act(battle, judge, "battle.opinion", now)
    score = Score.objects.filter(battle=battle).first() or _mean(battle, now)
    if opinion is None and score is None and Opinion.objects.filter(battle=battle).count() == 2:
        seats.give_third(battle=battle, now=now)
    return score


@locking.writes
def overrule_score(
    *,
    battle: Battle,
    judge: Judge,
    favours: int | None,
    bonus: int,
    reason: str,
    now: datetime,
    reasons: Reasons = NO_REASONS,
) -> Score:
    """1.3, 4.2.1: The head battle judge replaces the assistants' score with their own, before the dice are rolled.

    The former one is public with the result, and the reason. Raises Refused for anybody else, for a score of their own
    (R38), once the dice are rolled, and if the same score is already locked.
    """
    battle, counting = battle_to_judge(battle.pk)
    check_judge(battle, judge)
    check_supreme(judge, gettext("Only the head battle judge can overrule a score."))
    favours = checked_bonus(favours, bonus)
    score = Score.objects.select_related("judge").filter(battle=battle).first()
    if score is None:
        raise Refused(gettext("No score for this battle is locked. Lock your own."), "4.2.1")
    if battle.state != Battle.State.SCORED:
        raise Refused(gettext("The dice for this battle have been rolled, so its score can't change."), "R38")
    check_unmixed(battle, score, now)
    if score.judge_id == judge.pk or Opinion.objects.filter(battle=battle, judge=judge).exists():
        raise Refused(
            gettext("You scored this battle yourself at %(utc)s; you can't change that.")
            % {"utc": utc(score.locked_at)},
            "R38",
        )
    if (score.favours, score.bonus) == (favours, bonus):
        raise Refused(
            gettext("The locked score is already the same, so there is nothing to overrule."), "4.2.1", "bonus"
        )
    check_rules_leave_it(battle, counting, bonus)
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    entries = _said(battle, counting, judge, bonus, _with_reason(reasons, reason))
    former: OverruledScore = {
        "judge": score.judge.name,
        "favours": score.favours,
        "bonus": score.bonus,
        "how": score.how,
        "locked_at": score.locked_at.isoformat(),
        "by": judge.name,
        "at": now.isoformat(),
        "reason": reason,
        "reasons": score.reasons,
    }
    score.overruled = [*score.overruled, former]
    score.judge, score.favours, score.bonus, score.how, score.locked_at = judge, favours, bonus, Score.How.OVER, now
    score.reasons = entries
    score.save()
    record_act(battle, judge, "battle.score_overruled", now)
    return score


def _with_reason(reasons: Reasons, decision: str) -> Reasons:
    """R54: The reason for deciding over other scores serves as the reason for the judge's own, if they give no
    other."""
    if not decision.strip() or any(one.text.strip() for one in reasons.values()):
        return reasons
    return {**reasons, WHOLE: reasons.get(WHOLE, ScoreReason(0, ""))._replace(text=decision)}


def _said(battle: Battle, counting: Strats, judge: Judge, bonus: int, reasons: Reasons) -> list[StoredReason]:
    """R36, R54: The reasons of a score; none if the rules decide."""
    if not reasons and _stratless(battle, counting):
        return []
    return checked_reasons(battle, judge, bonus, reasons)


def checked_reasons(battle: Battle, judge: Judge, bonus: int, reasons: Reasons) -> list[StoredReason]:
    """R54: Marks and reasons as they are stored, the one reason first, then each criterion of the round; without a
    bonus, only the marked ones.

    Raises Refused for a bonus without a mark on each, for marks beyond -10 to 10, without any reason, and for a bonus
    that differs from the suggested one without an explanation. A sentence on a criterion is a reason, too.
    """
    criteria = criteria_of(battle.turn.round)
    if strangers := reasons.keys() - {WHOLE, *(criterion.name for criterion in criteria)}:
        names = ", ".join(criterion.name for criterion in criteria)
        raise Refused(
            gettext("“%(name)s” is not a criterion of this round; %(names)s are.")
            % {"name": min(strangers)[:60], "names": names},
            "R54",
            "reasons",
        )
    entries = [
        _stored_reason(judge, place, criterion, reasons.get(criterion.name), is_required=bool(bonus))
        for place, criterion in enumerate(criteria)
    ]
    marks = [one for one in entries if one is not None]
    whole = reasons.get(WHOLE, ScoreReason(0, ""))
    if not whole.text.strip() and not any(one["text"] for one in marks):
        raise Refused(gettext("Give a reason for this score. It will be published with the result."), "R54", WHY_FIELD)
    text = _checked_sentence(whole.text, "reason", WHY_FIELD)
    offer = offered_bonus((one["number"], one["weight"]) for one in marks)
    why = _checked_sentence(whole.departs, "reason", DEPARTS_FIELD) if departs(offer, bonus) else ""
    if departs(offer, bonus) and not why:
        raise Refused(departure_sentence(offer), "R54", DEPARTS_FIELD)
    first: StoredReason = {
        "judge": judge.name,
        "criterion": WHOLE,
        "weight": 0,
        "number": offer,
        "text": text,
        "departs": why,
    }
    return [first, *marks]


def departure_sentence(offered: int) -> str:
    """R54: The question to a judge whose bonus is not the one that the marks suggest."""
    message = gettext("The bonus suggested by your marks is %(offered)s. Say why yours differs by more than %(most)s.")
    return message % {"offered": f"{offered:+d}" if offered else "0", "most": MOST_APART}


def _stored_reason(
    judge: Judge, place: int, criterion: Criterion, reason: ScoreReason | None, *, is_required: bool
) -> StoredReason | None:
    """R54: a mark with the sentence on it, if there is one."""
    if reason is None and is_required:
        missing = gettext("Mark “%(name)s” from -%(most)s to %(most)s. A bonus needs a mark on each criterion.")
        fields = {"name": criterion.name, "most": MOST_NUMBER}
        raise Refused(missing % fields, "R54", number_field(place))
    if reason is None:
        return None
    if not -MOST_NUMBER <= reason.number <= MOST_NUMBER:
        beyond = gettext(
            "Mark each criterion from -%(most_number)s to %(most_number)s for the side that gets the bonus."
        )
        raise Refused(beyond % {"most_number": MOST_NUMBER}, "R54", number_field(place))
    text = _checked_sentence(
        reason.text, gettext("comment on “%(name)s”") % {"name": criterion.name}, reason_field(place)
    )
    return {
        "judge": judge.name,
        "criterion": criterion.name,
        "weight": criterion.weight,
        "number": reason.number,
        "text": text,
    }


def _checked_sentence(text: str, what: str, field: str) -> str:
    """R54: a sentence as it is stored; empty if there is none."""
    text = text.strip()
    return checked_text(text, what=what, most=MAX_REASON, cites="R54", field=field) if text else ""


WHY_FIELD, DEPARTS_FIELD = "why", "departs"
"""R54: The names of the form's fields for the one reason, and for why the bonus is not the suggested one."""


def reason_field(place: int) -> str:
    """R54: The name of the form's field for the sentence on the criterion at this place."""
    return f"reason_{place}"


def number_field(place: int) -> str:
    """R54: the name of the form's field for the number of the criterion at this place."""
    return f"number_{place}"


@locking.writes
def note_look_at_odds(*, battle: Battle, judge: Judge, now: datetime) -> None:
    """R54: Log that a judge looked at the consequences of a score, which is counted with the result; the score
    itself stays secret. Nothing is logged once a score is locked."""
    battle = held_battle(battle.pk)
    check_judge(battle, judge)
    if battle.state == Battle.State.WAITING:
        record_act(battle, judge, "battle.odds_looked", now)


def difference(opinions: list[Opinion]) -> int:
    """4.2.1: The difference of two scores: +3 to one side and +2 to the other are 5 apart."""
    first, second = map(_signed, opinions)
    return abs(first - second)


def _mean(battle: Battle, now: datetime) -> Score | None:
    """4.2.1: The mean of two scores that are near enough, rounded towards no bonus."""
    opinions = list(Opinion.objects.filter(battle=battle).select_related("judge").order_by("pk"))
    if len(opinions) < 2 or difference(opinions) > battle.turn.round.second_score_threshold:
        return None
    total = sum(map(_signed, opinions))
    bonus = abs(total) // 2
    favours = None if not bonus else int(total < 0)
    reasons = [reason for opinion in opinions for reason in opinion.reasons]
    return _store(battle, opinions[0].judge, favours, bonus, Score.How.MEAN, now, reasons)


def _signed(opinion: Opinion) -> int:
    return -opinion.bonus if opinion.favours else opinion.bonus


def _store(
    battle: Battle,
    judge: Judge,
    favours: int | None,
    bonus: int,
    how: str,
    now: datetime,
    reasons: Sequence[StoredReason],
) -> Score:
    fields = {"favours": favours, "bonus": bonus, "how": how, "reasons": list(reasons)}
    score = Score.objects.create(battle=battle, judge=judge, locked_at=now, **fields)
    Battle.objects.filter(pk=battle.pk).update(state=Battle.State.SCORED)
    record_act(battle, judge, "battle.scored", now)
    return score


def _how_one_judge_may_score(battle: Battle, counting: Strats, judge: Judge) -> str:
    """4.2.1, R55: Alone if no second judge was asked; else the third judge, or the head if there is none, once both
    scores are locked."""
    opinions = list(Opinion.objects.filter(battle=battle))
    if _stratless(battle, counting) or battle.second_judge_id is None and not opinions:
        return Score.How.ALONE
    if len(opinions) < 2:
        raise Refused(gettext("Two judges score this battle; each must lock their own score first."), "4.2.1")
    third = seats_in([battle]).get(battle.pk, {}).get(BattleSeat.Kind.THIRD)
    if third is not None:
        if third.judge_id != judge.pk:
            raise Refused(
                gettext("The two scores are far apart. %(name)s, who gave neither, will decide.")
                % {"name": third.judge.name},
                "R55",
            )
        return Score.How.THIRD
    if not judge.is_head:
        raise Refused(gettext("The two scores are far apart, so the head judge must set the final one."), "1.3")
    return Score.How.HEAD


def _decide(
    battle: Battle, judge: Judge, favours: int | None, bonus: int, reason: str, how: str, now: datetime
) -> None:
    """R55: Within the span of the two scores; the head must give a reason, a third judge may."""
    first, second = map(_signed, Opinion.objects.filter(battle=battle))
    if not is_within(first, second, -bonus if favours else bonus):
        raise Refused(
            gettext("The deciding score must be between the two scores, or equal to one of them."), "R55", "bonus"
        )
    if how == Score.How.HEAD or reason.strip():
        reason = checked_text(reason, what="reason", most=MAX_REASON, cites="R55", field="decision").strip()
    Decision(battle=battle, judge=judge, reason=reason, made_at=now).save()


def _check_second(battle: Battle, second: Judge) -> None:
    """R56: A judge with a conflict is not asked."""
    if conflict_of(battle, second) is not None:
        raise Refused(gettext("%(name)s has a conflict with this battle.") % {"name": second.name}, "R56", "second")


def _check_seat(battle: Battle, judge: Judge) -> None:
    """4.2.1: The second judge has one of two seats; the other is for the first to score."""
    opinions = Opinion.objects.filter(battle=battle).exclude(judge=battle.second_judge_id or 0).select_related("judge")
    opinion = opinions.first()
    if battle.second_judge_id is None and opinion is None:
        raise Refused(gettext("No second judge was asked to score this battle. Lock the score alone."), "4.2.1")
    if battle.second_judge_id is None:
        raise Refused(gettext("The second judge has left and hasn't been replaced yet."), "4.2.1")
    if judge.pk != battle.second_judge_id and opinion:
        second = Judge.everybody.get(pk=battle.second_judge_id)
        raise Refused(
            gettext("Only %(name)s and %(name2)s can score this battle.")
            % {"name": opinion.judge.name, "name2": second.name},
            "4.2.1",
        )


def checked_bonus(favours: int | None, bonus: int) -> int | None:
    """4.2.1: The side that gets the bonus; None if the bonus is 0."""
    if not 0 <= bonus <= MOST_BONUS or favours not in (0, 1, None):
        raise Refused(
            gettext("The strategy bonus must be 0 to %(most_bonus)s, for one side.") % {"most_bonus": MOST_BONUS},
            "4.2.1",
            "bonus",
        )
    if bonus and favours is None:
        raise Refused(gettext("Say which side gets the strategy bonus."), "4.2.1", "favours")
    return favours if bonus else None


def check_rules_leave_it(battle: Battle, counting: Strats, bonus: int) -> None:
    """R36: If a side sent no strat, the rules give the bonus."""
    stratless = _stratless(battle, counting)
    if bonus and stratless:
        names = listed([name for side in sorted(stratless) for name in rules_battle(battle).sides[side]])
        raise Refused(
            gettext("%(names)s sent no strat, so the rules set the strategy bonus. Enter a bonus of 0.")
            % {"names": names},
            "R36",
            "bonus",
        )


def _stratless(battle: Battle, strats: Strats) -> set[int]:
    """4.2.1, R49: The sides of which no army sent a strat; mercenaries are never stratless."""
    position, sides = position_of(battle.turn), rules_battle(battle).sides
    return {
        index
        for index, names in enumerate(sides)
        if position.by_name[names[0]].side is not Side.MERCENARY and not strats.keys() & set(names)
    }
