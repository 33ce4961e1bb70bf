"""`manage.py restore FILE`: a backup goes into an empty installation, and every turn of it is recomputed."""

from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from judging.verifying.reads import verify_round
from wargame.models import Round
from wargame.running.env import BadVariable
from wargame.upkeep.errors import Unusable
from wargame.upkeep.restore import restore

LOST = "recovery codes of the second factor and links in emails from before don't work any more."
KEYS = {
    "missing": f"The backup has no secret key. Unless this installation has the same one, {LOST}",
    "same": "Its secret key is the one of this installation.",
    "restored": "Its secret key is now in {file}.",
    "beside": "Its secret key is in {file}. Give it to the service, as SECRET_KEY_FILE or SECRET_KEY, and remove the "
    f"other key from the environment. Without that, {LOST}",
}
"""What became of the secret key."""


class Command(BaseCommand):
    help = (
        "Put a backup into an empty installation: another WARGAME_DATA or DATABASE_URL, with the service stopped. "
        "Then every settled turn is recomputed; exit status 1 if one differs from what was published."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the file that `backup` wrote")
        parser.add_argument("--identity", "-i", type=Path, help="the file of the key that it is encrypted for")

    def handle(self, *args: object, file: Path, identity: Path | None, **options: object) -> None:
        try:
            manifest = restore(file, identity, timezone.now())
        except (Unusable, BadVariable) as error:
            raise CommandError(f"{error} Nothing was stored.") from None
        rows = sum(manifest.rows.values())
        self.stdout.write(f"Restored: {rows:,} rows of {manifest.made_at[:19]} UTC, written by {manifest.version}.")
        self.stdout.write(KEYS[manifest.key].format(file=manifest.key_file))
        if manifest.held:
            self.stdout.write(
                f"Letters that waited at that moment: {manifest.held}. They are held, for they may have been sent "
                "since: `manage.py letters` lists them, and `manage.py letters --again` sends them."
            )
        wrong = sum(self._recomputed(round) for round in Round.objects.order_by("pk"))
        if wrong:
            raise SystemExit(1)

    def _recomputed(self, round: Round) -> int:
        """How many turns differ."""
        turns = list(verify_round(round))
        wrong = sum(turn.is_wrong for turn in turns)
        older = sum(bool(turn.differences) for turn in turns) - wrong
        by_others = f", {older} were settled by other rules" if older else ""
        if turns:
            self.stdout.write(f"{round}: {len(turns)} turns recomputed, {wrong} differ{by_others}.")
        return wrong
