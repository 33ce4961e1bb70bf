"""The rows of worlds as a database has them, read and written past Django: on SQLite and on PostgreSQL.

`rows()` is what `keeping` works with. Its answers mean something to the same database alone.
"""

from collections.abc import Callable, Iterator
from functools import cache, cached_property
from typing import Any, Protocol

from django.db import connection, transaction
from psycopg import Cursor
from psycopg.sql import SQL, Composable, Identifier

Rows = frozenset[tuple[Any, ...]]
State = dict[str, Rows]
"""The rows of the tables that have any, each with its key first."""

Changes = dict[str, list[tuple[Any, ...]]]
"""Rows by table."""

Writing = Callable[[], None]
"""Writes the same rows again and again."""

BASE = {"django_migrations", "django_content_type", "auth_permission"}
"""Tables whose rows are there before any world."""

SEQUENCES = "sequences"
"""In a state: the last key that each table gave out."""

NEWEST_OF_BASE = """SELECT (SELECT max(id) FROM auth_permission), (SELECT max(id) FROM django_content_type),
    (SELECT count(*) FROM auth_permission), (SELECT count(*) FROM django_content_type)"""


class WorldRows(Protocol):
    """What a database tells of the rows of worlds."""

    def begin(self) -> None:
        """There are no rows of a world, and one will be written: its keys begin where they always do."""

    def stand(self) -> tuple[Any, ...]:
        """Changes with every row that a test writes, and with every savepoint."""

    def is_written(self) -> bool:
        """Whether there are rows of a world."""

    def base(self) -> tuple[Any, ...]:
        """The keys of the rows that are always there: a test with a server gets them anew."""

    def state(self) -> State:
        """All rows of worlds, and the keys that were given out."""

    def writing(self, gone: Changes, new: Changes) -> Writing:
        """What lets rows go and come, and keys be given out, as they were."""

    def clear(self) -> None:
        """All rows of worlds go; keys that were given out are not given out again."""


@cache
def rows() -> WorldRows:
    """Those of this process's database."""
    connection.ensure_connection()
    return OnSqlite() if connection.vendor == "sqlite" else OnPostgres()


def _filled(tables: Iterator[str] | dict[str, Any]) -> str:
    return " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM \"{name}\")" for name in tables)


def _exists(tables: Iterator[str] | dict[str, Any]) -> str:
    return "SELECT " + " OR ".join(f'EXISTS (SELECT 1 FROM "{name}")' for name in tables)


class OnSqlite:
    """SQLite: its keys go back with a transaction, and it counts itself what is written."""

    def begin(self) -> None:
        pass

    def stand(self) -> tuple[Any, ...]:
        connection.ensure_connection()
        raw = connection.connection
        (others,) = raw.execute("PRAGMA data_version").fetchone()
        return id(raw), raw.total_changes, others, *_savepoints()

    def is_written(self) -> bool:
        connection.ensure_connection()
        (found,) = connection.connection.execute(_exists(self._tables)).fetchone()
        return bool(found)

    def base(self) -> tuple[Any, ...]:
        connection.ensure_connection()
        keys: tuple[Any, ...] = connection.connection.execute(NEWEST_OF_BASE).fetchone()
        return keys

    def state(self) -> State:
        raw, state = connection.connection, {}
        for name, columns in self._tables.items():
            # A sign before a column keeps sqlite3 from turning what is stored into dates and truth values.
            as_stored = ", ".join(f'+"{column}"' for column in columns)
            if found := frozenset(raw.execute(f'SELECT {as_stored} FROM "{name}"')):
                state[name] = found
        state[SEQUENCES] = frozenset(raw.execute("SELECT name, seq FROM sqlite_sequence"))
        return state

    def writing(self, gone: Changes, new: Changes) -> Writing:
        return lambda: self._write(gone, new)

    def _write(self, gone: Changes, new: Changes) -> None:
        with transaction.atomic():
            raw = connection.connection
            for name, columns in self._tables.items():
                if name in gone:
                    raw.executemany(f'DELETE FROM "{name}" WHERE "{columns[0]}" = ?', [row[:1] for row in gone[name]])
            for name, columns in self._tables.items():
                if name in new:
                    listed = ", ".join(f'"{column}"' for column in columns)
                    places = ", ".join("?" * len(columns))
                    raw.executemany(f'INSERT INTO "{name}" ({listed}) VALUES ({places})', new[name])
            # Keys that a server's tests have given out are not given out again.
            for name, last in new.get(SEQUENCES, ()):
                raw.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (last, name))
                raw.execute(
                    "INSERT INTO sqlite_sequence SELECT ?, ? "
                    "WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)",
                    (name, last, name),
                )

    def clear(self) -> None:
        connection.ensure_connection()
        with transaction.atomic():
            raw = connection.connection
            for (name,) in raw.execute(_filled(self._tables)).fetchall():
                raw.execute(f'DELETE FROM "{name}"')

    @cached_property
    def _tables(self) -> dict[str, list[str]]:
        """The columns of each table that worlds write to, its key first."""
        raw = connection.connection
        found = raw.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        names = [name for (name,) in found if name not in {*BASE, "sqlite_sequence"}]
        columns = {name: raw.execute(f'PRAGMA table_info("{name}")').fetchall() for name in names}
        return {name: [column[1] for column in sorted(found, key=_key_first)] for name, found in columns.items()}


def _key_first(column: tuple[Any, ...]) -> tuple[bool, int]:
    place, *_, is_key = column
    return not is_key, place


def _savepoints() -> tuple[Any, ...]:
    return connection.in_atomic_block, connection.savepoint_state, tuple(connection.savepoint_ids)


HAS_NO_NUMBER = "SELECT pg_current_xact_id_if_assigned() IS NULL"
READS = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK", "SET")
KEYS = """
    SELECT c.relname, a.attname, pg_get_serial_sequence(quote_ident(c.relname), a.attname)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
    WHERE i.indisprimary AND n.nspname = 'public' ORDER BY c.relname
"""


class OnPostgres:
    """PostgreSQL: sequences do not go back with a transaction, so they are set; statements that write are counted."""

    def __init__(self) -> None:
        self.written = 0

    def begin(self) -> None:
        first = ", ".join(f"setval('{sequence}', 1, false)" for _, sequence in self._tables.values() if sequence)
        self._ask(f"SELECT {first}", prepare=True)

    def stand(self) -> tuple[Any, ...]:
        connection.ensure_connection()
        if self._count not in connection.execute_wrappers:
            connection.execute_wrappers.insert(0, self._count)
        return id(connection.connection), self.written, *_savepoints()

    def is_written(self) -> bool:
        """In a transaction that got no number nothing was written, and what was written outside of one is cleared."""
        if connection.in_atomic_block and self._ask(HAS_NO_NUMBER) == [(True,)]:
            return False
        ((found,),) = self._ask(_exists(self._tables), prepare=True)
        return bool(found)

    def base(self) -> tuple[Any, ...]:
        (keys,) = self._ask(NEWEST_OF_BASE, prepare=True)
        return keys

    def state(self) -> State:
        state = {}
        for name, (key, _) in self._tables.items():
            if found := frozenset(self._ask(f'SELECT "{key}", "{name}"::text FROM "{name}"')):
                state[name] = found
        last = "SELECT sequencename, last_value FROM pg_sequences WHERE last_value IS NOT NULL"
        state[SEQUENCES] = frozenset(self._ask(last))
        return state

    def writing(self, gone: Changes, new: Changes) -> Writing:
        """All of it is one text, whose values are written out once: it goes to the server at one go."""
        parts: list[Composable] = []
        for name, (key, _) in self._tables.items():
            if name in gone:
                delete = SQL("DELETE FROM {} WHERE {} = ANY({})")
                parts.append(delete.format(Identifier(name), Identifier(key), [row[0] for row in gone[name]]))
        for name in self._tables:
            if name in new:
                # Behind OFFSET a row is read once, and not anew for each of its columns.
                insert = SQL(
                    "INSERT INTO {0} SELECT (r).* FROM (SELECT t::{0} AS r FROM unnest({1}::text[]) t OFFSET 0) s"
                )
                parts.append(insert.format(Identifier(name), [row[1] for row in new[name]]))
        if given_out := new.get(SEQUENCES):
            parts.append(SQL("SELECT " + ", ".join(f"setval('{name}', {last})" for name, last in given_out)))
        connection.ensure_connection()
        text = SQL("; ").join(parts).as_string(connection.connection).encode()
        return lambda: self._do(text)

    def clear(self) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            for (name,) in self._ask(_filled(self._tables)):
                cursor.execute(f'DELETE FROM "{name}"')

    def _count(self, execute: Callable[..., Any], sql: Any, *arguments: Any) -> Any:
        if not str(sql).lstrip(" (\n").upper().startswith(READS):
            self.written += 1
        return execute(sql, *arguments)

    def _ask(self, sql: str, *, prepare: bool = False) -> list[tuple[Any, ...]]:
        """The answer. What is asked in each test may be planned once."""
        connection.ensure_connection()
        found: list[tuple[Any, ...]] = Cursor(connection.connection).execute(sql, prepare=prepare).fetchall()
        return found

    def _do(self, text: bytes) -> None:
        connection.ensure_connection()
        Cursor(connection.connection).execute(text)

    @cached_property
    def _tables(self) -> dict[str, tuple[str, str | None]]:
        """The key of each table that worlds write to, and the sequence that gives it out."""
        return {name: (key, sequence) for name, key, sequence in self._ask(KEYS) if name not in BASE}
