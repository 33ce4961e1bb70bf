"""4.2, R36 to R38: scores are locked before the dice, and the dice come from what was committed to."""

import pytest

from judging.announcements.models import Notice
from judging.battles.desk.publishing import publish_result
from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle, Result, Score
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.formula_books.services import book_for
from judging.turns.turn_input import InputOfTurn
from tests.services.world_of_tests import HOUR, REASONS, World, add_judge, make_round
from wargame.models import Judge
from wargame.rules.battle.battle import BattleSide, Fighter, fight, outcome_to_json
from wargame.rules.book.risked_troops import Risk
from wargame.rules.core.dice import battle_dice
from wargame.world import position_of_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def battle(war: World) -> Battle:
    return Battle.objects.select_related("turn__round").get()


@pytest.fixture
def judge(war: World) -> Judge:
    return war.judges["battle"]


@pytest.fixture
def fought(war: World, battle: Battle) -> Battle:
    """Both strats are in."""
    war.strat(battle, "Ana", "Ana", "Hold the ridge.")
    war.strat(battle, "Gaz", "Gaz", "Burn the ridge.", runs=False, risk="kill")
    return battle


def test_a_score_is_locked_once(fought: Battle, judge: Judge) -> None:
    now = fought.deadline + HOUR
    first = lock_score(battle=fought, judge=judge, favours=1, bonus=4, reasons=REASONS, now=now)
    assert lock_score(battle=fought, judge=judge, favours=1, bonus=4, reasons=REASONS, now=now + HOUR) == first
    with pytest.raises(Refused, match="locked a score") as refused:
        lock_score(battle=fought, judge=judge, favours=0, bonus=10, reasons=REASONS, now=now)
    assert refused.value.cites == "R38"
    assert Score.objects.get().bonus == 4


@pytest.mark.parametrize(("favours", "bonus"), [(0, 11), (1, -1), (2, 3), (None, 3)])
def test_a_score_is_0_to_10_to_one_side(fought: Battle, judge: Judge, favours: int, bonus: int) -> None:
    with pytest.raises(Refused) as refused:
        lock_score(
            battle=fought, judge=judge, favours=favours, bonus=bonus, reasons=REASONS, now=fought.deadline + HOUR
        )
    assert refused.value.cites == "4.2.1"


def test_only_a_battle_judge_of_the_round_scores(war: World, fought: Battle) -> None:
    other = make_round({}, slug="other").judges["battle"]
    for judge in (war.judges["movement"], war.judges["mercenary"], other):
        with pytest.raises(Refused, match="Only battle judges of this round can"):
            lock_score(battle=fought, judge=judge, favours=0, bonus=1, reasons=REASONS, now=fought.deadline + HOUR)
        with pytest.raises(Refused, match="Only battle judges of this round can"):
            publish_result(battle=fought, judge=judge, narrative="", now=fought.deadline + HOUR)


def test_a_battle_is_judged_after_its_deadline_or_when_all_strats_are_in(
    war: World, battle: Battle, judge: Judge
) -> None:
    war.strat(battle, "Ana", "Ana")
    with pytest.raises(Refused, match="Strats are accepted until") as refused:
        lock_score(battle=battle, judge=judge, favours=0, bonus=1, reasons=REASONS, now=battle.deadline)
    assert refused.value.cites == "4.1.1"
    war.strat(battle, "Gaz", "Gaz")
    lock_score(battle=battle, judge=judge, favours=0, bonus=1, reasons=REASONS, now=battle.deadline)
    publish_result(battle=battle, judge=judge, narrative="", now=battle.deadline)
    assert Result.objects.exists()


def test_a_stratless_side_leaves_nothing_to_score(war: World, battle: Battle, judge: Judge) -> None:
    """R36: +10 to the side whose enemy sent none, by the rules alone."""
    war.strat(battle, "Ana", "Ana")
    now = battle.deadline + HOUR
    with pytest.raises(Refused, match="Gaz sent no strat") as refused:
        lock_score(battle=battle, judge=judge, favours=0, bonus=1, reasons=REASONS, now=now)
    assert refused.value.cites == "R36"
    lock_score(battle=battle, judge=judge, favours=None, bonus=0, now=now)
    outcome = publish_result(battle=battle, judge=judge, narrative="", now=now).outcome
    ana = battle.entries.get(army__name="Ana").side
    assert outcome["bonus"][ana]["strategy"] == 10
    assert outcome["bonus"][1 - ana]["strategy"] == 0
    assert outcome["winner"] == ana


def test_a_late_strat_does_not_count(war: World, battle: Battle, judge: Judge) -> None:
    war.strat(battle, "Ana", "Ana")
    war.strat(battle, "Gaz", "Gaz", now=battle.deadline + HOUR)
    outcome = war.score(battle).outcome
    assert list(outcome["strats"]) == ["Ana"]


def test_no_result_without_a_score(fought: Battle, judge: Judge) -> None:
    with pytest.raises(Refused, match="no score yet") as refused:
        publish_result(battle=fought, judge=judge, narrative="", now=fought.deadline + HOUR)
    assert refused.value.cites == "R38"


def test_a_result_can_be_recomputed_from_what_is_public(war: World, fought: Battle) -> None:
    result = war.score(fought, favours=0, bonus=6)
    position = position_of_turn(fought.turn)
    names = position.battles[0].sides
    risks = {"Gaz": Risk.KILL, "Ana": None}
    sides = [tuple(Fighter(position.by_name[n], True, risks[n]) for n in side) for side in names]
    hashes = [strat.sha256 for entry in fought.entries.all() for strat in entry.strats.all()]
    dice = battle_dice(bytes.fromhex(fought.seed), "trial", 2, 1, hashes)
    number, book = book_for(war.round, 2)
    assert number == 1
    foes = BattleSide(sides[0], 6), BattleSide(sides[1])
    again = fight(foes, fought.defends, book, dice, severity=fought.weather["severity"])
    expected = {key: value for key, value in outcome_to_json(again).items() if key not in ("killed", "captured")}
    assert {key: result.outcome[key] for key in expected} == expected
    assert sorted(result.outcome["strats"].values()) == sorted(hashes)


def test_a_second_publication_gives_the_first_result(war: World, fought: Battle, judge: Judge) -> None:
    first = war.score(fought)
    later = fought.deadline + 5 * HOUR
    assert publish_result(battle=fought, judge=judge, narrative="It was a long day.", now=later) == first
    with pytest.raises(Refused, match="your story was not used"):
        publish_result(battle=fought, judge=judge, narrative="Other words.", now=later)
    assert Result.objects.get(battle=fought).narrative == "It was a long day."
    deputy = add_judge(war.round, "battle", "Deputy", is_head=False)
    with pytest.raises(Refused, match="Judge battle published this result at"):
        publish_result(battle=fought, judge=deputy, narrative="", now=fought.deadline + 5 * HOUR)
    assert Notice.objects.filter(kind="result").count() == 1


def test_a_published_battle_takes_no_strat(war: World, fought: Battle) -> None:
    war.score(fought)
    with pytest.raises(Refused, match="is published"):
        war.strat(fought, "Ana", "Ana", now=fought.deadline + 2 * HOUR)


def test_a_long_narrative_is_told_how_long_it_is(fought: Battle, judge: Judge) -> None:
    with pytest.raises(Refused, match="has 50,001 characters"):
        publish_result(battle=fought, judge=judge, narrative="x" * 50_001, now=fought.deadline + HOUR)


def test_the_result_is_posted_and_logged_without_the_score(war: World, fought: Battle) -> None:
    result = war.score(fought, favours=0, bonus=7)
    notice = Notice.objects.get(thread="results")
    names = InputOfTurn(fought.turn).position.battles[0].sides
    assert notice.text == f"3F: {names[result.winner][0]} beat {names[1 - result.winner][0]}."
    scored, rolled, published = LogEntry.objects.filter(action__startswith="battle.")
    assert rolled.data == scored.data
    assert scored.data == {"turn": 2, "battle": 1}
    assert published.data == {"turn": 2, "battle": 1, "winner": result.winner}


def test_a_run_away_loses(war: World, battle: Battle) -> None:
    war.strat(battle, "Ana", "Ana")
    war.strat(battle, "Gaz", "Gaz", runs=True)
    result = war.score(battle)
    assert result.winner == battle.entries.get(army__name="Ana").side
