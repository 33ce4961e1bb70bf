"""9.2, 9.3: cards that are not looked at because they have nothing to say are just those that have nothing."""

import pytest

from scripts.bench.table_rows import cards
from tables.core import ability_index
from tables.core.lists.vocabulary import EVENTS


@pytest.mark.parametrize("game", ["altered", "kryptik", "seize"])
def test_every_card_with_a_trigger_or_a_passive_ability_is_looked_at(game):
    there = cards(game)
    for event in EVENTS:
        found = {name for name, card in there.items() if any(a.when and a.when.event == event for a in card.abilities)}
        assert ability_index.triggered_by(there, event) == found
    assert ability_index.passive(there) == {n for n, card in there.items() if any(a.passive for a in card.abilities)}
    assert ability_index.passive(there)


def test_another_list_of_cards_is_looked_through_anew():
    one, other = cards("kryptik"), cards("seize")
    first = ability_index.passive(one)

    assert ability_index.passive(dict(one)) == first
    assert ability_index.passive(other) != first
    assert ability_index.passive({}) == frozenset()
