"""8.1: costs are paid in full or not at all, without the pile. The service finds the payment (K20, K57)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tables.core import query
from tables.core.events import Event
from tables.core.lists.cards import Price
from tables.core.reasons import Refused
from tables.core.state import State
from tables.core.zones import zone_of
from wargame.rules.core.saying import said

if TYPE_CHECKING:
    from tables.core.play import Play

GENERIC = "any"


@dataclass(frozen=True, slots=True)
class Source:
    """8.2: one available energy: of the soul pile, or by engaging a card of the soul row (its key)."""

    colours: frozenset[str]
    pool: str = ""
    key: str = ""
    named: bool = False

    @property
    def kind(self) -> tuple[bool, bool, tuple[str, ...], str]:
        """Sources of one kind are equivalent for the payer."""
        return (self.named, bool(self.pool), tuple(sorted(self.colours)), self.pool)


def sources(state: State, seat: str, named: Sequence[str] = ()) -> list[Source]:
    """8.2.1, 8.2.2: the sources that a player can pay with now, the soul pile first (K57)."""
    pool = [
        Source(frozenset() if colour == GENERIC else frozenset({colour}), pool=colour)
        for colour, count in state.seat(seat).energy
        for _ in range(count)
    ]
    row = [
        Source(frozenset(state.cards[thing.card].soul) - {GENERIC}, key=thing.key, named=thing.key in named)
        for thing in state.zone(zone_of(seat, "soul"))
        if not thing.engaged
    ]
    return pool + row


def stones(price: Price, x: int, more: int = 0) -> tuple[list[frozenset[str]], int]:
    """8.1.1.1, 8.1.1.1.1, 8.1.1.1.2, 8.1.1.1.3: the specific stones of a price,
    each as the colours that pay it, and the sum of the generic ones."""
    specific: list[frozenset[str]] = []
    generic = more
    for stone in price.stones:
        count = query.number_of(stone.n, x)
        if stone.colour == GENERIC:
            generic += count
        else:
            specific += [frozenset(stone.colour.split("/"))] * count
    return specific, max(0, generic)


def payment(have: Sequence[Source], specific: Sequence[frozenset[str]], generic: int) -> list[Source] | None:
    """K20: the sources to spend so that most colours stay open; None if the cost can't be paid."""
    kinds: dict[tuple[bool, bool, tuple[str, ...], str], list[Source]] = {}
    for source in have:
        kinds.setdefault(source.kind, []).append(source)
    classes = list(kinds.values())
    reached = {tuple(len(members) for members in classes)}
    for stone in [*sorted(specific, key=len), *[None] * generic]:
        reached = {
            (*counts[:at], counts[at] - 1, *counts[at + 1 :])
            for counts in reached
            for at, members in enumerate(classes)
            if counts[at] and (stone is None or stone & members[0].colours)
        }
        if not reached:
            return None
    best = max(reached, key=lambda counts: _left_open(classes, counts))
    return [source for members, count in zip(classes, best, strict=True) for source in members[: len(members) - count]]


def _left_open(classes: Sequence[Sequence[Source]], counts: tuple[int, ...]) -> tuple[int, ...]:
    """K20, K57: named sources are spent first, then the soul pile; then most colours, and most choices, stay."""
    remaining = [(members[0], count) for members, count in zip(classes, counts, strict=True) if count]
    named_count = sum(count for source, count in remaining if source.named)
    pool = sum(count for source, count in remaining if source.pool)
    open_ = {colour for source, _ in remaining for colour in source.colours}
    choices = sum(count * len(source.colours) for source, count in remaining)
    return (-named_count, -pool, len(open_), choices, *counts)


def pay_stones(
    play: Play, seat: str, price: Price, x: int, named: Sequence[str] = (), more: int = 0, cites: str = "8.1"
) -> None:  # fmt: skip
    """8.1.1: pay the soul energy of a cost. Refused (8.1) if it can't be paid in full."""
    specific, generic = stones(price, x, more)
    if not specific and not generic:
        return
    paid_sources = payment(sources(play.state, seat, named), specific, generic)
    if paid_sources is None or any(key not in {source.key for source in paid_sources} for key in named):
        raise Refused("8.1", said("you can't pay the full cost"))
    for source in paid_sources:
        if source.pool:
            add_energy(play, seat, source.pool, -1)
        else:
            play.change(source.key, engaged=True)
    play.emit(Event("paid", (cites, "8.2.1"), seat, amount=len(paid_sources)))


def add_energy(play: Play, seat: str, colour: str, count: int) -> None:
    """8.2.2: grow or shrink the soul pile of a player."""
    energy = dict(play.state.seat(seat).energy)
    energy[colour] = energy.get(colour, 0) + count
    remaining = tuple(sorted((name, number) for name, number in energy.items() if number > 0))
    play.change_seat(replace(play.state.seat(seat), energy=remaining))


def produce(play: Play, seat: str, key: str, colour: str) -> None:
    """8.2.1: engage a card of the soul row for one energy of a colour of its soul box."""
    thing = play.state.things[key]
    if thing.zone != zone_of(seat, "soul"):
        raise Refused("8.2.1", said("only cards in your own soul row can give soul energy"))
    if thing.engaged:
        raise Refused("8.2.1", said("this card is engaged"))
    box = play.state.cards[thing.card].soul
    if colour not in box and (box or colour != GENERIC):
        raise Refused("8.2.1", said("its soul box has no %(colour)s", colour=colour))
    play.change(key, engaged=True)
    add_energy(play, seat, colour, 1)
    play.emit(Event("energy", ("8.2.1", "8.2.2"), seat, play.state.things[key], amount=1, told=colour))
