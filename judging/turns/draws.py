"""R38: what each draw of an update decided, told by the events that came of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from wargame.rules.core.board import read_square
from wargame.rules.moves.marches import shortest_paths

Event = dict[str, Any]

_KINDS = {
    "route of ": ("moved", "intercepted", "moved_partially"),
    "retreat of ": ("retreated",),
    "where ": ("pushed", "captured"),
    "patrol of ": ("mercenary_decided",),
    "target of ": ("mercenary_decided",),
    "way of ": ("mercenary_decided",),
}
"""By how a draw's name begins: the kinds of events of its army that tell what came of it."""


def with_draws_told(events: Iterable[Event]) -> list[Event]:
    """The events of a turn, in whose draws the text says what was drawn."""
    events = list(events)
    return [_told(event, events) if event["kind"] == "drawn" else event for event in events]


def _told(draw: Event, events: Sequence[Event]) -> Event:
    drawn = _drawn(draw, events)
    if not drawn:
        return draw
    return draw | {"text": f"Drawn: {draw['name']}: {drawn}, {draw['value']} of {draw['sides']}."}


def _drawn(draw: Event, events: Sequence[Event]) -> str:
    """The squares of a route, or the square or the army that was drawn; empty if no event tells."""
    name = draw["name"]
    if name.startswith("who leaves "):
        square = name.removeprefix("who leaves ")
        gone = (e for e in events if e["kind"] == "retreated" and e["from"] == square and e["cites"] == "4.4")
        return next((event["army"] for event in gone), "")
    start = next((start for start in _KINDS if name.startswith(start)), None)
    if start is None:
        return ""
    army = name.removeprefix(start).removesuffix(" is pushed").removesuffix(" is taken")
    for event in (e for e in events if e["kind"] in _KINDS[start] and e["army"] == army):
        return _route(draw, event) if start == "route of " else f"to {event['to']}"
    return ""


def _route(draw: Event, event: Event) -> str:
    """R16: the squares between start and end of the way of that number, also where it was not gone to its end."""
    ways = shortest_paths(read_square(event["from"]), read_square(event.get("meant") or event["to"]))
    between = ways[draw["value"] - 1][1:-1] if len(ways) == draw["sides"] else ()
    return f"over {', '.join(map(str, between))}" if between else ""
