"""`manage.py verify [ROUND]`: recomputes every turn, holds all rows against the chain of the round, and says where one
differs from what was published."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from judging.chain.queries import Wrong, check_chain, find_head
from judging.chain.rows import model_of
from judging.tables.models import Table
from judging.tables.proof.verification import entry_of_head, stored_checks
from judging.verification.checks import verify_round
from judging.verification.verdicts import present_checks
from wargame.management.command_helpers import found
from wargame.models import Round
from wargame.models.choices import TurnState


class Command(BaseCommand):
    help = "Recompute every turn and compare all rows with the round's chain. Exit status 1 if anything differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "round", nargs="?", help="slug of the round or card table, as in its address (default: all rounds)"
        )
        parser.add_argument("--head", help="a latest hash that someone saved: check whether it belongs to the chain")

    def handle(self, *args: object, round: str | None, head: str | None, **options: object) -> None:
        table = Table.objects.select_related("card_list").filter(slug=round).first() if round else None
        if head and table is not None:
            self._tell_of_table_head(table, head)
            return
        if table is not None:
            if self._table(table):
                raise SystemExit(1)
            return
        rounds = _rounds(round)
        if not rounds:
            self.stdout.write("No round has a settled turn yet, so there is nothing to verify.")
        if head:
            for each in rounds:
                self._tell_of_head(each, head)
        elif sum(self._recomputed(verified) for verified in rounds):
            raise SystemExit(1)

    def _table(self, table: Table) -> int:
        """How much of a card table differs; each check is told."""
        checks = stored_checks(table)
        for check in checks:
            self.stdout.write(f"{'same' if check.is_same else 'differs'}  {check.what} {check.wrong}".rstrip())
        return sum(1 for check in checks if not check.is_same)

    def _recomputed(self, round: Round) -> int:
        """How many turns of the round differ; each is told."""
        verdicts = list(verify_round(round))
        for verdict in verdicts:
            label = "differs" if verdict.is_wrong else "other rules"
            outcome = f"{label}: {'; '.join(verdict.differences)}" if verdict.differences else "same"
            self.stdout.write(f"turn {verdict.turn}  {verdict.next_hash}  {outcome}")
            if verdict.differences and verdict.has_other_rules:
                settled = f"version {verdict.rules}" if verdict.rules else "an earlier version"
                self.stdout.write(f"  {settled} of the rules settled it; this is {verdict.rules_here}")
        wrong = sum(verdict.is_wrong for verdict in verdicts)
        older = sum(bool(verdict.differences) for verdict in verdicts) - wrong
        by_others = f", {older} were settled by another version of the rules" if older else ""
        self.stdout.write(f"{round}: {len(verdicts)} turns recomputed, {wrong} differ{by_others}")
        return wrong + self._differing_now(round)

    def _differing_now(self, round: Round) -> int:
        """How much differs in what is open, and in the chain; each is told."""
        checks = present_checks(round)
        wrong = [check.wrong for check in checks if not check.is_same]
        self.stdout.write(f"present  {'; '.join(wrong) if wrong else 'same'}")
        report = check_chain(round)
        for each in report.wrong:
            self.stdout.write(f"chain  {each.sentence}{_row(each)}")
        unchecked = f"{report.unchecked} of them can't be checked here, " if report.unchecked else ""
        counts = f"{report.links} links, {report.rows} rows compared with them, {unchecked}{len(report.wrong)} wrong"
        self.stdout.write(f"{round}: {counts}")
        return len(wrong) + len(report.wrong)

    def _tell_of_table_head(self, table: Table, head: str) -> None:
        """After which entry of a card table a head was the end of its chain."""
        number = entry_of_head(table, head)
        if number is None:
            raise CommandError(f"This hash doesn't belong to {table}. Give the digits of the latest hash in an email.")
        self.stdout.write(f"This hash is the hash of entry {number} of {table}.")

    def _tell_of_head(self, round: Round, head: str) -> None:
        """To which link a head belongs."""
        status = find_head(round, head)
        if not status.is_readable:
            raise CommandError(
                "That is not a latest hash. It should be a minute like 2026-11-22T13:05Z and 64 hexadecimal digits."
            )
        if status.number is None:
            note = f"; it belongs to {status.of}" if status.of else ""
            raise CommandError(f"This hash belongs to no link of {round}{note}.")
        self.stdout.write(f"This hash belongs to link {status.number} of {round}.")


def _row(wrong: Wrong) -> str:
    """The row itself, for who runs the service, if it is there."""
    row = model_of(wrong.kind)._base_manager.filter(pk=wrong.key).first() if wrong.kind else None
    return f": {row} (row {wrong.key})" if row else f" (row {wrong.key})" if wrong.kind else ""


def _rounds(slug: str | None) -> list[Round]:
    """The round of that address, even if it was cancelled; without one, all that have settled a turn."""
    if slug:
        return [found(Round.objects.filter(slug=slug).first(), slug)]
    return list(Round.objects.filter(turns__state=TurnState.SETTLED).distinct().order_by("pk"))
