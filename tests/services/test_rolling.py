"""4.2.4, 4.2.6, 4.3, 4.5, R38, R42: what is rolled, adjusted and published, and what a turn makes of it."""

from __future__ import annotations

import pytest

from judging.battles.desk.publishing import publish_result
from judging.battles.desk.rolling import adjust, roll
from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle, Proposal, Result
from judging.game.errors import Refused
from judging.verifying.reads import verify_round
from tests.services.test_strats import demote
from tests.services.world_of_tests import HOUR, World, add_judge
from wargame.models import Army, Judge, Round
from wargame.rules.battle import kills_and_captures

pytestmark = pytest.mark.django_db


@pytest.fixture
def battle(war: World) -> Battle:
    return Battle.objects.select_related("turn__round").get()


@pytest.fixture
def judge(war: World) -> Judge:
    return war.judges["battle"]


def scored(war: World, battle: Battle, **strat: object) -> Battle:
    """Ana's strat, with requests, and Gaz's; +10 for Ana."""
    war.strat(battle, "Ana", "Ana", **strat)
    war.strat(battle, "Gaz", "Gaz")
    ana = battle.entries.get(army__name="Ana").side
    lock_score(battle=battle, judge=war.judges["battle"], favours=ana, bonus=10, now=battle.deadline + HOUR)
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


def test_an_adjustment_keeps_the_dice_and_its_reason(war: World, battle: Battle, judge: Judge) -> None:
    """4.2.6."""
    scored(war, battle)
    before = roll(battle=battle, judge=judge, now=battle.deadline + HOUR).outcome
    after = change(battle, judge).outcome
    assert after["rolls"] == before["rolls"]
    assert after["winner"] == before["winner"]
    assert after["losses"]["Gaz"] == [number // 2 for number in before["losses"]["Gaz"]]
    assert after["adjustments"] == [
        {"kind": "losses", "army": "Gaz", "percent": 50, "reason": "Badly chased.", "by": "Judge battle"}
    ]
    assert change(battle, judge, percent=100, reason="").outcome == before


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"reason": " "}, "The reason is empty"),
        ({"army": "Hex"}, "does not fight in this battle"),
        ({"kind": "winner"}, "What can be adjusted"),
        ({"percent": 301}, "0 to 300 percent"),
        ({"percent": -1}, "0 to 300 percent"),
        ({"kind": "involved"}, "fights alone on its side"),
    ],
)
def test_an_adjustment_that_cannot_be_is_refused(
    war: World, battle: Battle, judge: Judge, typed: dict[str, object], sentence: str
) -> None:
    scored(war, battle)
    before = roll(battle=battle, judge=judge, now=battle.deadline + HOUR).outcome
    with pytest.raises(Refused, match=sentence):
        change(battle, judge, **typed)
    assert Proposal.objects.get().outcome == before


def test_nothing_is_adjusted_before_the_roll_or_after_the_publishing(war: World, battle: Battle, judge: Judge) -> None:
    scored(war, battle)
    with pytest.raises(Refused, match="Nothing is rolled yet"):
        change(battle, judge)
    publish_result(battle=battle, judge=judge, narrative="", now=battle.deadline + HOUR)
    with pytest.raises(Refused, match="not adjusted any more"):
        change(battle, judge)


def test_results_may_wait_for_the_lock(war: World, battle: Battle, judge: Judge) -> None:
    """4.1.1."""
    Round.objects.update(results_after_lock=True)
    scored(war, battle)
    roll(battle=battle, judge=judge, now=battle.deadline + HOUR)
    with pytest.raises(Refused, match="published after the lock only"):
        publish_result(battle=battle, judge=judge, narrative="", now=battle.turn.lock_at)
    assert publish_result(battle=battle, judge=judge, narrative="", now=battle.turn.lock_at + HOUR)


def test_a_battle_judge_who_plays_in_the_round_judges_nothing(war: World, battle: Battle) -> None:
    """1.3."""
    player = war.players["Ben"]
    playing = Judge.objects.create(round=war.round, user=player.user, name="Both", role="battle", is_head=False)
    war.strat(battle, "Ana", "Ana")
    with pytest.raises(Refused, match="You play in this round"):
        lock_score(battle=battle, judge=playing, favours=None, bonus=0, now=battle.deadline + HOUR)


@pytest.mark.parametrize("risk", ["kill", "capture"])
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
    scored(war, battle)
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
