"""4.2.1, 4.1.2: notes by a judge's own criteria, and his word on what strats claim."""

import pytest
from django.contrib.auth.models import User

from judging.battles.desk.notes import (
    add_criterion,
    judge_claim,
    keep_notes,
    retire_criterion,
    show_notes,
    withdraw_claim,
)
from judging.battles.desk.publishing import publish_result
from judging.battles.desk.scoring import WHOLE, Reasons, ScoreReason, lock_opinion, lock_score, name_second_judge
from judging.battles.models import Battle, Claim, Note, Score, Strat
from judging.battles.queries import battle_view
from judging.common.errors import Refused
from judging.common.viewer import viewer_of
from tests.services.world_of_tests import HOUR, REASONS, World, add_judge
from wargame.models import Judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def battle(war: World) -> Battle:
    return Battle.objects.select_related("turn__round").get()


@pytest.fixture
def judge(war: World) -> Judge:
    return war.judges["battle"]


@pytest.fixture
def strat(war: World, battle: Battle) -> Strat:
    return war.strat(battle, "Ana", "Ana", "Our knights can't be hurt by red.")


def claim(strat: Strat, judge: Judge, **typed: str) -> Claim:
    given = {"claim": "Protection from red", "verdict": "limited", "cites": "2.2.3.1.1", "note": "Claws hurt.", **typed}
    return judge_claim(strat=strat, judge=judge, now=strat.sent_at, **given)


def test_a_claim_names_a_rule_that_exists(strat: Strat, judge: Judge) -> None:
    assert claim(strat, judge).cites == "2.2.3.1.1"
    assert claim(strat, judge, claim="Night", cites="R41").cites == "R41"
    with pytest.raises(Refused, match="The rulebook has no rule “9.9”"):
        claim(strat, judge, cites="9.9")
    with pytest.raises(Refused, match="accepted, limited or refused"):
        claim(strat, judge, verdict="perhaps")
    assert Claim.objects.count() == 2


def test_the_same_claim_again_replaces_the_verdict(strat: Strat, judge: Judge) -> None:
    claim(strat, judge)
    claim(strat, judge, verdict="refused")
    assert Claim.objects.get().verdict == "refused"


def test_a_claim_is_taken_back_by_who_made_it_before_the_result(
    war: World, battle: Battle, strat: Strat, judge: Judge
) -> None:
    made = claim(strat, judge)
    other = add_judge(war.round, "battle", "Other", is_head=False)
    withdraw_claim(battle=battle, judge=other, claim_id=made.pk, now=battle.deadline)
    assert Claim.objects.exists()
    war.score(battle)
    for late in (
        lambda: withdraw_claim(battle=battle, judge=judge, claim_id=made.pk, now=battle.deadline),
        lambda: claim(strat, judge),
    ):
        with pytest.raises(Refused, match="is published"):
            late()


def test_notes_are_kept_by_criterion_and_stay_after_the_result(war: World, battle: Battle, judge: Judge) -> None:
    terrain = add_criterion(judge=judge, name="Terrain")
    keep_notes(battle=battle, judge=judge, notes={terrain.pk: "Well used."}, now=battle.announced_at)
    war.score(battle)
    with pytest.raises(Refused, match="its notes can't change"):
        keep_notes(battle=battle, judge=judge, notes={terrain.pk: "Badly."}, now=battle.deadline)
    keep_notes(battle=battle, judge=judge, notes={terrain.pk: "Well used."}, now=battle.deadline)
    assert Note.objects.get().text == "Well used."


def test_nobody_notes_by_another_judges_criteria(war: World, battle: Battle, judge: Judge) -> None:
    other = add_judge(war.round, "battle", "Other", is_head=False)
    terrain = add_criterion(judge=other, name="Terrain")
    keep_notes(battle=battle, judge=judge, notes={terrain.pk: "Mine."}, now=battle.announced_at)
    assert not Note.objects.exists()


def test_notes_are_shown_with_the_result_only(war: World, battle: Battle, judge: Judge) -> None:
    terrain = add_criterion(judge=judge, name="Terrain")
    keep_notes(battle=battle, judge=judge, notes={terrain.pk: "Well used."}, now=battle.announced_at)
    with pytest.raises(Refused, match="publish the result first"):
        show_notes(battle=battle, judge=judge, shown=True, now=battle.deadline)
    war.score(battle)
    show_notes(battle=battle, judge=judge, shown=True, now=battle.deadline)
    assert Note.objects.get().shown


def test_there_are_twelve_criteria_at_most_and_a_retired_one_comes_back(judge: Judge) -> None:
    made = [add_criterion(judge=judge, name=f"Number {number}") for number in range(12)]
    with pytest.raises(Refused, match="already have 12 criteria"):
        add_criterion(judge=judge, name="One more")
    retire_criterion(judge=judge, criterion_id=made[0].pk)
    assert add_criterion(judge=judge, name="Number 0") == made[0]
    with pytest.raises(Refused, match="is empty"):
        add_criterion(judge=judge, name="  ")


def test_of_two_judges_neither_reads_what_the_other_made_of_a_claim_before_both_scored(
    war: World, battle: Battle, strat: Strat, judge: Judge
) -> None:
    """R55."""
    war.strat(battle, "Gaz", "Gaz", "Over the hill.")
    second = add_judge(war.round, "battle", "Second", is_head=False)
    claim(strat, judge)

    def read_by(user: User) -> int:
        view = battle_view(battle.pk, viewer_of(user, war.round), strat.sent_at)
        assert view is not None
        return sum(len(each.claims) for fighter in view.fighters for each in fighter.strats)

    assert (read_by(judge.user), read_by(second.user)) == (1, 0)
    name_second_judge(battle=battle, judge=judge, second=second, now=strat.sent_at)
    given = {"battle": battle, "favours": 0, "reasons": REASONS, "now": strat.sent_at + HOUR}
    lock_opinion(judge=judge, bonus=9, **given)
    assert (read_by(judge.user), read_by(second.user)) == (1, 0)
    lock_opinion(judge=second, bonus=1, **given)
    assert (read_by(judge.user), read_by(second.user)) == (1, 1)


MARKED = {name: ScoreReason(4, "") for name in REASONS if name != WHOLE}
WHY = {WHOLE: ScoreReason(0, "It knew the ford.")}


@pytest.mark.parametrize(
    ("bonus", "reasons", "field", "sentence"),
    [
        (4, {**MARKED, **WHY}, "", ""),
        (6, {**MARKED, **WHY}, "", ""),
        (4, {**MARKED, "Plan against this enemy": ScoreReason(4, "It knew the ford.")}, "", ""),
        (4, MARKED, "why", "Give a reason"),
        (4, WHY, "number_0", "Mark “Plan against this enemy” from -10 to 10"),
        (4, {**MARKED, **WHY, "What may go wrong": ScoreReason(11, "")}, "number_3", "-10 to 10"),
        (7, {**MARKED, **WHY}, "departs", r"suggested by your marks is \+4"),
        (0, {**MARKED, **WHY}, "departs", r"suggested by your marks is \+4"),
        (7, {**MARKED, WHOLE: ScoreReason(0, "It knew the ford.", "The ford was the battle.")}, "", ""),
        (0, WHY, "", ""),
        (0, {}, "why", "Give a reason"),
    ],
)
def test_a_score_has_marks_one_reason_and_a_word_on_another_bonus_than_the_offered_one(
    war: World, battle: Battle, strat: Strat, judge: Judge, bonus: int, reasons: Reasons, field: str, sentence: str
) -> None:
    """R54."""
    war.strat(battle, "Gaz", "Gaz", "Over the hill.")
    given = {"battle": battle, "judge": judge, "favours": 0 if bonus else None, "bonus": bonus, "reasons": reasons}
    if field:
        with pytest.raises(Refused, match=sentence) as refused:
            lock_score(now=strat.sent_at + HOUR, **given)
        assert (refused.value.cites, refused.value.field) == ("R54", field)
        return
    first = lock_score(now=strat.sent_at + HOUR, **given).reasons[0]
    assert (first["criterion"], first["number"]) == ("", 4 if len(reasons) > 1 else 0)


def test_nobody_gives_a_reason_for_what_the_rules_decide(battle: Battle, strat: Strat, judge: Judge) -> None:
    """R36: the other side sent no strat."""
    now = battle.deadline + HOUR
    assert lock_score(battle=battle, judge=judge, favours=None, bonus=0, now=now).reasons == []


def test_a_score_of_an_older_service_is_read_as_before(war: World, battle: Battle, strat: Strat, judge: Judge) -> None:
    war.strat(battle, "Gaz", "Gaz", "Over the hill.")
    lock_score(battle=battle, judge=judge, favours=0, bonus=9, reasons=REASONS, now=strat.sent_at + HOUR)
    score = Score.objects.get()
    old = [{key: one[key] for key in ("judge", "criterion", "weight", "number", "text")} for one in score.reasons[1:]]
    Score.objects.update(reasons=old)
    publish_result(battle=battle, judge=judge, narrative="", now=strat.sent_at + HOUR)
    view = battle_view(battle.pk, viewer_of(judge.user, war.round), strat.sent_at + HOUR)
    assert view is not None
    assert view.result is not None
    assert [each.criterion for each in view.result.own_reasons] == [one["criterion"] for one in old]
    assert not view.result.has_offer
