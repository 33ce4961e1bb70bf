"""2.5.2.3, 2.5.3: what is wrong with where the armies are to start, and what a judge may want to know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .board import Base, Board, Square
from .legality import RANGE
from .placement import NEARBY, Starter, bases_for


@dataclass(frozen=True, slots=True)
class Standing:
    """2.5.2.3: an army of a team and the square on which it is to start; None: it has none yet."""

    starter: Starter
    at: Square | None


@dataclass(frozen=True, slots=True)
class PlaceFault:
    """1.2, 2.5.2.3: something about an army's square. One that `is_breach` must be mended before the round starts."""

    army: str
    sentence: str
    cites: str
    is_breach: bool = True


def place_faults(
    board: Board, standing: Sequence[Standing], mercenaries: Sequence[Standing] = ()
) -> tuple[PlaceFault, ...]:
    """2.5.2.3: everything about the squares of the teams' armies, in their order. `mercenaries` are looked at only as
    those whom they may meet."""
    everybody = (*standing, *mercenaries)
    return tuple(fault for army in standing for fault in _faults(board, army, everybody))


def shared_squares(standing: Sequence[Standing]) -> tuple[PlaceFault, ...]:
    """3.3.1: where two of these armies are on one square."""
    return tuple(fault for army in standing if army.at for fault in _shared(army, army.at, standing))


def _faults(board: Board, army: Standing, others: Sequence[Standing]) -> Iterator[PlaceFault]:
    name, at = army.starter.name, army.at
    if at is None:
        yield PlaceFault(name, f"{name} has no square yet.", "2.5.2.3")
        return
    if not at.on_map:
        yield PlaceFault(name, f"{name} is on {at}, which is not on the map: it ends at 38 and at N.", "1.2")
        return
    yield from _shared(army, at, others)
    yield from _built(board, army, at)
    yield from _by_its_base(board, army, at)
    yield from _reached(army, at, others)


def _shared(army: Standing, at: Square, others: Sequence[Standing]) -> Iterator[PlaceFault]:
    """3.3.1, 3.2.1: nobody starts where somebody else does. Each pair is told once."""
    place = others.index(army)
    for other in others[place + 1 :]:
        if other.at == at and other is not army:
            names = f"{army.starter.name} and {other.starter.name}"
            if other.starter.side is army.starter.side:
                yield PlaceFault(army.starter.name, f"{names} are both on {at}; friends never share a square.", "3.3.1")
            else:
                yield PlaceFault(army.starter.name, f"{names} are both on {at}, so they would fight at once.", "3.2.1")


def _built(board: Board, army: Standing, at: Square) -> Iterator[PlaceFault]:
    name, base = army.starter.name, board.base_by_square.get(at)
    if base is not None and base.side is not army.starter.side:
        yield PlaceFault(name, f"{name} is on {base.name}, a base of the enemy.", "2.5.2.3")
    if town := board.town_by_square.get(at):
        yield PlaceFault(name, f"{name} is in {town.name}, where a town defender starts.", "6.1")


def _by_its_base(board: Board, army: Standing, at: Square) -> Iterator[PlaceFault]:
    """2.5.2.3: nearby a base by which it may start, and best the one that was asked for."""
    name, own = army.starter.name, bases_for(board, army.starter)
    if not own:
        yield PlaceFault(name, f"{name} has no base of its colours by which it could start.", "2.5.2.3")
        return
    nearest = min(own, key=lambda base: base.at.distance(at))
    away = nearest.at.distance(at)
    if away > NEARBY:
        friendly = [base for base in board.bases if base.side is army.starter.side]
        is_others = any(base.at.distance(at) < away for base in friendly)
        sentence = f"{name} is {away} steps from {nearest.name}, the nearest base by which it may start"
        sentence += f" (up to {NEARBY} is nearby)."
        yield PlaceFault(name, sentence, "2.5.2.3", is_breach=is_others)
    asked = _named(board, army.starter.base)
    if asked is not None and asked is not nearest and asked.at.distance(at) > NEARBY:
        sentence = f"{name} asked to start by {asked.name} and stands by {nearest.name}."
        yield PlaceFault(name, sentence, "2.5.2.3", is_breach=False)


def _reached(army: Standing, at: Square, others: Sequence[Standing]) -> Iterator[PlaceFault]:
    """3.2.2.1: whether a battle could begin in the first turn."""
    enemies = [
        (other.at.distance(at), other.starter.name)
        for other in others
        if other.starter.side is not army.starter.side and other.at is not None and other.at.on_map
    ]
    steps, enemy = min(enemies, default=(RANGE + 1, ""))
    if 0 < steps <= RANGE:
        sentence = f"{army.starter.name} is within a move of {enemy}, {steps} step{'s' * (steps > 1)} away."
        yield PlaceFault(army.starter.name, sentence, "3.2.2.1", is_breach=False)


def _named(board: Board, name: str) -> Base | None:
    return next((base for base in board.bases if base.name == name), None)
