"""`manage.py export_round`: a whole round as one file."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from judging.exchange.public import Public, is_shown
from judging.exchange.writing import Everything, View, round_file
from judging.game.rounds import round_by_slug
from wargame.management.asked import found
from wargame.models import Round
from wargame.models.choices import RoundState

WARNING = (
    "This file has every secret of a round that is not over: strats, sealed orders, seeds of dice, the formula book. "
    "Give it to nobody who plays, and to no judge who may not see them."
)


class Command(BaseCommand):
    """Writes a round with everything, or with what is public now."""

    help = (
        "Write a whole round into a file, which import_round reads anywhere (docs/host/round-files.md); gzipped if the "
        "name ends with .gz. With --public only what everybody may see now."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("round", help="the round, as in its addresses")
        parser.add_argument("file", type=Path, nargs="?", help="the file; standard output without one")
        parser.add_argument("--public", action="store_true", help="only what everybody may see now")
        parser.add_argument("--force", action="store_true", help="write over a file that is there")

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
            with part.open("wb") as written:
                self._write_to(view, written, packed=file.suffix == ".gz")
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
            raise CommandError(f"{round} is being set up; nothing of it is public yet.")
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
