"""`manage.py export_table`: a card table as one file."""

import gzip
import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging.common import locking
from judging.common.errors import Refused
from judging.tables.archive.exporting import file_of
from judging.tables.models import Table, TableState

WARNING = (
    "This table is not finished, and the file has all its secrets: seed, decks, sealed choices and plans. Don't "
    "give it to its players."
)
PROPOSED = (
    "The players haven't answered a proposal about a judge. It isn't in the file: propose it again after the import."
)


class Command(BaseCommand):
    """Writes a table with everything, or with what is public now."""

    help = (
        "Export a card table to a file for import_table, gzipped if the name ends with .gz. With --public, "
        "export only what everyone can see now: for a finished table, everything except log-ins."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("table", help="the table's slug, as in its address")
        parser.add_argument("file", type=Path, nargs="?", help="the file (default: standard output)")
        parser.add_argument("--public", action="store_true", help="export only what everyone can see now")
        parser.add_argument("--force", action="store_true", help="overwrite an existing file")

    def handle(
        self, *args: object, table: str, file: Path | None, public: bool, force: bool, **options: object
    ) -> None:
        with locking.transaction():
            row = Table.objects.select_related("card_list").filter(slug=table).first()
            if row is None:
                raise CommandError(f"There is no card table “{table}”.")
            try:
                content = file_of(row, whole=not public)
            except Refused as refused:
                raise CommandError(refused.sentence) from None
            if not public and row.judge_proposals.filter(closed_at__isnull=True).exists():
                self.stderr.write(self.style.WARNING(PROPOSED))
        if not public and row.state != TableState.OVER:
            self.stderr.write(self.style.WARNING(WARNING))
        if file is None:
            sys.stdout.buffer.write(content)
            return
        if file.exists() and not force:
            raise CommandError(f"{file} already exists. Use --force to overwrite it.")
        part = file.with_name(f"{file.name}.part")
        try:
            part.write_bytes(gzip.compress(content, mtime=0) if file.suffix == ".gz" else content)
            part.replace(file)
        except OSError as error:
            raise CommandError(f"{file} can't be written: {error.strerror}.") from None
        self.stdout.write(f"{row}: {file.stat().st_size:,} bytes in {file}.")
