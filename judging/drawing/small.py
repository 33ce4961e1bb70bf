"""1.2: the map as a small picture that stands alone: land, bases, and a mark for each army. Nothing can be clicked.

It is an image of its own, which no style sheet reaches: its colours are here, those of the site by day.
"""

from __future__ import annotations

from collections.abc import Iterable

from judging.drawing.terrain import CELL, HEIGHT, WIDTH, land
from wargame.rules.core.board import Square
from wargame.rules.core.codec import Json
from wargame.rules.core.position import Position
from wargame.rules.core.sides import Side

COLORS = {Side.COALITION: "#1d559c", Side.PHYREXIA: "#8c1519", Side.MERCENARY: "#c9820a"}
"""Of armies and bases, by side; shapes say the same."""

GROUND = {"islands": "#c3d9cb", "all": "#eadba8", "swamp": "#b8abb0", "forest": "#b3c48d", "mountain": "#cbb391"}
"""The terrains in the order in which they lie on each other; `all` is the land, as plains."""

SHAPES = {
    Side.COALITION: "m-12-12h24v14l-12 12l-12-12z",
    Side.PHYREXIA: "m0-15l15 25h-30z",
    Side.MERCENARY: "m0-13l13 13l-13 13l-13-13z",
}
"""Round the middle of a square."""


def small(position: Position) -> Json:
    """What `map/small.svg` draws: `land` as (colour, path), `bases` as (colour, path, is destroyed), `armies` as
    (colour, one path for all of a side), and the squares where there is a battle as one path."""
    outlines = land(position.board.terrain)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "land": [(color, outlines[name]) for name, color in GROUND.items()],
        "bases": [
            (COLORS[base.side], _shapes_at([base.at], "m-14-14h28v28h-28z"), base.destroyed)
            for base in position.board.bases
        ],
        "towns": _shapes_at((town.at for town in position.board.towns), "m-9-9h18v18h-18z"),
        "armies": [
            (color, _shapes_at((army.at for army in position.armies if army.side is side), SHAPES[side]))
            for side, color in COLORS.items()
        ],
        "battles": _shapes_at((battle.at for battle in position.battles), "m-24-24l48 48m-48 0l48-48"),
    }


def _shapes_at(squares: Iterable[Square], shape: str) -> str:
    """One path with the shape at each of the squares."""
    half = CELL // 2
    return "".join(f"M{(at.column - 1) * CELL + half} {at.row * CELL + half}{shape}" for at in dict.fromkeys(squares))
