"""Rows about whole locks: a due turn is loaded, settled, written and committed, and the next one opens."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from scripts.bench import databases
from scripts.bench.measuring import Measure, Row, timed
from scripts.bench.turns import war

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

    from .lock_floor import Written
    from .lock_world import Due

WHAT = "lock to unlock"
TURNS = 200


def a_lock_against_a_floor_on_sqlite() -> Row:
    """102 armies and 100 order lines, against the same rows read and written without any rule."""
    database = databases.sqlite("bench")
    return Row(WHAT, "SQLite", _lock(database), "the same rows", _floor(database, "set_based"), 2)


def a_lock_against_a_floor_on_postgresql() -> Row:
    """The same on PostgreSQL, if there is one."""
    database = databases.postgresql()
    if database is None:
        return Row(WHAT, "SQLite", _lock(databases.sqlite("bench")), "PostgreSQL", None, 2)
    return Row(WHAT, "PostgreSQL", _lock(database), "the same rows", _floor(database, "set_based"), 2)


def a_lock_against_saved_rows_on_sqlite() -> Row:
    """Against the same rows, each saved by itself, without any rule."""
    database = databases.sqlite("bench")
    return Row(WHAT, "SQLite", _lock(database), "row by row", _floor(database, "row_by_row"), 1)


def a_lock_against_saved_rows_on_postgresql() -> Row:
    """The same on PostgreSQL, if there is one."""
    database = databases.postgresql()
    if database is None:
        return Row(WHAT, "SQLite", _lock(databases.sqlite("bench")), "PostgreSQL", None, 1)
    return Row(WHAT, "PostgreSQL", _lock(database), "row by row", _floor(database, "row_by_row"), 1)


def turn_200_against_turn_1() -> Row:
    """The same turn as the first of its round and after 199 others, with all their posts, reports and battles."""
    first, late = databases.sqlite("bench"), databases.sqlite("late")
    return Row(WHAT, f"SQLite, turn {TURNS}", _lock(late, TURNS), "turn 1", _lock(first), 1.15)


ROWS = (
    a_lock_against_a_floor_on_sqlite,
    a_lock_against_a_floor_on_postgresql,
    a_lock_against_saved_rows_on_sqlite,
    a_lock_against_saved_rows_on_postgresql,
    turn_200_against_turn_1,
)


@cache
def _due(database: BaseDatabaseWrapper, number: int) -> Due:
    """The turn in that database, written on first use."""
    from .lock_world import make_due

    databases.use(database)
    return make_due(war(), number)


@cache
def _written(database: BaseDatabaseWrapper) -> Written:
    from .lock_floor import Written

    due = _due(database, 1)
    advance(due)
    writes = Written(due)
    due.set_back()
    return writes


def advance(due: Due) -> None:
    """The whole lock, as a worker runs it."""
    from judging.turns import stages

    reached = stages.advance(due.turn, due.now)
    assert reached == "settled", reached


def _lock(database: BaseDatabaseWrapper, number: int = 1) -> Measure:
    return lambda: _measured(database, _due(database, number), advance)


def _floor(database: BaseDatabaseWrapper, name: str) -> Measure:
    def measure() -> float:
        from scripts.bench import lock_floor

        due = _due(database, 1)
        databases.use(database)
        writes = _written(database)
        variant: Callable[[Written], None] = getattr(lock_floor, name)
        return _measured(database, due, lambda _: variant(writes))

    return measure


def _measured(database: BaseDatabaseWrapper, due: Due, work: Callable[[Due], None]) -> float:
    """Seconds of the work alone; afterwards everything is undone."""
    databases.use(database)
    try:
        return timed(lambda: work(due), 1)
    finally:
        due.set_back()
