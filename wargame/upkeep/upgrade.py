"""The upgrade of an older database, after a copy of it (docs/host/upgrading.md)."""

import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.management import CommandError, call_command
from django.core.management.sql import emit_post_migrate_signal
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from wargame.running.env import BadVariable
from wargame.upkeep import schema
from wargame.version import full_version

WANTED = "UTF8"


def wrong_encoding() -> str | None:
    """Why this database can't store all characters, as a sentence; None if it can, as SQLite always does.

    A PostgreSQL cluster that was created without a language is SQL_ASCII: it accepts a name with an accent, and fails
    at the first function that must know its letters, in the middle of a round.
    """
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (encoding,) = cursor.fetchone() or ("",)
    if encoding == WANTED:
        return None
    return (
        f"The database in DATABASE_URL stores text as {encoding}, but people write characters that need {WANTED}. "
        f"Create it again with createdb --encoding {WANTED} --template template0 (docs/host/README.md)."
    )


@register(Tags.database)
def check_encoding(*, databases: Sequence[str] | None = None, **options: object) -> list[CheckMessage]:
    """For `manage.py migrate`, which checks before it writes, and `manage.py check --database default`."""
    wrong = wrong_encoding() if databases else None
    return [Error(wrong, id="wargame.E001")] if wrong else []


def bring_up_to_date(say: Callable[[str], None]) -> None:
    """Apply the migrations that the database lacks; one in use is copied before, and restored if they fail.

    Raises BadVariable for a database that can't store all characters, for one of a later version or from before 0.1.0,
    one of PostgreSQL that would have to be changed (hosts do that once they have a copy), and one whose migrations
    fail.
    """
    if wrong := wrong_encoding():
        raise BadVariable(wrong)
    if schema.read_schema().unknown:
        raise BadVariable(schema.later_version())
    executor = MigrationExecutor(connection)
    if not connection.introspection.table_names():
        start = time.monotonic()
        make_all_tables(executor)
        say(f"The database was created ({time.monotonic() - start:.1f} s).")
        return
    schema.check_tables(executor)
    steps = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if not steps:
        return
    copy = _copied(say) if executor.loader.applied_migrations else None
    start = time.monotonic()
    say(f"Updating the database in {steps} steps ...")
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except Exception as error:
        if copy is None:
            raise
        connection.close()
        _copy(copy, settings.DATA_FOLDER / "db.sqlite3")
        if not isinstance(error, DatabaseError | CommandError):
            raise
        why = f"({str(error).strip().splitlines()[0]}). It was left unchanged. A copy of it is in {copy}."
        raise BadVariable(f"The database can't be updated {why}") from None
    say(f"The database is ready ({time.monotonic() - start:.1f} s).")


def make_all_tables(executor: MigrationExecutor) -> None:
    """Create the tables of an empty database from the models, and mark the migrations as applied.

    The migrations lead to the same tables (tests/test_upkeep.py checks that), but each of their operations renders the
    models again: that takes five times as long. The result is there as a whole or, after a kill, not at all.
    """
    with connection.schema_editor() as editor:
        for model in apps.get_models():
            if model._meta.can_migrate(connection):
                editor.create_model(model)
        executor.recorder.ensure_schema()
        for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes()):
            executor.recorder.record_applied(migration.app_label, migration.name)
        emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias)


def _copied(say: Callable[[str], None]) -> Path:
    """A copy of the database in the data folder, beside it. Raises BadVariable if it can't be made."""
    if connection.vendor != "sqlite":
        raise BadVariable(schema.earlier_version())
    folder: Path = settings.DATA_FOLDER
    copy = folder / f"db-before-{full_version()}-{timezone.now():%Y%m%dT%H%M%S}.sqlite3"
    try:
        copy.touch(0o600)
        _copy(folder / "db.sqlite3", copy)
    except (OSError, sqlite3.Error) as error:
        copy.unlink(missing_ok=True)
        raise BadVariable(
            f"The data folder {folder} is from an earlier version, and there is no room for a copy of its database "
            f"({str(error).strip().splitlines()[0]}). Nothing was changed."
        ) from None
    say(f"The data folder {folder} is from an earlier version. Its database was copied to {copy}")
    return copy


def _copy(source: Path, target: Path) -> None:
    """All of an SQLite database, including the content of its -wal file."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
