"""A restore: a backup goes into an empty installation, with any supported database, as a whole or not at all.

A backup of an earlier version is put into the tables of that version, which are then migrated like any other older
database.
"""

import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Literal, cast

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model

from wargame.running import data_folder
from wargame.running.env import BadVariable
from wargame.upkeep import encryption, rows
from wargame.upkeep.backup import FORMAT, FORMAT_VERSION
from wargame.upkeep.errors import Unusable
from wargame.upkeep.schema import nearest_models
from wargame.upkeep.upgrade import make_all_tables
from wargame.version import full_version

LOCK_NUMBER = 731_450_062
"""PostgreSQL's advisory lock for a restore; any number that no other code of the project uses."""

LETTERS, PUSHES, NOTIFICATIONS = "judging.Letter", "judging.Push", "judging.Notification"
"""The old installation has most likely sent those that were unsent at the backup's moment."""

OCCUPIED = {"auth_user": "users", "wargame_round": "rounds"}
"""Tables that must be empty for a restore, and the words for their rows."""


@dataclass(frozen=True)
class BackupManifest:
    """A backup's manifest. `rows` counts them by table. `held`: waiting letters, which are not sent unless an
    administrator says so. `key` says what happened to its secret key; `key_file` is its new place."""

    version: str
    made_at: str
    migrations: list[tuple[str, str]]
    rows: dict[str, int]
    key: Literal["missing", "same", "restored", "beside"] = "missing"
    key_file: Path | None = None
    held: int = 0


def restore(path: Path, identity: Path | None, now: datetime) -> BackupManifest:
    """Restore the backup in `path` into the empty database and data folder; returns its manifest.

    `identity` is the file of the key if it is encrypted. The rows are stored in one transaction. Raises Unusable with a
    sentence, and has stored nothing then, if the file is not a complete backup, of a later version or for another key,
    the database has users or rounds, or another restore or the service is using it.
    """
    with ExitStack() as stack:
        packed = stack.enter_context(_opened(path, identity))
        manifest = _manifest(packed)
        _understood(manifest)
        _whole(packed, manifest)
        stack.enter_context(_alone())
        _empty()
        _tables_of(manifest.migrations)
        with transaction.atomic():
            _empty()
            count = _load(packed, manifest, now)
        key, key_file = _restore_key(packed)
    call_command("migrate", verbosity=0, interactive=False)
    return replace(manifest, key=key, key_file=key_file, held=count)


@contextmanager
def _opened(path: Path, identity: Path | None) -> Iterator[zipfile.ZipFile]:
    with ExitStack() as stack:
        try:
            file: BinaryIO = stack.enter_context(path.open("rb"))
        except OSError as error:
            raise Unusable(f"{path} can't be read ({error.strerror}).") from None
        if file.read(len(encryption.HEAD)) == encryption.HEAD:
            file.seek(0)
            if identity is None:
                raise Unusable(f"{path} is encrypted. Give the file with its key as --identity.")
            plain = cast(BinaryIO, stack.enter_context(tempfile.TemporaryFile()))
            encryption.decrypt(file, plain, identity)
            file = plain
        file.seek(0)
        try:
            yield stack.enter_context(zipfile.ZipFile(file))
        except (zipfile.BadZipFile, EOFError, zipfile.LargeZipFile):
            raise Unusable(f"{path} is not a complete backup. It was cut off, or it is another kind of file.") from None


def _manifest(packed: zipfile.ZipFile) -> BackupManifest:
    try:
        data = json.loads(packed.read("manifest.json"))
        if data["format"] != FORMAT:
            raise ValueError
        if data["format_version"] > FORMAT_VERSION:
            raise Unusable(_later(data["version"]))
        migrations = [(app, name) for app, name in data["migrations"]]
        return BackupManifest(data["version"], data["made_at"], migrations, data["rows"])
    except (KeyError, ValueError, TypeError):
        raise Unusable("The file is a zip, but not a backup of this service.") from None


def _understood(manifest: BackupManifest) -> None:
    """An unknown migration of this project is a later version's."""
    there = MigrationExecutor(connection).loader.disk_migrations
    app_labels = {config.label for config in apps.get_app_configs()}
    if any(key not in there for key in manifest.migrations if key[0] in app_labels):
        raise Unusable(_later(manifest.version))


def _later(version: str) -> str:
    is_later = f"The backup was written by version {version}; this is {full_version()}."
    return f"{is_later} Install that version, then restore the backup."


def _whole(packed: zipfile.ZipFile, manifest: BackupManifest) -> None:
    try:
        bad = packed.testzip()
    except zlib.error:
        bad = "a part"
    if bad is not None or {f"rows/{label}.jsonl" for label in manifest.rows} - set(packed.namelist()):
        raise Unusable("The backup is damaged: parts of it are missing or changed.")


@contextmanager
def _alone() -> Iterator[None]:
    """Exclude the service and other restores from the same database."""
    if connection.vendor == "sqlite":
        try:
            lock = data_folder.lock(settings.DATA_FOLDER)
        except BadVariable:
            folder = settings.DATA_FOLDER
            raise Unusable(
                f"The service or another restore is using the data folder {folder}. Stop it first."
            ) from None
        with lock:
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK_NUMBER])
        if not cursor.fetchone()[0]:
            raise Unusable("Another restore into this database is running.")
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK_NUMBER])


def _empty() -> None:
    """Raise Unusable unless the database is empty of user data."""
    there = connection.introspection.table_names()
    with connection.cursor() as cursor:
        for table, label in OCCUPIED.items():
            if table not in there:
                continue
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")
            if cursor.fetchone():
                raise Unusable(
                    f"The database already has {label}. Restore into an empty one: choose another with WARGAME_DATA or "
                    "DATABASE_URL, and start it with DEMO=off."
                )


def _tables_of(migrations: list[tuple[str, str]]) -> None:
    """Create the tables of the version that wrote the backup, instead of empty ones of another version."""
    executor = MigrationExecutor(connection)
    if executor.loader.applied_migrations.keys() - set(migrations):
        known = {model._meta.db_table for model in apps.get_models(include_auto_created=True)} | {"django_migrations"}
        with connection.constraint_checks_disabled(), connection.cursor() as cursor:
            there = set(connection.introspection.table_names(cursor))
            if unknown := sorted(there - known):
                names = ", ".join(unknown[:3])
                raise Unusable(f"The database has tables of another program ({names}). Choose an empty one.")
            for table in there:
                cascade = "" if connection.vendor == "sqlite" else " CASCADE"
                cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)}{cascade}")
        executor = MigrationExecutor(connection)
    all_of_now = {
        (step.app_label, step.name) for step, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())
    }
    if set(migrations) == all_of_now and not connection.introspection.table_names():
        make_all_tables(executor)
    else:
        with nearest_models():
            executor.migrate(_last(executor, migrations))


def _last(executor: MigrationExecutor, migrations: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The migrations that no other of the same app depends on: the state of the backup's version."""
    nodes, applied = executor.loader.graph.node_map, set(migrations)
    there = sorted(key for key in applied if key in nodes)
    return [key for key in there if not any(n.key in applied and n.key[0] == key[0] for n in nodes[key].children)]


def _load(packed: zipfile.ZipFile, manifest: BackupManifest, now: datetime) -> int:
    """Store the rows of all tables; foreign keys are checked last. Returns the number of letters held back."""
    executor = MigrationExecutor(connection)
    models = rows.tables(executor.loader.project_state(_last(executor, manifest.migrations)).apps)
    for model in models:
        model._base_manager.all().delete()  # what the migrations themselves put there
    for model in models:
        rows.keep_times(model)
        label = model._meta.label
        if label in manifest.rows:
            _load_table(packed, model, manifest.rows[label])
    rows.reset_sequences(models)
    return _hold({model._meta.label: model for model in models}, now)


def _hold(models: dict[str, type[Model]], now: datetime) -> int:
    """Move waiting letters to the failed ones, from where an administrator may send them; returns their number.
    Notifications waiting for mail or push stay on the site, and are never sent."""
    if pushes := models.get(PUSHES):
        pushes._base_manager.all().delete()
    if notifications := models.get(NOTIFICATIONS):
        notifications._base_manager.update(mail_due=None, push_due=None)
    letters = models.get(LETTERS)
    if letters is None:
        return 0
    pending = letters._base_manager.filter(state__in=["waiting", "sending"])
    return pending.update(state="given up", ended=now, error="held by a restore")


def _load_table(packed: zipfile.ZipFile, model: type[Model], count: int) -> None:
    label, stored = model._meta.label, 0
    with packed.open(f"rows/{label}.jsonl") as file:
        names = json.loads(file.readline())
        batch: list[Model] = []
        try:
            for line in file:
                stored += 1
                batch.append(rows.read(model, names, json.loads(line)))
                if len(batch) == rows.AT_ONCE:
                    model._base_manager.bulk_create(batch)
                    batch = []
            model._base_manager.bulk_create(batch)
        except (ValueError, KeyError, ValidationError):
            raise Unusable(f"The backup is damaged: row {stored} of {label} can't be read.") from None
        except DatabaseError as error:
            raise Unusable(f"The rows of {label} can't be stored ({str(error).splitlines()[0]}).") from None
    if stored != count:
        raise Unusable(f"The backup is damaged: {label} has {stored} rows but should have {count}.")


def _restore_key(packed: zipfile.ZipFile) -> tuple[Literal["missing", "same", "restored", "beside"], Path | None]:
    """Store the secret key in its usual place, or beside it if the environment has the key."""
    if "secret_key" not in packed.namelist():
        return "missing", None
    key = packed.read("secret_key")
    if key.decode().strip() == settings.SECRET_KEY:
        return "same", None
    path = settings.SECRET_KEY_FILE or settings.DATA_FOLDER / "secret_key"
    if not settings.VARIABLES["SECRET_KEY"] and (os.access(path, os.W_OK) or path.parent == settings.DATA_FOLDER):
        _write_key(path, key)
        return "restored", path
    other_path = settings.DATA_FOLDER / "secret_key.restored"
    _write_key(other_path, key)
    return "beside", other_path


def _write_key(path: Path, key: bytes) -> None:
    data_folder.make(path.parent)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(key)
