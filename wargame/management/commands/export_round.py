"""`manage.py export_round`: a whole round as one file."""

import gzip
import sys
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from judging.common.rounds import round_by_slug
from judging.import_export.exporting import Everything, Public, View, is_shown, round_file
from wargame.management.command_helpers import found
from wargame.models import Round
from wargame.models.choices import RoundState

WARNING = (
    "This round is not finished, and the file has all its secrets: strats, sealed orders, dice seeds and the "
    "formula book. Don't give it to players, or to judges who aren't allowed to see them."
)


class Command(BaseCommand):
    """Writes a round with everything, or with what is public now."""

    help = (
        "Export a whole round to a file for import_round (docs/host/round-files.md), gzipped if the name ends "
        "with .gz. With --public, export only what everyone can see now."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("round", help="the round's slug, as in its address")
        parser.add_argument("file", type=Path, nargs="?", help="the file (default: standard output)")
        parser.add_argument("--public", action="store_true", help="export only what everyone can see now")
        parser.add_argument("--force", action="store_true", help="overwrite an existing file")

    def handle(
        self, *args: object, round: str, file: Path | None, public: bool, force: bool, **options: object
    ) -> None:
        exported = found(round_by_slug(round), round)
        view = self._view(exported, public=public)
        if file is None:
            self._write(view, sys.stdout.buffer)
            return
        if file.exists() and not force:
            raise CommandError(f"{file} is there already; --force writes over it.")
        part = file.with_name(f"{file.name}.part")
        try:
            with part.open("wb") as stream:
                self._write_to(view, stream, packed=file.suffix == ".gz")
            part.replace(file)
        except OSError as error:
            raise CommandError(f"{file} can't be written: {error.strerror}.") from None
        self.stdout.write(f"{exported}: {file.stat().st_size:,} bytes in {file}.")

    def _view(self, round: Round, *, public: bool) -> View:
        if not public:
            if round.state != RoundState.OVER:
                self.stderr.write(self.style.WARNING(WARNING))
            return Everything(round)
        if not is_shown(round):
            raise CommandError(f"{round} is still being set up. Nothing of it is public yet.")
        return Public(round, timezone.now())

    def _write_to(self, view: View, file: BinaryIO, *, packed: bool) -> None:
        if not packed:
            self._write(view, file)
            return
        with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as zipped:
            self._write(view, zipped)

    def _write(self, view: View, file: Any) -> None:
        """In one transaction, so that the file is of one moment."""
        with transaction.atomic():
            for part in round_file(view):
                file.write(part)
