"""A row as JSON that means the same in every installation: what a link seals, and what stands in a file of a round.

Moments are ISO 8601 in UTC, spans of time `3 04:05:06.000007`. Keys of rows, those that stand inside of JSON too, are
put into other numbers by whoever asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from datetime import time as clock_time
from functools import partial
from typing import Any

from django.utils.duration import duration_string

PLACES: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("notice", "data"): (("correction", "correction"), ("battle", "battle")),
    ("logentry", "data"): (
        ("muster", "muster"),
        ("request", "controlrequest"),
        ("changes[].army_id", "army"),
        ("changes[].to_ids[]", "player"),
    ),
    ("controlrequest", "changes"): (("[].army_id", "army"), ("[].to_ids[]", "player")),
}
"""By table and field: where a key stands, and of which table it is. `[]` is every item of a list."""

Translate = Callable[[str, Any], Any]
"""A table and a key of it, to what stands in its place; None for a row that is gone."""


def translated(table: str, field: str, value: Any, translate: Translate) -> Any:
    """The JSON of a field with its keys translated; the same object where there are none."""
    places = PLACES.get((table, field), ())
    if not places or not value:
        return value
    copy = deepcopy(value)
    for path, to in places:
        copy = _changed_at(copy, path.replace("[]", ".[]").strip(".").split("."), partial(translate, to))
    return copy


def _changed_at(value: Any, path: list[str], change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(value) if isinstance(value, int) and not isinstance(value, bool) else value
    step, *rest = path
    if step == "[]" and isinstance(value, list):
        return [_changed_at(item, rest, change) for item in value]
    if isinstance(value, Mapping) and step in value:
        return {**value, step: _changed_at(value[step], rest, change)}
    return value


def to_json(value: Any) -> Any:
    """A field's value as JSON has it."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, timedelta):
        return duration_string(value)
    if isinstance(value, clock_time):
        return value.isoformat()
    return value
