"""`manage.py demo`: a full round that is being played, to look at and to try."""

import argparse
from datetime import timedelta

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from judging.demo.making import make, remove, summary, table_of_logins
from judging.demo.times import read_length
from wargame.management.command_helpers import refusals_told
from wargame.models import Round


class Command(BaseCommand):
    """Makes the demo round, tells its log-ins, or removes it. It touches nothing that it did not make."""

    help = "Create the demo round: a full round with three turns played and a fourth open."

    def add_arguments(self, parser: CommandParser) -> None:
        group = parser.add_mutually_exclusive_group()
        group.add_argument("--if-empty", action="store_true", help="do nothing if there is already a round")
        group.add_argument("--fresh", action="store_true", help="replace the existing demo round")
        group.add_argument("--logins", action="store_true", help="only print the log-ins")
        group.add_argument("--remove", action="store_true", help="remove the demo round and its log-ins")
        parser.add_argument(
            "--turn-length",
            type=_length,
            metavar="10m",
            help="length of a turn, like 45s, 10m, 2h or 1d (default: a week)",
        )

    def handle(
        self,
        *args: object,
        if_empty: bool,
        fresh: bool,
        logins: bool,
        remove: bool,
        turn_length: timedelta | None,
        **options: object,
    ) -> None:
        demo = Round.objects.filter(is_demo=True).order_by("-pk").first()
        if logins:
            self._tell_logins(demo)
        elif remove:
            self._remove()
        elif if_empty and Round.objects.exists():
            return
        elif demo and not fresh:
            self.stdout.write(f"The demo round already exists ({demo.name}). Run `demo --fresh` to replace it.")
        else:
            self._make(turn_length, fresh=fresh)

    def _make(self, turn_length: timedelta | None, *, fresh: bool) -> None:
        with refusals_told():
            demo = make(turn_length=turn_length, fresh=fresh, now=timezone.now(), say=self.stdout.write)
        self.stdout.write(summary(demo))

    def _tell_logins(self, demo: Round | None) -> None:
        if demo:
            self.stdout.write(table_of_logins(demo))
        else:
            self.stderr.write("There is no demo round, so there are no log-ins. Run `demo` to create one.")

    def _remove(self) -> None:
        removed = remove()
        if not removed.rounds and not removed.users:
            self.stdout.write("There is no demo round to remove.")
            return
        self.stdout.write(f"Removed: {removed.rounds} demo round and {removed.users} log-ins.")
        if removed.kept:
            self.stdout.write(f"These log-ins were kept because they own other things: {', '.join(removed.kept)}.")


def _length(text: str) -> timedelta:
    try:
        return read_length(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
