"""`manage.py import_table`: a card table from a file, at once or not at all."""

import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging.tables.archive.importing import LARGEST, import_table
from wargame.management.command_helpers import refusals_told


class Command(BaseCommand):
    """Reads what export_table wrote."""

    help = (
        "Import a card table from a file that export_table wrote, or that its page offers. A finished table can "
        "be viewed and recomputed here. With --play, an unfinished one continues here; its file must have the "
        "secrets. Nobody can log in to the new accounts until you give them a password (changepassword)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the file, gzipped or not; - for standard input")
        parser.add_argument(
            "--play", action="store_true", help="continue an unfinished table here; its clocks start at once"
        )
        parser.add_argument("--link", action="store_true", help="give seats to existing users with the same log-ins")

    def handle(self, *args: object, file: str, play: bool, link: bool, **options: object) -> None:
        try:
            data = sys.stdin.buffer.read(LARGEST + 1) if file == "-" else Path(file).read_bytes()
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from None
        with refusals_told():
            result = import_table(data, play=play, link=link)
        table = result.table
        self.stdout.write(f"{table} was imported as “{table.slug}”, with {table.entries} entries.")
        if result.people.made:
            self.stdout.write(f"Accounts created: {len(result.people.made)}. No one can log in to them yet.")
        self.stdout.write(f"To recompute it, run: manage.py verify {table.slug}")
