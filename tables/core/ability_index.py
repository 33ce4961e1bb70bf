"""9.2, 9.3: the cards of a table that have passive or triggered abilities at all: the others are not checked each
time that something happens."""

from collections.abc import Mapping

from tables.core.lists.cards import Card

_MOST_KEPT = 32

_kept: dict[int, tuple[Mapping[str, Card], dict[str, frozenset[str]]]] = {}
"""The cards found, by the `id` of a table's cards; those are stored here so that no other object gets that id."""


def passive(cards: Mapping[str, Card]) -> frozenset[str]:
    """9.2: the names of the cards with passive abilities."""
    return _names(cards, "")


def triggered_by(cards: Mapping[str, Card], event: str) -> frozenset[str]:
    """9.3: the names of the cards with abilities that are triggered by events of this kind."""
    return _names(cards, event)


def _names(cards: Mapping[str, Card], event: str) -> frozenset[str]:
    cached = _kept.get(id(cards))
    if cached is None or cached[0] is not cards:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[id(cards)] = cached = (cards, {})
    names = cached[1].get(event)
    if names is None:
        names = cached[1][event] = frozenset(name for name, card in cards.items() if _has(card, event))
    return names


def _has(card: Card, event: str) -> bool:
    if not event:
        return any(ability.kind == "passive" for ability in card.abilities)
    return any(ability.when is not None and ability.when.event == event for ability in card.abilities)
