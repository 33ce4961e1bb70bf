"""A backup: the whole database and the secret key in one file, of one moment, whichever database it is.

The file is a zip, encrypted if keys are given. `manifest.json` names format, version, migrations and how many rows each
table has; `rows/<table>.jsonl` holds the columns' names in its first line and a row in each other; `secret_key` is
there if the data folder keeps it. The same file goes into SQLite and PostgreSQL, and into later versions.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model

from wargame.upkeep import rows, sealed
from wargame.upkeep.errors import Unusable
from wargame.version import full_version

FORMAT = "coalition-wargame-backup"
FORMAT_VERSION = 1
"""Whoever changes the file so that an older reader would misread it raises it."""

NAME = "wargame-{at:%Y%m%dT%H%M%S}Z.backup"
"""A backup's name in a folder of backups: sorted by name they are sorted by time."""


@dataclass(frozen=True)
class Made:
    """What a backup holds: its file, its size in bytes, tables that have rows, and rows."""

    path: Path
    size: int
    tables: int
    rows: int


def write(path: Path, now: datetime, recipients: list[str]) -> Made:
    """Writes the backup into `path`, readable by its owner alone, under another name until it is whole.

    It reads one snapshot of the database while others go on writing; memory is bounded. Raises Unusable if the
    database lacks migrations, a recipient is no key, or the file can't be written.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with tempfile.TemporaryFile(dir=path.parent) as plain:
            counts = _write(plain, now)
            plain.seek(0)
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                if recipients:
                    sealed.encrypt(plain, file, recipients)
                else:
                    shutil.copyfileobj(plain, file)
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise Unusable(f"{path} can't be written ({error.strerror}); there is no new backup.") from None
    finally:
        part.unlink(missing_ok=True)
    return Made(path, path.stat().st_size, sum(1 for count in counts.values() if count), sum(counts.values()))


def own_key() -> Path | None:
    """The file of the secret key in the data folder; None where the environment gives the key."""
    path: Path = settings.DATA_FOLDER / "secret_key"
    given = settings.VARIABLES["SECRET_KEY"] or settings.VARIABLES["SECRET_KEY_FILE"]
    return None if given or not path.exists() else path


def rotate(folder: Path, keep: int) -> list[Path]:
    """Removes the oldest backups of the folder, those that NAME names, until `keep` are left; which it removed."""
    old = sorted(folder.glob("wargame-*Z.backup"))[:-keep]
    for path in old:
        path.unlink(missing_ok=True)
    return old


def _write(file: BinaryIO, now: datetime) -> dict[str, int]:
    counts: dict[str, int] = {}
    with _one_moment(), zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        executor = _up_to_date()
        # The models as the migrations know them: ours mend damaged columns when they read them; a backup keeps them.
        for model in rows.tables(executor.loader.project_state().apps):
            counts[model._meta.label] = _table(packed, model)
        manifest = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "version": full_version(),
            "made_at": now.isoformat(),
            "migrations": sorted(executor.loader.applied_migrations),
            "rows": counts,
        }
        if key := own_key():
            packed.writestr("secret_key", key.read_bytes())
        packed.writestr("manifest.json", json.dumps(manifest, indent=1))
    return counts


def _table(packed: zipfile.ZipFile, model: type[Model]) -> int:
    count = 0
    with packed.open(f"rows/{model._meta.label}.jsonl", "w", force_zip64=True) as file:
        file.write(_line([field.attname for field in rows.columns(model)]))
        for row in rows.written(model):
            file.write(_line(row))
            count += 1
    return count


def _line(values: object) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _up_to_date() -> MigrationExecutor:
    """What knows the migrations. Raises Unusable if some are not applied."""
    executor = MigrationExecutor(connection)
    if not executor.loader.applied_migrations:
        raise Unusable(
            "There is no database yet: set WARGAME_DATA or DATABASE_URL as for the service, or start it first."
        )
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise Unusable("The database is of an earlier version: bring it up to date first (manage.py migrate).")
    return executor


@contextmanager
def _one_moment() -> Iterator[None]:
    """Everything that is read is of one moment, and nobody who writes waits for it."""
    if connection.vendor == "sqlite":
        # Not `atomic`, which takes the one writer's place at BEGIN (settings.SQLITE): a plain BEGIN only reads.
        connection.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield
