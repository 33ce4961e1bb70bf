"""1.3, 4.2.1: two judges score a battle, neither seeing the other's score, and the head judge decides."""

from __future__ import annotations

import pytest

from judging.battles.desk.scoring import lock_opinion, lock_score, name_second_judge
from judging.battles.models import Battle, Opinion, Score
from judging.game.errors import Refused
from judging.game.models import LogEntry
from tests.services.world_of_tests import HOUR, World, add_judge
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


def opinion(war: World, battle: Battle, who: str, favours: int | None, bonus: int) -> Score | None:
    judge = war.judges[who]
    return lock_opinion(battle=battle, judge=judge, favours=favours, bonus=bonus, now=battle.deadline + HOUR)


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
    with pytest.raises(Refused, match="the head judge sets the final one") as refused:
        lock_score(battle=battle, judge=war.judges["second"], favours=1, bonus=4, now=now)
    assert refused.value.cites == "1.3"
    final = lock_score(battle=battle, judge=war.judges["battle"], favours=0, bonus=2, now=now)
    assert (final.favours, final.bonus, final.how) == (0, 2, "head")


def test_nobody_scores_alone_where_two_were_asked(war: World, battle: Battle) -> None:
    with pytest.raises(Refused, match="Two judges score this battle"):
        lock_score(battle=battle, judge=war.judges["battle"], favours=0, bonus=2, now=battle.deadline + HOUR)


def test_an_opinion_is_locked_once(war: World, battle: Battle) -> None:
    opinion(war, battle, "second", 1, 4)
    assert opinion(war, battle, "second", 1, 4) is None
    with pytest.raises(Refused, match="can't be changed"):
        opinion(war, battle, "second", 1, 5)
    assert Opinion.objects.get().bonus == 4


def test_a_third_judge_has_no_seat(war: World, battle: Battle) -> None:
    war.judges["third"] = add_judge(war.round, "battle", "Third", is_head=False)
    opinion(war, battle, "battle", 0, 4)
    with pytest.raises(Refused, match="Judge battle and Second score this battle"):
        opinion(war, battle, "third", 0, 4)


def test_judges_stay_as_they_are_once_one_has_scored(war: World, battle: Battle) -> None:
    opinion(war, battle, "second", 1, 4)
    with pytest.raises(Refused, match="stay as they are"):
        name_second_judge(battle=battle, judge=war.judges["battle"], second=None, now=battle.deadline)


def test_a_strat_can_not_be_sent_while_a_score_is_locked(war: World, battle: Battle) -> None:
    lock_opinion(battle=battle, judge=war.judges["second"], favours=1, bonus=4, now=battle.deadline)
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
