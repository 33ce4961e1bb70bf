"""`manage.py backup FILE`: the whole database and the secret key in one file, while the service runs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from judging.game.models import Heartbeat
from wargame.upkeep import backup
from wargame.upkeep.errors import Unusable

HOLDS = (
    "It holds the database and the secret key. It does not hold the settings (the environment, or .env) and the files "
    "that they name: copy those, too."
)
OPEN = "Anyone who can read the file can read every secret in it. Encrypt it with --for KEY."


class Command(BaseCommand):
    help = (
        "Write a backup: the database, whichever it is, and the secret key, of one moment, in one file, while the "
        "service goes on. `restore` puts it into an empty installation of this version or a later one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the file; a folder: a new file in it, named by the time")
        parser.add_argument(
            *("--for", "-r"),
            dest="recipients",
            metavar="KEY",
            action="append",
            default=[],
            help="encrypt it for this public key (age1..., of age-keygen); may be given several times",
        )
        parser.add_argument("--keep", type=int, metavar="N", help="in a folder: remove all but the N newest backups")

    def handle(self, *args: Any, recipients: list[str], keep: int | None, **options: Any) -> None:
        now, file = timezone.now(), Path(options["file"])
        if options["file"].endswith("/") and not file.exists():
            raise CommandError(f"There is no folder {file}: make it first.")
        if keep is not None and (keep < 1 or not file.is_dir()):
            raise CommandError("--keep takes a number of 1 or more, and a folder to look into.")
        path = file / backup.NAME.format(at=now) if file.is_dir() else file
        if path.exists():
            raise CommandError(f"{path} is there already: give another name, or a folder.")
        try:
            made = backup.write(path, now, recipients)
        except Unusable as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{made.path}: {made.rows:,} rows of {made.tables} tables, {made.size:,} bytes.")
        self.stdout.write(HOLDS)
        with suppress(DatabaseError):  # a database of an earlier version may have no such row
            Heartbeat.objects.update_or_create(name="backup", defaults={"at": now})
        if not recipients:
            self.stderr.write(self.style.WARNING(OPEN))
        if keep is not None and (gone := backup.rotate(file, keep)):
            self.stdout.write(f"Removed the oldest: {len(gone)}.")
