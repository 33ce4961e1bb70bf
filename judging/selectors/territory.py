"""Who holds the ground around the bases: a count for the numbers' page, which decides nothing."""

from __future__ import annotations

from collections import Counter

from wargame.rules.core.board import RANGE, Square, squares_at
from wargame.rules.core.position import Position
from wargame.rules.core.sides import Side

NOBODY = "contested"


def ground_around_bases(position: Position) -> dict[str, int]:
    """The squares within three steps of a standing base or portal, by the side whose army is the nearest to each.

    As near for two sides, or nobody within three steps: contested.
    """
    standing = [base.at for base in position.board.bases if not base.destroyed]
    ground = dict.fromkeys(square for at in standing for steps in range(RANGE + 1) for square in squares_at(at, steps))
    held = Counter(_holder(position, square) for square in ground)
    return {key: held[key] for key in (*(side.value for side in Side), NOBODY)}


def _holder(position: Position, square: Square) -> str:
    for steps in range(RANGE + 1):
        near = {army.side for at in squares_at(square, steps) for army in position.by_square.get(at, ())}
        if near:
            return near.pop().value if len(near) == 1 else NOBODY
    return NOBODY
