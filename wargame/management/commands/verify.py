"""`manage.py verify [ROUND]`: recomputes every turn of a round and says where it differs from what was published."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from judging.game.rounds import running_round
from judging.verifying.reads import verify_round
from wargame.management.asked import found
from wargame.models import Round


class Command(BaseCommand):
    help = "Recomputes every turn from what was posted, handed in and drawn; exit status 1 if one differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("round", nargs="?", help="the round, as in its addresses")

    def handle(self, *args: object, round: str | None, **options: object) -> None:
        verified = _round(round)
        verdicts = list(verify_round(verified))
        for verdict in verdicts:
            found = f"differs: {'; '.join(verdict.differences)}" if verdict.differences else "same"
            self.stdout.write(f"turn {verdict.turn}  {verdict.next_hash}  {found}")
        wrong = sum(1 for verdict in verdicts if verdict.differences)
        self.stdout.write(f"{verified}: {len(verdicts)} turns recomputed, {wrong} differ")
        if wrong:
            raise SystemExit(1)


def _round(slug: str | None) -> Round:
    """The round of that address, also one that was given up; without one the running round."""
    if slug:
        return found(Round.objects.filter(slug=slug).first(), slug)
    running = running_round()
    if running is None:
        raise CommandError("There is no running round.")
    return running
