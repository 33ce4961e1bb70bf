"""The format of a round's file: the tables that belong to the round, and each field's value as JSON and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from math import isfinite
from typing import Any, TypeAlias, TypeVar

from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Field, ForeignKey, Model, QuerySet
from django.utils.dateparse import parse_duration, parse_time
from django.utils.translation import gettext

from judging.common.errors import Refused
from wargame.models import Round

T = TypeVar("T")
"""A row of a file, or an object inside of one."""


class BadFile(Refused):
    """A file that can't be imported. `place` says where: a line, or a row of a table."""

    def __init__(self, sentence: str, place: str = "") -> None:
        message = f"{place}: {sentence}" if place else sentence
        super().__init__(message[0].upper() + message[1:] + ("" if message.endswith(".") else "."))
        self.place = place


def row_place(table: str, number: int, field: str = "") -> str:
    place = gettext("row %(number)s of “%(table)s”") % {"number": number, "table": table}
    return place + (f", {field}" if field else "")


def read_number(text: str) -> float:
    """A number of a JSON file. Raises BadFile for NaN, Infinity and numbers beyond a float, such as 1e999."""
    if not isfinite(number := float(text)):
        raise BadFile(gettext("%(word)s is not a number") % {"word": text[:20]})
    return number


class BadValue(ValueError):
    """A value that is not valid for its field; the text says what is."""


def from_json(field: Field[Any, Any], raw: Any) -> Any:
    """The value that `to_json` wrote; BadValue if it is not valid for the field."""
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


def _of_kind(kind: type[T], raw: object, expected: str) -> T:
    if not isinstance(raw, kind):
        raise BadValue(gettext("expected %(what)s, not %(raw)s") % {"what": expected, "raw": _short(raw)})
    return raw


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.min
    if moment.tzinfo is None:
        raise BadValue(gettext("expected a time like 2026-03-09T05:00:00+00:00, not %(text)s") % {"text": _short(text)})
    return moment.astimezone(UTC)


def _parsed(parse: Callable[[str], T | None], text: str, expected: str) -> T:
    try:
        value = parse(text)
    except ValueError:
        value = None
    if value is None:
        raise BadValue(gettext("expected %(what)s, not %(text)s") % {"what": expected, "text": _short(text)})
    return value


def _short(raw: object) -> str:
    text = repr(raw)
    return text if len(text) <= 60 else f"{text[:57]}…"


APPS = ("wargame", "judging")
LEFT_OUT = {("round", "is_demo")}
"""Fields that belong to this installation and not to the round."""

BOARDS = {
    *("boardthread", "topic", "message", "messageversion", "mention", "readmark"),
    *("conversation", "participant", "report", "block"),
}
"""Tables that are left out: no rule depends on messages, and many of them belong to one team alone (1.1)."""

OF_THE_SERVICE = {
    *("chainanchor", "stagefailure", "notification", "mutedround", "unsent"),
    *("hook", "hookmessage", "mailaddress", "receivedmail"),
}
"""More tables that are left out: the state of this installation's jobs, unsent texts (3.1), and notifications (1.2)."""

GONE = {"historicalround", "historicalscore"}
"""Tables of files of 1.0.0 and before: earlier states of rows, which the log and the chain have. They are skipped."""

LINKS = "chainlink"
"""The table whose rows can refer to rows of any other: it is the last one."""

ORDER = {"post": ("turn__number", "number")}
"""The order of rows that are not sorted by key: a post's key is random (R6)."""


Column: TypeAlias = "Field[Any, Any]"
Link: TypeAlias = "ForeignKey[Any, Any]"
Rows: TypeAlias = "QuerySet[Any]"
"""A query of any table."""


@dataclass(frozen=True)
class ExchangeTable:
    """A table of a round. `path` leads from a row to its round, empty for the round itself. `links` are foreign keys to
    rows of the file, each with the name of their table, `users` those to people."""

    name: str
    model: type[Model]
    path: str
    fields: tuple[Column, ...]
    links: tuple[tuple[Link, str], ...]
    users: tuple[Link, ...]

    def rows(self, round: Round) -> Rows:
        """Its rows of a round, in the order of their numbers in a file."""
        manager = self.model._default_manager
        queryset = manager.filter(pk=round.pk) if not self.path else manager.filter(**{self.path: round})
        return queryset.order_by(*ORDER.get(self.name, ("pk",)))


@cache
def tables() -> tuple[ExchangeTable, ...]:
    """All tables of a round, each after those that its rows require."""
    paths = _paths()
    by_name = {_name(model): _table(model, path, paths) for model, path in paths.items()}
    placed: dict[str, ExchangeTable] = {}
    while len(placed) < len(by_name):
        rest = [name for name in by_name if name not in placed]
        ready = [name for name in rest if _needs(by_name[name]) <= placed.keys() and (name != LINKS or rest == [LINKS])]
        placed |= {name: by_name[name] for name in ready}
        if not ready:
            raise TypeError(f"these tables depend on one another: {sorted(by_name.keys() - placed.keys())}")
    return tuple(placed.values())


def _paths() -> dict[type[Model], str]:
    """The models whose rows belong to a round, with the shortest path to it; through nullable fields only where
    there is no other."""
    models: list[type[Model]] = [model for app in APPS for model in apps.get_app_config(app).get_models()]
    models = [model for model in models if _name(model) not in BOARDS | OF_THE_SERVICE]
    paths: dict[type[Model], str] = {Round: ""}
    for nullable in (False, True):
        while True:
            rest = (model for model in models if model not in paths)
            new = {model: path for model in rest if (path := _path(model, paths, nullable)) is not None}
            if not new:
                break
            paths |= new
    return paths


def _path(model: type[Model], paths: dict[type[Model], str], nullable: bool) -> str | None:
    keys = [key for key in _keys(model) if key.related_model in paths and (nullable or not key.null)]
    if not keys:
        return None
    best = min(keys, key=lambda key: (key.related_model is not Round, paths[key.related_model].count("__")))
    return "__".join(filter(None, (best.name, paths[best.related_model])))


def _table(model: type[Model], path: str, paths: dict[type[Model], str]) -> ExchangeTable:
    name = _name(model)
    keys = _keys(model)
    links = tuple((key, _name(key.related_model)) for key in keys if key.related_model in paths)
    return ExchangeTable(
        name=name,
        model=model,
        path=path,
        fields=tuple(field for field in model._meta.concrete_fields if _is_plain(field, name)),
        links=tuple((key, to) for key, to in links if to != "round"),
        users=tuple(key for key in keys if key.related_model is get_user_model()),
    )


def _name(model: type[Model]) -> str:
    return model._meta.model_name or ""


def _is_plain(field: Column, table: str) -> bool:
    """Whether a field goes into the file unchanged."""
    return not (field.primary_key or isinstance(field, ForeignKey) or (table, field.name) in LEFT_OUT)


def _needs(table: ExchangeTable) -> set[str]:
    """The tables that must exist before its rows; nullable links are filled in later."""
    names = {to for key, to in table.links if not key.null}
    return names | ({"round"} if table.path else set())


def _keys(model: type[Model]) -> Sequence[Link]:
    return [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey)]
