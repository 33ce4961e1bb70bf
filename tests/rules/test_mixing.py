"""R38: what is mixed into the dice of a battle after its score."""

import hashlib
from datetime import timedelta

import pytest

from wargame.rules.battle.mixing import (
    BEGAN,
    beacon_due,
    beacon_number,
    ingredient,
    is_seal,
    is_signature,
    randomness,
    seal_of,
)

SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(("holds", "signs"), [(is_seal, 64), (is_signature, 96)])
def test_a_seal_and_a_signature_are_so_many_hexadecimal_digits_in_lower_case(holds, signs):
    assert holds("0a" * (signs // 2))
    for wrong in (
        "",
        "0A" * (signs // 2),
        "0a" * (signs // 2) + "0",
        "0" * (signs - 1),
        "g" * signs,
        "0" * signs + "\n",
    ):
        assert not holds(wrong)


def test_a_word_gives_another_hash_to_the_dice_than_the_seal_that_everybody_knew():
    """docs/play/verify/dice.md has both."""
    word = "Möwen schlafen im Stehen"
    assert seal_of(word) == hashlib.sha256(word.encode()).hexdigest()
    assert ingredient(word) == hashlib.sha256(b"wargame-word-1\n" + word.encode()).hexdigest()
    assert is_seal(seal_of(word))


@pytest.mark.parametrize(
    ("after", "number", "due"),
    [(-3600, 1, 0), (-60, 1, 0), (-59, 2, 3), (0, 21, 60), (1, 22, 63), (3, 22, 63), (4, 23, 66)],
)
def test_a_score_is_mixed_with_the_first_value_that_is_given_a_minute_later_or_more(after, number, due):
    """One value each three seconds, the first when the chain began."""
    locked = BEGAN + after * SECOND
    assert beacon_number(locked) == number
    assert beacon_due(locked) == BEGAN + due * SECOND
    assert beacon_due(locked) >= locked + 60 * SECOND


def test_a_beacons_value_is_the_hash_of_its_signature():
    assert randomness("00ff" * 24) == hashlib.sha256(b"\x00\xff" * 24).hexdigest()
