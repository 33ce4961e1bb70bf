"""Whether the database's tables are those of this version. Every process checks before it starts, and `/healthz`
checks again: someone may migrate the database, or replace it, while a process runs."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.backends.utils import CursorWrapper
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState

from wargame.running.env import BadVariable
from wargame.version import full_version

Key = tuple[str, str]
"""A model's app and its name in lower case."""


@contextmanager
def nearest_models() -> Iterator[None]:
    """Within it an operation only renders its own model and those that refer to it: its changes depend on no other.

    All models are rendered before an operation that runs Python and after the last one, as Django itself does it where
    it has delayed some.
    """
    django: Any = ProjectState
    as_django_does = django._find_reload_model
    django._find_reload_model = _nearest
    try:
        yield
    finally:
        django._find_reload_model = as_django_does


def _nearest(state: ProjectState, app_label: str, name: str, delay: bool = False) -> set[Key]:
    state.is_delayed = True
    key = (app_label, name.lower())
    try:
        model = state.apps.get_model(*key)
    except LookupError:
        return {key}
    fields = model._meta.get_fields(include_hidden=True)
    referring = {field.related_model for field in fields if field.auto_created and not field.concrete}
    return {key, *((each._meta.app_label, each._meta.model_name) for each in {*referring, *model.__subclasses__()})}


logger = logging.getLogger(__name__)

OURS = ("wargame", "judging")
"""The apps whose tables are compared with their models."""


class Schema(NamedTuple):
    """The number of migrations of this version that the database lacks, and of those that this version doesn't know."""

    missing: int = 0
    unknown: int = 0

    def __str__(self) -> str:
        parts = ((self.missing, "missing"), (self.unknown, "of a later version"))
        return ", ".join(f"{number} {label}" for number, label in parts if number) or "ok"


def read_schema() -> Schema:
    """Compare the applied migrations with those of this version. Two small statements."""
    expected, app_labels = _known_migrations()
    applied = set(MigrationRecorder(connection).applied_migrations())
    return Schema(len(expected - applied), sum(key[0] in app_labels for key in applied - expected))


@cache
def _known_migrations() -> tuple[frozenset[tuple[str, str]], frozenset[str]]:
    """The migrations of this version, and the apps that have any."""
    loader = MigrationLoader(None)
    return frozenset(loader.disk_migrations), frozenset(loader.migrated_apps)


def require_schema() -> None:
    """End the process with a sentence if the database is not of this version.

    A database that doesn't respond yet ends nothing: pages say so until it does, and `/healthz` checks again.
    """
    logger.info("Version %s starts.", full_version())
    try:
        schema = read_schema()
    except DatabaseError as error:
        logger.warning("The database's version could not be checked (%s).", str(error).strip().split("\n")[0])
        return
    finally:
        connection.close()
    if schema.unknown or schema.missing:
        # Not sys.stderr: Celery's clock has replaced it by its log, which isn't set up yet.
        print(later_version() if schema.unknown else earlier_version(), file=sys.__stderr__, flush=True)
        sys.exit(1)


def check_tables(executor: MigrationExecutor) -> None:
    """Check that the project's tables have the columns from their migrations, before anything changes them.

    Raises BadVariable for those of a version before 0.1.0: its migrations had the same names and made other tables.
    """
    loader = executor.loader
    if not loader.applied_migrations:
        return
    try:
        loader.check_consistent_history(connection)
    except InconsistentMigrationHistory:
        raise BadVariable(_before_first_release()) from None
    models = apps
    if executor.migration_plan(loader.graph.leaf_nodes()):
        models = loader.project_state([key for key in loader.applied_migrations if key in loader.graph.nodes]).apps
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        for model in (model for label in OURS for model in models.get_app_config(label).get_models()):
            table, columns = model._meta.db_table, {field.column for field in model._meta.concrete_fields}
            if table not in tables or _columns(cursor, table) != columns:
                raise BadVariable(_before_first_release())


def _columns(cursor: CursorWrapper, table: str) -> set[str]:
    """Django's own introspection of SQLite fails on some constraints; a query works as well."""
    cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} WHERE 1 = 0")
    return {column[0] for column in cursor.description or ()}


def later_version() -> str:
    """The sentence for a database that has migrations unknown to this version."""
    is_later = f"The {_place()} is from a later version than this one, {full_version()}."
    return f"{is_later} Install that version, or choose another database."


def earlier_version() -> str:
    """The sentence for a database that lacks migrations."""
    how = (
        "Make a copy of it (pg_dump), then update it with .venv/bin/python manage.py migrate (docs/host/upgrading.md)."
    )
    return f"The {_place()} is from an earlier version. {how}"


def _before_first_release() -> str:
    other = "another database with DATABASE_URL" if settings.DATABASE_URL else "another with WARGAME_DATA"
    return f"The {_place()} is from a version before 0.1.0. Nothing was changed. Choose {other}."


def _place() -> str:
    is_named = bool(settings.DATABASE_URL)
    return "database in DATABASE_URL" if is_named else f"data folder {settings.DATA_FOLDER}"
