"""4.2.6, R41, R42, R53: what a judge may change of a battle, alone and at all."""

import pytest

from tests.rules.test_kills_and_captures import ANN, FULL, RAIDER, YAK, ZED, beaten
from wargame.rules.battle.adjusting import Adjustment, Bounds, Special, adjusted_losses, why_two
from wargame.rules.battle.battle import BattleSide, Fighter, Outcome
from wargame.rules.book.risked_troops import Risk

PAIR = BattleSide((Fighter(ANN),)), BattleSide((Fighter(ZED), Fighter(YAK)))
RUNNER = BattleSide((Fighter(ANN),)), BattleSide((Fighter(ZED, runs=True),))
BOUNDS = Bounds(runner_least=20, pair_least=50, pair_most=150)


def why(sides: tuple[BattleSide, BattleSide], kind: Special, army: str, percent: int) -> str:
    return why_two(sides, Adjustment(kind, army, percent), BOUNDS)


def test_what_changes_nothing_needs_nobody_else():
    """R53: by 100 percent a change is taken back."""
    assert why(PAIR, Special.LOSSES, "Ann", 100) == ""
    assert why(PAIR, Special.INVOLVED, "Ann", 100) == ""


@pytest.mark.parametrize(("percent", "alone"), [(49, False), (50, True), (150, True), (151, False)])
def test_one_judge_sets_the_part_of_one_of_a_pair_within_the_rounds_bounds(percent, alone):
    told = why(PAIR, Special.INVOLVED, "Yak", percent)
    bounds = "In this round, one judge alone can set an army's share to between 50 and 150 percent."
    assert told == ("" if alone else bounds)


def test_who_fights_alone_shares_its_losses_with_nobody():
    """R42; a partner without a strat is not there (4.4)."""
    told = "There is no second army on the side of {} to share the losses with."
    assert why(PAIR, Special.INVOLVED, "Ann", 90) == told.format("Ann")
    left = BattleSide((Fighter(ANN),)), BattleSide((Fighter(ZED), Fighter(YAK, has_strat=False)))
    assert why(left, Special.INVOLVED, "Zed", 90) == told.format("Zed")
    assert why(left, Special.INVOLVED, "Yak", 90) == told.format("Yak")


@pytest.mark.parametrize(("percent", "alone"), [(19, False), (20, True), (99, True), (101, False)])
def test_one_judge_sets_a_runners_losses_between_the_least_and_what_it_would_have_lost(percent, alone):
    """4.2.6, R41."""
    told = why(RUNNER, Special.LOSSES, "Zed", percent)
    bounds = (
        "In this round, one judge alone can set the losses of a side that ran away to between 20 and 100 percent of "
        "what the side would have lost."
    )
    assert told == ("" if alone else bounds)


def test_one_judge_changes_the_losses_of_nobody_who_stayed():
    told = "Ann didn't run away; one judge alone can't change the losses."
    assert why(RUNNER, Special.LOSSES, "Ann", 90) == told
    gone = BattleSide((Fighter(ANN),)), BattleSide((Fighter(ZED, runs=True), Fighter(YAK, has_strat=False)))
    assert "Yak didn't run away" in why(gone, Special.LOSSES, "Yak", 90)


def changed(percent: int, *, runs: bool = True, rounds_up: bool = True, lost: tuple[int, ...] = (10, 3, 0, 1)):
    """Zed's losses when they are changed."""
    sides, outcome = beaten((Fighter(ANN),), (Fighter(ZED, runs=runs),))
    outcome = outcome._replace(losses={**outcome.losses, "Zed": lost})
    change = Adjustment(Special.LOSSES, "Zed", percent, rounds_up)
    return adjusted_losses(sides, outcome, [change]).losses["Zed"]


def test_a_runners_losses_are_rounded_up_and_all_others_down():
    """R53: so that they are never below that percentage; changes of older services were rounded down."""
    assert changed(50) == (5, 2, 0, 1)
    assert changed(50, rounds_up=False) == (5, 1, 0, 0)
    assert changed(50, runs=False) == (5, 1, 0, 0)
    assert changed(100) == (10, 3, 0, 1)
    assert changed(3, runs=False, lost=(33, 0, 0, 0)) == (0, 0, 0, 0)


def test_a_runner_loses_one_at_least_in_the_lowest_slot_that_lost_any():
    """4.2.6, R41."""
    assert changed(0) == (1, 0, 0, 0)
    assert changed(0, lost=(0, 0, 7, 9)) == (0, 0, 1, 0)
    assert changed(0, lost=(0, 0, 0, 0)) == (0, 0, 0, 0)
    assert changed(0, runs=False) == (0, 0, 0, 0)


def test_nobody_loses_more_than_fight():
    """4.2.6, 4.3.3: what is risked stands apart."""
    assert changed(300, runs=False, lost=(2000, 1000, 400, 400)) == (5000, 2500, 1200, 1000)
    sides, outcome = beaten((Fighter(RAIDER),), (Fighter(ZED, risk=Risk.KILL),))
    outcome = outcome._replace(losses={**outcome.losses, "Zed": (0, 0, 0, 400)})
    after = _losses_of(adjusted_losses(sides, outcome, [Adjustment(Special.LOSSES, "Zed", 300)]), "Zed")
    assert after == (0, 0, 0, FULL[3] - 500)


def test_the_others_losses_stay_as_they_are():
    sides, outcome = beaten((Fighter(ANN),), (Fighter(ZED), Fighter(YAK)))
    after = adjusted_losses(sides, outcome, [Adjustment(Special.LOSSES, "Yak", 50)])
    assert _losses_of(after, "Ann") == _losses_of(outcome, "Ann")
    assert _losses_of(after, "Zed") == _losses_of(outcome, "Zed")
    assert _losses_of(after, "Yak") != _losses_of(outcome, "Yak")
    shared = adjusted_losses(sides, outcome, [Adjustment(Special.INVOLVED, "Yak", 50)])
    assert shared.losses == outcome.losses


def _losses_of(outcome: Outcome, army: str) -> tuple[int, ...]:
    return outcome.losses[army]
