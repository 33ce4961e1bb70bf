"""`manage.py import_creatures`: fills the catalogue of creatures from a card file."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging.armies.creatures.services import OWN_LIST, fill_texts, import_creatures, report
from wargame.importing.reading import CardFileError
from wargame.models import Creature

STEP = 5
"""Per cent of a file after which progress is told."""

MEGABYTE = 1_000_000


class Command(BaseCommand):
    """Reads a card file into the catalogue. Run again, it changes only what has changed."""

    help = (
        "Import creatures from a card file: MTGJSON's AtomicCards or AllPrintings, Scryfall's oracle-cards or "
        "XMage's card list, gzipped or not. Without a file, import the creatures that come with the service."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, default=OWN_LIST, metavar="FILE")
        parser.add_argument(
            "--if-empty", action="store_true", help="if there are already creatures, only add missing texts"
        )
        parser.add_argument("--dry-run", action="store_true", help="read the file and report, but change nothing")

    def handle(
        self, *args: object, file: Path, if_empty: bool, dry_run: bool, verbosity: int, **options: object
    ) -> None:
        if if_empty and Creature.objects.exists():
            fill_texts()
            return
        self._told, self._size = 0, file.stat().st_size if file.is_file() else 0
        try:
            result = import_creatures(file, dry_run=dry_run, watch=self._progress)
        except CardFileError as error:
            raise CommandError(str(error)) from None
        for line in report(result) if verbosity else ():
            self.stdout.write(line)
        if dry_run:
            self.stdout.write("This was a dry run. Nothing was changed.")

    def _progress(self, read: int) -> None:
        """A line for every few per cent of a large file."""
        part = 100 * read // self._size if self._size > MEGABYTE else 0
        if part >= self._told + STEP:
            self._told = part - part % STEP
            self.stderr.write(f"  {read // MEGABYTE} of {self._size // MEGABYTE} MB read")
