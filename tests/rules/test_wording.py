"""How sentences for players are put together: names with their verbs."""

from __future__ import annotations

import pytest

from wargame.rules.core.board import read_square
from wargame.rules.core.wording import headline, how_many
from wargame.rules.moves.events import Held


@pytest.mark.parametrize(
    "name", ["Red Rag Reavers", "Bog Hollow Boys", "Howlers", "Wolves", "Frost Witches", "Five Bright Banners"]
)
def test_a_name_of_many_has_a_verb_of_many(name: str) -> None:
    assert headline((name,), ("Gaz",), 1) == f"{name} attack Gaz"
    assert Held(name, read_square("3F"), "hold").sentence == f"{name} stay on 3F, as ordered."


@pytest.mark.parametrize(
    "name",
    ["Gravelpit Gus", "Sleeve of Knives", "Herd of the Long Grass", "Lord Verdigris", "Pus-in-Boots", "Hades", "Ana"],
)
def test_a_name_of_one_has_a_verb_of_one(name: str) -> None:
    assert headline((name,), ("Gaz",), 1) == f"{name} attacks Gaz"


def test_two_names_are_many() -> None:
    assert headline(("Ana", "Ben"), ("Gaz",), 1) == "Ana and Ben attack Gaz"
    assert how_many(()) == 0
