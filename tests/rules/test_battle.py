"""4.2, 4.4: battles from strats and dice to winner and losses."""

import hashlib
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wargame.rules.battle.battle import (
    BattleSide,
    Fighter,
    fight,
    outcome_to_json,
    receipt,
    share_a_color,
    told_outcome,
)
from wargame.rules.battle.four_dice import Stand, Why, by_dice
from wargame.rules.battle.told_rolls import told_rolls
from wargame.rules.book.book import book_of
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.book.risked_troops import NoRisk, Risk, why_no_risk
from wargame.rules.core.board import read_square
from wargame.rules.core.dice import Roll, battle_dice
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.troops import SLOT_MAXIMUM, Troop, alive_by_slot

EVEN = ((10, 10, 10, 10), (10, 10, 10, 10))
UP = ((12, 12, 12, 12), (8, 8, 8, 8))


def army(name, rank=Rank.CAPTAIN, alive=SLOT_MAXIMUM):
    troops = tuple(
        Troop(slot, "", number, most, anonymous=True)
        for slot, (number, most) in enumerate(zip(alive, SLOT_MAXIMUM, strict=True), 1)
    )
    side = Side.MERCENARY if isinstance(rank, Faction) else rank.side
    title = {"faction": rank} if isinstance(rank, Faction) else {"rank": rank}
    return Army(name, side, read_square("5E"), troops=troops, **title)


def side(*armies, strategy=0, **asks):
    return BattleSide(tuple(Fighter(one, **asks) for one in armies), strategy)


def dice(seed=0):
    return battle_dice(str(seed).encode(), "round-1", 1, 1, ())


def battle(first, second, rolls=None, defends=0, seed=0, **given):
    return fight((first, second), defends, DEFAULT, dice(seed), rolls, **given)


def book_with(**formulas):
    return book_of({**DEFAULT.to_json(), **formulas})


def lost(outcome, name):
    return sum(outcome.losses[name])


def creature(name, *colors, alive=100, types=("Creature",)):
    return Troop(1, name, alive, 100, colors, types=types)


ANN, VOR = army("Ann"), army("Vor", Rank.EVINCAR)


# 4.2.3


def test_creatures_of_several_colors_share_each_of_them():
    assert share_a_color([creature("a", "red"), creature("b", "green", "red")])


def test_three_pairs_of_colors_share_none():
    assert not share_a_color(
        [creature("a", "red", "green"), creature("b", "green", "blue"), creature("c", "blue", "red")]
    )


def test_the_dead_spoil_no_color_bonus():
    assert share_a_color([creature("a", "red"), creature("b", "blue", alive=0)])


def test_colorless_creatures_share_no_color_unless_they_are_artifacts():
    artifact = ("Artifact", "Creature")

    assert not share_a_color([creature("a"), creature("b")])
    assert share_a_color([creature("a", types=artifact), creature("b", "blue", types=artifact)])
    assert not share_a_color([creature("a", types=artifact), creature("b", "blue")])


def test_troops_that_are_numbers_and_no_troops_at_all_share_no_color():
    assert not share_a_color(ANN.troops)
    assert not share_a_color([])
    assert not share_a_color([creature("a", "red", alive=0)])


# 4.2.1, R36


def test_a_strategy_score_goes_to_one_side_from_zero_to_ten():
    with pytest.raises(ValueError, match=r"4\.2\.1"):
        battle(side(ANN, strategy=3), side(VOR, strategy=1))
    with pytest.raises(ValueError, match=r"4\.2\.1"):
        battle(side(ANN, strategy=11), side(VOR))


def test_a_side_without_a_strat_loses_and_says_why():
    outcome = battle(side(ANN), side(VOR, has_strat=False), UP[::-1])

    assert (outcome.winner, outcome.why) == (0, Why.STRATLESS)
    assert outcome.bonus[0].strategy == 10


def test_without_any_strat_the_dice_decide():
    outcome = battle(side(ANN, has_strat=False), side(VOR, has_strat=False), UP[::-1])

    assert (outcome.winner, outcome.why) == (1, Why.MOST_DICE)
    assert [bonus.strategy for bonus in outcome.bonus] == [0, 0]


def test_a_mercenary_without_a_strat_is_not_stratless():
    outcome = battle(side(army("Wyrm", Faction.THEME), has_strat=False, strategy=4), side(VOR), EVEN, size=(0, 0))

    assert outcome.bonus[0].strategy == 4
    assert outcome.winner == 0


def test_the_book_may_let_a_stratless_side_win():
    book = book_with(stratless_loses="0")

    outcome = fight((side(ANN), side(VOR, has_strat=False)), 0, book, dice(), ((1,) * 4, (20,) * 4))

    assert outcome.winner == 1


# 4.2.4, R37


def test_a_battle_that_nothing_decides_is_rolled_again():
    outcome = battle(side(ANN), side(VOR), EVEN, defends=None)

    assert len(outcome.rolls) > 1
    assert outcome.rolls[0] == EVEN
    assert outcome.rolls[1] == tuple(
        tuple(dice().roll(f"d20 side {one}", 20, number) for number in range(5, 9)) for one in (1, 2)
    )


def test_the_dice_won_are_those_of_the_last_round():
    outcome = battle(side(ANN), side(VOR), EVEN, defends=None)

    first, second = outcome.rolls[-1]
    assert outcome.dice_won[0] == sum(one > other for one, other in zip(first, second, strict=True))


def test_a_coin_ends_what_the_book_lets_nobody_roll_again():
    book = book_with(most_rounds="1")

    outcomes = [fight((side(ANN), side(VOR)), None, book, dice(seed), EVEN) for seed in range(20)]

    assert {outcome.why for outcome in outcomes} == {Why.COIN}
    assert {outcome.winner for outcome in outcomes} == {0, 1}


def test_a_stratless_side_is_not_rolled_for_again():
    outcome = battle(side(ANN, strategy=0), side(VOR, has_strat=False), ((1,) * 4, (11,) * 4), defends=None)

    assert len(outcome.rolls) == 1


# 4.2.5


def test_the_clearer_the_victory_the_cheaper_it_is():
    close = battle(side(ANN), side(VOR), ((11, 11, 10, 10), (10, 10, 10, 10)))
    clear = battle(side(ANN), side(VOR), ((20, 20, 20, 20), (1, 1, 1, 1)))

    assert lost(clear, "Ann") < lost(close, "Ann") < lost(close, "Vor") < lost(clear, "Vor")


def test_winners_lose_less_on_the_whole():
    outcomes = [battle(side(ANN), side(VOR), seed=seed) for seed in range(200)]
    names = ["Ann", "Vor"]

    winners = sum(lost(outcome, names[outcome.winner]) for outcome in outcomes)
    losers = sum(lost(outcome, names[1 - outcome.winner]) for outcome in outcomes)

    assert winners * 3 < losers * 2


def test_even_armies_win_about_half_of_their_battles_and_a_good_strat_most():
    even = sum(battle(side(ANN), side(VOR), defends=None, seed=seed).winner == 0 for seed in range(400))
    better = sum(battle(side(ANN, strategy=5), side(VOR), seed=seed).winner == 0 for seed in range(400))

    assert 160 < even < 240
    assert 320 < better < 400


def test_an_army_without_a_strat_is_mauled_but_not_wiped_out():
    outcomes = [battle(side(ANN), side(VOR, has_strat=False), seed=seed) for seed in range(100)]
    living = sum(SLOT_MAXIMUM)

    assert max(lost(outcome, "Vor") for outcome in outcomes) < living * 2 // 3
    assert sum(lost(outcome, "Vor") for outcome in outcomes) > 100 * living // 5


def test_the_larger_army_loses_a_smaller_part_of_itself():
    outcome = battle(side(army("Ann", Rank.GENERAL)), side(army("Vor", Rank.CENTURION)), EVEN, size=(0, 0))

    assert lost(outcome, "Ann") * 2 < lost(outcome, "Vor")


# 4.2.6, R41


def test_a_runner_deals_no_losses_takes_reduced_ones_and_loses():
    stays = battle(side(ANN), side(VOR), UP)
    runs = battle(side(ANN), side(VOR, runs=True), UP)

    assert (runs.winner, runs.why) == (0, Why.RAN)
    assert lost(runs, "Ann") == 0
    assert 0 < lost(runs, "Vor") < lost(stays, "Vor")


def test_a_runner_loses_to_an_enemy_without_a_strat():
    assert battle(side(ANN, has_strat=False), side(VOR, runs=True)).winner == 0


def test_if_both_run_the_dice_decide_who_leaves_and_nobody_dies():
    outcome = battle(side(ANN, runs=True), side(VOR, runs=True), UP)

    assert (outcome.winner, outcome.why) == (0, Why.MOST_DICE)
    assert lost(outcome, "Ann") == lost(outcome, "Vor") == 0


def test_a_side_runs_only_if_all_of_it_does():
    pair = BattleSide((Fighter(ANN, runs=True), Fighter(army("Bob"))))

    assert battle(pair, side(VOR), UP).winner == 0


# 4.4, R42


def test_a_pairs_army_without_a_strat_takes_no_part():
    pair = BattleSide((Fighter(ANN), Fighter(army("Bob"), has_strat=False)))

    outcome = battle(pair, side(VOR), UP)

    assert outcome.took_part == ("Ann", "Vor")
    assert lost(outcome, "Bob") == 0
    assert outcome.losses["Ann"] == battle(side(ANN), side(VOR), UP).losses["Ann"]
    assert outcome.bonus == battle(side(ANN), side(VOR), UP).bonus


def test_a_pair_of_two_stratless_armies_takes_part_and_loses():
    outcome = battle(side(ANN, army("Bob"), has_strat=False), side(VOR), UP)

    assert (outcome.winner, outcome.why) == (1, Why.STRATLESS)
    assert lost(outcome, "Ann") > 0
    assert lost(outcome, "Bob") > 0


def test_a_pair_counts_together_and_loses_together():
    outcome = battle(side(ANN, army("Bob", Rank.LIEUTENANT, (1000, 0, 0, 0))), side(VOR), UP)

    assert outcome.bonus[0].size > 0 or lost(outcome, "Bob") > 0
    assert outcome.losses["Ann"][0] == pytest.approx(5 * outcome.losses["Bob"][0], abs=5)


def test_a_runner_that_leaves_its_stratless_partner_pays_for_it():
    covering = BattleSide((Fighter(ANN, runs=True), Fighter(army("Bob"), has_strat=False)))

    alone = battle(side(ANN, runs=True), side(VOR), EVEN)

    assert lost(battle(covering, side(VOR), EVEN), "Ann") > lost(alone, "Ann")


# 4.3.2, 4.5, R39, R40


def test_the_troops_risked_for_a_kill_do_not_fight():
    outcome = battle(side(army("Ann", alive=(0, 0, 0, 1000)), risk=Risk.KILL), side(VOR), UP[::-1])
    alone = battle(side(army("Ann", alive=(0, 0, 0, 500))), side(VOR), UP[::-1])

    assert outcome.risked == {"Ann": (0, 0, 0, 500)}
    assert outcome.losses == alone.losses
    assert outcome.bonus == alone.bonus
    assert (outcome.killed, outcome.captured) == ((), ())


def test_the_troops_risked_for_a_capture_do_not_fight():
    low = army("Vor", Rank.CENTURION)

    outcome = battle(side(army("Ann", alive=(2500, 0, 0, 0)), risk=Risk.CAPTURE), side(low), UP)

    assert outcome.risked == {"Ann": (2000, 0, 0, 0)}
    assert lost(outcome, "Ann") <= 500


def test_what_may_not_be_risked_fights():
    few = army("Ann", alive=(1999, 0, 0, 499))
    low = army("Vor", Rank.CENTURION)

    assert why_no_risk(few, Risk.KILL, [VOR]) is NoRisk.TOO_FEW_TOP
    assert why_no_risk(few, Risk.CAPTURE, [low]) is NoRisk.TOO_FEW_LOW
    assert why_no_risk(ANN, Risk.CAPTURE, [VOR]) is NoRisk.TOO_HIGH
    assert why_no_risk(ANN, Risk.CAPTURE, [VOR, low]) is None
    assert battle(side(few, risk=Risk.KILL), side(VOR)).risked == {}


def test_who_runs_or_sent_no_strat_risks_nothing():
    assert battle(side(ANN, risk=Risk.KILL, runs=True), side(VOR)).risked == {}
    assert battle(side(ANN, risk=Risk.KILL, has_strat=False), side(VOR)).risked == {}


def test_an_army_that_risks_all_it_has_loses_none_of_it_in_the_battle():
    outcome = battle(side(army("Ann", alive=(0, 0, 0, 500)), risk=Risk.KILL), side(VOR), UP)

    assert outcome.losses["Ann"] == (0, 0, 0, 0)


# What holds for every battle

ALIVE = st.tuples(*[st.integers(0, most) for most in SLOT_MAXIMUM])
FACES = st.tuples(*[st.integers(1, 20)] * 4)
ROUNDS = st.tuples(FACES, FACES)
SMALL = settings(max_examples=60)


@st.composite
def sides_of(draw, names, ranks):
    listed = draw(st.sampled_from([names, names[:1]]))
    fighters = tuple(
        Fighter(
            army(name, draw(st.sampled_from(ranks)), draw(ALIVE)),
            has_strat=draw(st.booleans()),
            risk=draw(st.sampled_from([None, *Risk])),
            runs=draw(st.booleans()),
            involved=draw(st.integers(0, 300)),
        )
        for name in listed
    )
    return BattleSide(fighters)


COALITION = sides_of(("Ann", "Bob"), [Rank.GENERAL, Rank.CAPTAIN, Rank.LIEUTENANT])
OTHERS = sides_of(("Vor", "Wyrm"), [Rank.EVINCAR, Rank.CENTURION]) | sides_of(("Vor",), list(Faction))


@SMALL
@given(COALITION, OTHERS, ROUNDS, st.sampled_from([None, 0, 1]))
def test_losses_and_risked_troops_are_within_the_living(first, second, rolls, defends):
    outcome = battle(first, second, rolls, defends)

    for fighter in first.fighters + second.fighters:
        name, alive = fighter.army.name, alive_by_slot(fighter.army.troops)
        risked = outcome.risked.get(name, (0, 0, 0, 0))
        for gone, held, living in zip(outcome.losses[name], risked, alive, strict=True):
            assert 0 <= gone <= gone + held <= living


@SMALL
@given(COALITION, OTHERS, ROUNDS, st.sampled_from([0, 1]), st.integers(0, 10))
def test_sides_that_change_places_change_nothing_else(first, second, rolls, defends, strategy):
    first = replace(first, strategy=strategy)

    outcome = battle(first, second, rolls, defends)
    mirrored = battle(second, first, rolls[::-1], 1 - defends)

    assert mirrored.winner == 1 - outcome.winner
    assert mirrored.why is outcome.why
    assert mirrored.bonus == outcome.bonus[::-1]
    assert mirrored.dice_won == outcome.dice_won[::-1]
    assert mirrored.losses == outcome.losses


@SMALL
@given(COALITION, OTHERS, ROUNDS, st.sampled_from([0, 1]), st.integers(0, 10), st.integers(0, 10))
def test_a_higher_bonus_never_turns_a_win_into_a_loss(first, second, rolls, defends, one, other):
    less, more = (battle(replace(first, strategy=it), second, rolls, defends) for it in sorted((one, other)))

    assert more.winner <= less.winner


@SMALL
@given(COALITION, OTHERS, st.integers(0, 1000))
def test_a_battle_comes_out_the_same_each_time(first, second, seed):
    one, other = battle(first, second, seed=seed), battle(first, second, seed=seed)

    assert json.dumps(outcome_to_json(one)) == json.dumps(outcome_to_json(other))


def test_an_outcome_as_json_names_rule_and_totals():
    told = outcome_to_json(battle(side(ANN, strategy=2), side(VOR), UP))

    assert told["why"] == "MOST_DICE"
    assert told_outcome(told, ["Ann"])["why"]["cites"] == "4.2.4"
    assert told["bonus"][0] == {"strategy": 2, "size": 0, "color": 0, "total": 2}
    assert told["rolls"] == [[[12] * 4, [8] * 4]]
    assert told["dice_won"] == [4, 0]
    assert set(told["losses"]) == {"Ann", "Vor"}


def test_an_outcome_as_json_has_all_of_it():
    one = battle(side(ANN, strategy=2, risk=Risk.KILL), side(VOR), UP)
    one = one._replace(killed=("Vor",), captured=("Gix",))
    told = outcome_to_json(one)
    assert told == {
        "winner": 0,
        "why": "MOST_DICE",
        "rolls": [[[12] * 4, [8] * 4]],
        "dice_won": [4, 0],
        "bonus": [
            {"strategy": 2, "size": 0, "color": 0, "total": 2},
            {"strategy": 0, "size": one.bonus[1].size, "color": 0, "total": one.bonus[1].size},
        ],
        "losses": {"Ann": list(one.losses["Ann"]), "Vor": list(one.losses["Vor"])},
        "risked": {"Ann": [0, 0, 0, 500]},
        "took_part": ["Ann", "Vor"],
        "killed": ["Vor"],
        "captured": ["Gix"],
    }


def test_what_decided_is_told_of_one_winner_or_of_several_and_of_the_strats_that_counted():
    """4.2.4, R49."""
    outcome = {"winner": 0, "why": "DEFENDER", "dice_won": [2, 2]}
    told = told_outcome(outcome, ["Ann"])
    assert told == {**outcome, "why": {"cites": "R37", "text": "tied on dice won and on sums, and defended"}}
    assert told_outcome(outcome, ["Ann", "Bea"])["why"]["text"] == "tied on dice won and on sums, and defended"
    alone = {**outcome, "why": "STRATLESS"}
    assert told_outcome(alone, ["Ann"])["why"] == {"cites": "4.2.4", "text": "sent a strat and the enemy sent none"}
    assert told_outcome({**alone, "strats": {"Ann": "x"}}, ["Ann", "Bea"])["why"]["cites"] == "4.2.4"
    without = {**alone, "strats": {"Vor": "x"}}
    assert told_outcome(without, ["Oak"])["why"] == {
        "cites": "4.2.4 R49",
        "text": "needed no strat, and the enemy sent none",
    }
    assert told_outcome(without, ["Oak", "Elm"])["why"]["text"] == "needed no strat, and the enemy sent none"


TIED_FIRST = Stand(dice=(9, 9, 1, 1), size=70, strategy=3, defends=True)
TIED_SECOND = Stand(dice=(1, 1, 8, 8), size=50, strategy=0, defends=False)


@pytest.mark.parametrize(
    ("formula", "winner"),
    [
        *[("sum", 0), ("enemy_sum", 1), ("size", 0), ("enemy_size", 1), ("strategy", 0), ("enemy_strategy", 1)],
        *[("max(sum, 19)", 0), ("max(size, 60)", 0), ("max(strategy, 2)", 0), ("max(defends, 80%)", 0)],
        *[("max(enemy_size, 60)", 1), ("max(enemy_strategy, 2)", 1)],
        *[("defends", 0), ("-defends", 1), ("sum - 20 * defends", 1), ("sum + enemy_sum - size / 50", 1)],
    ],
)
def test_a_tie_is_decided_by_each_sides_own_numbers(formula, winner):
    """R37: the formula is worked out for each side from its numbers and its enemy's."""
    book = book_with(equal_counts=formula, equal_sums="-defends" if winner == 0 else "defends")
    assert by_dice((TIED_FIRST, TIED_SECOND), (2, 2), book)[0] == winner
    assert by_dice((TIED_SECOND, TIED_FIRST), (2, 2), book)[0] == 1 - winner


def test_what_is_still_equal_is_decided_by_the_second_formula_and_else_by_another_round():
    """R37."""
    stands = TIED_FIRST._replace(dice=(5, 5, 1, 1)), TIED_SECOND._replace(dice=(1, 1, 5, 5))
    assert by_dice(stands, (2, 2), book_with(equal_counts="sum", equal_sums="defends")) == (0, Why.DEFENDER)
    assert by_dice(stands, (2, 2), book_with(equal_counts="sum", equal_sums="-size")) == (1, Why.BOOK)
    assert by_dice(stands, (2, 2), book_with(equal_counts="sum", equal_sums="0")) is None
    assert by_dice(stands, (1, 3), book_with(equal_counts="sum")) == (1, Why.MOST_DICE)


def test_why_a_tie_was_won_is_only_said_where_it_is_true():
    """R37: what another book decides is said to be the book's."""
    ahead = TIED_FIRST, TIED_SECOND
    assert by_dice(ahead, (2, 2), book_with(equal_counts="sum")) == (0, Why.HIGHER_SUM)
    assert by_dice(ahead, (2, 2), book_with(equal_counts="enemy_sum")) == (1, Why.BOOK)
    assert by_dice(ahead[::-1], (2, 2), book_with(equal_counts="sum")) == (1, Why.HIGHER_SUM)
    behind = TIED_FIRST._replace(dice=(9, 3, 1, 1)), TIED_SECOND
    assert by_dice(behind, (2, 2), book_with(equal_counts="defends")) == (0, Why.BOOK)


def test_a_receipt_is_the_hash_of_the_strat_with_its_salt():
    """R35, R38: canonical JSON, with the word's seal where there is one (docs/play/verify/dice.md)."""
    strat = {"salt": "s", "text": "Hold.", "risk": "kill", "runs": False, "leaves": "Gix", "leaves_to": "west"}
    written = '{"leaves":"Gix","leaves_to":"west","risk":"kill","runs":false,"salt":"s","text":"Hold."}'
    assert receipt(**strat) == hashlib.sha256(written.encode()).hexdigest()
    sealed = f'{written[:-1]},"word_sha256":"ab"}}'
    assert receipt(**strat, word_sha256="ab") == hashlib.sha256(sealed.encode()).hexdigest()


@pytest.mark.parametrize("why", Why)
def test_a_coin_is_known_by_its_code(why: Why) -> None:
    """R37: whatever the sentence says that tells of it."""
    outcome = {"why": why.name, "winner": 1, "rolls": [], "attempts": []}
    assert told_rolls(outcome) == ((Roll("coin", 2, 2),) if why is Why.COIN else ())


def test_a_mercenary_that_sent_no_strat_is_never_said_to_have_sent_one() -> None:
    """R49: it needs none, and wins against a side that sent none; of a pair the words are those of several."""
    mercenary = army("Rats", Faction.TOWN_DEFENDER)
    won = battle(side(mercenary, has_strat=False), side(VOR, has_strat=False))

    assert (won.winner, won.why) == (0, Why.STRATLESS)
    assert won.why.told(winners=1, sent=False) == ("needed no strat, and the enemy sent none", "4.2.4 R49")
    assert won.why.told(winners=1, sent=True) == ("sent a strat and the enemy sent none", "4.2.4")
    assert Why.DEFENDER.told(winners=2, sent=True)[0].endswith(", and defended")
    assert Why.DEFENDER.told(winners=1, sent=True)[0].endswith(", and defended")
