"""T8: cards of a table without a list: whatever lies in its decks, which are secret; each knows his own names only."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tables.core.lists.cards import Card, Game
from tables.core.play import Rules
from tables.core.state import State
from tables.core.views import knows


def cards_called(names: Iterable[str], game: Game = "free") -> Mapping[str, Card]:
    """T8: the cards of such a table by the names in its decks: a name each, the text is on paper."""
    return {name: Card(name, game, "card") for name in sorted(set(names))}


class KnownCards(Mapping[str, Card]):
    """T8: cards of which only those are counted that somebody knows: names that are near to what he typed are offered
    from them, and tell him nothing of another's deck."""

    def __init__(self, cards: Mapping[str, Card], names: frozenset[str]) -> None:
        self._cards, self._names = cards, names

    def __getitem__(self, name: str) -> Card:
        return self._cards[name]

    def __contains__(self, name: object) -> bool:
        return name in self._cards

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._cards if name in self._names)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def as_known_to(rules: Rules, state: State, letter: str) -> State:
    """T8: the state for whoever reads a seat's lines: he knows the names of his own deck, and of what lies open."""
    names = {thing.card for thing in state.things.values() if thing.owner == letter or knows(rules, thing, letter)}
    return state.but(cards=KnownCards(state.cards, frozenset(names)))


def with_all(state: State, cards: Mapping[str, Card]) -> State:
    """T8: the state with all its cards again, also where it may be taken back to."""
    back = state.back
    if back is not None:
        back = replace(back, before=back.before.but(cards=cards))
    return state.but(cards=cards, back=back)
