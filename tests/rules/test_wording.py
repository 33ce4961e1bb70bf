"""How sentences for players are put together: names, and what is told of them."""

import pytest

from wargame.rules.core.board import read_square
from wargame.rules.core.wording import headline, how_many
from wargame.rules.moves.events import Held
from wargame.rules.settling.events import attack

PLURAL = ["Red Rag Reavers", "Bog Hollow Boys", "Howlers", "Wolves", "Frost Witches", "Five Bright Banners"]


@pytest.mark.parametrize("name", PLURAL)
def test_a_name_of_many_counts_as_many(name: str) -> None:
    assert how_many((name,)) == 2


@pytest.mark.parametrize(
    "name",
    ["Gravelpit Gus", "Sleeve of Knives", "Herd of the Long Grass", "Lord Verdigris", "Pus-in-Boots", "Hades", "Ana"],
)
def test_a_name_of_one_counts_as_one(name: str) -> None:
    assert how_many((name,)) == 1


def test_two_names_are_many() -> None:
    assert how_many(("Ana", "Ben")) == 2
    assert how_many(()) == 0


@pytest.mark.parametrize("name", ["Ana", "Red Rag Reavers"])
def test_what_happened_is_told_in_the_past_which_fits_any_name(name: str) -> None:
    assert Held(name, read_square("3F"), "hold").sentence == f"{name} stayed on 3F, as ordered."
    assert attack((("Gaz",), (name, "Ben")), 0, read_square("3F")) == f"{name} and Ben attacked Gaz on 3F"


def test_a_headline_has_the_attackers_first_and_no_verb() -> None:
    assert headline(("Ana", "Ben"), ("Gaz",), 1) == "Ana and Ben against Gaz"
    assert headline(("Ana", "Ben"), ("Gaz",), 0) == "Gaz against Ana and Ben"
    assert headline(("Ana",), ("Gaz",), None) == "Ana against Gaz"
