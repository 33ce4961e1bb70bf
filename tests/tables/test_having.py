"""9.2, 9.3: cards that are not looked at because they have nothing to say are just those that have nothing."""

from __future__ import annotations

import pytest

from scripts.bench.table_rows import cards
from tables.core import having
from tables.core.lists.vocabulary import EVENTS


@pytest.mark.parametrize("game", ["altered", "kryptik", "seize"])
def test_every_card_with_a_trigger_or_a_passive_ability_is_looked_at(game):
    there = cards(game)
    for event in EVENTS:
        found = {name for name, card in there.items() if any(a.when and a.when.event == event for a in card.abilities)}
        assert having.triggered_by(there, event) == found
    assert having.passive(there) == {n for n, card in there.items() if any(a.passive for a in card.abilities)}
    assert having.passive(there)


def test_another_list_of_cards_is_looked_through_anew():
    one, other = cards("kryptik"), cards("seize")
    first = having.passive(one)

    assert having.passive(dict(one)) == first
    assert having.passive(other) != first
    assert having.passive({}) == frozenset()
