"""4.2.5, 4.2.6, 4.4: what a side loses, by the formulas of its book, and what of a battle reaches them."""

import pytest

from tests.rules.test_battle import ANN, EVEN, UP, VOR, army, battle, book_with, dice, lost, side
from wargame.rules.battle.battle import fight
from wargame.rules.battle.casualties import Ordeal, loss_rate
from wargame.rules.battle.four_dice import Stand, Why, dice_won, roll_round
from wargame.rules.book.risked_troops import Risk
from wargame.rules.core.sides import Rank

BEA = army("Bea")
ZED = army("Zed", Rank.EVINCAR)
ORDEAL = Ordeal(
    won=True,
    stratless=False,
    runs=False,
    covers=False,
    enemy_runs=False,
    pair_fights=False,
    own=Stand(dice=(9, 9, 9, 9), size=70, strategy=3, defends=True),
    enemy=Stand(dice=(8, 8, 8, 5), size=50, strategy=2, defends=False),
    dice_won=4,
    enemy_dice_won=1,
    severity=6,
)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *[("ahead", 7), ("won", 1), ("dice_won", 4), ("enemy_dice_won", 1), ("size", 70), ("enemy_size", 50)],
        *[("strategy", 3), ("enemy_strategy", 2), ("defends", 1)],
    ],
)
def test_the_formula_of_losses_has_each_number_of_the_battle(name: str, number: int) -> None:
    """4.2.5."""
    book = book_with(weather_loss="loss", side_loss=f"100 + {name}")
    assert loss_rate(ORDEAL, book) == (100 + number, 1)


@pytest.mark.parametrize(("severity", "rate"), [(0, 100), (1, 101), (6, 106)])
def test_weather_takes_or_gives_by_how_foul_it_is_and_fair_weather_does_nothing(severity: int, rate: int) -> None:
    """4.1.2.5."""
    book = book_with(side_loss="100", weather_loss="if(severity, loss + severity, 999)")
    assert loss_rate(ORDEAL._replace(severity=severity), book) == (rate, 1)


def fought(first, second, **given):
    """Losses of the second side under a book that says which special case it was."""
    book = book_with(
        side_loss="100",
        stratless_loss="loss + 1",
        pair_loss="loss + 20",
        weather_loss="loss + 300",
        slot_loss="loss",
    )
    return fight((first, second), 0, book, dice(), UP, **given)


def test_special_cases_reach_the_losses_where_they_are_and_nowhere_else():
    """4.2.4, 4.4, 4.1.2.5: of 5,000 in the first slot."""
    one, pair = side(ANN), side(ANN, BEA)

    def first(outcome, *names):
        return sum(outcome.losses[name][0] for name in names)

    assert first(fought(one, side(VOR)), "Vor") == 500
    assert first(fought(one, side(VOR)), "Ann") == 500
    assert first(fought(one, side(VOR), severity=1), "Vor") == 2000
    assert first(fought(pair, side(VOR)), "Vor") == 600
    assert first(fought(pair, side(VOR)), "Ann", "Bea") == 1200
    assert first(fought(one, side(VOR, ZED)), "Ann") == 600
    assert first(fought(one, side(VOR, has_strat=False)), "Vor") == 505
    assert first(fought(one, side(VOR, has_strat=False)), "Ann") == 500
    assert first(fought(side(ANN, has_strat=False), side(VOR, has_strat=False)), "Vor") == 500


def test_what_the_dice_won_reaches_the_losses_of_each_side():
    """4.2.5."""
    book = book_with(side_loss="100 * dice_won + 10 * enemy_dice_won", slot_loss="loss", most_lost="1000")
    outcome = fight((side(ANN), side(VOR)), 0, book, dice(), ((20, 20, 20, 1), (5, 5, 5, 5)))
    assert outcome.dice_won == (3, 1)
    assert (outcome.losses["Ann"][0], outcome.losses["Vor"][0]) == (5000 * 310 // 1000, 5000 * 130 // 1000)


def test_a_size_bonus_that_is_given_stands_for_the_books():
    """4.2.2, 4.4: the book's hears whether two armies fight together."""
    assert [bonus.size for bonus in battle(side(ANN), side(VOR), UP, size=(3, 4)).bonus] == [3, 4]
    book = book_with(size_bonus="if(pairs, 7, 2)")
    big, small = army("Big"), army("Wee", Rank.EVINCAR, alive=(500, 0, 0, 0))

    def bonus(first, second):
        return fight((first, second), 0, book, dice(), UP).bonus[0].size

    assert (bonus(side(big), side(small)), bonus(side(big, BEA), side(small))) == (2, 7)


def test_the_first_round_of_dice_is_drawn_first_and_a_coin_ends_what_nothing_decides():
    """R37, R38: by names and numbers that anybody can draw again."""
    assert battle(side(ANN), side(VOR), seed=3).rolls[0] == roll_round(dice(3), 0)
    book = book_with(most_rounds="1", equal_counts="0", equal_sums="0")
    winners = set()
    for seed in range(6):
        outcome = fight((side(ANN), side(VOR)), None, book, dice(seed), EVEN)
        assert (outcome.why, len(outcome.rolls)) == (Why.COIN, 1)
        assert outcome.winner == dice(seed).roll("coin", 2) - 1
        winners.add(outcome.winner)
    assert winners == {0, 1}


def test_a_pair_of_dice_is_weighed_by_the_book_which_hears_who_defends():
    """R37."""
    stands = Stand((5, 5, 5, 5), 1, 0, True), Stand((9, 9, 5, 5), 1, 0, False)
    assert dice_won(stands, book_with(die_points="if(defends, 3, 1)")) == (12, 4)


def test_both_who_risk_and_whom_they_risk_it_against_are_looked_at():
    """4.3.2: what a strat risks hangs on the enemy, whichever side it is of."""
    high = army("High", Rank.EVINCAR)
    low = army("Low", Rank.LIEUTENANT)
    assert battle(side(low, risk=Risk.CAPTURE), side(high), UP).risked == {}
    outcome = battle(side(low), side(army("Imp", Rank.CENTURION), risk=Risk.CAPTURE), UP)
    assert outcome.risked == {"Imp": (2000, 0, 0, 0)}
    assert battle(side(high), side(army("Imp", Rank.CENTURION), risk=Risk.CAPTURE), UP).risked == {}
    assert lost(outcome, "Imp") > 0
