"""A round as one file: JSON with one row a line, the same bytes for the same rows (docs/host/round-files.md)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Protocol

from django.contrib.auth import get_user_model
from django.db.models import Model

from judging.chain.canonical import to_json, translated
from judging.exchange.tables import LINKS, Column, ExchangeTable, Rows, tables
from wargame.models import Round
from wargame.models.choices import RoundState
from wargame.rules.core.codec import Json

FORMAT = "coalition-wargame-round"
VERSION = 1
"""Whoever changes what stands in a file in a way that older readers would not understand raises it."""

AT_ONCE = 50
"""Rows that are held in memory."""

Numbers = dict[str, dict[object, int]]
"""By table and key: the row's number in the file."""


class View(Protocol):
    """Which rows and fields of a round stand in a file."""

    is_public: bool

    def rows(self, table: ExchangeTable) -> Rows | None:
        """The rows of a table as a query, in their order; None for a table that is not there at all."""

    def shows(self, table: ExchangeTable, field: str) -> bool:
        """Whether a field stands in the file."""

    def shown(self, table: ExchangeTable, row: Model, data: Json) -> Json:
        """A row's data as it may be seen now."""


class Everything:
    """All of a round, with all its secrets."""

    is_public = False

    def __init__(self, round: Round) -> None:
        self._round = round

    def rows(self, table: ExchangeTable) -> Rows | None:
        return table.rows(self._round)

    def shows(self, table: ExchangeTable, field: str) -> bool:
        return True

    def shown(self, table: ExchangeTable, row: Model, data: Json) -> Json:
        return data


def round_file(view: View) -> Iterator[bytes]:
    """The lines of the file. Every row is read when its line is asked for, so that memory is bounded."""
    seal = hashlib.sha256()
    for line in _lines(view):
        seal.update(line)
        yield line
    yield f'"sha256": "{seal.hexdigest()}"\n}}\n'.encode()


def _lines(view: View) -> Iterator[bytes]:
    head = {"format": FORMAT, "version": VERSION, "public": view.is_public}
    yield b"{\n" + b"".join(f"{_dumps(key)}: {_dumps(value)},\n".encode() for key, value in head.items())
    yield b'"tables": {\n'
    there = [(table, rows) for table in tables() if (rows := view.rows(table)) is not None]
    numbers: Numbers = {table.name: _numbered(rows) for table, rows in there}
    names: dict[int, str] = {}
    for place, (table, rows) in enumerate(there):
        yield (b"],\n" if place else b"") + f"{_dumps(table.name)}: [\n".encode()
        yield from _rows(view, table, rows, numbers, names)
    yield b"]\n},\n"


def _numbered(rows: Rows) -> dict[object, int]:
    return {key: number for number, key in enumerate(rows.values_list("pk", flat=True), 1)}


def _rows(view: View, table: ExchangeTable, rows: Rows, numbers: Numbers, names: dict[int, str]) -> Iterator[bytes]:
    """A table's rows, one a line. A row that came after the numbers were given is not among them."""
    known, written = numbers[table.name], 0
    for row in rows.iterator(chunk_size=AT_ONCE):
        number = known.get(row.pk)
        if number is None:
            continue
        data = view.shown(table, row, {"n": number, **_data(view, table, row, numbers, names)})
        yield (b",\n" if written else b"") + _line(data).encode()
        written += 1
    yield b"\n" if written else b""


def _data(view: View, table: ExchangeTable, row: Model, numbers: Numbers, names: dict[int, str]) -> Json:
    def translate(to: str, key: object) -> int | None:
        return numbers.get(to, {}).get(key)

    data: Json = {}
    for field in _columns_shown(view, table, table.fields):
        value = to_json(getattr(row, field.attname))
        data[field.name] = translated(table.name, field.name, value, translate)
    for key, to in table.links:
        if view.shows(table, key.name):
            data[key.name] = translate(to, getattr(row, key.attname))
    for user in _columns_shown(view, table, table.users):
        data[user.name] = _user_name(getattr(row, user.attname), names)
    if table.name == LINKS and view.shows(table, "key"):
        data["key"] = translate(row.kind, row.key)  # type: ignore[attr-defined]
    if "state" in data and table.name == "round" and data["state"] == RoundState.ARCHIVE:
        data["state"] = RoundState.RUNNING.value
    return data


def _columns_shown(view: View, table: ExchangeTable, fields: Iterable[Column]) -> Iterator[Column]:
    return (field for field in fields if view.shows(table, field.name))


def _user_name(key: int | None, names: dict[int, str]) -> str | None:
    """A person's log-in name: all that a file has of him."""
    if key is None:
        return None
    if key not in names:
        names.update(get_user_model().objects.filter(pk=key).values_list("pk", "username"))
    return names.get(key)


def _line(data: Json) -> str:
    """A row: its fields in their order, and objects inside of them with sorted keys, whatever the database does."""
    return f"{{{', '.join(f'{_dumps(name)}: {_dumps(value)}' for name, value in data.items())}}}"


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(", ", ": "))
