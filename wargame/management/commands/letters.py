"""`manage.py letters [--again [NUMBER]]`: the letters that were given up; or has one, or all, sent again."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from judging.email.services import given_up, try_anew


class Command(BaseCommand):
    help = "List emails that could not be sent, without their content. With --again, send one or all of them again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--again", nargs="?", const="all", metavar="NUMBER", help="the number of an email (default: all)"
        )

    def handle(self, *args: object, again: str | None, **options: object) -> None:
        if again is not None:
            self._again(again)
            return
        failures = given_up()
        for letter in failures.letters if failures else ():
            details = f"{letter.kind}, {letter.tries} tries, {letter.error or 'no error'}"
            self.stdout.write(f"{letter.pk}  {letter.created:%Y-%m-%d %H:%M} UTC  {letter.to}  {details}")
        self.stdout.write(f"Emails that could not be sent: {failures.number if failures else 0}")

    def _again(self, choice: str) -> None:
        if choice != "all" and not (choice.isascii() and choice.isdigit() and len(choice) < 18):
            raise CommandError(f"“{choice}” is not the number of an email. Run `manage.py letters` to list them.")
        number = try_anew(None if choice == "all" else int(choice), timezone.now())
        self.stdout.write(f"Emails that will be sent again: {number}")
