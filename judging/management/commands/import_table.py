"""`manage.py import_table`: a card table from a file, at once or not at all."""

from __future__ import annotations

import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging.tables.archive.importing import import_table
from judging.tables.archive.reading import LARGEST
from wargame.management.asked import refusals_told


class Command(BaseCommand):
    """Reads what export_table wrote."""

    help = (
        "Take in a card table from a file of export_table, or from its page. One that is over is looked at and "
        "recomputed here; with --play one that is not over is played on here, from a file with its secrets. Nobody "
        "can log in to the accounts that are made: give them a password (changepassword)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the file, also gzipped; - for standard input")
        parser.add_argument("--play", action="store_true", help="play a table on here: its clocks run at once")
        parser.add_argument("--link", action="store_true", help="give seats to users who have the same log-ins here")

    def handle(self, *args: object, file: str, play: bool, link: bool, **options: object) -> None:
        try:
            data = sys.stdin.buffer.read(LARGEST + 1) if file == "-" else Path(file).read_bytes()
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from None
        with refusals_told():
            done = import_table(data, play=play, link=link)
        table = done.table
        self.stdout.write(f"{table} is here as “{table.slug}”, with {table.entries} entries.")
        if done.people.made:
            self.stdout.write(f"{len(done.people.made)} accounts were made, to which nobody can log in yet.")
        self.stdout.write(f"Recompute it with: manage.py verify {table.slug}")
