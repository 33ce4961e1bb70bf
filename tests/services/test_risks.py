"""4.3, 4.5, 1.3: a judge voids a kill or a capture, or says at whom it is aimed, and the roll follows him."""

import pytest

from judging.battles.desk.notes import rule_on_risk, withdraw_risk_ruling
from judging.battles.desk.publishing import publish_result
from judging.battles.desk.rolling import roll
from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle, Result, RiskRuling, Strat
from judging.battles.resolution import FirstOfEquals, odds_of, outcome_of
from judging.battles.strats.queries import counting_strats
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.turns.battles import results_as_rules
from judging.verification.checks import verify_round, verify_turn
from tests.services.world_of_tests import HOUR, REASONS, World, add_judge, begin, make_round
from wargame.models import Judge
from wargame.rules.battle import kills_and_captures
from wargame.rules.core.board import PLAINS, read_square
from wargame.rules.core.board import Board as BoardOfRules
from wargame.rules.core.position import Battle as RulesBattle
from wargame.rules.core.position import Position

pytestmark = pytest.mark.django_db

PAIR = {
    "Ben": ("coalition", "3D", "commander"),
    "Cay": ("coalition", "3G", "lieutenant"),
    "Dag": ("coalition", "30D", "captain"),
    "Gaz": ("phyrexia", "3F", "evincar"),
}


@pytest.fixture
def war() -> World:
    """Ben and Cay attack Gaz on 3F."""
    world = begin(make_round(PAIR))
    world.post("Ben", "Ben: 3D > 3F; joint engage")
    world.post("Cay", "Cay: 3G > 3F; joint engage")
    assert world.settle() == "settled"
    return world


@pytest.fixture
def battle(war: World) -> Battle:
    return Battle.objects.select_related("turn__round").get()


@pytest.fixture
def judge(war: World) -> Judge:
    return war.judges["battle"]


def strats(war: World, battle: Battle, risk: str = "kill", by: str = "Gaz") -> Strat:
    """Everybody's strats; the one of `by` goes for a kill or a capture."""
    sent = {name: war.strat(battle, name, name, risk=risk if name == by else "") for name in ("Ben", "Cay", "Gaz")}
    return sent[by]


def rule(battle: Battle, judge: Judge, strat: Strat, target: str = "", **typed: object) -> RiskRuling:
    given = {"cites": "4.3.2", "reason": "He does not say so.", "now": battle.deadline + HOUR, **typed}
    return rule_on_risk(strat=strat, judge=judge, target=target, **given)  # type: ignore[arg-type]


def rolled(war: World, battle: Battle, favours: str = "Gaz") -> dict:
    """The outcome with +10 for the side of one army."""
    side, now = battle.entries.get(name=favours).side, battle.deadline + 2 * HOUR
    lock_score(battle=battle, judge=war.judges["battle"], favours=side, bonus=10, reasons=REASONS, now=now)
    return roll(battle=battle, judge=war.judges["battle"], now=now).outcome


def test_a_void_kill_risks_nobody_and_is_told_with_its_reason(war: World, battle: Battle, judge: Judge) -> None:
    """4.3.2."""
    rule(battle, judge, strats(war, battle))
    outcome = rolled(war, battle)
    assert outcome["risked"] == {}
    assert outcome["attempts"] == []
    assert outcome["risk_rulings"] == [
        {
            "army": "Gaz",
            "risk": "kill",
            "is_void": True,
            "target": "",
            "cites": "4.3.2",
            "reason": "He does not say so.",
            "by": "Judge battle",
        }
    ]


def test_without_a_ruling_the_enemy_with_fewer_top_troops_is_tried_and_with_one_the_named_one(
    war: World, battle: Battle, judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """4.3.3."""
    monkeypatch.setattr(kills_and_captures, "kill_succeeds", lambda *_: True)
    strat = strats(war, battle)
    lock_score(
        battle=battle,
        judge=judge,
        favours=battle.entries.get(name="Gaz").side,
        bonus=10,
        reasons=REASONS,
        now=battle.deadline,
    )
    tried = roll(battle=battle, judge=judge, now=battle.deadline + HOUR).outcome["attempts"][0]["target"]
    battle.proposal.delete()
    Battle.objects.update(state=Battle.State.SCORED)
    other = {"Ben": "Cay", "Cay": "Ben"}[tried]
    assert rule(battle, judge, strat, other).target == other
    outcome = roll(battle=battle, judge=judge, now=battle.deadline + HOUR).outcome
    assert [(one["target"], one["succeeded"]) for one in outcome["attempts"]] == [(other, True)]
    assert outcome["killed"] == [other]


def test_a_ruling_on_a_kill_is_recomputed_by_everybody(war: World, battle: Battle, judge: Judge) -> None:
    """R38."""
    rule(battle, judge, strats(war, battle), "Cay")
    rolled(war, battle)
    now = battle.turn.lock_at + HOUR
    publish_result(battle=battle, judge=judge, narrative="", now=now)
    assert war.settle(now) == "settled"
    assert [check.differences for check in verify_round(war.round)] == [(), ()]
    RiskRuling.objects.update(target="", is_void=True)
    assert "the battle on 3F: its outcome" in list(verify_round(war.round))[1].differences


def test_the_odds_follow_the_ruling(war: World, battle: Battle, judge: Judge) -> None:
    strat = strats(war, battle)
    side = battle.entries.get(name="Gaz").side
    assert odds_of(battle, side, 10).killed
    rule(battle, judge, strat)
    assert odds_of(battle, side, 10).killed == {}


def test_the_last_ruling_counts_and_one_that_is_taken_back_does_not(war: World, battle: Battle, judge: Judge) -> None:
    strat = strats(war, battle)
    rule(battle, judge, strat, "Ben")
    ruling = rule(battle, judge, strat, "Cay", reason="He means Cay.")
    assert RiskRuling.objects.get() == ruling
    for _ in range(2):
        withdraw_risk_ruling(battle=battle, judge=judge, ruling_id=ruling.pk, now=battle.deadline + HOUR)
    assert not RiskRuling.objects.exists()
    assert LogEntry.objects.filter(action="battle.strat_judged").count() == 3
    assert rolled(war, battle)["risk_rulings"] == []


def test_the_log_tells_nothing_of_what_a_strat_asks_for(war: World, battle: Battle, judge: Judge) -> None:
    """R35: judges who play read the log."""
    rule(battle, judge, strats(war, battle), "Cay")
    assert LogEntry.objects.get(action="battle.strat_judged").data == {"turn": 2, "battle": 1}


@pytest.mark.parametrize(
    ("typed", "field", "sentence"),
    [
        (
            {"target": "Dag"},
            "ruling",
            "In this battle, Gaz can only target an enemy, not Dag. You can name Ben and Cay.",
        ),
        ({"target": "Gaz"}, "ruling", "Gaz can only target an enemy, not Gaz"),
        ({"cites": "9.9"}, "cites", "The rulebook has no rule “9.9”"),
        ({"cites": ""}, "cites", "The rulebook has no rule"),
        ({"reason": " "}, "reason", "The reason is empty"),
        ({"reason": "x" * 1001}, "reason", "1,001 characters"),
    ],
)
def test_a_ruling_that_cannot_be_is_refused_at_its_field(
    war: World, battle: Battle, judge: Judge, typed: dict[str, str], field: str, sentence: str
) -> None:
    strat = strats(war, battle)
    with pytest.raises(Refused, match=sentence) as refused:
        rule(battle, judge, strat, **typed)
    assert refused.value.field == field
    assert not RiskRuling.objects.exists()


def test_a_capture_is_aimed_only_at_those_who_can_be_captured(war: World, battle: Battle, judge: Judge) -> None:
    """4.5."""
    strat = strats(war, battle, "capture")
    with pytest.raises(Refused, match=r"Gaz can't attempt to capture Ben\. Only armies of a team's lowest two ranks"):
        rule(battle, judge, strat, "Ben")
    assert rule(battle, judge, strat, "Cay", cites="4.5").target == "Cay"


def test_where_there_is_one_enemy_none_is_named(war: World, battle: Battle, judge: Judge) -> None:
    strat = strats(war, battle, by="Ben")
    with pytest.raises(Refused, match="There is only one enemy here for Ben"):
        rule(battle, judge, strat, "Gaz")


def test_only_the_strat_that_counts_is_ruled_on_and_only_if_it_asks_for_something(
    war: World, battle: Battle, judge: Judge
) -> None:
    """R35."""
    strat = strats(war, battle)
    plain = Strat.objects.get(player__name="Ben")
    with pytest.raises(Refused, match="doesn't ask for a kill or capture"):
        rule(battle, judge, plain)
    war.strat(battle, "Gaz", "Gaz", "Another plan.", now=battle.announced_at + 2 * HOUR)
    with pytest.raises(Refused, match="no longer counts"):
        rule(battle, judge, strat)


def test_after_the_roll_nothing_is_ruled_on_or_taken_back(war: World, battle: Battle, judge: Judge) -> None:
    """R38."""
    strat = strats(war, battle)
    ruling = rule(battle, judge, strat, "Ben")
    rolled(war, battle)
    with pytest.raises(Refused, match="The dice for this battle have been rolled"):
        rule(battle, judge, strat)
    with pytest.raises(Refused, match="The dice for this battle have been rolled"):
        withdraw_risk_ruling(battle=battle, judge=judge, ruling_id=ruling.pk, now=battle.deadline + 3 * HOUR)
    assert RiskRuling.objects.get().target == "Ben"


@pytest.mark.parametrize("role", ["movement", "mercenary"])
def test_only_battle_judges_rule_on_kills(war: World, battle: Battle, role: str) -> None:
    """1.3."""
    strat = strats(war, battle)
    with pytest.raises(Refused, match="Only battle judges"):
        rule(battle, war.judges[role], strat)
    second = add_judge(war.round, "battle", "Second", is_head=False)
    assert rule(battle, second, strat).judge == second


def test_a_settlement_is_told_which_of_two_winners_captured_an_army_and_who_took_no_part() -> None:
    """4.5: the captive has the colour of that one. 4.4: who took no part leaves the area."""
    at = read_square("3F")
    fight = Position(BoardOfRules(PLAINS), (), (RulesBattle(at, (("Ben", "Cay"), ("Gaz",))),))
    risked = {"army": "Cay", "risk": "capture", "target": "Gaz", "succeeded": True, "lost": [0, 0, 0, 0]}
    missed = {"army": "Ben", "risk": "kill", "target": "Gaz", "succeeded": False, "lost": [0, 0, 0, 500]}
    lost = {"Ben": [0] * 4, "Cay": [0] * 4, "Gaz": [0] * 4}
    outcome = {
        "losses": lost,
        "attempts": [missed, risked],
        "killed": [],
        "captured": ["Gaz"],
        "took_part": ["Cay", "Gaz"],
    }

    (result,) = results_as_rules([("3F", 0, outcome | {"leaves": "", "leaves_to": ""})], fight)

    assert (result.captured, result.taken_by, result.absent) == (("Gaz",), {"Gaz": "Cay"}, ("Ben",))


def test_a_battle_that_was_published_before_equals_were_drawn_is_verified_as_it_was(war: World, battle: Battle) -> None:
    """R38, R70: of rules before 1.2, in a turn that was open when the service was upgraded."""
    for name in ("Ben", "Cay", "Gaz"):
        war.strat(battle, name, name, risk="" if name == "Gaz" else "kill", leaves="" if name == "Gaz" else name)
    result = war.score(battle, battle.entries.get(name="Ben").side, 10)
    assert {"who tries first"} <= {draw["name"] for draw in result.outcome["draws"]}
    earlier = outcome_of(battle, battle.score, counting_strats(battle), dice_of=FirstOfEquals)
    Result.objects.update(outcome=earlier)

    (_, _, *_, check) = verify_turn(war.turn).battles[0].checks
    assert check.is_same
    assert "before 1.2" in check.what
    assert earlier["leaves"] == "Ben"
    assert "draws" not in earlier

    earlier["losses"]["Ben"][0] += 1
    Result.objects.update(outcome=earlier)
    assert verify_turn(war.turn).differences == ("the battle on 3F: its outcome",)
