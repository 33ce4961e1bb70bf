"""What happened, in sentences for players and as JSON for pages and programs."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from functools import cache
from typing import Any, NamedTuple

from wargame.rules.core.board import Square
from wargame.rules.core.events import Event
from wargame.rules.telling.sentences import sentence_of

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
    "change_refused",
)
"""The kinds that a judge wants to see first."""

_ARMY_FIELDS = (
    "army",
    "target",
    "killed",
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
_ALWAYS = ("kind", "cites", "text", "armies", "squares", "important")
_PLAIN = (str, int, bool, type(None))


def event_to_json(event: Event) -> Json:
    """An event as JSON: its kind, citation, sentence, the armies and squares in it, and all its fields."""
    kind: Any = type(event)
    parts = _parts(kind)
    data: Json = {"kind": event.kind, "cites": event.cites, "text": sentence_of(event)}
    data["armies"] = _named(event, parts.armies)
    data["squares"] = _squares(event, parts.squares)
    data["important"] = event.kind in DOUBTFUL
    for key, name in parts.others:
        data[key] = _plain(getattr(event, name))
    return data


class _Parts(NamedTuple):
    """The fields of a kind of events: those that name armies, those that are squares, the others with their keys."""

    armies: tuple[str, ...]
    squares: tuple[str, ...]
    others: tuple[tuple[str, str], ...]


@cache
def _parts(kind: Any) -> _Parts:
    names = [field.name for field in fields(kind)]
    others = [("from" if name == "start" else name, name) for name in names]
    return _Parts(
        tuple(name for name in _ARMY_FIELDS if name in names and (kind.kind, name) not in _NOT_ARMIES),
        tuple(name for name in _SQUARE_FIELDS if name in names),
        tuple((key, name) for key, name in others if key not in _ALWAYS),
    )


def _named(event: Event, names: tuple[str, ...]) -> list[str]:
    """The names of armies in an event, each once, in the order of its fields."""
    found: dict[str, None] = {}
    for name in names:
        _collect(getattr(event, name), found)
    return list(found)


def _collect(value: Any, found: dict[str, None]) -> None:
    if isinstance(value, str):
        found[value] = None
        return
    for item in value or ():
        _collect(item, found)


def _squares(event: Event, names: tuple[str, ...]) -> list[str]:
    squares = [getattr(event, name) for name in names]
    return list(dict.fromkeys([str(square) for square in squares if square is not None]))


def _plain(value: Any) -> Any:
    """A field's value as JSON."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Square):
        return str(value)
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
