"""Many rows in one statement, for any supported database: the rows are sent as JSON.

Django splits a statement for many rows into pieces (SQLite takes 999 values), one update a row costs more than a whole
settlement, and so do many small reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, get_type_hints

from django.db import connection
from django.db.models import CharField, DateTimeField, Expression, Field, IntegerField, JSONField, QuerySet, TextField

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler

FUNCTION = {"sqlite": "json_each", "postgresql": "json_array_elements"}
JSON_TYPE = {"sqlite": "text", "postgresql": "jsonb"}
ARRAYS = {"sqlite": ("json_group_array", "json_array"), "postgresql": ("json_agg", "json_build_array")}
EMBEDDED = {"sqlite": "json({})", "postgresql": "{}"}
"""A JSON column within other JSON, which must not become a text."""

READABLE = (CharField, TextField, IntegerField, JSONField, DateTimeField)


def by_name(row: type[tuple[Any, ...]], statement: str) -> str:
    """A statement in which `:side` stands for the column `side` of a NamedTuple's rows, as `write_rows` sends them."""
    places = {name: place for place, name in enumerate(get_type_hints(row))}
    return re.sub(r":(\w+)", lambda name_match: f"j.value ->> {places[name_match[1]]}", statement)


def write_rows(statement: str, rows: Sequence[Sequence[object]]) -> int:
    """Execute a statement over rows and return the number written; without rows nothing is sent.

    In the statement `{rows}` is the table of the rows, each a JSON list in its column `value`, so that `j.value ->> 0`
    is the first field of a row as text; `{json}` is the type of a JSON column.
    """
    if not rows:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_over_rows(statement), [json.dumps(rows)])
        return int(cursor.rowcount)


def insert_rows(statement: str, rows: Sequence[Sequence[object]]) -> list[int]:
    """Execute an `INSERT` as `write_rows` does; returns the keys of the new rows."""
    if not rows:
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"{_over_rows(statement)} RETURNING id", [json.dumps(rows)])
        return [key for (key,) in cursor.fetchall()]


def _over_rows(statement: str) -> str:
    return statement.format(rows=f"{FUNCTION[connection.vendor]}(%s)", json=JSON_TYPE[connection.vendor])


class GivenLater(Expression):
    """A value of a query that is only known when the query is sent."""

    def __init__(self, name: str, output_field: Field[Any, Any]) -> None:
        super().__init__(output_field=output_field)
        self.name = name

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        return "%s", [self]


class Together:
    """Several `values_list` read in one statement. Their columns are texts, whole numbers, JSON and datetimes.

    `reads` makes them, with `GivenLater` values in them. The statement is built once for each process and kind of
    database: that takes longer than to send it.
    """

    def __init__(self, reads: Callable[[], Mapping[str, QuerySet[Any, Any]]]) -> None:
        self.reads = reads
        self._made: dict[str, tuple[str, list[object], dict[str, list[Field[Any, Any]]]]] = {}

    def read(self, **values: Any) -> dict[str, list[list[Any]]]:
        """The rows of each read by its name, in its order."""
        sql, params, fields = self._statement()
        arguments = [
            one.output_field.get_db_prep_value(values[one.name], connection) if isinstance(one, GivenLater) else one
            for one in params
        ]
        with connection.cursor() as cursor:
            cursor.execute(sql, arguments)
            row = cursor.fetchone()
        return {name: _read(text, fields[name]) for name, text in zip(fields, row, strict=True)}

    def _statement(self) -> tuple[str, list[Any], dict[str, list[Field[Any, Any]]]]:
        cached = self._made.get(connection.vendor)
        if cached is None:
            parts = {name: _as_json(rows) for name, rows in self.reads().items()}
            sql = f"SELECT {', '.join(part for part, _, _ in parts.values())}"
            params = [param for _, params, _ in parts.values() for param in params]
            cached = sql, params, {name: fields for name, (_, _, fields) in parts.items()}
            self._made[connection.vendor] = cached
        return cached


def _as_json(rows: QuerySet[Any, Any]) -> tuple[str, list[object], list[Field[Any, Any]]]:
    """A query as an expression that gives all its rows as one JSON text; its parameters and columns."""
    compiler = rows.query.get_compiler(connection=connection)
    sql, params = compiler.as_sql()
    fields = [column.output_field for column, _, _ in compiler.select]
    unreadable = [field for field in fields if not isinstance(field, READABLE)]
    if unreadable:
        raise TypeError(f"{unreadable[0]} can't be read together with others")
    names = [f"c{place}" for place in range(len(fields))]
    embedded = EMBEDDED[connection.vendor]
    columns = zip(names, fields, strict=True)
    values = [embedded.format(name) if isinstance(field, JSONField) else name for name, field in columns]
    all_of, one_of = ARRAYS[connection.vendor]
    whole = f"CAST({all_of}({one_of}({', '.join(values)})) AS text)"
    return f"(WITH part ({', '.join(names)}) AS ({sql}) SELECT {whole} FROM part)", list(params), fields


def _read(text: str | None, fields: list[Field[Any, Any]]) -> list[list[Any]]:
    rows: list[list[Any]] = json.loads(text) if text else []
    moments = [place for place, field in enumerate(fields) if isinstance(field, DateTimeField)]
    for row in rows:
        for place in moments:
            row[place] = _moment(row[place])
    return rows


def _moment(text: str | None) -> datetime | None:
    """A datetime in the database's form; SQLite omits UTC."""
    if text is None:
        return None
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
