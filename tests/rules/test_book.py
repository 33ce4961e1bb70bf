"""4.2.2, 4.2.5, 4.4, R37, R38: the default formula book and what battles may expect of any book."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargame.rules.battle.casualties import Ordeal, loss_rate, side_losses
from wargame.rules.battle.four_dice import Stand
from wargame.rules.book.book import Book, BookError, book_commitment, book_of, read_formula
from wargame.rules.book.default_book import DEFAULT, PARAMETERS, PATTERN
from wargame.rules.book.expressions import FUNCTIONS
from wargame.rules.book.formulas import BY_NAME, FORMULAS, NAMES
from wargame.rules.core.troops import SLOT_MAXIMUM

SIZES = st.integers(0, 10**8)
FULL = SLOT_MAXIMUM
EVEN = Ordeal(
    won=False,
    stratless=False,
    runs=False,
    covers=False,
    enemy_runs=False,
    pair_fights=False,
    own=Stand((10, 10, 10, 10), size=1000, strategy=0, defends=False),
    enemy=Stand((10, 10, 10, 10), size=1000, strategy=0, defends=False),
)


def rate(ordeal, book=DEFAULT):
    return Fraction(*loss_rate(ordeal, book))


def lost_at(rate, fighting, involved, won=False):
    return side_losses(fighting, involved, Fraction(rate).as_integer_ratio(), won, DEFAULT, bool)


def book_with(**formulas):
    return book_of({**DEFAULT.to_json(), **formulas})


def ahead(lead):
    return EVEN._replace(own=EVEN.own._replace(dice=(10 + lead, 10, 10, 10)))


# What a book is


def test_a_book_comes_back_from_its_json():
    book = book_with(most_rounds="3")

    assert book_of(json.loads(json.dumps(book.to_json()))) == book


def test_a_book_without_a_formula_is_refused_by_its_name():
    data = DEFAULT.to_json()
    del data["die_loss"]

    with pytest.raises(BookError) as raised:
        book_of(data)

    assert [fault.formula for fault in raised.value.faults] == ["die_loss"]


def test_a_book_tells_all_its_faults_at_once():
    with pytest.raises(BookError) as raised:
        book_with(die_loss="30 - 2 * ahed", most_lost="", luck="3")

    assert [(fault.formula, fault.column) for fault in raised.value.faults] == [
        ("luck", None),
        ("die_loss", 10),
        ("most_lost", 1),
    ]


def test_every_formula_has_a_pattern_and_every_name_is_told():
    assert list(PATTERN) == [formula.name for formula in FORMULAS]
    assert set(NAMES) == {name for formula in FORMULAS for name in formula.names}


@pytest.mark.parametrize("name", BY_NAME)
def test_a_formula_knows_its_own_names_alone(name):
    formula = BY_NAME[name]
    known = " + ".join(formula.names) or "1"

    assert read_formula(name, known).names == frozenset(formula.names)


def test_a_commitment_covers_everything_that_a_version_is():
    salt, formulas = "ab" * 32, DEFAULT.to_json()
    given = ("round", 1, 2, formulas, salt)
    others = [
        ("other", 1, 2, formulas, salt),
        ("round", 2, 2, formulas, salt),
        ("round", 1, 3, formulas, salt),
        ("round", 1, 2, {**formulas, "most_lost": "849"}, salt),
        ("round", 1, 2, formulas, "ac" * 32),
    ]

    assert len({book_commitment(*it) for it in [given, *others]}) == 6
    assert book_commitment(*given) == book_commitment("round", 1, 2, dict(reversed(formulas.items())), salt)


def test_what_no_trial_foresaw_stops_no_battle():
    """A formula without a result gives the least that it may, one out of its bounds the nearer bound."""
    book = Book(book_with(size_bonus="100 / (ratio - 150)", slot_loss="loss * 9").texts)

    assert book.size_bonus((150, 100)) == (0, 0)
    assert book.size_bonus((151, 100)) == (10, 0)
    assert book.value("slot_loss", {"loss": (500, 1), "slot": (1, 1), "troops": (9, 1), "won": (0, 1)}) == (1000, 1)


def test_the_default_book_is_not_read_before_it_is_used():
    """Loading the grammar costs a sixth of a second, which no other command should wait for."""
    loads = "import sys, wargame.rules.book.default_book, wargame.rules.battle.battle; sys.exit('lark' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", loads]).returncode == 0


JUDGE = Path(__file__).parents[2] / "docs" / "judge"
DOCUMENTED = "".join((JUDGE / name).read_text(encoding="utf-8") for name in ("formulas.md", "drawn-books.md"))


def test_the_documentation_has_every_formula_name_function_and_bound():
    for formula, text in zip(FORMULAS, DEFAULT.texts, strict=True):
        assert f"**{formula.title}** (`{formula.name}`, {formula.cites})" in DOCUMENTED
        assert f"\n{text}\n" in DOCUMENTED
    for name, about in NAMES.items():
        assert f"| `{name}` | {about} |" in DOCUMENTED
    for function in FUNCTIONS.values():
        assert f"| `{function.shape}` | {function.about} |" in DOCUMENTED
    for it in PARAMETERS:
        bounds = " | ".join(it.written(value) for value in (it.usual, it.least, it.most))
        assert f"| `{it.name}` | {bounds} | {it.about} |" in DOCUMENTED


# Size


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
    reached = [next(ratio for ratio in range(100, 1000) if bonus(ratio) == points) for points in range(11)]
    widths = [after - before for before, after in zip(reached, reached[1:], strict=False)]

    assert widths[1:] == sorted(widths[1:])


def bonus(ratio):
    return DEFAULT.size_bonus((ratio, 100))[0]


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


# Losses


def test_the_farther_behind_the_more_is_lost():
    rates = [rate(ahead(lead)) for lead in range(-19, 11)]

    assert rates == sorted(rates, reverse=True)
    assert rates[0] > rates[-1]


def test_the_loser_of_even_dice_loses_more():
    assert rate(EVEN._replace(won=True)) < rate(EVEN)


def test_a_side_without_a_strat_is_mauled_but_not_wiped_out():
    own, enemy = EVEN.own._replace(dice=(1, 1, 1, 1)), EVEN.enemy._replace(dice=(22, 22, 22, 22))
    worst = rate(EVEN._replace(stratless=True, own=own, enemy=enemy))

    [losses] = lost_at(worst, [FULL], [100])

    assert worst > 1.5 * rate(EVEN)
    assert sum(losses) < sum(FULL) * 3 // 4


def test_a_runner_loses_less_but_never_nothing():
    running = rate(EVEN._replace(runs=True))
    hopeless = rate(EVEN._replace(runs=True), book_with(running_loss="0"))

    assert 0 < running < rate(EVEN)
    assert lost_at(hopeless, [(5000, 0, 0, 1)], [100]) == [(1, 0, 0, 1)]


def test_a_runner_loses_more_to_who_planned_to_catch_it():
    running = EVEN._replace(runs=True)

    assert rate(running._replace(enemy=EVEN.enemy._replace(strategy=10))) > rate(running)


def test_a_runner_that_covers_its_partner_loses_more():
    running = EVEN._replace(runs=True)

    assert rate(running._replace(covers=True)) > rate(running)


def test_nobody_is_hurt_by_an_enemy_that_runs():
    assert rate(EVEN._replace(enemy_runs=True)) == 0


def test_casualties_are_higher_where_a_pair_fights():
    assert rate(EVEN._replace(pair_fights=True)) > rate(EVEN)


def test_casualties_are_lower_in_foul_weather():
    assert rate(EVEN._replace(severity=10)) < rate(EVEN)


@given(
    st.lists(st.tuples(*[st.integers(0, most) for most in SLOT_MAXIMUM]), min_size=1, max_size=2),
    st.lists(st.integers(0, 500), min_size=2, max_size=2),
    st.fractions(0, 1000),
)
def test_nobody_loses_more_than_fight(fighting, involved, rate):
    losses = lost_at(rate, fighting, involved[: len(fighting)])

    for lost_by, by in zip(losses, fighting, strict=True):
        assert all(0 <= lost <= troops for lost, troops in zip(lost_by, by, strict=True))


@given(st.fractions(0, 850), st.integers(100, 1000))
def test_the_top_slot_is_lost_more_slowly_than_the_lowest(rate, troops):
    [losses] = lost_at(rate, [(troops,) * 4], [100])

    assert list(losses) == sorted(losses, reverse=True)


def test_a_side_that_is_hit_never_loses_nothing():
    assert lost_at(1, [(1, 0, 0, 0)], [100], won=True) == [(1, 0, 0, 0)]


def test_a_pair_shares_its_losses_by_the_troops_present():
    first, second = lost_at(100, [(4000, 0, 0, 0), (1000, 0, 0, 0)], [100, 100])

    assert first[0] == 4 * second[0]


def test_the_judge_may_change_a_pairs_parts():
    alike = lost_at(100, [FULL, FULL], [100, 100])
    spared = lost_at(100, [FULL, FULL], [300, 100])

    assert abs(spared[0][0] - 3 * spared[1][0]) <= 3
    assert sum(map(sum, spared)) == sum(map(sum, alike))
