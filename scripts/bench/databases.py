"""Throwaway databases on which a lock is measured: made on first use, removed when the benchmark ends."""

from __future__ import annotations

import atexit
import os
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

POSTGRESQL = "postgres://postgres@127.0.0.1:5432/postgres"
"""The default PostgreSQL server, unless BENCH_DATABASE_URL is set. The benchmark makes its own database there."""

NAME = f"wargame_bench_{os.getpid()}"


@cache
def sqlite(name: str) -> BaseDatabaseWrapper:
    """A database in a file, with the service's options."""
    folder = _start_django()
    from django.conf import settings

    options = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / f"{name}.sqlite3")}
    return _migrated({**options, "OPTIONS": settings.SQLITE})


@cache
def postgresql() -> BaseDatabaseWrapper | None:
    """A new database on the server, or None if no server answers."""
    _start_django()
    from django.db import Error
    from environ import Env

    there = Env.db_url_config(os.environ.get("BENCH_DATABASE_URL", POSTGRESQL))
    there["OPTIONS"] = {"connect_timeout": 2}
    try:
        server = _connection(there)
        with server.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {NAME}")
    except Error:
        return None
    database = _connection({**there, "NAME": NAME})
    atexit.register(_drop, server, database)
    use(database)
    _migrate()
    return database


def use(database: BaseDatabaseWrapper) -> None:
    """Route all reads and writes there."""
    from django.db import connections

    connections["default"] = database


@cache
def _start_django() -> Path:
    """Start Django on its own data folder, which is removed at the end."""
    import shutil

    folder = Path(mkdtemp(prefix="wargame-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ |= {"DJANGO_SETTINGS_MODULE": "wargame.settings", "WARGAME_DATA": str(folder)}
    os.environ.pop("DATABASE_URL", None)
    import django

    django.setup()
    return folder


def _migrated(options: dict[str, Any]) -> BaseDatabaseWrapper:
    database = _connection(options)
    use(database)
    _migrate()
    return database


def _migrate() -> None:
    """Migrate all tables. A turn is reset after each lock, and its log with it, which only the bench may do."""
    from django.core.management import call_command

    from judging.log import triggers as keeping

    keeping.KEPT[:] = [refused for refused in keeping.KEPT if refused is not keeping.UNDELETED]
    call_command("migrate", verbosity=0, interactive=False)


def _connection(options: dict[str, Any]) -> BaseDatabaseWrapper:
    from django.db import connections
    from django.db.utils import load_backend

    full = connections.configure_settings({"default": dict(options)})["default"]
    wrapper: BaseDatabaseWrapper = load_backend(full["ENGINE"]).DatabaseWrapper(full, "default")
    return wrapper


def _drop(server: BaseDatabaseWrapper, database: BaseDatabaseWrapper) -> None:
    database.close()
    with server.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {NAME}")
    server.close()
