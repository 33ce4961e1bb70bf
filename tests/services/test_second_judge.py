"""1.3, 4.2.1: two judges score a battle, neither seeing the other's score, and a third or the head decides."""

import pytest
from django.test import Client
from django.urls import reverse

from judging.battles.assignments.models import BattleSeat, Decision, OwnNarrative
from judging.battles.assignments.narratives import BattleNarratives
from judging.battles.assignments.services import state_conflict
from judging.battles.desk.publishing import keep_narrative, publish_result
from judging.battles.desk.scoring import lock_opinion, lock_score, name_second_judge
from judging.battles.models import Battle, Opinion, Score
from judging.command.judges.services import dismiss_judge
from judging.common.errors import Refused
from judging.common.models import LogEntry
from tests.services.world_of_tests import HOUR, REASONS, World, add_judge
from wargame.models import Judge

pytestmark = pytest.mark.django_db


@pytest.fixture
def battle(war: World) -> Battle:
    """Both strats are in, and the assistant is to score too."""
    found = Battle.objects.select_related("turn__round").get()
    war.strat(found, "Ana", "Ana")
    war.strat(found, "Gaz", "Gaz")
    war.judges["second"] = add_judge(war.round, "battle", "Second", is_head=False)
    name_second_judge(battle=found, judge=war.judges["battle"], second=war.judges["second"], now=found.deadline)
    return found


def narrative_of(battle: Battle, judge: Judge) -> str | None:
    """What a judge's form has now."""
    found = Battle.objects.get(pk=battle.pk)
    narrative = BattleNarratives(found, list(found.opinions.all())).narrative_of(judge)
    return narrative.text if narrative else None


def others_narratives(battle: Battle, judge: Judge) -> tuple[OwnNarrative, ...]:
    found = Battle.objects.get(pk=battle.pk)
    return BattleNarratives(found, list(found.opinions.all())).others_than(judge)


def opinion(war: World, battle: Battle, who: str, favours: int | None, bonus: int) -> Score | None:
    judge = war.judges[who]
    return lock_opinion(
        battle=battle, judge=judge, favours=favours, bonus=bonus, reasons=REASONS, now=battle.deadline + HOUR
    )


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [
        ((0, 6), (0, 3), (0, 4)),
        ((0, 1), (1, 3), (1, 1)),
        ((0, 2), (1, 2), (None, 0)),
        ((None, 0), (0, 1), (None, 0)),
    ],
)
def test_scores_that_are_near_give_their_mean(
    war: World, battle: Battle, first: tuple[int, int], second: tuple[int, int], score: tuple[int | None, int]
) -> None:
    """Rounded towards no bonus."""
    assert opinion(war, battle, "battle", *first) is None
    final = opinion(war, battle, "second", *second)
    assert final is not None
    assert (final.favours, final.bonus, final.how) == (*score, "mean")


def test_scores_that_are_far_apart_are_for_the_head_judge(war: World, battle: Battle) -> None:
    opinion(war, battle, "second", 1, 4)
    assert opinion(war, battle, "battle", 0, 4) is None
    assert not Score.objects.exists()
    now = battle.deadline + 2 * HOUR
    with pytest.raises(Refused, match="the head judge must set the final one") as refused:
        lock_score(battle=battle, judge=war.judges["second"], favours=1, bonus=4, reasons=REASONS, now=now)
    assert refused.value.cites == "1.3"
    with pytest.raises(Refused, match="Write at least one line"):
        lock_score(battle=battle, judge=war.judges["battle"], favours=0, bonus=2, reasons=REASONS, now=now)
    final = lock_score(
        battle=battle, judge=war.judges["battle"], favours=0, bonus=2, reasons=REASONS, now=now, decision="Between."
    )
    assert (final.favours, final.bonus, final.how) == (0, 2, "head")
    assert Decision.objects.get().reason == "Between."


def test_what_both_judges_said_stays_with_the_result_when_the_head_decides(
    war: World, battle: Battle, client: Client
) -> None:
    """R54, R55: on the page, and in the API."""
    opinion(war, battle, "second", 1, 4)
    opinion(war, battle, "battle", 0, 4)
    judge, now = war.judges["battle"], battle.deadline + 2 * HOUR
    lock_score(battle=battle, judge=judge, favours=0, bonus=2, reasons=REASONS, now=now, decision="Between.")
    Opinion.objects.filter(judge=judge).update(reasons=said_by(judge, "The ford."))
    Opinion.objects.exclude(judge=judge).update(reasons=said_by(war.judges["second"], "The hill."))
    publish_result(battle=battle, judge=judge, narrative="", now=now)
    page = client.get(reverse("battle", args=[war.round.slug, battle.pk])).content.decode()
    assert all(text in page for text in ("The ford.", "The hill.", "Between.", "All in all, enough."))
    shown = client.get(f"/api/v1/rounds/{war.round.slug}/battles/{battle.pk}/").json()["result"]
    assert [one["reasons"][0]["text"] for one in shown["separate_scores"]] == ["The hill.", "The ford."]


def said_by(judge: Judge, text: str) -> list[dict[str, object]]:
    return [{"judge": judge.name, "criterion": "", "weight": 0, "number": 4, "text": text, "departs": ""}]


def test_nobody_scores_alone_where_two_were_asked(war: World, battle: Battle) -> None:
    with pytest.raises(Refused, match="Two judges score this battle"):
        lock_score(
            battle=battle, judge=war.judges["battle"], favours=0, bonus=2, reasons=REASONS, now=battle.deadline + HOUR
        )


def test_an_opinion_is_locked_once(war: World, battle: Battle) -> None:
    opinion(war, battle, "second", 1, 4)
    assert opinion(war, battle, "second", 1, 4) is None
    with pytest.raises(Refused, match="you can't change it"):
        opinion(war, battle, "second", 1, 5)
    assert Opinion.objects.get().bonus == 4


def test_a_third_judge_has_no_seat(war: World, battle: Battle) -> None:
    war.judges["third"] = add_judge(war.round, "battle", "Third", is_head=False)
    opinion(war, battle, "battle", 0, 4)
    with pytest.raises(Refused, match="Only Judge battle and Second can score this battle"):
        opinion(war, battle, "third", 0, 4)


def test_judges_stay_as_they_are_once_one_has_scored(war: World, battle: Battle) -> None:
    opinion(war, battle, "second", 1, 4)
    with pytest.raises(Refused, match="its judges can't change"):
        name_second_judge(battle=battle, judge=war.judges["battle"], second=None, now=battle.deadline)


def test_a_strat_can_not_be_sent_while_a_score_is_locked(war: World, battle: Battle) -> None:
    lock_opinion(battle=battle, judge=war.judges["second"], favours=1, bonus=4, reasons=REASONS, now=battle.deadline)
    with pytest.raises(Refused, match="has scored this battle"):
        war.strat(battle, "Ana", "Ana", "Better.", now=battle.deadline)


@pytest.mark.parametrize("who", ["battle", "movement", "stranger"])
def test_the_second_judge_is_another_battle_judge_of_the_round(war: World, battle: Battle, who: str) -> None:
    if who == "stranger":
        from tests.services.world_of_tests import make_round

        war.judges["stranger"] = make_round({}, slug="other").judges["battle"]
    with pytest.raises(Refused) as refused:
        name_second_judge(battle=battle, judge=war.judges["battle"], second=war.judges[who], now=battle.deadline)
    assert refused.value.cites == "1.3"


def test_no_score_is_in_the_log(war: World, battle: Battle) -> None:
    opinion(war, battle, "second", 1, 4)
    entry = LogEntry.objects.get(action="battle.opinion")
    assert entry.data == {"turn": 2, "battle": 1}
    assert Judge.objects.filter(user=entry.actor, name="Second").exists()


@pytest.fixture
def third(war: World, battle: Battle) -> Judge:
    war.judges["third"] = add_judge(war.round, "battle", "Third", is_head=False)
    return war.judges["third"]


def test_a_third_judge_who_was_neither_decides_within_the_span(war: World, battle: Battle, third: Judge) -> None:
    """R55: the head, who was one of the two, does not."""
    opinion(war, battle, "battle", 0, 8)
    assert opinion(war, battle, "second", 0, 1) is None
    now = battle.deadline + 2 * HOUR
    with pytest.raises(Refused, match="Third, who gave neither, will decide"):
        lock_score(
            battle=battle, judge=war.judges["battle"], favours=0, bonus=8, reasons=REASONS, now=now, decision="Mine."
        )
    with pytest.raises(Refused, match="The deciding score must be between the two scores, or equal to one") as refused:
        lock_score(battle=battle, judge=third, favours=0, bonus=9, reasons=REASONS, now=now)
    assert refused.value.field == "bonus"
    final = lock_score(battle=battle, judge=third, favours=0, bonus=7, reasons=REASONS, now=now)
    assert (final.judge, final.how) == (third, "third")


def test_who_has_a_conflict_is_no_third_judge(war: World, battle: Battle, third: Judge) -> None:
    """R55, R56: then the head decides."""
    state_conflict(judge=third, about="player", name="Gaz", why="", now=battle.announced_at)
    opinion(war, battle, "battle", 0, 8)
    opinion(war, battle, "second", 0, 1)
    assert not BattleSeat.objects.filter(kind="third").exists()
    now = battle.deadline + 2 * HOUR
    with pytest.raises(Refused, match="conflict with Gaz"):
        lock_score(battle=battle, judge=third, favours=0, bonus=7, reasons=REASONS, now=now)
    final = lock_score(
        battle=battle, judge=war.judges["battle"], favours=0, bonus=5, reasons=REASONS, now=now, decision="In between."
    )
    assert final.how == "head"


def test_neither_reads_what_the_other_writes_before_both_are_locked(war: World, battle: Battle, third: Judge) -> None:
    """R55: what was written before a second one was named is its writer's, too."""
    head, second, now = war.judges["battle"], war.judges["second"], battle.deadline + HOUR
    keep_narrative(battle=battle, judge=head, text="Nine, I would say.", base_version=0, now=now)
    assert narrative_of(battle, second) is None
    keep_narrative(battle=battle, judge=second, text="One.", base_version=0, now=now)
    opinion(war, battle, "battle", 0, 9)
    assert [narrative_of(battle, judge) for judge in (head, second)] == ["Nine, I would say.", "One."]
    assert others_narratives(battle, second) == ()
    opinion(war, battle, "second", 0, 1)
    battle.refresh_from_db()
    assert [one.text for one in others_narratives(battle, second)] == ["Nine, I would say."]


def test_what_was_written_before_a_second_judge_came_is_not_shown_to_him(war: World, battle: Battle) -> None:
    head, second, now = war.judges["battle"], war.judges["second"], battle.deadline
    name_second_judge(battle=battle, judge=head, second=None, now=now)
    keep_narrative(battle=Battle.objects.get(), judge=head, text="Nine.", base_version=0, now=now)
    battle = name_second_judge(battle=battle, judge=head, second=second, now=now)
    assert narrative_of(battle, second) is None
    assert narrative_of(battle, head) == "Nine."


def test_a_second_judge_who_leaves_frees_the_battle(war: World, battle: Battle, third: Judge) -> None:
    """R55: another one may be named after one has scored; the present one is not sent away by who scored."""
    head, second, now = war.judges["battle"], war.judges["second"], battle.deadline + HOUR
    opinion(war, battle, "battle", 0, 6)
    battle = name_second_judge(battle=battle, judge=second, second=None, now=now)
    assert battle.second_judge is None
    with pytest.raises(Refused, match="each must lock their own score"):
        lock_score(battle=battle, judge=head, favours=0, bonus=10, reasons=REASONS, now=now)
    battle = name_second_judge(battle=battle, judge=head, second=third, now=now)
    final = opinion(war, battle, "third", 0, 4)
    assert final is not None
    assert final.bonus == 5


def test_where_nobody_comes_after_a_second_judge_the_locked_score_counts(war: World, battle: Battle) -> None:
    opinion(war, battle, "battle", 0, 6)
    for judge in ("second", "battle"):
        battle = name_second_judge(battle=battle, judge=war.judges[judge], second=None, now=battle.deadline + HOUR)
    score = Score.objects.get()
    assert (score.favours, score.bonus, score.how) == (0, 6, "alone")


def test_a_dismissed_second_judge_frees_the_battle_too(war: World, battle: Battle, third: Judge) -> None:
    opinion(war, battle, "battle", 0, 6)
    head, now = war.judges["battle"], battle.deadline + HOUR
    dismiss_judge(round=war.round, by=head, judge_id=war.judges["second"].pk, reason="He asked.", now=now)
    name_second_judge(battle=battle, judge=head, second=third, now=now)
    assert opinion(war, battle, "third", 0, 6) is not None
