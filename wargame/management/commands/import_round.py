"""`manage.py import_round`: a round from a file, at once or not at all."""

import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import ngettext

from judging.import_export.importing import ImportedRound, import_round
from judging.import_export.parsing import LARGEST
from wargame.management.command_helpers import refusals_told
from wargame.models.choices import RoundState


class Command(BaseCommand):
    """Reads what export_round wrote."""

    help = (
        "Import a round from a file that export_round wrote (docs/host/round-files.md). A running round becomes "
        "an archive, which can be viewed and recomputed (verify). With --play, it continues here. Nobody can log "
        "in to the new accounts until you give them a password (changepassword), or give their seats to other "
        "users (link_seat)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the file, gzipped or not; - for standard input")
        parser.add_argument("--slug", default="", help="use this slug instead of the one in the file")
        parser.add_argument("--play", action="store_true", help="continue a running round here; its jobs start at once")
        parser.add_argument("--link", action="store_true", help="give seats to existing users with the same log-ins")

    def handle(self, *args: object, file: str, slug: str, play: bool, link: bool, **options: object) -> None:
        data = self._read(file)
        with refusals_told():
            result = import_round(data, slug=slug, play=play, link=link)
        for line in _report_of(result):
            self.stdout.write(line)

    def _read(self, name: str) -> bytes:
        if name == "-":
            return sys.stdin.buffer.read(LARGEST + 1)
        path = Path(name)
        try:
            if path.stat().st_size > LARGEST:
                raise CommandError(f"{path} has more than {LARGEST:,} bytes. Round files are smaller.")
            return path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path} can't be read: {error.strerror}.") from None


def _report_of(result: ImportedRound) -> list[str]:
    round, rows = result.round, result.rows
    of_what = "its public part" if result.is_public else "all of it"
    counts = (
        ngettext("%(number)s turn", "%(number)s turns", rows["turn"]) % {"number": rows["turn"]},
        ngettext("%(number)s army", "%(number)s armies", rows["army"]) % {"number": rows["army"]},
        ngettext("%(number)s post", "%(number)s posts", rows["post"]) % {"number": rows["post"]},
        ngettext("%(number)s battle", "%(number)s battles", rows["battle"]) % {"number": rows["battle"]},
    )
    lines = [f"{round} was imported as “{round.slug}”, {of_what}: {', '.join(counts)}."]
    if round.state == RoundState.ARCHIVE:
        lines.append("It is an archive and can't be continued.")
    if result.people.made:
        lines.append(f"Accounts created: {len(result.people.made)}. No one can log in to them yet.")
    if result.people.linked:
        lines.append(f"Seats given to existing users: {len(result.people.linked)}.")
    lines.append(f"To recompute it, run: manage.py verify {round.slug}")
    return lines
