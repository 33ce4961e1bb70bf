"""T8: cards of a table without a list: the contents of its decks, which are secret; each player knows only their own
names."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tables.core.lists.cards import Card, Game
from tables.core.play import Rules
from tables.core.state import State
from tables.core.views import knows


def cards_called(names: Iterable[str], game: Game = "free") -> Mapping[str, Card]:
    """T8: the cards of such a table by the names in its decks: only a name each, the text is on paper."""
    return {name: Card(name, game, "card") for name in sorted(set(names))}


class KnownCards(Mapping[str, Card]):
    """T8: cards of which only those count that a player knows: suggestions for a name they type come from these, and
    reveal nothing of another's deck."""

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
    """T8: the state for reading a seat's lines: it knows the names of its own deck, and of all open cards."""
    names = {thing.card for thing in state.things.values() if thing.owner == letter or knows(rules, thing, letter)}
    return state.but(cards=KnownCards(state.cards, frozenset(names)))


def with_all(state: State, cards: Mapping[str, Card]) -> State:
    """T8: the state with all its cards again, including the states that it can be rewound to."""
    back = state.back
    if back is not None:
        back = replace(back, before=back.before.but(cards=cards))
    return state.but(cards=cards, back=back)
