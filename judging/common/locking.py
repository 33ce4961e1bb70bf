"""Concurrent writers: the transactions that change rows, and the order in which they lock them.

Two transactions that lock rows in different orders can wait for each other forever: PostgreSQL ends one of them. So
there is one order: the round, its set-up, its turns, their battles, then all else by the model's name, and at the end
the latest hash of the round's chain; rows of one model by key. A row must be locked before the rows that come after it:
`hold` raises OutOfOrder otherwise, in each test that comes by, on any database.

Rows are locked `FOR NO KEY UPDATE`. That excludes other locks and all changes, and lets rows be inserted that refer to
the locked one: publishing a result refers to a turn, and need not wait for those who post in it.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, connection
from django.db import transaction as django_transaction
from django.db.models import Manager, Model, QuerySet
from django.utils.translation import gettext

from judging.common.errors import Refused

M = TypeVar("M", bound=Model)
P = ParamSpec("P")
R = TypeVar("R")

ORDER = ("wargame.round", "judging.roundsetup", "wargame.turn", "judging.battle")
"""The models whose rows are locked first, in this order; all others come after them, by name."""

LAST = "judging.chainhead"
"""The model whose rows are locked after all others: all writers of a round meet there, so each locks it last."""

LONGEST_WAIT = timedelta(seconds=5)
"""How long a statement waits for a row on PostgreSQL: longer than it takes to detect a deadlock (1 s). On SQLite the
settings say how long it waits for the whole database."""

MILLISECOND = timedelta(milliseconds=1)

RETRY_AFTER = 5
"""Seconds until a retry, after a busy answer."""

PASSING = ("40P01", "40001", "55P03")
"""PostgreSQL: deadlock detected, serialization failure, lock not available."""
FULL = "53100"
"""PostgreSQL: disk full."""

logger = logging.getLogger(__name__)

Place = tuple[int, str, int]
"""The place of a row in the order: the rank of its model, the model's name, its key."""


class Busy(Refused):
    """The request could not be written, and nothing was stored. `passes`: whether a retry may succeed at once; with
    a full disk it does not."""

    def __init__(self, *, passes: bool) -> None:
        super().__init__(
            gettext("Busy: nothing was saved. Try again.")
            if passes
            else gettext(
                "The server's disk is full, so nothing was saved. The host of this site must free up space. Try "
                "again later."
            )
        )
        self.passes = passes

    def status(self, usual: int) -> int:
        """503: the request was right, and can be sent again."""
        return 503


class NoTransaction(RuntimeError):
    """A programming error: a row was to be locked outside of a transaction."""


class OutOfOrder(RuntimeError):
    """A programming error: a row was to be locked after one that comes later in the order."""


class _Open(threading.local):
    """The open transaction of this thread, and so of its connection: the rows that it has locked; None outside of
    one."""

    held: set[Place] | None = None
    is_alone = False


_open = _Open()

before_the_end: list[Callable[[], None]] = []
"""Callbacks at the end of an outermost transaction, as its last work."""

after_writing: list[Callable[[], None]] = []
"""Callbacks after an outermost transaction, whether it was committed or rolled back."""


def is_writing() -> bool:
    return _open.held is not None


def writes(work: Callable[P, R]) -> Callable[P, R]:
    """Decorate a writer: it runs as a whole or not at all, and once more if others were in its way.

    A writer that another writer calls is part of that one's transaction. Raises Busy if the second attempt fails too. A
    writer may run twice, so it must change nothing but rows that it has read itself.
    """

    @wraps(work)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            with transaction():
                return work(*args, **kwargs)
        except Busy as busy:
            # Only the outermost transaction raises Busy; with it all is undone, and the rows of the others are free.
            if _open.held is not None or not busy.passes:
                raise
        logger.info("%s.%s conflicted with another writer. It will run again.", work.__module__, work.__qualname__)
        with transaction():
            return work(*args, **kwargs)

    return run


@contextmanager
def by_the_way() -> Iterator[None]:
    """Optional writes of a page that is only read, such as how far it was read. Busy is swallowed, because the page
    does not need it; the next view stores it."""
    try:
        yield
    except Busy as busy:
        logger.info("A page could not save its side data: %s", busy)


@contextmanager
def transaction(*, is_alone: bool = False) -> Iterator[None]:
    """Write all or nothing. Within another transaction, a part that can fail by itself.

    `is_alone` is for creating a new round with everything in it, where nobody else can lock a row: it may lock them in
    any order. Raises Busy for what `busy_of` knows.
    """
    if _open.held is not None:
        with django_transaction.atomic():
            yield
        return
    _open.held, _open.is_alone = set(), is_alone
    try:
        with django_transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute(f"SET LOCAL lock_timeout = {LONGEST_WAIT // MILLISECOND}")
            yield
            for last in before_the_end:
                last()
    except DatabaseError as error:
        busy = busy_of(error)
        if busy is None:
            raise
        raise busy from error
    finally:
        _open.held, _open.is_alone = None, False
        for then in after_writing:
            then()


def busy_of(error: BaseException) -> Busy | None:
    """The Busy for a database error: others were in the way, or the disk is full. None for any other error, which is
    a bug."""
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF  # the rest of it only says more exactly why
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return Busy(passes=True)
        return Busy(passes=False) if code == sqlite3.SQLITE_FULL else None
    state = getattr(cause, "sqlstate", None)
    if state in PASSING:
        return Busy(passes=True)
    return Busy(passes=False) if state == FULL else None


def hold(rows: QuerySet[M] | Manager[M], **lookup: object) -> M:
    """The one row that the lookup names, in its current state, locked until the transaction ends.

    Raises the model's DoesNotExist, NoTransaction and OutOfOrder, like the other functions for locking.
    """
    return _noted([_for_update(rows).get(**lookup)])[0]


def hold_first(rows: QuerySet[M]) -> M | None:
    """The first of these rows, locked until the transaction ends; None without one."""
    row = _for_update(rows).first()
    return _noted([row])[0] if row is not None else None


def hold_all(rows: QuerySet[M]) -> list[M]:
    """All of these rows by key, locked until the transaction ends."""
    return _noted(list(_for_update(rows).order_by("pk")))


def _for_update(rows: QuerySet[M] | Manager[M]) -> QuerySet[M]:
    if _open.held is None:
        raise NoTransaction(f"A row of {rows.model.__name__} is held in a transaction only: see `locking.writes`.")
    return rows.select_for_update(of=("self",), no_key=True)


def _noted(rows: list[M]) -> list[M]:
    """The rows, after a check that they come after all that are locked. A row that is locked already can be locked
    again: a transaction does not wait for itself."""
    places = _open.held
    if places is None:
        return rows
    new = sorted(set(_places(rows)) - places)
    if new and places and not _open.is_alone and new[0] < max(places):
        raise OutOfOrder(
            f"{_place_in_words(new[0])} is held after {_place_in_words(max(places))}; hold it first. "
            "See `locking.ORDER`."
        )
    places.update(new)
    return rows


def _places(rows: Iterable[Model]) -> Iterator[Place]:
    for row in rows:
        name = row._meta.label_lower
        rank = ORDER.index(name) if name in ORDER else len(ORDER) + (name == LAST)
        yield rank, name, int(row.pk)


def _place_in_words(place: Place) -> str:
    return f"{place[1]} {place[2]}"
