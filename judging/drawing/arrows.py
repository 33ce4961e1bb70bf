"""3.2, 3.3: what armies did in a turn, as arrows on its map: one a path, with its army, its side and what it tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, starmap
from math import hypot
from typing import NamedTuple

from django.utils.text import slugify

from judging.drawing.terrain import CELL
from wargame.rules.core.board import Square, read_square
from wargame.rules.core.codec import Json
from wargame.rules.core.orders import Move, ReadOrder
from wargame.rules.core.position import Position
from wargame.rules.posts.notation import read_line

SHORT_OF = 9
"""How far before the middle of a square an arrow ends."""

WENT = ("moved", "moved_partially", "pushed", "retreated", "ruled", "intercepted", "captured")
"""The kinds of events after which an army stands elsewhere."""

MEANT = ("moved_partially", "intercepted")
"""The kinds in which it meant to end elsewhere."""

DRAWN = (*WENT, "transferred", "in_transit", "refused")
"""The kinds of events that are drawn."""

NOBODY = "gone"
"""In place of the side of an army that is not on the map."""


class Arrow(NamedTuple):
    """A path as SVG has it. `kind` is the event's, or `meant` for the way that an army did not get."""

    d: str
    kind: str
    side: str
    army: str


def army_id(name: str) -> str:
    """The id of an army's crest on the map."""
    return f"army-{slugify(name, allow_unicode=True)}"


def arrows_of(position: Position, events: Iterable[dict[str, object]]) -> list[Arrow]:
    """Every way that is told of, in the order of the events."""
    return [
        Arrow(_way(stops), kind, _side(position, name), army_id(name))
        for event in events
        for kind, name, stops in _ways(position, event)
        if len(stops) > 1 and stops[0] != stops[-1]
    ]


def _ways(position: Position, event: Json) -> Iterator[tuple[str, str, list[Square]]]:
    """The ways of one event: its kind, whose it is, and its squares."""
    kind, names = event["kind"], event["armies"]
    if not names:
        return
    if kind in MEANT and event.get("meant"):
        yield "meant", names[0], _squares(event["from"], event["meant"])
    if kind in WENT:
        yield kind, names[0], _went(position, event)
    elif kind in ("transferred", "in_transit"):
        yield "transferred", event["sender"], _between(position, event["sender"], event["receiver"])
    elif kind == "refused" and event["counts"]:
        yield kind, names[0], _refused_move(position, event)


def _went(position: Position, event: Json) -> list[Square]:
    if event.get("route"):
        return _squares(*event["route"])
    army = position.by_name.get(event["armies"][0])
    start = event.get("from") or (str(army.at) if army else None)
    return _squares(start, event.get("to") or (event.get("at") if event["kind"] == "intercepted" else None))


def _refused_move(position: Position, event: Json) -> list[Square]:
    """R14: the move that a refused order asked for, if it was one and lies on the map."""
    read = read_line(event["order"], position.names, event["army"])
    if not isinstance(read, ReadOrder) or not isinstance(read.order, Move):
        return []
    step = read.order.steps[0]
    stops = list(step.route or (step.start, step.to))
    return stops if all(square.on_map for square in stops) else []


def _between(position: Position, sender: str, receiver: str) -> list[Square]:
    return [army.at for name in (sender, receiver) if (army := position.by_name.get(name))]


def _squares(*names: str | None) -> list[Square]:
    return [read_square(name) for name in names if name]


def _side(position: Position, name: str) -> str:
    army = position.by_name.get(name)
    return army.side.value if army else NOBODY


def _way(stops: Sequence[Square]) -> str:
    """From the middle of the first square to the rim of the last one's crest."""
    points = [((stop.column - 1) * CELL + CELL // 2, stop.row * CELL + CELL // 2) for stop in stops]
    (from_x, from_y), (to_x, to_y) = points[-2:]
    length = max(1, round(hypot(to_x - from_x, to_y - from_y)))
    points[-1] = (to_x - (to_x - from_x) * SHORT_OF // length, to_y - (to_y - from_y) * SHORT_OF // length)
    return f"M{points[0][0]} {points[0][1]}" + "".join(starmap(_line, pairwise(points)))


def _line(start: tuple[int, int], end: tuple[int, int]) -> str:
    """The shortest way to write a straight line: armies go north, south, east or west."""
    (x, y), (to_x, to_y) = start, end
    return f"V{to_y}" if x == to_x else f"H{to_x}" if y == to_y else f"L{to_x} {to_y}"
