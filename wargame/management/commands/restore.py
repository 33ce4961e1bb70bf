"""`manage.py restore FILE`: a backup goes into an empty installation, and every turn of it is recomputed."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from judging.verification.checks import verify_round
from wargame.models import Round
from wargame.running.env import BadVariable
from wargame.upkeep.errors import Unusable
from wargame.upkeep.restore import restore

LOST = "recovery codes and links in earlier emails no longer work."
KEYS = {
    "missing": f"The backup has no secret key. Unless this installation has the same one, {LOST}",
    "same": "Its secret key is the same as this installation's.",
    "restored": "Its secret key is now in {file}.",
    "beside": "Its secret key is in {file}. Give it to the service, as SECRET_KEY_FILE or SECRET_KEY, and remove the "
    f"other key from the environment. Without that, {LOST}",
}
"""What became of the secret key."""


class Command(BaseCommand):
    help = (
        "Load a backup into an empty installation (another WARGAME_DATA or DATABASE_URL) while the service is "
        "stopped, then recompute every settled turn. Exit status 1 if one differs from what was published."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the file that `backup` wrote")
        parser.add_argument("--identity", "-i", type=Path, help="the file with the key to decrypt it")

    def handle(self, *args: object, file: Path, identity: Path | None, **options: object) -> None:
        try:
            manifest = restore(file, identity, timezone.now())
        except (Unusable, BadVariable) as error:
            raise CommandError(f"{error} Nothing was restored.") from None
        rows = sum(manifest.rows.values())
        self.stdout.write(f"Restored: {rows:,} rows of {manifest.made_at[:19]} UTC, written by {manifest.version}.")
        self.stdout.write(KEYS[manifest.key].format(file=manifest.key_file))
        if manifest.held:
            self.stdout.write(
                f"Emails that were waiting at that time: {manifest.held}. They are held, for they may have been sent "
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
        by_others = f", {older} were settled by another version of the rules" if older else ""
        if turns:
            self.stdout.write(f"{round}: {len(turns)} turns recomputed, {wrong} differ{by_others}.")
        return wrong
