"""A field's value as JSON and back. Moments are ISO 8601 in UTC, spans of time `3 04:05:06.000007`.

Keys of rows that stand inside of JSON are numbers of rows in a file, as those of links are. `BadFile` says what is
wrong with a file of a round, and where.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from math import isfinite
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Field
from django.utils.dateparse import parse_duration, parse_time
from django.utils.translation import gettext

from judging.game.errors import Refused

T = TypeVar("T")
"""A row of a file, or an object inside of one."""


class BadFile(Refused):
    """A file that can't be taken in. `place` says where: a line, or a row of a table."""

    def __init__(self, sentence: str, place: str = "") -> None:
        told = f"{place}: {sentence}" if place else sentence
        super().__init__(told[0].upper() + told[1:] + ("" if told.endswith(".") else "."))
        self.place = place


def row_place(table: str, number: int, field: str = "") -> str:
    """A row, and a field of it, as an error names it."""
    place = gettext("row %(number)s of “%(table)s”") % {"number": number, "table": table}
    return place + (f", {field}" if field else "")


def read_number(text: str) -> float:
    """A number of a JSON file. Raises BadFile for NaN, Infinity and what no float holds, such as 1e999."""
    if not isfinite(found := float(text)):
        raise BadFile(gettext("%(word)s is not a number") % {"word": text[:20]})
    return found


class BadValue(ValueError):
    """A value that its field can't have; the text says what would do."""


def from_json(field: Field[Any, Any], raw: Any) -> Any:
    """The value that `to_json` wrote; BadValue where the field can't have it."""
    if raw is None:
        if not field.null:
            raise BadValue(gettext("it can't be null"))
        return None
    if isinstance(field, models.JSONField):
        return raw
    value = _read(field, raw)
    choices = [choice for choice, _ in field.flatchoices]
    if choices and value not in (*choices, "") and not isinstance(value, bool):
        raise BadValue(
            gettext("%(raw)s is not one of %(names)s") % {"raw": repr(raw), "names": ", ".join(map(str, choices))}
        )
    try:
        field.run_validators(value)
    except ValidationError as error:
        raise BadValue(" ".join(error.messages)) from None
    return value


def _read(field: Field[Any, Any], raw: Any) -> Any:
    if isinstance(field, models.BooleanField):
        return _of_kind(bool, raw, gettext("true or false"))
    if isinstance(field, models.IntegerField):
        if isinstance(raw, bool):
            raise BadValue(gettext("expected a whole number, not %(raw)s") % {"raw": repr(raw)})
        return _of_kind(int, raw, gettext("a whole number"))
    text = _of_kind(str, raw, gettext("text"))
    if isinstance(field, models.DateTimeField):
        return _moment(text)
    if isinstance(field, models.DurationField):
        return _parsed(parse_duration, text, gettext("a time span like 7 00:00:00"))
    if isinstance(field, models.TimeField):
        return _parsed(parse_time, text, gettext("a time of day like 05:00:00"))
    return text


def _of_kind(kind: type[T], raw: object, what: str) -> T:
    if not isinstance(raw, kind):
        raise BadValue(gettext("expected %(what)s, not %(raw)s") % {"what": what, "raw": _short(raw)})
    return raw


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.min
    if moment.tzinfo is None:
        raise BadValue(gettext("expected a time like 2026-03-09T05:00:00+00:00, not %(text)s") % {"text": _short(text)})
    return moment.astimezone(UTC)


def _parsed(parse: Callable[[str], T | None], text: str, what: str) -> T:
    try:
        found = parse(text)
    except ValueError:
        found = None
    if found is None:
        raise BadValue(gettext("expected %(what)s, not %(text)s") % {"what": what, "text": _short(text)})
    return found


def _short(raw: object) -> str:
    told = repr(raw)
    return told if len(told) <= 60 else f"{told[:57]}…"
