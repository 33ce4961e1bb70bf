"""Statements that every page asks, written once: Django takes far longer to write a large one than to have its answer.

A statement is built with stand-ins in the place of its values, `number(1)`, `number(2)` … and `MOMENT`. What Django
made of it is kept by the process under its shape; each asking puts its own values in. `statement` does that for a
function which builds a queryset of its arguments, and gives its rows as Django does.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import connection, connections
from django.db.models import QuerySet

P = ParamSpec("P")
R = TypeVar("R")

MOMENT = datetime(1, 2, 3, 4, 5, 6, 789, tzinfo=UTC)
"""Stands for a moment."""

_written: dict[Hashable, tuple[str, tuple[object, ...]]] = {}
_statements: dict[Hashable, _Statement] = {}


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
        cursor.execute(sql, _put_in(params, given))
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def statement(build: Callable[P, QuerySet[Any, R]]) -> Callable[P, list[R]]:
    """Decorates a function that builds a queryset of keys, numbers, moments and words: it gives the queryset's rows, as
    Django gives them, and is called but once for each shape. What is True, False or None belongs to the shape.

    The values must come into the statement as they are: raises Misbuilt for one that is changed on the way. Nothing is
    prefetched.
    """

    anew: Callable[..., QuerySet[Any, R]] = build

    @wraps(build)
    def ask(*args: P.args, **kwargs: P.kwargs) -> list[R]:
        stand_ins = tuple(_stand_in(place, value) for place, value in enumerate(args))
        key = (connection.vendor, build, stand_ins)
        written = _statements.get(key)
        if written is None:
            written = _statements[key] = _Statement.of(anew(*stand_ins), stand_ins)
        found: list[R] = written.rows({_as_sent(each): _as_sent(args[place]) for place, each in enumerate(stand_ins)})
        return found

    return ask


class Misbuilt(RuntimeError):
    """A programmer's error: a statement was built in which one of its values does not stand as it was given."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """What Django has made of a queryset: its compiler, which knows what the columns are and how their values are
    read, and what is sent."""

    queryset: QuerySet[Any, Any]
    compiler: Any
    converters: object
    sql: str
    params: tuple[object, ...]

    @classmethod
    def of(cls, queryset: QuerySet[Any, Any], stand_ins: Sequence[object]) -> _Statement:
        prefetched: object = getattr(queryset, "_prefetch_related_lookups")  # noqa: B009
        compiler: Any = queryset.query.get_compiler(using=queryset.db)
        sql, params = compiler.as_sql()
        changed = [each for each in stand_ins if not _is_of_the_shape(each) and _as_sent(each) not in params]
        if changed or prefetched:
            raise Misbuilt(f"{changed} are not in {sql}, or something is prefetched")
        converters = compiler.get_converters([column for column, *_ in compiler.select])
        return cls(queryset, compiler, converters, sql, tuple(params))

    def rows(self, given: Mapping[object, object]) -> list[Any]:
        """The rows, each value in the place of its stand-in."""
        sent = self.sql, _put_in(self.params, given)
        compiler = copy(self.compiler)
        compiler.connection, compiler.as_sql = connections[self.queryset.db], lambda: sent
        compiler.get_converters = lambda columns: self.converters
        iterable: Any = self.queryset._iterable_class
        return list(iterable(_Asked(self.queryset, compiler)))


class _Asked:
    """What Django's iterators ask of a queryset and its query."""

    _known_related_objects: Mapping[object, object] = {}

    def __init__(self, queryset: QuerySet[Any, Any], compiler: Any) -> None:
        self.db, self.model = queryset.db, queryset.model
        self.query, self._compiler = self, compiler

    def get_compiler(self, using: str) -> Any:
        return self._compiler


def _stand_in(place: int, value: object) -> object:
    """What a statement is built with in the place of a value: itself, where another one makes another statement."""
    if _is_of_the_shape(value):
        return value
    if isinstance(value, datetime):
        return MOMENT + timedelta(microseconds=place)
    return number(place) if isinstance(value, int) else f"stands for word {place}"


def _is_of_the_shape(value: object) -> bool:
    return value is None or isinstance(value, bool)


def _put_in(params: Sequence[object], given: Mapping[object, object]) -> list[Any]:
    return [given.get(param, param) if isinstance(param, Hashable) else param for param in params]


def _as_sent(value: object) -> object:
    """A value as a parameter of this database."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
