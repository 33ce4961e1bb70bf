"""4.2.4, 4.2.6, 4.3, 4.5, R38, R42: what is rolled, adjusted and published, and what a turn makes of it."""

import pytest

from judging.battles.desk.publishing import publish_result
from judging.battles.desk.rolling import adjust, answer_adjustment, ask_adjustment, roll, withdraw_adjustment
from judging.battles.desk.scoring import lock_score
from judging.battles.models import AdjustmentRequest, Battle, Proposal, Result, Score
from judging.battles.outcome_schema import is_damaged
from judging.battles.resolution import outcome_of
from judging.battles.strats.queries import counting_strats
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.viewer import Viewer
from judging.log.queries import visible
from judging.verification.checks import verify_round
from tests.services.test_strats import demote
from tests.services.world_of_tests import HOUR, REASONS, World, add_judge
from wargame.models import Army, Judge, Round
from wargame.rules.battle import kills_and_captures

pytestmark = pytest.mark.django_db


@pytest.fixture
def battle(war: World) -> Battle:
    return Battle.objects.select_related("turn__round").get()


@pytest.fixture
def judge(war: World) -> Judge:
    return war.judges["battle"]


def scored(war: World, battle: Battle, other: str = "Gaz", **strat: object) -> Battle:
    """Ana's strat, with requests, and Gaz's; +10 for Ana."""
    war.strat(battle, "Ana", "Ana", **strat)
    if other:
        war.strat(battle, other, other)
    ana = battle.entries.get(army__name="Ana").side
    lock_score(
        battle=battle, judge=war.judges["battle"], favours=ana, bonus=10, reasons=REASONS, now=battle.deadline + HOUR
    )
    return battle


def change(battle: Battle, judge: Judge, **typed: object) -> Proposal:
    given = {
        "kind": "losses",
        "army": "Gaz",
        "percent": 50,
        "reason": "Badly chased.",
        "now": battle.deadline + 2 * HOUR,
    }
    return adjust(battle=battle, judge=judge, **{**given, **typed})  # type: ignore[arg-type]


def test_a_roll_is_stored_and_publishes_nothing(war: World, battle: Battle, judge: Judge) -> None:
    scored(war, battle)
    proposal = roll(battle=battle, judge=judge, now=battle.deadline + HOUR)
    assert roll(battle=battle, judge=judge, now=battle.deadline + 9 * HOUR) == proposal
    assert Battle.objects.get().state == "rolled"
    assert not Result.objects.exists()


def test_what_is_published_is_what_was_rolled(war: World, battle: Battle, judge: Judge) -> None:
    scored(war, battle)
    rolled = roll(battle=battle, judge=judge, now=battle.deadline + HOUR).outcome
    published = publish_result(battle=battle, judge=judge, narrative="", now=battle.deadline + 2 * HOUR)
    assert published.outcome == rolled
    assert sum(published.odds) == 1000


def test_nothing_is_rolled_without_a_score(battle: Battle, judge: Judge) -> None:
    with pytest.raises(Refused, match="no score yet"):
        roll(battle=battle, judge=judge, now=battle.deadline + HOUR)


def fled(war: World, battle: Battle) -> Battle:
    """Ana's strat, and Gaz's, who runs; +10 for Ana."""
    war.strat(battle, "Gaz", "Gaz", runs=True)
    return scored(war, battle, other="")


def test_an_adjustment_of_who_ran_keeps_the_dice_and_its_reason(war: World, battle: Battle, judge: Judge) -> None:
    """4.2.6, R53."""
    fled(war, battle)
    before = roll(battle=battle, judge=judge, now=battle.deadline + HOUR).outcome
    changed = change(battle, judge)
    after = changed.outcome
    assert after["rolls"] == before["rolls"]
    assert after["winner"] == before["winner"]
    assert after["losses"]["Gaz"] == [-(-number // 2) for number in before["losses"]["Gaz"]]
    assert changed.unchanged == before
    (made,) = after["adjustments"]
    assert (made["army"], made["percent"], made["by"], made["agreed"]) == ("Gaz", 50, "Judge battle", "")
    taken_back = change(battle, judge, percent=100, reason="")
    assert (taken_back.outcome, taken_back.unchanged) == (before, None)
    tries = LogEntry.objects.filter(action="battle.adjusted").order_by("pk")
    assert [(row.data["army"], row.data["percent"]) for row in tries] == [("Gaz", 50), ("Gaz", 100)]


def test_what_one_judge_may_not_change_is_refused_and_stands_in_the_log(
    war: World, battle: Battle, judge: Judge
) -> None:
    """R53."""
    scored(war, battle)
    before = roll(battle=battle, judge=judge, now=battle.deadline + HOUR).outcome
    with pytest.raises(Refused, match="one judge alone") as refused:
        change(battle, judge, percent=0)
    assert refused.value.cites == "R53"
    assert Proposal.objects.get().outcome == before
    tried = LogEntry.objects.get(action="battle.adjust_tried")
    assert (tried.data["army"], tried.data["percent"]) == ("Gaz", 0)
    assert not LogEntry.objects.filter(visible(Viewer(None, war.round), tried.at), pk=tried.pk).exists()
    publish_result(battle=battle, judge=judge, narrative="", now=battle.deadline + 3 * HOUR)
    assert LogEntry.objects.filter(visible(Viewer(None, war.round), tried.at), pk=tried.pk).exists()


def ask(battle: Battle, judge: Judge, **typed: object) -> AdjustmentRequest:
    given = {"kind": "losses", "army": "Gaz", "percent": 50, "cites": "4.2.6", "reason": "The dam broke."}
    more = {"now": battle.deadline + 2 * HOUR, **typed}
    return ask_adjustment(battle=battle, judge=judge, **{**given, **more})  # type: ignore[arg-type]


def answer(battle: Battle, judge: Judge, asked: AdjustmentRequest, accepted: bool, words: str = "") -> None:
    now = battle.deadline + 3 * HOUR
    answer_adjustment(battle=battle, judge=judge, request_id=asked.pk, accepted=accepted, answer=words, now=now)


def test_with_a_second_judge_anything_is_changed_and_the_dice_own_outcome_stays_beside_it(
    war: World, battle: Battle, judge: Judge
) -> None:
    """R53."""
    scored(war, battle)
    before = roll(battle=battle, judge=judge, now=battle.deadline + HOUR).outcome
    with pytest.raises(Refused, match="no other battle judge"):
        ask(battle, judge)
    second = add_judge(war.round, "battle", "Second", is_head=False)
    with pytest.raises(Refused, match="Only the head battle judge"):
        ask(battle, second)
    with pytest.raises(Refused, match="The rulebook has no rule"):
        ask(battle, judge, cites="99.9")
    asked = ask(battle, judge)
    with pytest.raises(Refused, match="Another change to this battle is waiting for an answer"):
        ask(battle, judge, percent=60)
    with pytest.raises(Refused, match="A change to this battle is waiting for a second judge"):
        publish_result(battle=battle, judge=judge, narrative="", now=battle.deadline + 3 * HOUR)
    with pytest.raises(Refused, match="You asked for this change yourself"):
        answer(battle, judge, asked, True)
    assert Proposal.objects.get().outcome == before
    answer(battle, second, asked, True)
    with pytest.raises(Refused, match="This request is no longer waiting for anyone"):
        answer(battle, second, asked, False, "No.")
    now = battle.turn.lock_at + HOUR
    result = publish_result(battle=battle, judge=judge, narrative="", now=now)
    (made,) = result.outcome["adjustments"]
    assert (made["by"], made["agreed"], made["cites"]) == ("Judge battle", "Second", "4.2.6")
    assert result.outcome["losses"]["Gaz"] == [number // 2 for number in before["losses"]["Gaz"]]
    assert result.unchanged == before
    war.settle(now)
    assert [verdict.differences for verdict in verify_round(war.round)] == [(), ()]
    result.unchanged["losses"]["Gaz"][0] += 1
    result.save()
    assert "the battle on 3F: the result of the dice alone" in list(verify_round(war.round))[1].differences


def test_a_second_judge_may_refuse_with_a_reason_and_nothing_changes(war: World, battle: Battle, judge: Judge) -> None:
    """R53."""
    scored(war, battle)
    before = roll(battle=battle, judge=judge, now=battle.deadline + HOUR).outcome
    second = add_judge(war.round, "battle", "Second", is_head=False)
    asked = ask(battle, judge)
    with pytest.raises(Refused, match="The reason is empty"):
        answer(battle, second, asked, False)
    answer(battle, second, asked, False, "No dam stands there.")
    withdraw_adjustment(battle=battle, judge=judge, request_id=ask(battle, judge).pk, now=battle.deadline + 3 * HOUR)
    result = publish_result(battle=battle, judge=judge, narrative="", now=battle.deadline + 4 * HOUR)
    assert (result.outcome, result.unchanged) == (before, None)
    done = ("battle.adjust_asked", "battle.adjust_refused", "battle.adjust_asked", "battle.adjust_withdrawn")
    found = LogEntry.objects.filter(action__startswith="battle.adjust").order_by("pk")
    assert tuple(found.values_list("action", flat=True)) == done


def test_what_an_older_service_changed_is_still_recomputed(war: World, battle: Battle, judge: Judge) -> None:
    """R53: without the rule and the second judge, and rounded down."""
    fled(war, battle)
    roll(battle=battle, judge=judge, now=battle.deadline + HOUR)
    old = [{"kind": "losses", "army": "Gaz", "percent": 33, "reason": "Badly chased.", "by": "Judge battle"}]
    score, strats = Score.objects.get(battle=battle), counting_strats(battle)
    outcome = outcome_of(battle, score, strats, old)  # type: ignore[arg-type]
    Proposal.objects.update(adjustments=old, outcome=outcome)
    now = battle.turn.lock_at + HOUR
    result = publish_result(battle=battle, judge=judge, narrative="", now=now)
    result.refresh_from_db()
    assert not is_damaged(result.outcome)
    assert result.unchanged["adjustments"] == []
    war.settle(now)
    assert [verdict.differences for verdict in verify_round(war.round)] == [(), ()]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"reason": " "}, "The reason is empty"),
        ({"cites": "9.9.9"}, "The rulebook has no rule “9.9.9”"),
        ({"army": "Hex"}, "Choose an army that fights in this battle"),
        ({"kind": "winner"}, "You can only adjust an"),
        ({"percent": 301}, "0 to 300 percent"),
        ({"percent": -1}, "0 to 300 percent"),
        ({"kind": "involved"}, "There is no second army on the side of Gaz"),
        ({"percent": 0}, "to between 1 and 100 percent of what the side would have lost"),
        ({"percent": 101}, "to between 1 and 100 percent of what the side would have lost"),
    ],
)
def test_an_adjustment_that_cannot_be_is_refused(
    war: World, battle: Battle, judge: Judge, typed: dict[str, object], sentence: str
) -> None:
    fled(war, battle)
    before = roll(battle=battle, judge=judge, now=battle.deadline + HOUR).outcome
    with pytest.raises(Refused, match=sentence):
        change(battle, judge, **typed)
    assert Proposal.objects.get().outcome == before


def test_nothing_is_adjusted_before_the_roll_or_after_the_publishing(war: World, battle: Battle, judge: Judge) -> None:
    scored(war, battle)
    with pytest.raises(Refused, match="Nothing is rolled yet"):
        change(battle, judge)
    publish_result(battle=battle, judge=judge, narrative="", now=battle.deadline + HOUR)
    with pytest.raises(Refused, match="The result is published, so it"):
        change(battle, judge)


def test_results_may_wait_for_the_lock(war: World, battle: Battle, judge: Judge) -> None:
    """4.1.1."""
    Round.objects.update(results_after_lock=True)
    scored(war, battle)
    roll(battle=battle, judge=judge, now=battle.deadline + HOUR)
    with pytest.raises(Refused, match="only be published after the lock"):
        publish_result(battle=battle, judge=judge, narrative="", now=battle.turn.lock_at)
    assert publish_result(battle=battle, judge=judge, narrative="", now=battle.turn.lock_at + HOUR)


def test_a_battle_judge_who_plays_in_the_round_judges_nothing(war: World, battle: Battle) -> None:
    """1.3."""
    player = war.players["Ben"]
    playing = Judge.objects.create(round=war.round, user=player.user, name="Both", role="battle", is_head=False)
    war.strat(battle, "Ana", "Ana")
    with pytest.raises(Refused, match="You play in this round"):
        lock_score(battle=battle, judge=playing, favours=None, bonus=0, now=battle.deadline + HOUR)


# A test's dice come from its name; under these Ana wins.
@pytest.mark.parametrize("risk", ["kill", "capture"], ids=["killed", "captured"])
def test_a_kill_and_a_capture_are_settled_and_recomputed(
    war: World, battle: Battle, judge: Judge, risk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """4.3.3, 4.5: the killed is off the map, the captured changes sides, and anybody comes to the same."""
    monkeypatch.setattr(kills_and_captures, "kill_succeeds", lambda *_: True)
    monkeypatch.setattr(kills_and_captures, "capture_succeeds", lambda *_: True)
    if risk == "capture":
        demote(war, "Gaz")
        battle.turn.refresh_from_db()
    scored(war, battle, risk=risk)
    now = battle.turn.lock_at + HOUR
    outcome = publish_result(battle=battle, judge=judge, narrative="", now=now).outcome
    assert outcome["killed" if risk == "kill" else "captured"] == ["Gaz"]
    if risk == "kill":
        assert war.settle(now) == "settled"
        assert Army.objects.get(name="Gaz").died_in == 2
        (killed,) = [event for event in battle.turn.__class__.objects.get(number=2).events if event["kind"] == "killed"]
        assert killed["by"] == ["Ana"]
        assert [verdict.differences for verdict in verify_round(war.round)] == [(), ()]


def test_the_risked_troops_that_died_are_lost_in_the_settlement(
    war: World, battle: Battle, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R39."""
    monkeypatch.setattr(kills_and_captures, "kill_succeeds", lambda *_: False)
    monkeypatch.setattr(kills_and_captures, "risked_lost", lambda *_: True)
    scored(war, battle, risk="kill")
    now = battle.turn.lock_at + HOUR
    outcome = publish_result(battle=battle, judge=judge, narrative="", now=now).outcome
    war.settle(now)
    left = Army.objects.get(name="Ana").troops.get(slot=4).alive
    assert left == 1000 - 500 - outcome["losses"]["Ana"][3]


def test_an_adjusted_battle_is_recomputed_with_its_adjustment(war: World, battle: Battle, judge: Judge) -> None:
    fled(war, battle)
    now = battle.turn.lock_at + HOUR
    roll(battle=battle, judge=judge, now=now)
    change(battle, judge, now=now)
    publish_result(battle=battle, judge=judge, narrative="", now=now)
    war.settle(now)
    assert [verdict.differences for verdict in verify_round(war.round)] == [(), ()]
    result = Result.objects.get()
    result.outcome["adjustments"][0]["percent"] = 60
    result.save()
    assert "the battle on 3F: its outcome" in list(verify_round(war.round))[1].differences


def test_two_judges_who_publish_at_once_publish_one_result(war: World, battle: Battle, judge: Judge) -> None:
    scored(war, battle)
    roll(battle=battle, judge=judge, now=battle.deadline + HOUR)
    second = add_judge(war.round, "battle", "Second", is_head=False)
    publish_result(battle=battle, judge=second, narrative="Mine.", now=battle.deadline + 2 * HOUR)
    with pytest.raises(Refused, match="Second published this result"):
        publish_result(battle=battle, judge=judge, narrative="No, mine.", now=battle.deadline + 2 * HOUR)
    assert Result.objects.get().narrative == "Mine."
