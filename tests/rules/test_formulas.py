"""4.2.2, 4.2.5, R38: the formula book."""

import inspect
import json
import re
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargame.rules.casualties import Ordeal, loss_rate, side_losses
from wargame.rules.codec import digest
from wargame.rules.formulas import DEFAULT, Formulas
from wargame.rules.troops import SLOT_MAXIMUM

SIZES = st.integers(0, 10**8)
FULL = SLOT_MAXIMUM
EVEN = Ordeal(
    won=False,
    stratless=False,
    runs=False,
    covers=False,
    enemy_runs=False,
    pair_fights=False,
    ahead=(0, 0, 0, 0),
    size=1000,
    enemy_size=1000,
)


def test_a_book_comes_back_from_its_json():
    book = replace(DEFAULT, color_bonus=2, stratless_loses=False)

    assert Formulas.from_json(json.loads(json.dumps(book.to_json()))) == book


def test_two_books_have_two_hashes():
    assert digest(DEFAULT.to_json()) == digest(Formulas().to_json())
    assert digest(DEFAULT.to_json()) != digest(replace(DEFAULT, die_losses=31).to_json())


def test_a_book_without_a_parameter_is_refused_by_its_name():
    data = DEFAULT.to_json()
    del data["die_losses"]

    with pytest.raises(ValueError, match="die_losses"):
        Formulas.from_json(data)


def test_a_book_with_an_unknown_parameter_is_refused_by_its_name():
    with pytest.raises(ValueError, match="luck"):
        Formulas.from_json({**DEFAULT.to_json(), "luck": 3})


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("die_losses", -1),
        ("die_losses", 1.5),
        ("die_losses", True),
        ("die_losses", "30"),
        ("stratless_loses", 1),
        ("slot_percent", [100, 100, 100]),
        ("slot_percent", [100, 100, 100, -1]),
        ("size_steps", [100, 118, 130, 145, 165, 190, 225, 275, 350, 500]),
        ("size_steps", [118, 108, 130, 145, 165, 190, 225, 275, 350, 500]),
        ("color_bonus", 11),
        ("most_rounds", 0),
    ],
)
def test_a_senseless_parameter_is_refused_by_its_name(parameter, value):
    with pytest.raises(ValueError, match=parameter):
        Formulas.from_json({**DEFAULT.to_json(), parameter: value})


def test_every_parameter_is_told_with_its_rule():
    source = inspect.getsource(Formulas)
    told = re.findall(r'^    (\w+): .* = .*\n    """(?:4\.|R\d)', source, re.MULTILINE)

    assert told == [parameter.name for parameter in fields(Formulas)]


@given(SIZES)
def test_equal_sides_get_no_size_bonus(size):
    assert DEFAULT.size_bonus((size, size)) == (0, 0)


@given(SIZES, SIZES)
def test_the_size_bonus_is_zero_to_ten_to_the_larger_side(first, second):
    bonus = DEFAULT.size_bonus((first, second))

    assert 0 <= min(bonus) <= max(bonus) <= 10
    assert bonus[0] == 0 or first > second
    assert bonus[1] == 0 or second > first


@given(SIZES, SIZES)
def test_the_size_bonus_knows_no_first_and_second_side(first, second):
    assert DEFAULT.size_bonus((first, second)) == DEFAULT.size_bonus((second, first))[::-1]


@given(SIZES, SIZES, st.integers(0, 10**6))
def test_more_troops_never_cost_size_bonus(first, second, more):
    before, after = DEFAULT.size_bonus((first, second)), DEFAULT.size_bonus((first + more, second))

    assert after[0] - after[1] >= before[0] - before[1]


def test_each_further_point_of_size_bonus_needs_more_troops_than_the_one_before():
    steps = (100, *DEFAULT.size_steps)
    widths = [after - before for before, after in zip(steps, steps[1:], strict=False)]

    assert widths[1:] == sorted(widths[1:])


@pytest.mark.parametrize("tier", range(1, 6))
def test_a_higher_rank_is_larger_but_not_as_many_times_as_its_creatures(tier):
    higher, lower = DEFAULT.army_size(tier, FULL), DEFAULT.army_size(tier + 1, FULL)

    assert lower < higher
    assert higher * (6 - tier) < lower * (7 - tier)


def test_the_top_slots_troops_count_more_each():
    worth = [DEFAULT.army_size(3, tuple(int(slot == one) for slot in range(4))) for one in range(4)]

    assert worth == sorted(set(worth))


def test_a_second_army_adds_nearly_its_size():
    assert DEFAULT.side_size([1000]) < DEFAULT.side_size([1000, 500]) < DEFAULT.side_size([1500])
    assert DEFAULT.side_size([1000, 500]) == DEFAULT.side_size([500, 1000])


def test_the_farther_behind_the_more_is_lost():
    rates = [loss_rate(replace(EVEN, ahead=(lead, 0, 0, 0)), DEFAULT) for lead in range(-19, 11)]

    assert rates == sorted(rates, reverse=True)
    assert rates[0] > rates[-1]


def test_the_loser_of_even_dice_loses_more():
    assert loss_rate(replace(EVEN, won=True), DEFAULT) < loss_rate(EVEN, DEFAULT)


def test_a_side_without_a_strat_is_mauled_but_not_wiped_out():
    worst = replace(EVEN, stratless=True, ahead=(-21, -21, -21, -21))

    rate = loss_rate(worst, DEFAULT)
    [losses] = side_losses([FULL], [100], rate, DEFAULT)

    assert rate > 1.5 * loss_rate(EVEN, DEFAULT)
    assert sum(losses) < sum(FULL) * 3 // 4


def test_a_runner_loses_less_but_never_nothing():
    running = loss_rate(replace(EVEN, runs=True), DEFAULT)

    assert 0 < running < loss_rate(EVEN, DEFAULT)
    assert loss_rate(replace(EVEN, runs=True, size=10**9, enemy_size=1), DEFAULT) > 0


def test_a_runner_that_covers_its_partner_loses_more():
    running = replace(EVEN, runs=True)

    assert loss_rate(replace(running, covers=True), DEFAULT) > loss_rate(running, DEFAULT)


def test_nobody_is_hurt_by_an_enemy_that_runs():
    assert loss_rate(replace(EVEN, enemy_runs=True), DEFAULT) == 0


def test_casualties_are_higher_where_a_pair_fights():
    assert loss_rate(replace(EVEN, pair_fights=True), DEFAULT) > loss_rate(EVEN, DEFAULT)


@given(
    st.lists(st.tuples(*[st.integers(0, most) for most in SLOT_MAXIMUM]), min_size=1, max_size=2),
    st.lists(st.integers(0, 500), min_size=2, max_size=2),
    st.integers(0, 1_000_000),
)
def test_nobody_loses_more_than_fight(fighting, involved, rate):
    losses = side_losses(fighting, involved[: len(fighting)], rate, DEFAULT)

    for lost_by, by in zip(losses, fighting, strict=True):
        assert all(0 <= lost <= troops for lost, troops in zip(lost_by, by, strict=True))


@given(st.integers(1, 1_000_000), st.integers(100, 1000))
def test_the_top_slot_is_lost_more_slowly_than_the_lowest(rate, troops):
    [losses] = side_losses([(troops,) * 4], [100], rate, DEFAULT)

    assert list(losses) == sorted(losses, reverse=True)


def test_a_pair_shares_its_losses_by_the_troops_present():
    first, second = side_losses([(4000, 0, 0, 0), (1000, 0, 0, 0)], [100, 100], 100_000, DEFAULT)

    assert first[0] == 4 * second[0]


def test_the_judge_may_change_a_pairs_parts():
    alike = side_losses([FULL, FULL], [100, 100], 100_000, DEFAULT)
    spared = side_losses([FULL, FULL], [300, 100], 100_000, DEFAULT)

    assert abs(spared[0][0] - 3 * spared[1][0]) <= 3
    assert sum(map(sum, spared)) == sum(map(sum, alike))
