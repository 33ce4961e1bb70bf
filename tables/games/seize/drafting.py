"""5.2, S50: a draft: boosters by committed draws, picks as sealed choices, and the pool for a deck.

Each seat has four boosters. All open one, everybody picks a card from it secretly, and when all have picked, the rest
goes to the next seat: clockwise in the first and third booster, the other way in the second and fourth.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tables.core.lists.cards import Card
from tables.core.lists.decks import Breach, Deck
from tables.core.proof.draws import Draws
from tables.core.reasons import Refused
from wargame.rules.core.saying import said

PACKS = 4
"""5.2: the number of boosters for each player."""

Packs = tuple[tuple[str, ...], ...]
"""By seat, in the order of the seats: the cards in front of it."""


@dataclass(frozen=True, slots=True)
class Draft:
    """5.2: the state of a draft. Only the service has it: `seen` is what one seat knows."""

    seats: tuple[str, ...]
    unopened: tuple[Packs, ...]
    """The unopened boosters, the next one first: by seat."""
    before: Packs
    """The cards that each seat picks from now."""
    picked: Packs
    """The cards of each seat, in the order of its picks."""
    sealed: tuple[tuple[str, str], ...] = ()
    """Picks of this round, by seat: nobody knows them before all have picked."""

    @property
    def over(self) -> bool:
        """5.2: whether every card has been picked."""
        return not self.unopened and not any(self.before)

    @property
    def waits_for(self) -> tuple[str, ...]:
        """10: the seats that still have to pick a card in this round."""
        picked_seats = {seat for seat, _ in self.sealed}
        return tuple(
            seat for seat, pack in zip(self.seats, self.before, strict=True) if pack and seat not in picked_seats
        )  # fmt: skip


def booster(cards: Mapping[str, Card], sizes: Sequence[tuple[int, int]], draws: Draws, name: str) -> tuple[str, ...]:
    """S50: one booster: different cards of each rarity, as many as the list says, by draws of that name."""
    names: list[str] = []
    for stars, many in sizes:
        rest = sorted(card.name for card in cards.values() if max(1, card.stars) == stars and not card.token)
        for number in range(1, min(many, len(rest)) + 1):
            names.append(rest.pop(draws.draw(f"{name} {stars}", number, len(rest)) - 1))
    return tuple(names)


def begin(
    cards: Mapping[str, Card], sizes: Sequence[tuple[int, int]], seats: Sequence[str], draws: Draws
) -> Draft:  # fmt: skip
    """5.2: four boosters for each seat, the first of them open."""
    packs = tuple(
        tuple(booster(cards, sizes, draws, f"booster {seat} {number}") for seat in seats)
        for number in range(1, PACKS + 1)
    )
    return Draft(tuple(seats), packs[1:], packs[0], tuple(() for _ in seats))


def pick(draft: Draft, seat: str, card: str) -> Draft:
    """5.2: a sealed pick. It may be changed until all have picked; then all are taken, and the packs go on."""
    if seat not in draft.seats:
        raise Refused("5.2", said("%(seat)s isn't in this draft", seat=seat))
    at = draft.seats.index(seat)
    if card not in draft.before[at]:
        raise Refused("5.2", said("“%(card)s” is not in this booster", card=card))
    other_picks = tuple((other, name) for other, name in draft.sealed if other != seat)
    sealed = replace(draft, sealed=(*other_picks, (seat, card)))
    return sealed if sealed.waits_for else _round_taken(sealed)


def _round_taken(draft: Draft) -> Draft:
    """5.2: take the picks of a round, all together; the rest of the packs goes to the neighbours."""
    picks = dict(draft.sealed)
    picked = tuple(
        (*cards, picks[seat]) if seat in picks else cards for seat, cards in zip(draft.seats, draft.picked, strict=True)
    )
    packs = [
        tuple(card for card in pack if card != picks.get(seat))
        for seat, pack in zip(draft.seats, draft.before, strict=True)
    ]
    if any(packs) or not draft.unopened:
        step = -1 if len(draft.unopened) % 2 else 1
        next_packs = tuple(packs[(at + step) % len(packs)] for at in range(len(packs)))
        return replace(draft, before=next_packs, picked=picked, sealed=())
    return replace(draft, before=draft.unopened[0], unopened=draft.unopened[1:], picked=picked, sealed=())


def default(draft: Draft, seat: str, draws: Draws) -> str:
    """Appendix B: the pick for a player who doesn't answer: drawn by commitment (`default pick A`)."""
    at = draft.seats.index(seat)
    pack = sorted(draft.before[at])
    return pack[draws.draw(f"default pick {seat}", len(draft.picked[at]) + 1, len(pack)) - 1]


@dataclass(frozen=True, slots=True)
class Seen:
    """5.2: a draft as one seat knows it: its own pack and picks, and how many cards the others have picked."""

    before: tuple[str, ...]
    picked: tuple[str, ...]
    chosen: str
    many: tuple[tuple[str, int], ...]
    boosters_left: int
    waits_for: tuple[str, ...]


def seen(draft: Draft, seat: str) -> Seen:
    """5.2: built only from what a seat may know; a viewer without a seat sees only the numbers."""
    index = draft.seats.index(seat) if seat in draft.seats else -1
    many = tuple((other, len(cards)) for other, cards in zip(draft.seats, draft.picked, strict=True))
    return Seen(
        draft.before[index] if index >= 0 else (),
        draft.picked[index] if index >= 0 else (),
        dict(draft.sealed).get(seat, ""),
        many,
        len(draft.unopened),
        draft.waits_for,
    )


def pool_breaches(deck: Deck, pool: Sequence[str]) -> tuple[Breach, ...]:
    """5.2: the cards of a deck that exceed those picked, each with its number in the pool."""
    have = Counter(pool)
    return tuple(
        Breach(
            "5.2",
            name,
            said(
                "%(name)s: %(number)s in the deck, but only %(pool)s in the pool.",
                name=name,
                number=many,
                pool=have[name],
            ),
        )
        for name, many in sorted(deck.main.items())
        if many > have[name]
    )
