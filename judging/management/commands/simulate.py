"""`manage.py simulate`: whole rounds on the pure rules, and the invariants that every settlement keeps."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from time import perf_counter

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from scripts.simulation.mustering import ARMIES, demo_board
from scripts.simulation.played import table
from scripts.simulation.playing import Broken, Simulation
from tables.core.lists.cardlist import read_list
from tables.core.lists.cards import Card
from tables.core.state import Options
from tables.games import RULES
from tables.reading import read_file
from tables.simulation import Broken as BrokenTable
from tables.simulation import opening, played
from tables.visits import visits_a_day, visits_a_turn

GAMES = sorted(RULES.keys() - {"free"})
"""A free table has no cards and no rules of its own to play by."""

MEASURED = 5
"""At so many tables it is counted how often a turn of Seize asks each player."""


class Command(BaseCommand):
    help = "Play rounds with random orders, strats and scores. Stop at the first broken invariant."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--turns", type=_count, default=200, help="how many turns to play (200)")
        parser.add_argument("--seed", type=int, default=1, help="seed; the same seed plays the same rounds (1)")
        parser.add_argument("--tables", choices=GAMES, help="play card tables of this game instead of rounds")
        parser.add_argument("--games", type=_count, default=20, help="how many tables to play (20)")
        parser.add_argument("--armies", type=_armies, default=ARMIES, help=f"how many armies start a round ({ARMIES})")

    def handle(self, *args: object, turns: int, seed: int, armies: int, traceback: bool, **options: object) -> None:
        if options.get("tables"):
            self._tables(str(options["tables"]), int(str(options["games"])), seed)
            return
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

    def _tables(self, game: str, games: int, seed: int) -> None:
        """Random play of card tables, with the made-up list that belongs to the game."""
        try:
            tally = played(RULES[game], _demo_cards(game), games, seed)
        except BrokenTable as broken:
            self.stderr.write(str(broken))
            raise SystemExit(1) from None
        results = ", ".join(f"{count} {outcome}" for outcome, count in sorted(tally.results.items()))
        kinds = ", ".join(f"{kind} {count}" for kind, count in tally.kinds.most_common())
        self.stdout.write(f"{tally.games} tables, {tally.entries} entries, {tally.turns} turns: {results}")
        self.stdout.write(f"asked: {kinds}")
        if game == "altered":
            mean, most = visits_a_day(RULES[game], _demo_cards(game), games, seed)
            self.stdout.write(f"visits per player per day, with planned afternoons: {mean:.1f}, at most {most}")
        if game == "seize":
            cards, seeds = _demo_cards(game), range(seed, seed + min(games, MEASURED))
            tables = ((opening(RULES[game], cards, one, "AB", Options("standard")), one) for one in seeds)
            mean = visits_a_turn(RULES[game], tables)
            self.stdout.write(f"{mean:.2f} visits per turn for each of two players, with a pass order")
        if tally.visited:
            self.stdout.write(f"{tally.visits_a_turn:.2f} visits per turn for each of two players, with default stops")
        self.stdout.write("every invariant held")


def _demo_cards(game: str) -> Mapping[str, Card]:
    """The cards of the made-up list of a game."""
    card_list = read_list(read_file(settings.BASE_DIR / "fixtures" / "cards" / f"{game}-demo.yaml")[0])
    if isinstance(card_list, tuple):
        raise CommandError("; ".join(str(fault) for fault in card_list))
    return card_list.cards


def _count(text: str) -> int:
    return _whole(text, 1, 1_000_000)


def _armies(text: str) -> int:
    return _whole(text, 4, 450)


def _whole(text: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise ArgumentTypeError(f"expected a whole number from {least} to {most}, not “{text}”")
    return int(text)
