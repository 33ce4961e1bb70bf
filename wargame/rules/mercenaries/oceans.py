"""6.2.1: the ocean areas of the map, and how the ocean's army gets from one to another."""

from __future__ import annotations

from functools import lru_cache

from ..board import TERRAINS, Board, Square, all_squares, squares_at
from .outlook import reach

OCEAN = "ocean"
MAPS = 16
"""How many maps a process keeps the areas of."""

_LETTER = next(letter for letter, name in TERRAINS.items() if name == OCEAN)


def area_at(board: Board, square: Square) -> Square | None:
    """6.2.1: the ocean area of a square, named by its first square row by row; None on any other terrain."""
    return _areas(board.terrain).get(square)


def is_ocean(board: Board, square: Square) -> bool:
    """R2, R51."""
    return board.terrain[square.row][square.column - 1] == _LETTER


def ocean_squares(board: Board) -> tuple[Square, ...]:
    """6.2.1: all ocean squares, row by row."""
    return tuple(_areas(board.terrain))


def turns_to_another_area(board: Board, area: Square) -> dict[Square, int]:
    """6.2.1: for the squares of an area, in how many moves, each ending on the ocean, the army is in another one.

    Empty if none can be reached in that way.
    """
    return _turns_to_another_area(board.terrain, area)


@lru_cache(maxsize=MAPS)
def _areas(terrain: tuple[str, ...]) -> dict[Square, Square]:
    """The squares of all ocean areas, each with its area's name. An area hangs together by orthogonal steps."""
    oceans = [square for square in all_squares() if terrain[square.row][square.column - 1] == _LETTER]
    areas: dict[Square, Square] = {}
    for first in oceans:
        waiting = [] if first in areas else [first]
        while waiting:
            square = waiting.pop()
            if square in areas:
                continue
            areas[square] = first
            waiting += [other for other in squares_at(square, 1) if terrain[other.row][other.column - 1] == _LETTER]
    return {square: areas[square] for square in oceans}


@lru_cache(maxsize=MAPS)
def _turns_to_another_area(terrain: tuple[str, ...], area: Square) -> dict[Square, int]:
    areas = _areas(terrain)
    turns: dict[Square, int] = {}
    front, count = [square for square, of in areas.items() if of != area], 0
    while front:
        count += 1
        reached = {other for square in front for other in reach(square) if areas.get(other) == area}
        front = sorted(reached - turns.keys())
        turns |= dict.fromkeys(front, count)
    return turns
