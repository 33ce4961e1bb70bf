"""What happened, in sentences for players and as JSON for pages and programs."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from typing import Any

from .board import Square
from .events import Event
from .sentences import sentence_of

Json = dict[str, Any]

DOUBTFUL = (
    "refused",
    "contested",
    "moved_partially",
    "pushed",
    "intercepted",
    "passed_by",
    "joint_failed",
    "plan_cancelled",
    "ruled",
)
"""The kinds that a judge wants to see first."""

_ARMY_FIELDS = (
    "army",
    "by",
    "winner",
    "sender",
    "receiver",
    "armies",
    "losers",
    "winners",
    "rivals",
    "sides",
)
_NOT_ARMIES = (("refused", "by"), ("contested", "by"), ("drawn", "sides"))
"""Fields that name something else in one kind of event: a player, a way to decide, a number."""
_SQUARE_FIELDS = ("start", "at", "to", "meant")


def event_to_json(event: Event) -> Json:
    """An event as JSON: its kind, citation, sentence, the armies and squares in it, and all its fields."""
    data: Json = {"kind": event.kind, "cites": event.cites, "text": sentence_of(event)}
    data["armies"] = _named(event, _ARMY_FIELDS)
    data["squares"] = _squares(event)
    data["important"] = event.kind in DOUBTFUL
    for field in fields(event):
        key = "from" if field.name == "start" else field.name
        if key not in data:
            data[key] = _plain(getattr(event, field.name))
    return data


def _named(event: Event, names: tuple[str, ...]) -> list[str]:
    """The names of armies in an event, each once, in the order of its fields."""
    found: dict[str, None] = {}
    for name in names:
        if (event.kind, name) in _NOT_ARMIES:
            continue
        for army in _flat(getattr(event, name, ())):
            found[army] = None
    return list(found)


def _squares(event: Event) -> list[str]:
    squares = (getattr(event, name, None) for name in _SQUARE_FIELDS)
    return list(dict.fromkeys(str(square) for square in squares if square is not None))


def _flat(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [name for item in value or () for name in _flat(item)]


def _plain(value: Any) -> Any:
    """A field's value as JSON."""
    if isinstance(value, Square):
        return str(value)
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
