"""Worlds that many tests begin with are built once by a process; later tests get their rows written again.

`kept` marks a step that builds one: what it writes depends on its arguments, the clock, and the rows there are. Where
a database holds the base rows alone, or exactly what kept steps wrote, another such step is known by its whole way
there. When a way is gone for the second time, the rows that its last step changes are kept; from the third time on
they are written without a line of the services being run. Whatever a test writes itself ends the way: the next step
runs as if it were not marked. So does every step on PostgreSQL, whose sequences do not go back with a transaction.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, wraps
from random import Random
from typing import Any, ParamSpec, TypeVar

import time_machine
from django.core import mail
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.db.models import Model

Given = ParamSpec("Given")
Made = TypeVar("Made")
Rows = frozenset[tuple[Any, ...]]
State = dict[str, Rows]
"""The rows of the tables that have any, each with its key first."""

Changes = dict[str, list[tuple[Any, ...]]]
"""Rows by table."""

BASE = {"django_migrations", "django_content_type", "auth_permission"}
"""Tables whose rows are there before any world."""

SEQUENCES = "sqlite_sequence"
AGAIN = 2


@dataclass(frozen=True)
class Step:
    """What the last step of a way did: its answer, the rows that went and came, by table, and the mails it sent."""

    answer: bytes
    gone: Changes
    new: Changes
    after: State
    mails: tuple[EmailMessage, ...]


class Keeper:
    """The ways that this process knows, and where the database stands."""

    def __init__(self) -> None:
        self.draw: Random | None = None
        self.test = ""
        self.way = ""
        self.stand: tuple[Any, ...] = ()
        self.steps: dict[str, Step] = {}
        self.times: Counter[str] = Counter()

    def begin(self, test: str, draw: Random) -> None:
        """A test begins: nothing is known of the database."""
        self.test, self.draw = test, draw
        self.way, self.stand = "", ()

    def take(self, name: str, build: Callable[[], Made]) -> Made:
        """The step's answer, by its building or by its rows."""
        if self.draw is None or connection.vendor != "sqlite":
            return build()
        before = self._way()
        if before is None:
            return build()
        way = f"{before}\n{name}{_frozen()}"
        self.draw.seed(way)
        answer = self._step(before, way, build)
        self.draw.seed(f"{self.test}\n{way}")
        self.way, self.stand = way, _stand()
        return answer

    def _way(self) -> str | None:
        """How the database got where it is; None if a test has written."""
        if self.way and self.stand == _stand():
            return self.way
        return None if _is_written() else f"base {_base()}"

    def _step(self, before: str, way: str, build: Callable[[], Made]) -> Made:
        if step := self.steps.get(way):
            _write(step)
            mail.outbox.extend(step.mails)
            answer: Made = pickle.loads(step.answer)
            return answer
        self.times[way] += 1
        if self.times[way] < AGAIN:
            return build()
        old = self.steps[before].after if before in self.steps else _state()
        sent = len(mail.outbox)
        answer = build()
        new, mails = _state(), tuple(mail.outbox[sent:])
        self.steps[way] = Step(pickle.dumps(answer), _difference(old, new), _difference(new, old), new, mails)
        return answer


keeper = Keeper()


def kept(build: Callable[Given, Made]) -> Callable[Given, Made]:
    """A step that builds a world, or leads one on. Its arguments are plain, but for worlds: their rows are the way."""

    @wraps(build)
    def step(*args: Given.args, **kwargs: Given.kwargs) -> Made:
        given = [*map(_written, args), *(f"{name}={_written(value)}" for name, value in sorted(kwargs.items()))]
        name = f"{build.__module__}.{build.__qualname__}({', '.join(given)})"
        return keeper.take(name, lambda: build(*args, **kwargs))

    return step


def _written(value: object) -> str:
    """An argument in the name of a step."""
    if isinstance(value, time_machine.Traveller):
        return "clock"
    if isinstance(value, Model):
        return f"{value._meta.label}:{value.pk}"
    return type(value).__name__ if hasattr(value, "round") else repr(value)


def _frozen() -> str:
    """The moment at which the clock stands still."""
    return f" at {datetime.now(UTC)}" if time_machine.escape_hatch.is_travelling() else ""


def _stand() -> tuple[Any, ...]:
    """Changes with every row that this connection or another one writes, and with every savepoint."""
    connection.ensure_connection()
    raw = connection.connection
    (others,) = raw.execute("PRAGMA data_version").fetchone()
    savepoints = connection.in_atomic_block, connection.savepoint_state, tuple(connection.savepoint_ids)
    return id(raw), raw.total_changes, others, savepoints


@cache
def _tables() -> dict[str, list[str]]:
    """The columns of each table that worlds write to, its key first."""
    found = connection.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    names = [name for (name,) in found if name not in {*BASE, SEQUENCES}]
    columns = {name: connection.connection.execute(f'PRAGMA table_info("{name}")').fetchall() for name in names}
    return {name: [column[1] for column in sorted(found, key=_key_first)] for name, found in columns.items()}


def _key_first(column: tuple[Any, ...]) -> tuple[bool, int]:
    place, *_, is_key = column
    return not is_key, place


def _is_written() -> bool:
    """Whether there are rows of a world."""
    connection.ensure_connection()
    some = " OR ".join(f'EXISTS (SELECT 1 FROM "{name}")' for name in _tables())
    (found,) = connection.connection.execute(f"SELECT {some}").fetchone()
    return bool(found)


def _base() -> tuple[Any, ...]:
    """The keys of the rows that are always there: a test with a server gets them anew."""
    newest = "(SELECT max(id) FROM auth_permission), (SELECT max(id) FROM django_content_type)"
    keys: tuple[Any, ...] = connection.connection.execute(f"SELECT {newest}").fetchone()
    return keys


def _state() -> State:
    """All rows of worlds, and the keys that were given out."""
    raw, state = connection.connection, {}
    for name, columns in _tables().items():
        # A sign before a column keeps sqlite3 from turning what is stored into dates and truth values.
        as_stored = ", ".join(f'+"{column}"' for column in columns)
        if rows := frozenset(raw.execute(f'SELECT {as_stored} FROM "{name}"')):
            state[name] = rows
    state[SEQUENCES] = frozenset(raw.execute(f"SELECT name, seq FROM {SEQUENCES}"))
    return state


def _difference(all_: State, but: State) -> Changes:
    """The rows of one state that another has not, the oldest first."""
    found = {name: sorted(rows - but.get(name, frozenset()), key=lambda row: row[0]) for name, rows in all_.items()}
    return {name: rows for name, rows in found.items() if rows}


def _write(step: Step) -> None:
    """The rows go and come as they did."""
    with transaction.atomic():
        raw, tables = connection.connection, _tables()
        for name, rows in step.gone.items():
            if name != SEQUENCES:
                raw.executemany(f'DELETE FROM "{name}" WHERE "{tables[name][0]}" = ?', [row[:1] for row in rows])
        for name, rows in step.new.items():
            if name != SEQUENCES:
                columns = ", ".join(f'"{column}"' for column in tables[name])
                places = ", ".join("?" * len(tables[name]))
                raw.executemany(f'INSERT INTO "{name}" ({columns}) VALUES ({places})', rows)
        # Keys that a server's tests have given out are not given out again.
        for name, last in step.new.get(SEQUENCES, ()):
            raw.execute(f"UPDATE {SEQUENCES} SET seq = max(seq, ?) WHERE name = ?", (last, name))
            raw.execute(
                f"INSERT INTO {SEQUENCES} SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM {SEQUENCES} WHERE name = ?)",
                (name, last, name),
            )
