"""1.2, 2.5.2.3: the armies of a round that is being set up, as the map above its land draws them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from judging.drawing.crests import crest_of, short_side
from judging.drawing.terrain import CELL
from judging.setup.models import MercenaryPlan
from judging.setup.steps.placement import Placed, square_of
from wargame.rules.core.board import Square
from wargame.rules.core.sides import Side
from wargame.rules.mercenaries.muster import POST_OF

CREST = 32
ALONE, CROWDED = 0.75, 0.5
"""1.2: armies on one square are drawn at half size."""


class Pin(NamedTuple):
    """An army on the map: `at` is None for one without a square, which is not drawn."""

    name: str
    at: Square | None
    side: Side
    tier: int
    title: str


def pins_of(armies: Iterable[Placed], plans: Iterable[MercenaryPlan]) -> list[Pin]:
    """2.5.2.3, 2.5.3: the teams' armies and the mercenaries."""
    pins = [Pin(a.muster.name, a.at, a.rank.side, a.rank.tier, a.rank.title) for a in armies]
    for plan in plans:
        post = POST_OF[plan.lot]
        pins.append(Pin(str(plan), square_of(plan.at), Side.MERCENARY, post.tier, post.faction.title))
    return pins


def draw_armies(pins: Iterable[Pin]) -> list[dict[str, Any]]:
    """The `armies` of a map's overlay, row by row, so that the map is read as it is walked."""
    squares: dict[Square, list[Pin]] = {}
    for pin in pins:
        if pin.at is not None and pin.at.on_map:
            squares.setdefault(pin.at, []).append(pin)
    return [_drawn(pin, place, len(there)) for _, there in sorted(squares.items()) for place, pin in enumerate(there)]


def _drawn(pin: Pin, place: int, crowd: int) -> dict[str, Any]:
    assert pin.at is not None
    scale = ALONE if crowd == 1 else CROWDED
    gap = (CELL - CREST * scale) / 2 if crowd == 1 else 0
    across, down = (place % 2, place // 2 % 2) if crowd > 1 else (0, 0)
    x = (pin.at.column - 1) * CELL + gap + across * CELL / 2
    y = pin.at.row * CELL + gap + down * CELL / 2
    return {
        "name": pin.name,
        "at": str(pin.at),
        "what": f"{pin.title}, {short_side(pin.side)}",
        "crest": crest_of(pin.side, pin.tier),
        "transform": f"translate({x:g} {y:g})scale({scale:g})",
    }
