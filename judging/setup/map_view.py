"""1.2, 2.5.1: the map of a set-up: the land as one drawing, and what is placed on it as another one above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from judging.drawing.map import building_words, draw
from judging.drawing.terrain import CELL
from judging.setup.models import PlannedSite
from judging.setup.steps.sites import SIDES, SeenSite
from wargame.rules.armies.sites import enemy_of, forbidden_squares
from wargame.rules.core.board import COLUMNS, ROWS, Base, Board, Square, Town, read_square
from wargame.rules.core.position import Position
from wargame.rules.core.sides import Side

Drawn = dict[str, Any]

MOST_LETTERS = 16
"""How much of a name is written on the map."""


def draw_land(terrain: tuple[str, ...]) -> Drawn:
    """What `map/svg.html` needs for a land without anything on it."""
    return draw(Position(Board(terrain)))


def draw_overlay(bases: Sequence[Base], towns: Sequence[Town], *, forbids: bool = False) -> Drawn:
    """What `setup/_overlay.html` needs: sites and, where it `forbids`, the squares that 2.5.1.1 closes to each side.

    Sites off the map are left out.
    """
    board = Board((), tuple(b for b in bases if b.at.on_map), tuple(t for t in towns if t.at.on_map))
    sites = [
        {
            **_place(base.at),
            "label": _label(base.name, base.at),
            "name": base.name,
            "kind": base.color or base.side.value,
            "what": building_words(board, base.at),
            "win": base.win,
        }
        for base in board.bases
    ]
    sites += [
        {
            **_place(town.at),
            "label": _label(town.name, town.at),
            "name": town.name,
            "kind": "town",
            "what": "Neutral town",
        }
        for town in board.towns
    ]
    zones = [_zone(side, board.bases) for side in (Side.COALITION, Side.PHYREXIA)] if forbids else []
    return {"sites": sites, "zones": zones}


def draw_seen(sites: Iterable[SeenSite]) -> Drawn:
    """2.5.1.3: the sites that a viewer may see, for `setup/_overlay.html`."""
    sites = [site for site in sites if site.at]
    bases = [
        Base(site.name, read_square(site.at), side, site.color or None, site.is_win)
        for site in sites
        if (side := SIDES.get(PlannedSite.Kind(site.kind)))
    ]
    towns = [Town(site.name, read_square(site.at)) for site in sites if site.kind == PlannedSite.Kind.TOWN]
    return draw_overlay(bases, towns)


def _zone(side: Side, bases: Iterable[Base]) -> Drawn:
    """2.5.1.1: where the side may not build: the squares as a path, and their names."""
    enemy = enemy_of(side)
    squares = forbidden_squares(base for base in bases if base.side is enemy)
    path = "".join(f"M{(s.column - 1) * CELL} {s.row * CELL}h{CELL}v{CELL}h-{CELL}z" for s in squares)
    return {"side": side.value, "path": path, "squares": " ".join(map(str, squares))}


def _label(name: str, square: Square) -> Drawn:
    """A site's name below its square, or above it in the last row; at the sides it goes inwards."""
    short = name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1].rstrip()}…"
    place = _place(square)
    anchor = "start" if square.column <= 2 else "end" if square.column >= COLUMNS - 1 else "middle"
    x = {"start": 1, "middle": CELL // 2, "end": CELL - 1}[anchor]
    y = -3 if square.row == len(ROWS) - 1 else CELL + 11
    return {"text": short, "x": place["x"] + x, "y": place["y"] + y, "anchor": anchor}


def _place(square: Square) -> Drawn:
    return {"at": str(square), "x": (square.column - 1) * CELL, "y": square.row * CELL}
