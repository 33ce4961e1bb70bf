"""2: ground with coordinates: tiles `a1` to `h6`, the owner of each quarter, and straight lines.

A tile is a column's letter and a rank's number, so that a line can name it. Columns count from `a`, ranks from 1, which
is the side of the first seat.
"""

from collections.abc import Iterator
from dataclasses import dataclass

DEEP = 3
"""2: the number of ranks of each side."""
WIDE = 4
"""2: the number of columns of each side."""

STEPS = {
    "F": (0, 1), "FL": (-1, 1), "FR": (1, 1), "L": (-1, 0), "R": (1, 0), "B": (0, -1), "BL": (-1, -1), "BR": (1, -1),
}  # fmt: skip
"""S2: the eight directions as seen from rank 1: columns to the right, ranks forward."""


@dataclass(frozen=True, slots=True)
class Quarter:
    """2, S1: one seat's side: its first column (0 is `a`), and whether it is at rank 1 or opposite."""

    seat: str
    column: int
    near: bool


def column_of(tile: str) -> int:
    """The column, from 0."""
    return ord(tile[0]) - ord("a")


def rank_of(tile: str) -> int:
    """The rank, from 1."""
    return int(tile[1:])


def tile_at(column: int, rank: int) -> str:
    return f"{chr(ord('a') + column)}{rank}"


def between(start: str, end: str) -> tuple[str, ...]:
    """13.1: the tiles between two on one straight or diagonal line; empty if they aren't on one."""
    across, along = column_of(end) - column_of(start), rank_of(end) - rank_of(start)
    length = max(abs(across), abs(along))
    if not straight(start, end):
        return ()
    right, forward = across // length, along // length
    return tuple(
        tile_at(column_of(start) + right * step, rank_of(start) + forward * step) for step in range(1, length)
    )  # fmt: skip


def straight(start: str, end: str) -> bool:
    """13.1: whether two tiles are on one straight or diagonal line."""
    across, along = abs(column_of(end) - column_of(start)), abs(rank_of(end) - rank_of(start))
    return start != end and (across == 0 or along == 0 or across == along)


def distance(start: str, end: str) -> int:
    """13.2: the distance in tiles: 1 for the eight neighbours."""
    return max(abs(column_of(end) - column_of(start)), abs(rank_of(end) - rank_of(start)))


@dataclass(frozen=True, slots=True)
class Ground:
    """2, S1: a battlefield: its columns, and the quarters of its seats. A quarter without a seat is closed (S1)."""

    columns: int
    quarters: tuple[Quarter, ...]

    @property
    def ranks(self) -> int:
        """2: two sides, one behind the other."""
        return 2 * DEEP

    @property
    def tiles(self) -> tuple[str, ...]:
        """Every open tile, rank by rank."""
        every = (tile_at(column, rank) for rank in range(1, self.ranks + 1) for column in range(self.columns))
        return tuple(tile for tile in every if self.owner(tile))

    def quarter(self, seat: str) -> Quarter:
        """The side of a seat; KeyError if it has none."""
        for quarter in self.quarters:
            if quarter.seat == seat:
                return quarter
        raise KeyError(seat)

    def owner(self, tile: str) -> str:
        """2: the seat on whose side a tile is; empty for a closed quarter or a tile that doesn't exist."""
        for quarter in self.quarters:
            is_near = 1 <= rank_of(tile) <= DEEP
            is_far = DEEP < rank_of(tile) <= self.ranks
            if quarter.column <= column_of(tile) < quarter.column + WIDE and (is_near if quarter.near else is_far):
                return quarter.seat
        return ""

    def depth(self, tile: str) -> int:
        """2: the rank of a tile counted from the outer edge of its side, from 1 (the hall)."""
        return rank_of(tile) if rank_of(tile) <= DEEP else self.ranks + 1 - rank_of(tile)

    def hall(self, seat: str) -> tuple[str, ...]:
        """2, S3: the four tiles of a seat's Guild Hall, its fort."""
        return tuple(tile for tile in self.tiles if self.owner(tile) == seat and self.depth(tile) == 1)

    def back(self, seat: str) -> tuple[str, ...]:
        """11.4, S3: the back eight tiles of a seat's side."""
        return tuple(tile for tile in self.tiles if self.owner(tile) == seat and self.depth(tile) <= 2)

    def go(self, seat: str, tile: str, direction: str, steps: int = 1) -> str:
        """S2: the tile this many steps in a direction, as a seat sees it; empty if there is none."""
        right, forward = STEPS[direction]
        turned = 1 if self.quarter(seat).near else -1
        column = column_of(tile) + right * steps * turned
        rank = rank_of(tile) + forward * steps * turned
        if not (0 <= column < self.columns and 1 <= rank <= self.ranks):
            return ""
        there = tile_at(column, rank)
        return there if self.owner(there) else ""

    def direction(self, seat: str, start: str, end: str) -> str:
        """S2: the direction of a tile, as a seat sees it; empty if it is in none of the eight."""
        if not straight(start, end):
            return ""
        turned = 1 if self.quarter(seat).near else -1
        length = distance(start, end)
        offset = (
            (column_of(end) - column_of(start)) // length * turned, (rank_of(end) - rank_of(start)) // length * turned,
        )  # fmt: skip
        return next(name for name, step in STEPS.items() if step == offset)

    def neighbours(self, tile: str) -> Iterator[str]:
        """S2: the open tiles next to a tile, including diagonally."""
        for right, forward in STEPS.values():
            column, rank = column_of(tile) + right, rank_of(tile) + forward
            if 0 <= column < self.columns and self.owner(there := tile_at(column, rank)):
                yield there
