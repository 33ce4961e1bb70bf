"""The land of the map as SVG paths: one outline a terrain, drawn like a coast or square by square.

Squares are `CELL` units wide; the north-west corner of 1A is the origin. Outlines share their wobble: it depends on the
place of each corner, so that neighbouring terrains fit together and the same land always looks the same.
"""

from collections.abc import Iterable
from functools import lru_cache

from wargame.rules.core.board import COLUMNS, ROWS, TERRAINS

CELL = 32
WIDTH, HEIGHT = COLUMNS * CELL, len(ROWS) * CELL
WOBBLE = 5

Corner = tuple[int, int]


@lru_cache(maxsize=8)
def land(terrain: tuple[str, ...]) -> dict[str, str]:
    """The outlines with soft borders: one a terrain but the ocean (which is below all), and `all` for the whole land.

    They run one square past the edges of the map, for clipping.
    """
    squares = _with_a_border(terrain)
    outlines = {TERRAINS[letter]: _soft(_cells(squares, letter)) for letter in "imfs"}
    return {"all": _soft(_cells(squares, "pmfs")), **outlines}


@lru_cache(maxsize=8)
def squares(terrain: tuple[str, ...]) -> dict[str, str]:
    """1.2: the outlines along the borders of the squares, one a terrain."""
    return {name: _straight(_cells(terrain, letter)) for letter, name in TERRAINS.items()}


def _with_a_border(terrain: tuple[str, ...]) -> tuple[str, ...]:
    """The map with its outermost squares repeated outwards."""
    rows = [row[0] + row + row[-1] for row in terrain]
    return rows[0], *rows, rows[-1]


def _cells(terrain: tuple[str, ...], letters: str) -> set[Corner]:
    """The squares of some terrains as (x, y); a map with a border starts at (-1, -1)."""
    shift = (len(terrain) - len(ROWS)) // 2
    return {
        (x - shift, y - shift) for y, row in enumerate(terrain) for x, letter in enumerate(row) if letter in letters
    }


def _loops(cells: set[Corner]) -> Iterable[list[Corner]]:
    """The borders of a set of squares as closed lists of corners: clockwise, holes anticlockwise."""
    ways: dict[Corner, list[Corner]] = {}
    for start, end in sorted(_edges(cells)):
        ways.setdefault(start, []).append(end)
    while ways:
        start = corner = next(iter(ways))
        before, loop = start, [start]
        while True:
            ends = ways[corner]
            end = ends[0] if len(ends) == 1 else min(ends, key=lambda e: _turns_left(before, corner, e))
            ends.remove(end)
            if not ends:
                del ways[corner]
            before, corner = corner, end
            if corner == start:
                break
            loop.append(corner)
        yield loop


def _edges(cells: set[Corner]) -> Iterable[tuple[Corner, Corner]]:
    for x, y in cells:
        if (x, y - 1) not in cells:
            yield (x, y), (x + 1, y)
        if (x + 1, y) not in cells:
            yield (x + 1, y), (x + 1, y + 1)
        if (x, y + 1) not in cells:
            yield (x + 1, y + 1), (x, y + 1)
        if (x - 1, y) not in cells:
            yield (x, y + 1), (x, y)


def _turns_left(before: Corner, corner: Corner, after: Corner) -> bool:
    """Whether the border turns left. Where two squares touch only at a corner, it turns right: each keeps its own."""
    (ax, ay), (bx, by), (cx, cy) = before, corner, after
    return (bx - ax) * (cy - by) - (by - ay) * (cx - bx) < 0


def _soft(cells: set[Corner]) -> str:
    """Curves from the centre of each edge to that of the next, bent by the corner between them."""
    return "".join(_soft_loop(loop) for loop in _loops(cells))


def _soft_loop(loop: list[Corner]) -> str:
    following = loop[1:] + loop[:1]
    middles = [_middle(start, end) for start, end in zip(loop, following, strict=True)]
    x, y = middles[-1]
    path = f"M{x} {y}q"
    parts = []
    for corner, (to_x, to_y) in zip(loop, middles, strict=True):
        bend_x, bend_y = _bend(corner)
        parts.append(_numbers(bend_x - x, bend_y - y, to_x - x, to_y - y))
        x, y = to_x, to_y
    return path + " ".join(parts) + "z"


def _numbers(*numbers: int) -> str:
    """The numbers of a path in as few characters as possible: a minus also separates."""
    return "".join(f"{'' if place == 0 or n < 0 else ' '}{n}" for place, n in enumerate(numbers))


def _bend(corner: Corner) -> Corner:
    x, y = corner
    return x * CELL + _wobble(x, y, 1), y * CELL + _wobble(x, y, 2)


def _middle(start: Corner, end: Corner) -> Corner:
    """The centre of an edge, moved a little across it; the same from both sides."""
    (x, y), (to_x, to_y) = min(start, end), max(start, end)
    (ax, ay), (bx, by) = _bend((x, y)), _bend((to_x, to_y))
    off = _wobble(x, y, 3 if to_x > x else 4)
    across = (0, off) if to_x > x else (off, 0)
    return (ax + bx) // 2 + across[0], (ay + by) // 2 + across[1]


def _wobble(x: int, y: int, salt: int) -> int:
    """-WOBBLE to WOBBLE, only from the place."""
    mixed = (x * 73856093) ^ (y * 19349663) ^ (salt * 83492791)
    mixed = (mixed ^ (mixed >> 13)) * 1274126177 & 0xFFFFFFFF
    return (mixed ^ (mixed >> 16)) % (2 * WOBBLE + 1) - WOBBLE


def _straight(cells: set[Corner]) -> str:
    return "".join(_straight_loop(loop) for loop in _loops(cells))


def _straight_loop(loop: list[Corner]) -> str:
    """A border as `h` and `v` runs."""
    path = f"M{loop[0][0] * CELL} {loop[0][1] * CELL}"
    run, direction = 0, ""
    for (x, y), (to_x, to_y) in zip(loop, loop[1:] + loop[:1], strict=True):
        step, letter = (to_x - x, "h") if to_x != x else (to_y - y, "v")
        if letter != direction:
            path += f"{direction}{run * CELL}" if direction else ""
            run, direction = 0, letter
        run += step
    return path + "z"
