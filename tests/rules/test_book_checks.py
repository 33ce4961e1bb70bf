"""R37: no book is kept that could yield what a battle must not have; the example that breaks it is told."""

import pytest
from django.utils import translation

from wargame.rules.battle import book_checks as checks
from wargame.rules.battle.book_checks import faults_of
from wargame.rules.book.book import book_of
from wargame.rules.book.default_book import DEFAULT


def faults(**formulas):
    return faults_of({**DEFAULT.to_json(), **formulas})


def test_the_default_book_may_be_used():
    assert faults() == ()


@pytest.mark.parametrize(
    ("formula", "text", "said"),
    [
        ("size_bonus", "ratio / 20", "With ratio = 10,000: the result is 500 but must be between 0 and 10."),
        ("size_bonus", "steps(ratio, 90, 110) - 2", "With ratio = 101: the result is -1"),
        ("size_bonus", "10 / (ratio - 101)", "With ratio = 101: this divides by 0."),
        ("size_bonus", "if(ratio = 307, 11, 3)", "With ratio = 307: the result is 11"),
        ("creature_worth", "creature - 1", "With creature = 1: the result is 0"),
        ("pair_size", "smaller - larger", "With larger = 1, smaller = 0: the result is -1"),
        ("die_points", "die - enemy_die", "the result is -1"),
        ("die_loss", "30 - 2 * ahead", "With ahead = 16: the result is -2"),
        ("die_loss", "60 / (41 - enemy_die)", "With enemy_die = 41: this divides by 0."),
        ("equal_counts", "size ^ 3", "digits"),
        ("side_loss", "dice - 60", "A side's losses can't be negative."),
        ("side_loss", "1 / ahead", "With ahead = 0: this divides by 0. This happens when"),
        ("side_loss", "sqrt(ahead)", "square root of a number below 0"),
        ("stratless_loss", "loss - 900", "which sent no strat"),
        ("running_loss", "loss * (1 - enemy_strategy * 20%)", "which runs"),
        ("covering_loss", "-loss", "which runs away while its identical partner sent no strat"),
        ("pair_loss", "loss - 1000", "with an identical partner"),
        ("weather_loss", "loss * (1 - 11% * severity)", "in the foulest weather"),
        ("most_lost", "1001", "The result is 1,001 but must be between 1 and 1,000."),
        ("slot_loss", "loss * 2", "or more than its 1000 permille. This happens when a full army of"),
        ("slot_loss", "loss - troops", "be negative or more than its 1000 permille"),
        ("kill_edge", "top", "With top = 50: the result is 50 but must be between -20 and 20"),
        ("capture_edge", "kill", "a capture has an edge of"),
        ("capture_edge", "kill + if(enemy_lost = 100, 0, -1)", "enemy_lost = 100"),
        ("risked_kept", "if(won, 5, 51)", "With won = 0: the result is 51"),
        ("most_rounds", "0.5", "must be between 1 and 100"),
        ("stratless_loses", "2", "1 is yes, 0 is no"),
    ],
)
def test_a_senseless_formula_is_refused_with_the_example_that_breaks_it(formula, text, said):
    [fault] = faults(**{formula: text})

    assert fault.formula == formula
    assert said in fault.sentence


def test_a_book_that_breaks_in_many_places_is_told_of_each():
    found = faults(size_bonus="11", die_loss="-1", kill_edge="21")

    assert [fault.formula for fault in found] == ["size_bonus", "die_loss", "kill_edge"]


def test_what_is_misspelt_is_told_before_anything_is_tried():
    [fault] = faults(size_bonus="11", die_loss="__import__('os')")

    assert (fault.formula, fault.column) == ("die_loss", 12)


SIZES = (0, 1, 99, 100, 101, 1_000, 10_000, 200_000, 400_000, 1_000_000, 2_000_000, 10_000_000)
TOPS = (0, 1, 50, 100, 200, 500, 900, 1_000)
LOST = (0, 10, 50, 90, 100)
DICE = (1, 2, 10, 19, 20, 25, 31, 41)
EDGES = [
    ("creature_worth", "if(tier = {}, 0, creature)", checks._try_worth, (1, 2, 3, 4, 5, 6)),
    ("creature_worth", "if(slot = {}, 0, creature)", checks._try_worth, (1, 2, 3, 4)),
    ("pair_size", "if(larger = {}, -1, larger)", checks._try_pairs, SIZES),
    ("pair_size", "if(smaller = {}, -1, larger)", checks._try_pairs, SIZES),
    ("size_bonus", "if(ratio = {}, 11, 0)", checks._try_size_bonus, (101, 102, 555, 999, 1_000)),
    ("size_bonus", "if(larger = {}, 11, 0)", checks._try_size_bonus, SIZES[1:]),
    ("size_bonus", "if(smaller = {}, 11, 0)", checks._try_size_bonus, SIZES[1:-1]),
    ("size_bonus", "if(pairs = {}, 11, 0)", checks._try_size_bonus, (0, 1)),
    ("die_points", "if(die = {}, -1, 1)", checks._try_die_points, DICE),
    ("die_points", "if(enemy_die = {}, -1, 1)", checks._try_die_points, DICE),
    ("die_points", "if(defends = {}, -1, 1)", checks._try_die_points, (0, 1)),
    ("die_loss", "if(die = {}, -1, 1)", checks._try_die_loss, DICE),
    ("die_loss", "if(enemy_die = {}, -1, 1)", checks._try_die_loss, DICE),
    ("die_loss", "if(ahead = {}, -1, 1)", checks._try_die_loss, (0, 1, 19, 40)),
    ("kill_edge", "if(top = {}, 21, 0)", checks._try_kill, TOPS),
    ("kill_edge", "if(enemy_top = {}, 21, 0)", checks._try_kill, TOPS),
    ("kill_edge", "if(enemy_lost = {}, 21, 0)", checks._try_kill, LOST),
    ("capture_edge", "if(top = {}, kill, kill - 1)", checks._try_capture, TOPS),
    ("capture_edge", "if(enemy_top = {}, kill, kill - 1)", checks._try_capture, TOPS),
    ("capture_edge", "if(enemy_lost = {}, kill, kill - 1)", checks._try_capture, LOST),
    ("risked_kept", "if(won = {}, 51, 5)", checks._try_risked, (0, 1)),
]
"""R37: a formula, a text of it that is wrong at one value alone, what tries it, and values that it must be tried with;
of sides of one size none has a bonus."""


@pytest.mark.parametrize(
    ("formula", "text", "attempt", "values"), EDGES, ids=lambda part: part if isinstance(part, str) else ""
)
def test_a_formula_that_is_wrong_at_one_value_alone_is_found(formula, text, attempt, values):
    def passes(value):
        book = checks.TriedBook(book_of({**DEFAULT.to_json(), formula: text.format(value)}).texts)
        try:
            attempt(book)
        except checks.Broken as broken:
            return broken.fault.formula != formula
        return True

    assert [value for value in values if passes(value)] == []


def test_a_formula_is_tried_at_its_very_bounds():
    """R37: what is allowed last passes, the next one does not."""
    for name, least, most in (("most_rounds", 1, 100), ("stratless_loses", 0, 1), ("risked_kept", 0, 50)):
        for text in (str(least), str(most)):
            assert faults(**{name: text}) == ()
        for text in (str(least - 1), str(most + 1)):
            assert [fault.formula for fault in faults(**{name: text})] == [name]


def test_every_kind_of_army_meets_every_other_in_every_case_with_all_dice():
    trials = checks.trial_battles()
    kinds = {(trial.sides[0].fighters[0].army.rank, trial.sides[0].fighters[0].army.troops) for trial in trials}
    wholes = {tuple(troop.alive for troop in troops) for _, troops in kinds}

    assert len(trials) == len({trial.told for trial in trials}) == 6 * 6 * 7 * 5
    assert len(kinds) == 6
    assert wholes == {(5000, 2500, 1500, 1000), (2500, 1250, 750, 500), (0, 0, 0, 1), (1, 0, 0, 0)}
    assert {trial.severity for trial in trials} == {0, 10}
    assert {trial.defends for trial in trials} == {None, 0, 1}
    assert {trial.bonus for trial in trials} == {0, 10}


def test_each_case_is_fought_as_its_words_say():
    """By the words of a case: the first side's armies and the second's, of each whether it sent a strat and runs."""
    usual, stratless, runner = (True, False), (False, False), (True, True)
    expected = [
        ([usual], [usual], 1, 0),
        ([usual], [usual], None, 0),
        ([usual], [usual], 0, 10),
        ([usual], [stratless], 0, 0),
        ([usual], [runner], 1, 0),
        ([usual, usual], [usual], 1, 0),
        ([usual], [runner, stratless], 1, 0),
    ]
    by_words = dict(zip([case[0] for case in checks.CASES], expected, strict=True))

    for trial in checks.trial_battles():
        first, second = ([(each.has_strat, each.runs) for each in side.fighters] for side in trial.sides)
        assert (first, second, trial.defends, trial.severity) == by_words[trial.words]


def test_the_first_side_has_the_bonus_of_the_dice_but_against_an_army_without_a_strat():
    for trial in checks.trial_battles():
        first, second = trial.sides
        alone = len(second.fighters) == 1 and not second.fighters[0].has_strat
        assert (first.strategy, second.strategy) == (0 if alone else trial.bonus, 0)


def test_armies_of_trials_have_all_that_they_began_with_and_partners_are_like_them():
    for trial in checks.trial_battles():
        for side, name in zip(trial.sides, ("First", "Second"), strict=True):
            army = side.fighters[0].army
            assert (army.name, army.side) == (name, army.rank.side)
            assert [troop.slot for troop in army.troops] == [1, 2, 3, 4]
            assert all((troop.alive, troop.creature) == (troop.of, "") and troop.anonymous for troop in army.troops)
            for partner in side.fighters[1:]:
                assert partner.army == army._replace(name=f"{army.name}'s partner")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("10.5", "the result is 10.5 but"),
        ("10 + 1 / 3", "the result is 10.333 but"),
        ("10.04", "the result is 10.04 but"),
        ("12345.678", "the result is 12,345.678 but"),
        ("-1 / 2", "the result is -0.5 but"),
        ("10 ^ 9 * 10 ^ 6 - 1", "the result is 999,999,999,999,999 but"),
        ("10 ^ 9 * 10 ^ 6", "the result is a number with 16 digits but"),
        ("1 - 10 ^ 9 * 10 ^ 6", "the result is -999,999,999,999,999 but"),
        ("0 - 10 ^ 9 * 10 ^ 6", "the result is a number with 16 digits but"),
    ],
)
def test_a_number_is_told_with_three_decimals_at_most_or_by_its_length(text, told):
    [fault] = faults(size_bonus=f"if(ratio = 307, {text}, 3)")

    assert told in fault.sentence


def test_a_number_is_told_as_its_reader_writes_numbers():
    with translation.override("de"):
        [fault] = faults(size_bonus="if(ratio = 307, 12345.5, 3)")

        assert "12.345,5" in fault.sentence


@pytest.mark.parametrize(
    ("formula", "text", "column", "said"),
    [
        (
            "capture_edge",
            "kill + if(top = 50, if(enemy_top = 100, if(enemy_lost = 30, 2, -1), -1), -1)",
            None,
            (
                "With top = 50, enemy_top = 100 and enemy_lost = 30, a capture has an edge of -3 and a kill "
                "has an edge of -5. A capture must be less likely than a kill (4.5)."
            ),
        ),
        ("size_bonus", "10 / (ratio - 101)", 4, "With ratio = 101: this divides by 0."),
        (
            "side_loss",
            "1 / ahead",
            3,
            (
                "With ahead = 0: this divides by 0. This happens when a full army of rank General fights a full army "
                "of rank Chief Praetor; the dice are 10 10 10 10 against 10 10 10 10."
            ),
        ),
        (
            "pair_size",
            "smaller - larger",
            None,
            (
                "With larger = 1, smaller = 0: the result is -1 but must be between 0 and 1,000,000,000,000. "
                "A size can't be below 0."
            ),
        ),
        ("stratless_loses", "2", None, "The result is 2 but must be between 0 and 1. 1 is yes, 0 is no."),
        ("most_rounds", "1 / 0", 3, "This divides by 0."),
    ],
)
def test_the_example_is_told_with_all_that_the_formula_was_given(formula, text, column, said):
    [fault] = faults(**{formula: text})

    assert (fault.formula, fault.column, fault.sentence) == (formula, column, said)
    assert str(checks.Broken(fault)) == said


def test_dice_are_tried_from_their_least_face_to_their_greatest_with_the_greatest_bonus():
    """R37: no bonus is above 21, and no book need hold for a die that can't fall."""
    assert {die for die, _ in checks._dice()} == {enemy for _, enemy in checks._dice()} == set(range(1, 20 + 21 + 1))
