"""A backup: the whole database and the secret key in one file, of one moment, for any supported database.

The file is a zip, encrypted if keys are given. `manifest.json` has format, version, migrations and the number of rows
of each table; `rows/<table>.jsonl` has the columns' names in its first line and a row in each other; `secret_key` is
the key that this installation signs with, wherever it is stored. The same file can be restored into SQLite and
PostgreSQL, and into later versions.
"""

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
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model

from wargame.upkeep import encryption, rows, schema
from wargame.upkeep.errors import Unusable
from wargame.version import full_version

FORMAT = "coalition-wargame-backup"
FORMAT_VERSION = 1
"""Raise it if you change the file so that an older reader would misread it."""

NAME = "wargame-{at:%Y%m%dT%H%M%S}Z.backup"
"""A backup's name in a folder of backups: sorted by name they are sorted by time."""


@dataclass(frozen=True)
class Made:
    """The contents of a backup: its file, its size in bytes, the number of non-empty tables, and of rows."""

    path: Path
    size: int
    tables: int
    rows: int


def write(path: Path, now: datetime, recipients: list[str]) -> Made:
    """Write the backup into `path`, readable only by its owner, under another name until it is complete.

    It reads one snapshot of the database while others go on writing; memory is bounded. Raises Unusable if the database
    is of a later version, a recipient is no key, or the file can't be written.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with tempfile.TemporaryFile(dir=path.parent) as plain:
            counts = _write(plain, now)
            plain.seek(0)
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                if recipients:
                    encryption.encrypt(plain, file, recipients)
                else:
                    shutil.copyfileobj(plain, file)
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise Unusable(f"{path} can't be written ({error.strerror}). No new backup was made.") from None
    finally:
        part.unlink(missing_ok=True)
    return Made(path, path.stat().st_size, sum(1 for count in counts.values() if count), sum(counts.values()))


def rotate(folder: Path, keep: int) -> list[Path]:
    """Remove the oldest backups of the folder, by NAME, until `keep` are left; returns the removed ones."""
    old = sorted(folder.glob("wargame-*Z.backup"))[:-keep]
    for path in old:
        path.unlink(missing_ok=True)
    return old


def _write(file: BinaryIO, now: datetime) -> dict[str, int]:
    counts: dict[str, int] = {}
    with _one_moment(), zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        loader = _loader()
        # The models as the applied migrations made them, so that an earlier version's database can be kept before its
        # upgrade; and ours repair damaged columns when they read them, where a backup keeps them.
        for model in rows.tables(loader.project_state(sorted(loader.applied_migrations)).apps):
            counts[model._meta.label] = _table(packed, model)
        manifest = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "version": full_version(),
            "made_at": now.isoformat(),
            "migrations": sorted(loader.applied_migrations),
            "rows": counts,
        }
        packed.writestr("secret_key", settings.SECRET_KEY)
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


def _loader() -> MigrationLoader:
    """A loader that knows the migrations. Raises Unusable if none is applied, or some of a later version are."""
    loader = MigrationLoader(connection)
    if not loader.applied_migrations:
        raise Unusable(
            "There is no database yet. Set WARGAME_DATA or DATABASE_URL to the service's, or start the service first."
        )
    if schema.read_schema().unknown:
        raise Unusable(schema.later_version())
    return loader


@contextmanager
def _one_moment() -> Iterator[None]:
    """Read everything in one snapshot, without blocking writers."""
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
