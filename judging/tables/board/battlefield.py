"""S1, S76: the battlefield as it lies before its viewer: his own hall below, coordinates as they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext, gettext_noop

from judging.tables.board.shapes import Grid, Square, Tile

RANKS = 6
DEEP = 3
WIDE = 4
MARKS = {"fog": gettext_noop("fog"), "pillar": gettext_noop("pillar")}
"""13.8.1, 5.3: what lies on a tile."""


def columns_of(letters: Sequence[str]) -> int:
    """S1: four columns for two seats, eight for more."""
    return WIDE if len(letters) <= 2 else 2 * WIDE


def quarters_of(letters: Sequence[str]) -> Mapping[str, tuple[int, bool]]:
    """S1, S76: each seat's first column, and whether it sits at rank 1; partners side by side, else clockwise."""
    places = [(0, True), (0, False), (WIDE, False), (WIDE, True)]
    if any(letter[1:] for letter in letters):
        places = [(0, True), (0, False), (WIDE, True), (WIDE, False)]
    return dict(zip(letters, places, strict=False))


def left_to_right(letters: Sequence[str], viewer: str) -> list[str]:
    """S1, S76: the seats as their quarters lie from left to right before a viewer."""
    quarters = quarters_of(letters)
    way = 1 if quarters.get(viewer, (0, True))[1] else -1
    return sorted(quarters, key=lambda letter: way * quarters[letter][0])


def owner_of(column: int, rank: int, quarters: Mapping[str, tuple[int, bool]]) -> str:
    """2: in whose side a tile lies; empty for a closed quarter."""
    for letter, (first, near) in quarters.items():
        if first <= column < first + WIDE and (rank <= DEEP) is near:
            return letter
    return ""


def grid_of(
    letters: Sequence[str],
    viewer: str,
    marks: Mapping[str, Mapping[str, int]],
    standing: Mapping[str, Tile],
    names: Mapping[str, str],
) -> Grid:
    """2: all tiles rank by rank from the far side to the viewer's. `marks`: fog and pillars by tile."""
    quarters, wide = quarters_of(letters), columns_of(letters)
    turned = not quarters.get(viewer, (0, True))[1]
    ranks = range(1, RANKS + 1) if turned else range(RANKS, 0, -1)
    columns = range(wide - 1, -1, -1) if turned else range(wide)
    rows = []
    for rank in ranks:
        squares = []
        for column in columns:
            name = f"{chr(ord('a') + column)}{rank}"
            owner = owner_of(column, rank, quarters)
            squares.append(_square(name, column, rank, owner, viewer, marks.get(name, {}), standing.get(name), names))
        rows.append((str(rank), tuple(squares)))
    return Grid(tuple(chr(ord("a") + column) for column in columns), tuple(rows))


def _square(
    name: str,
    column: int,
    rank: int,
    owner: str,
    viewer: str,
    marks: Mapping[str, int],
    tile: Tile | None,
    names: Mapping[str, str],
) -> Square:
    kinds, words = [], []
    if not owner:
        kinds, words = ["closed"], [gettext("closed")]
    else:
        hall = rank in (1, RANKS)
        kinds = ["mine" if ally(owner, viewer) else "theirs", *(["hall"] if hall else [])]
        told = gettext("%(name)s’s Guild Hall") if hall else gettext("%(name)s’s side")
        words = [told % {"name": names.get(owner, owner)}]
    for mark, number in marks.items():
        if number:
            kinds.append(mark)
            words.append(gettext(MARKS[mark]) if mark in MARKS else mark)
    return Square(name, column, rank, tuple(kinds), ", ".join(words), tile)


def ally(letter: str, viewer: str) -> bool:
    """5.1: whether a seat plays with the viewer: it is his own, or his partner's (A1 and A2)."""
    return letter == viewer or bool(letter[1:] and viewer[1:] and letter[:1] == viewer[:1])


def facing(letter: str, letters: Sequence[str], viewer: str) -> str:
    """S2: where a seat's `forward` points as its viewer looks at it: `up` or `down`."""
    quarters = quarters_of(letters)
    near = quarters.get(letter, (0, True))[1]
    return "up" if near == quarters.get(viewer, (0, True))[1] else "down"
