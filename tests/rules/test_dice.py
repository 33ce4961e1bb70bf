"""R38: dice that anybody can recompute."""

import hashlib
import hmac
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargame.rules.core.dice import WORD, Dice, Roll, battle_dice, commitment, turn_dice

SPECIFICATION = Path(__file__).parents[2] / "docs" / "play" / "verify" / "dice.md"
SEED = bytes(range(32))

# The values that a chi-square of 5 and of 19 degrees of freedom passes once in a thousand times.
CHI_SQUARE = {6: 20.52, 20: 43.82}


def blocks_of_specification():
    return re.findall(r"```python\n(.*?)```", SPECIFICATION.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(scope="module")
def strangers_draw():
    """The function of `docs/play/verify/dice.md`, as a stranger would copy it."""
    namespace = {}
    exec(blocks_of_specification()[0], namespace)
    return namespace["draw"]


def test_the_specification_fits_in_twenty_lines():
    code = [line for line in blocks_of_specification()[0].splitlines() if line.strip()]

    assert len(code) <= 20


def test_a_stranger_gets_the_dice_of_a_battle(strangers_draw):
    hashes = ["bb" * 32, "aa" * 32]
    dice = battle_dice(SEED, "round-1", 12, 3, hashes)

    ours = [dice.roll(f"d20 side {side}", 20, number) for side in (1, 2) for number in range(1, 9)]

    theirs = [
        strangers_draw(SEED.hex(), "round-1", 12, 3, hashes, f"d20 side {side}", number, 20)
        for side in (1, 2)
        for number in range(1, 9)
    ]
    assert ours == theirs


def test_a_stranger_gets_the_draws_of_a_settlement(strangers_draw):
    drawn = turn_dice(SEED, "round-1", 12).choose("retreat of Sai Rei", ["5D", "6D", "6E"])

    place = strangers_draw(SEED.hex(), "round-1", 12, "-", [], "retreat of Sai Rei", 1, 3)
    assert drawn == ["5D", "6D", "6E"][place - 1]


def test_the_specifications_example_comes_out_as_it_says(strangers_draw):
    example = blocks_of_specification()[1]
    namespace = {"draw": strangers_draw}
    exec(example, namespace)

    assert example.strip().endswith(f"# {namespace['dice']}")


@given(st.binary(max_size=100), st.text(max_size=20), st.text(max_size=20), st.integers(1, 50))
def test_every_draw_is_an_hmac_of_seed_and_message(seed, context, name, number):
    value = Dice(seed, context).roll(name, WORD, number)

    message = f"{context}\n{name}\n{number}\n0".encode()
    assert value == 1 + int.from_bytes(hmac.digest(seed, message, "sha256")[:4], "big")


@given(st.integers(1, WORD), st.text(max_size=20))
def test_a_roll_is_between_one_and_its_sides(sides, name):
    assert 1 <= Dice(SEED, "any").roll(name, sides) <= sides


def test_words_that_would_favour_the_low_numbers_are_thrown_away(strangers_draw):
    sides = WORD // 2 + 1
    dice = battle_dice(SEED, "round-1", 1, 1, ())

    rolls = [dice.roll("uneven", sides, number) for number in range(1, 60)]

    whole_words = [dice.roll("uneven", WORD, number) for number in range(1, 60)]
    naive = [1 + (word - 1) % sides for word in whole_words]
    theirs = [strangers_draw(SEED.hex(), "round-1", 1, 1, [], "uneven", number, sides) for number in range(1, 60)]
    assert rolls == theirs
    assert rolls != naive


@pytest.mark.parametrize("sides", [6, 20])
@pytest.mark.parametrize("seed", ["first", "second", "third"])
def test_every_face_comes_equally_often(sides, seed):
    dice = battle_dice(seed.encode(), "round-1", 1, 1, ())
    rolls = 10_000
    counts = Counter(dice.roll("d20 side 1", sides, number) for number in range(1, rolls + 1))

    expected = rolls / sides
    chi_square = sum((counts[face] - expected) ** 2 / expected for face in range(1, sides + 1))

    assert chi_square < CHI_SQUARE[sides]


def test_the_two_sides_dice_do_not_follow_each_other():
    dice = battle_dice(SEED, "round-1", 1, 1, ())
    rolls = 10_000
    pairs = Counter(
        (dice.roll("d20 side 1", 6, number) - dice.roll("d20 side 2", 6, number)) % 6 for number in range(rolls)
    )

    chi_square = sum((pairs[gap] - rolls / 6) ** 2 / (rolls / 6) for gap in range(6))

    assert chi_square < CHI_SQUARE[6]


def test_a_roll_does_not_depend_on_the_rolls_before_it():
    first, second = Dice(SEED, "any"), Dice(SEED, "any")
    for number in range(1, 20):
        second.roll("others", 20, number)

    assert first.roll("mine", 1000) == second.roll("mine", 1000)


def test_every_input_of_a_battle_changes_its_dice():
    one, other = "aa" * 32, "bb" * 32
    rolls = {
        dice.roll("d20 side 1", WORD)
        for dice in (
            battle_dice(SEED, "round-1", 1, 1, (one,)),
            battle_dice(SEED[::-1], "round-1", 1, 1, (one,)),
            battle_dice(SEED, "round-2", 1, 1, (one,)),
            battle_dice(SEED, "round-1", 2, 1, (one,)),
            battle_dice(SEED, "round-1", 1, 2, (one,)),
            battle_dice(SEED, "round-1", 1, 1, (other,)),
            battle_dice(SEED, "round-1", 1, 1, (one, other)),
            battle_dice(SEED, "round-1", 1, 1, ()),
            turn_dice(SEED, "round-1", 1),
        )
    }

    assert len(rolls) == 9


def test_the_order_in_which_strats_are_named_changes_nothing():
    one, other = "aa" * 32, "bb" * 32

    first = battle_dice(SEED, "round-1", 1, 1, (one, other)).roll("d20 side 1", WORD)
    second = battle_dice(SEED, "round-1", 1, 1, (other.upper(), one)).roll("d20 side 1", WORD)

    assert first == second


def test_every_roll_is_recorded():
    dice = Dice(SEED, "any")

    value = dice.roll("d20 side 1", 20, 3)

    assert dice.rolls == [Roll("d20 side 1", 20, value, 3)]


def test_a_choice_of_one_draws_nothing():
    dice = Dice(SEED, "any")

    assert dice.choose("retreat", ["5E"]) == "5E"
    assert dice.rolls == []


@pytest.mark.parametrize("sides", [0, -1, WORD + 1])
def test_a_draw_without_outcomes_is_a_mistake(sides):
    with pytest.raises(ValueError, match="outcomes"):
        Dice(SEED, "any").roll("none", sides)


def test_the_commitment_is_the_hash_of_the_seed():
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
