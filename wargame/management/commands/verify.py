"""`manage.py verify [ROUND]`: recomputes every turn and says where one differs from what was published."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from judging.verifying.reads import verify_round
from wargame.management.asked import found
from wargame.models import Round
from wargame.models.choices import TurnState


class Command(BaseCommand):
    help = "Recomputes every turn from what was posted, handed in and drawn; exit status 1 if one differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("round", nargs="?", help="the round, as in its addresses; without it all of them")

    def handle(self, *args: object, round: str | None, **options: object) -> None:
        if sum(self._recomputed(verified) for verified in _rounds(round)):
            raise SystemExit(1)

    def _recomputed(self, round: Round) -> int:
        """How many turns of the round differ; each is told."""
        verdicts = list(verify_round(round))
        for verdict in verdicts:
            found = f"differs: {'; '.join(verdict.differences)}" if verdict.differences else "same"
            self.stdout.write(f"turn {verdict.turn}  {verdict.next_hash}  {found}")
            if verdict.differences and verdict.has_other_rules:
                settled = f"version {verdict.rules}" if verdict.rules else "an earlier version"
                self.stdout.write(f"  {settled} of the rules settled it, and this is {verdict.rules_here}")
        wrong = sum(1 for verdict in verdicts if verdict.differences)
        self.stdout.write(f"{round}: {len(verdicts)} turns recomputed, {wrong} differ")
        return wrong


def _rounds(slug: str | None) -> list[Round]:
    """The round of that address, also one that was given up; without one all that have settled a turn."""
    if slug:
        return [found(Round.objects.filter(slug=slug).first(), slug)]
    rounds = list(Round.objects.filter(turns__state=TurnState.SETTLED).distinct().order_by("pk"))
    if not rounds:
        raise CommandError("There is no round with a settled turn.")
    return rounds
