"""`manage.py simulate`: whole rounds on the pure rules, and the invariants that every settlement keeps."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from time import perf_counter

from django.core.management.base import BaseCommand

from scripts.simulation.mustering import ARMIES, demo_board
from scripts.simulation.played import table
from scripts.simulation.playing import Broken, Simulation


class Command(BaseCommand):
    help = "Plays rounds with random orders, strats and scores; says which invariant a turn breaks, if one does."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--turns", type=_count, default=200, help="how many turns to play (200)")
        parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same rounds (1)")
        parser.add_argument("--armies", type=_armies, default=ARMIES, help=f"how many armies begin a round ({ARMIES})")

    def handle(self, *args: object, turns: int, seed: int, armies: int, traceback: bool, **options: object) -> None:
        simulation = Simulation(demo_board(), seed, perf_counter, armies)
        try:
            for _ in simulation.play(turns):
                pass
        except Broken as broken:
            self.stdout.write(table(simulation.tally))
            self.stderr.write(str(broken))
            if traceback:
                raise
            raise SystemExit(1) from None
        self.stdout.write(table(simulation.tally))
        self.stdout.write("every invariant held")


def _count(text: str) -> int:
    return _whole(text, 1, 1_000_000)


def _armies(text: str) -> int:
    return _whole(text, 4, 450)


def _whole(text: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise ArgumentTypeError(f"a whole number from {least} to {most} belongs here, not “{text}”")
    return int(text)
