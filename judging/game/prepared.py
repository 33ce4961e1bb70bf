"""Statements that every page asks, written once: Django takes far longer to write a large one than to have its answer.

A statement is built with stand-ins in the place of its values, `number(1)`, `number(2)` … and `MOMENT`. What Django
made of it is kept by the process under its shape; each asking puts its own values in.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet

MOMENT = datetime(1, 2, 3, 4, 5, 6, 789, tzinfo=UTC)
"""Stands for a moment."""

_written: dict[Hashable, tuple[str, tuple[object, ...]]] = {}


def number(place: int) -> int:
    """Stands for a key: no row comes so far, and it is small enough for every kind of key."""
    return 2_070_605_040 + place


def rows(
    shape: Hashable, build: Callable[[], QuerySet[Any, Any]], values: Mapping[int | datetime, int | datetime | None]
) -> list[tuple[Any, ...]]:
    """The rows of a statement of `values_list`, as the database tells them: on SQLite moments have no zone.

    `shape` tells apart what `build` builds but for the values of its stand-ins, which come by `values`.
    """
    key = (connection.vendor, shape)
    if key not in _written:
        sql, params = build().query.sql_with_params()
        _written[key] = sql, tuple(params)
    sql, params = _written[key]
    given = {_as_sent(stand_in): _as_sent(value) for stand_in, value in values.items()}
    with connection.cursor() as cursor:
        sent: list[Any] = [given.get(param, param) if isinstance(param, Hashable) else param for param in params]
        cursor.execute(sql, sent)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def _as_sent(value: int | datetime | None) -> object:
    """A value as a parameter of this database."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
