"""1.2: the map, its squares, terrains, bases, portals and towns."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from wargame.rules.core.saying import said
from wargame.rules.core.sides import Side

ROWS = "ABCDEFGHIJKLMN"
LAST_ROW = len(ROWS) - 1
COLUMNS = 38

RANGE = 3
"""3.2.2.1: the number of squares an army may move in a turn."""

TERRAINS = {
    "o": "ocean",
    "i": "islands",
    "p": "plains",
    "m": "mountain",
    "f": "forest",
    "s": "swamp",
}
"""R2: the letter of each terrain in a map of 14 lines of 38 letters."""

COLORS = ("white", "blue", "black", "red", "green", "multicolor", "colorless")
"""1.1.2: the colours of the seven factions and their bases."""

_NUMBER_LETTER = re.compile(r"0*([0-9]{1,3})([A-Za-z])")
_LETTER_NUMBER = re.compile(r"([A-Za-z])0*([0-9]{1,3})")


class Square(NamedTuple):
    """1.2, R1: a square by its row (0 is A, the north) and column (1 is the west); it may lie off the map."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"{self.column}{chr(65 + self.row)}"

    @property
    def on_map(self) -> bool:
        """1.2: letters A to N, numbers 1 to 38."""
        return 0 <= self.row <= LAST_ROW and 1 <= self.column <= COLUMNS

    def distance(self, other: Square) -> int:
        """3.2.2.1: the number of orthogonal steps to another square."""
        return abs(self.row - other.row) + abs(self.column - other.column)

    def is_neighbour(self, other: Square) -> bool:
        """4.2.5, R28: one of the up to 8 squares around."""
        return max(abs(self.row - other.row), abs(self.column - other.column)) == 1


def read_square(text: str) -> Square:
    """R1: `3D`, `D3` and `d3` are one square. ValueError if the text has neither form."""
    text = text.strip()
    if match := _NUMBER_LETTER.fullmatch(text):
        number, letter = match.groups()
    elif match := _LETTER_NUMBER.fullmatch(text):
        letter, number = match.groups()
    else:
        raise ValueError(said("“%(text)s” is not a square; write its number and letter, like 3D (1.2)", text=text))
    return Square(ord(letter.upper()) - 65, int(number))


def all_squares() -> Iterator[Square]:
    """1.2: the 532 squares of the map, row by row from the north-west."""
    return (Square(row, column) for row, column in product(range(len(ROWS)), range(1, COLUMNS + 1)))


@lru_cache(maxsize=4096)
def squares_at(square: Square, steps: int) -> tuple[Square, ...]:
    """3.2.2.1: the squares of the map at exactly that distance, row by row. Cached, since nearby ones are needed
    often."""
    squares = []
    for rows in range(-steps, steps + 1):
        aside = steps - abs(rows)
        for columns in (-aside, aside) if aside else (0,):
            squares.append(Square(square.row + rows, square.column + columns))
    return tuple(other for other in squares if other.on_map)


def nearest_free(square: Square, taken: Container[Square]) -> tuple[Square, ...]:
    """R22, R27: the free squares of the map at the smallest distance, row by row. `taken` only needs `in`.

    Empty on a full map: the army that should go there stays on its square, as R24 says of partial moves.
    """
    for steps in range(len(ROWS) + COLUMNS):
        if free := tuple(other for other in squares_at(square, steps) if other not in taken):
            return free
    return ()


@cache
def neighbours(square: Square) -> tuple[Square, ...]:
    """4.2.5: the up to 8 squares of the map around a square, row by row."""
    around = (Square(square.row + r, square.column + c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c)
    return tuple(s for s in around if s.on_map)


@dataclass(frozen=True, slots=True)
class Base:
    """1.1, 1.7: a Coalition base (with a colour) or a Phyrexian portal (without)."""

    name: str
    at: Square
    side: Side
    color: str | None = None
    win: bool = False
    destroyed: bool = False


@dataclass(frozen=True, slots=True)
class Town:
    """2.5.1.4: a neutral town."""

    name: str
    at: Square


@dataclass(frozen=True)
class Board:
    """1.2: the map without armies. `terrain` is 14 strings of 38 letters of `TERRAINS`."""

    terrain: tuple[str, ...]
    bases: tuple[Base, ...] = ()
    towns: tuple[Town, ...] = ()

    @cached_property
    def base_by_square(self) -> dict[Square, Base]:
        return {base.at: base for base in self.bases}

    @cached_property
    def town_by_square(self) -> dict[Square, Town]:
        return {town.at: town for town in self.towns}

    @cached_property
    def _standing(self) -> tuple[Square, ...]:
        """R72: the squares of the bases and portals that are not destroyed."""
        return tuple(base.at for base in self.bases if not base.destroyed)

    def terrain_at(self, square: Square) -> str:
        """4.1.2.4: the name of a square's terrain."""
        return TERRAINS[self.terrain[square.row][square.column - 1]]

    def is_built(self, square: Square) -> bool:
        """3.2.4.1, 3.2.5.4, R72: whether a town is there, or a base or portal that is not destroyed."""
        return square in self.town_by_square or square in self._standing

    @cached_property
    def near_bases(self) -> frozenset[Square]:
        """6.2.3, R64, R72: the squares of the bases and portals that are not destroyed, and the 8 around each."""
        return _on_or_next_to(self._standing)

    @cached_property
    def near_built(self) -> frozenset[Square]:
        """6.3.1, R72: the squares of towns, and of undestroyed bases and portals, and the 8 around each."""
        return _on_or_next_to((*self._standing, *self.town_by_square))

    def with_destroyed(self, names: frozenset[str]) -> Board:
        """1.7.1: the board after the named bases have fallen."""
        bases = tuple(replace(b, destroyed=True) if b.name in names else b for b in self.bases)
        return replace(self, bases=bases)


@lru_cache(maxsize=64)
def _on_or_next_to(squares: tuple[Square, ...]) -> frozenset[Square]:
    """4.2.5: squares and the up to 8 around each."""
    return frozenset(square for at in squares for square in (at, *neighbours(at)))


PLAINS = ("p" * COLUMNS,) * len(ROWS)
"""A map of plains only, the default of boards."""
