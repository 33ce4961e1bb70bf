"""4.1.1, R35, 5.2.3: strats, whose count, and what they may ask for."""

from datetime import timedelta

import pytest

from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle, BattleArmy, Strat
from judging.battles.strats.queries import all_sent, counting_strats
from judging.battles.strats.services import MAX_STRAT, send_strat
from judging.command.control.services import assign
from judging.common.errors import Refused
from tests.services.world_of_tests import HOUR, REASONS, World, add_player, token
from wargame.models import Player, Turn
from wargame.rules.battle.battle import receipt

pytestmark = pytest.mark.django_db


@pytest.fixture
def battle(war: World) -> Battle:
    return Battle.objects.select_related("turn__round").get()


def counting(battle: Battle) -> dict[str, str]:
    return {army: strat.text for army, strat in counting_strats(battle).items()}


def make_contingency(war: World, of: str, name: str) -> None:
    Player.objects.filter(pk=war.players[of].pk).update(contingency=war.players[name])


def test_a_strat_is_kept_with_the_receipt_of_its_text_and_requests(war: World, battle: Battle) -> None:
    strat = war.strat(battle, "Ana", "Ana", "Dig in.\r\nWait – then strike.")
    assert strat.text == "Dig in.\nWait – then strike."
    assert strat.sha256 == receipt(
        salt=strat.salt, text=strat.text, risk=strat.risk, runs=strat.runs, leaves="", leaves_to=""
    )
    assert not strat.late


def test_the_last_strat_by_the_deadline_counts(war: World, battle: Battle) -> None:
    war.strat(battle, "Ana", "Ana", "First.")
    war.strat(battle, "Ana", "Ana", "Second.", now=battle.deadline + timedelta(seconds=59))
    late = war.strat(battle, "Ana", "Ana", "Third.", now=battle.deadline + timedelta(minutes=1))
    assert late.late
    assert counting(battle) == {"Ana": "Second."}
    assert Strat.objects.count() == 3


def test_an_extension_is_the_battles_own(war: World, battle: Battle) -> None:
    Battle.objects.update(deadline=battle.deadline + 10 * HOUR)
    assert not war.strat(battle, "Ana", "Ana", now=battle.deadline + 9 * HOUR).late


def test_a_form_sent_twice_makes_one_strat(war: World, battle: Battle) -> None:
    form = token()
    first = war.strat(battle, "Ana", "Ana", token=form)
    assert war.strat(battle, "Ana", "Ana", token=form, now=battle.deadline + HOUR) == first
    assert Strat.objects.count() == 1


def test_a_strat_for_somebody_elses_army_is_refused(war: World, battle: Battle) -> None:
    for by in ("Gaz", "Ben"):
        with pytest.raises(Refused, match="You don't control Ana") as refused:
            war.strat(battle, "Ana", by)
        assert refused.value.cites == "5.4.1"
    with pytest.raises(Refused, match="You don't control Ana"):
        send_strat(
            battle=battle, army=war.army("Ana"), player=None, text="Fight.", risk="", runs=False,
            leaves="", leaves_to="", token=token(), now=battle.deadline,
        )  # fmt: skip


def test_a_strat_for_an_army_that_does_not_fight_is_refused(war: World, battle: Battle) -> None:
    with pytest.raises(Refused, match="doesn't fight in this battle"):
        war.strat(battle, "Ben", "Ben")


def test_a_contingency_sends_in_the_last_24_hours_only(war: World, battle: Battle) -> None:
    make_contingency(war, "Ana", "Ben")
    opens = battle.deadline - timedelta(hours=24)
    with pytest.raises(Refused, match="from Sat 14 Mar 2026, 05:00 UTC on") as refused:
        war.strat(battle, "Ana", "Ben", now=opens - timedelta(seconds=1))
    assert refused.value.cites == "5.2.3"
    assert war.strat(battle, "Ana", "Ben", now=opens).as_contingency


def test_a_contingencys_strat_counts_only_if_the_controller_sent_none(war: World, battle: Battle) -> None:
    make_contingency(war, "Ana", "Ben")
    war.strat(battle, "Ana", "Ben", "Stand in.", now=battle.deadline)
    assert counting(battle) == {"Ana": "Stand in."}
    assert not all_sent(battle)
    war.strat(battle, "Ana", "Ana", "Mine.", now=battle.deadline - HOUR)
    assert counting(battle) == {"Ana": "Mine."}


def test_a_contingencys_strat_is_void_once_the_controller_for_whom_he_sent_it_has_lost_the_army(
    war: World, battle: Battle
) -> None:
    """5.2.3, 5.4.2: he sends what is required of that player; what the player himself sent would be void, too."""
    make_contingency(war, "Ana", "Ben")
    war.players["Cay"] = add_player(war.round, "Cay", "coalition", "captain")
    war.strat(battle, "Ana", "Ben", "Stand in.", now=battle.deadline - 2 * HOUR)
    assign(round=war.round, army=war.army("Ana"), player=war.players["Cay"], now=battle.deadline - HOUR)
    assert counting(battle) == {}
    war.strat(battle, "Ana", "Cay", "New master.", now=battle.deadline)
    assert counting(battle) == {"Ana": "New master."}


def test_a_contingency_who_gets_the_army_himself_has_sent_his_own_strat(war: World, battle: Battle) -> None:
    """5.4.2: all that he did with an army that he controls in the end counts."""
    make_contingency(war, "Ana", "Ben")
    war.strat(battle, "Ana", "Ana", "Old master.", now=battle.deadline - 3 * HOUR)
    war.strat(battle, "Ana", "Ben", "Stand in.", now=battle.deadline - 2 * HOUR)
    assert counting(battle) == {"Ana": "Old master."}
    assign(round=war.round, army=war.army("Ana"), player=war.players["Ben"], now=battle.deadline - HOUR)
    assert counting(battle) == {"Ana": "Stand in."}


def test_the_strat_of_whoever_controls_the_army_at_the_deadline_counts(war: World, battle: Battle) -> None:
    war.strat(battle, "Ana", "Ana", "Old master.")
    assign(round=war.round, army=war.army("Ana"), player=war.players["Ben"], now=battle.deadline - HOUR)
    assert counting(battle) == {}
    war.strat(battle, "Ana", "Ben", "New master.", now=battle.deadline)
    assert counting(battle) == {"Ana": "New master."}


def test_control_that_changes_after_the_deadline_changes_no_strat(war: World, battle: Battle) -> None:
    war.strat(battle, "Ana", "Ana", "Mine.")
    assign(round=war.round, army=war.army("Ana"), player=war.players["Ben"], now=battle.deadline + HOUR)
    assert counting(battle) == {"Ana": "Mine."}


def test_a_long_strat_is_told_how_long_it_is(war: World, battle: Battle) -> None:
    with pytest.raises(Refused, match=f"has 50,001 characters; the limit is {MAX_STRAT:,}"):
        war.strat(battle, "Ana", "Ana", "x" * (MAX_STRAT + 1))


def test_no_strat_is_taken_once_the_battle_is_scored(war: World, battle: Battle) -> None:
    war.strat(battle, "Ana", "Ana")
    war.strat(battle, "Gaz", "Gaz")
    lock_score(
        battle=battle, judge=war.judges["battle"], favours=0, bonus=3, reasons=REASONS, now=battle.deadline - HOUR
    )
    with pytest.raises(Refused, match="has scored this battle"):
        war.strat(battle, "Ana", "Ana", "Better.", now=battle.deadline - HOUR)


def test_a_kill_needs_500_of_the_top_slot(war: World, battle: Battle) -> None:
    assert war.strat(battle, "Ana", "Ana", risk="kill").risk == "kill"
    lose(war, "Ana", 4, 501)
    with pytest.raises(Refused, match="A kill risks 500") as refused:
        war.strat(battle, "Ana", "Ana", risk="kill")
    assert refused.value.cites == "4.3.2"


def test_a_capture_needs_a_low_enemy_and_2000_of_the_lowest_slot(war: World, battle: Battle) -> None:
    with pytest.raises(Refused, match="lowest two ranks") as refused:
        war.strat(battle, "Ana", "Ana", risk="capture")
    assert refused.value.cites == "4.5"
    demote(war, "Gaz")
    assert war.strat(battle, "Ana", "Ana", risk="capture").risk == "capture"
    lose(war, "Ana", 1, 3001)
    with pytest.raises(Refused, match="A capture risks 2000"):
        war.strat(battle, "Ana", "Ana", risk="capture")


def test_a_strat_asks_for_a_kill_or_a_capture_and_nothing_else(war: World, battle: Battle) -> None:
    with pytest.raises(Refused, match="A strat can only ask for a kill or a capture"):
        war.strat(battle, "Ana", "Ana", risk="both")


def test_only_one_of_a_pair_leaves_the_square(war: World, battle: Battle) -> None:
    with pytest.raises(Refused, match="two armies fight side by side") as refused:
        war.strat(battle, "Ana", "Ana", leaves="Ana", leaves_to="3E")
    assert refused.value.cites == "4.4"


@pytest.mark.parametrize(
    ("leaves", "to", "sentence"),
    [("Gaz", "3E", "Say which army leaves"), ("Ana", "3H", "not one of the squares"), ("Ana", "x", "not a square")],
)
def test_a_pairs_wish_is_checked(war: World, battle: Battle, leaves: str, to: str, sentence: str) -> None:
    side = BattleArmy.objects.get(army__name="Ana").side
    BattleArmy.objects.create(battle=battle, army=war.army("Ben"), name="Ben", side=side)
    assert war.strat(battle, "Ana", "Ana", leaves="ben", leaves_to="e3").leaves == "Ben"
    with pytest.raises(Refused, match=sentence):
        war.strat(battle, "Ana", "Ana", leaves=leaves, leaves_to=to)


def change(war: World, name: str, **values: object) -> None:
    """Changes an army of the present turn's map."""
    turn = war.turn
    army = next(army for army in turn.position["armies"] if army["name"] == name)
    army.update(values)
    Turn.objects.filter(pk=turn.pk).update(position=turn.position, position_hash=token())


def lose(war: World, name: str, slot: int, number: int) -> None:
    army = next(army for army in war.turn.position["armies"] if army["name"] == name)
    troops = [{**t, "alive": t["alive"] - number * (t["slot"] == slot)} for t in army["troops"]]
    change(war, name, troops=troops)


def demote(war: World, name: str) -> None:
    change(war, name, rank="cpl")


def test_the_same_strat_sent_twice_has_two_receipts(war: World, battle: Battle) -> None:
    """R35: nobody can guess a short strat and try it against its receipt."""
    first = war.strat(battle, "Ana", "Ana", "hold")
    second = war.strat(battle, "Ana", "Ana", "hold")

    assert first.sha256 != second.sha256


def test_who_runs_away_goes_for_no_kill(war: World, battle: Battle) -> None:
    """4.2.6: a side that runs away loses."""
    with pytest.raises(Refused, match="runs away loses"):
        war.strat(battle, "Ana", "Ana", "We leave.", risk="kill", runs=True)
