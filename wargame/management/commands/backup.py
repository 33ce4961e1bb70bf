"""`manage.py backup FILE`: the whole database and the secret key in one file, while the service runs."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from judging.common.models import Heartbeat
from wargame.upkeep import backup
from wargame.upkeep.errors import Unusable

HOLDS = (
    "It contains the database and the secret key, but not the settings (the environment, or .env) or the files "
    "they name. Copy those, too."
)
OPEN = "Anyone who can read this file can read every secret in it. Use --for KEY to encrypt it."


class Command(BaseCommand):
    help = (
        "Write a backup of the database and the secret key to one file. The service can keep running. Use "
        "`restore` to load it into an empty installation of this version or a later one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the file, or a folder for a new file named by the time")
        parser.add_argument(
            *("--for", "-r"),
            dest="recipients",
            metavar="KEY",
            action="append",
            default=[],
            help="encrypt the backup for this public key (age1..., from age-keygen); can be repeated",
        )
        parser.add_argument("--keep", type=int, metavar="N", help="delete all but the N latest backups in the folder")

    def handle(self, *args: Any, recipients: list[str], keep: int | None, **options: Any) -> None:
        now, file = timezone.now(), Path(options["file"])
        if options["file"].endswith("/") and not file.exists():
            raise CommandError(f"There is no folder {file}. Create it first.")
        if keep is not None and (keep < 1 or not file.is_dir()):
            raise CommandError("--keep needs a number of 1 or more, and a folder instead of a file.")
        path = file / backup.NAME.format(at=now) if file.is_dir() else file
        if path.exists():
            raise CommandError(f"{path} already exists. Choose another name, or a folder.")
        try:
            result = backup.write(path, now, recipients)
        except Unusable as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{result.path}: {result.rows:,} rows from {result.tables} tables, {result.size:,} bytes.")
        self.stdout.write(HOLDS)
        with suppress(DatabaseError):  # a database of an earlier version may have no such row
            Heartbeat.objects.update_or_create(name="backup", defaults={"at": now})
        if not recipients:
            self.stderr.write(self.style.WARNING(OPEN))
        if keep is not None and (old_backups := backup.rotate(file, keep)):
            self.stdout.write(f"Old backups deleted: {len(old_backups)}.")
