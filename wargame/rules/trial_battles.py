"""R37: the battles in which a book is tried: armies of all kinds, dice at their best and worst, every special case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product

from .battle import BattleSide, Fighter
from .board import read_square
from .four_dice import Round
from .position import Army
from .risks import Slots
from .sides import COALITION_RANKS, PHYREXIAN_RANKS, Rank
from .troops import Troop

Sides = tuple[BattleSide, BattleSide]


@dataclass(frozen=True, slots=True)
class Trial:
    """R37: a battle with its dice, and what it is in words."""

    sides: Sides
    defends: int | None
    rolls: Round
    severity: int
    told: str


HOSTS: tuple[tuple[str, int, Slots], ...] = (
    ("all of a {}'s army", 0, (5000, 2500, 1500, 1000)),
    ("all of a {}'s army", 2, (5000, 2500, 1500, 1000)),
    ("half of a {}'s army", 3, (2500, 1250, 750, 500)),
    ("all of a {}'s army", 5, (5000, 2500, 1500, 1000)),
    ("one top creature of a {}'s army", 0, (0, 0, 0, 1)),
    ("one low creature of a {}'s army", 5, (1, 0, 0, 0)),
)
"""R37: the armies: in words, the rank's place within the team, the living troops by slot."""

ROLLS: tuple[tuple[Round, int], ...] = (
    (((10, 10, 10, 10), (10, 10, 10, 10)), 0),
    (((20, 20, 20, 20), (1, 1, 1, 1)), 10),
    (((20, 20, 1, 1), (1, 1, 20, 20)), 0),
    (((1, 1, 1, 1), (20, 20, 20, 20)), 0),
    (((1, 1, 1, 1), (20, 20, 20, 20)), 10),
)
"""R37: rounds of dice, each with the strategy bonus of the first side."""


def _plain(one: Army, other: Army, bonus: int) -> Sides:
    return BattleSide((Fighter(one),), bonus), BattleSide((Fighter(other),))


def _stratless(one: Army, other: Army, bonus: int) -> Sides:
    return BattleSide((Fighter(one),)), BattleSide((Fighter(other, has_strat=False),))


def _runs(one: Army, other: Army, bonus: int) -> Sides:
    return BattleSide((Fighter(one),), bonus), BattleSide((Fighter(other, runs=True),))


def _pair(one: Army, other: Army, bonus: int) -> Sides:
    return BattleSide((Fighter(one), Fighter(_partner(one))), bonus), BattleSide((Fighter(other),))


def _covers(one: Army, other: Army, bonus: int) -> Sides:
    covering = (Fighter(other, runs=True), Fighter(_partner(other), has_strat=False))
    return BattleSide((Fighter(one),), bonus), BattleSide(covering)


CASES: tuple[tuple[str, Callable[[Army, Army, int], Sides], int | None, int], ...] = (
    ("", _plain, 1, 0),
    (" and nobody attacks", _plain, None, 0),
    (" in the foulest weather", _plain, 0, 10),
    (", the latter without a strat", _stratless, 0, 0),
    (", and the latter runs", _runs, 1, 0),
    (", the former with a partner like it", _pair, 1, 0),
    (", and the latter runs while a partner like it sent no strat", _covers, 1, 0),
)
"""R37: the special cases: in words, who sends and runs, who defends, how foul the weather is."""


@cache
def trial_battles() -> tuple[Trial, ...]:
    """R37: every pair of armies in every case with every round of dice."""
    hosts = [(_army("First", COALITION_RANKS, *host), _army("Second", PHYREXIAN_RANKS, *host)) for host in HOSTS]
    return tuple(
        _trial(first[0], second[1], case, rolls, bonus)
        for first, second, case, (rolls, bonus) in product(hosts, hosts, CASES, ROLLS)
    )


def _trial(
    first: tuple[str, Army],
    second: tuple[str, Army],
    case: tuple[str, Callable[[Army, Army, int], Sides], int | None, int],
    rolls: Round,
    bonus: int,
) -> Trial:
    words, make, defends, severity = case
    ours, theirs = (" ".join(str(face) for face in faces) for faces in rolls)
    told = f"{first[0]} fights {second[0]}{words}; the dice are {ours} against {theirs}"
    if bonus:
        told += f", with a strategy bonus of {bonus} for the former"
    return Trial(make(first[1], second[1], bonus), defends, rolls, severity, told)


def _army(name: str, ranks: tuple[Rank, ...], words: str, place: int, alive: Slots) -> tuple[str, Army]:
    rank = ranks[place]
    troops = tuple(Troop(slot, "", number, number, anonymous=True) for slot, number in enumerate(alive, 1))
    return words.format(rank.title), Army(name, rank.side, read_square("1A"), rank=rank, troops=troops)


def _partner(army: Army) -> Army:
    return Army(f"{army.name}'s partner", army.side, army.at, rank=army.rank, troops=army.troops)
