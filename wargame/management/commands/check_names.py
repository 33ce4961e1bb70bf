"""`manage.py check_names`: which log-ins look like one another, or like the site's own voice (1.6)."""

from django.core.management.base import BaseCommand

from judging.accounts.names import doubtful_names


class Command(BaseCommand):
    """Lists them; new ones are refused at sign-up, these were there before or came with a round's file."""

    help = "List log-ins that look alike, or that could be mistaken for the site or its judges."

    def handle(self, *args: object, **options: object) -> None:
        alike, reserved = doubtful_names()
        for names in alike:
            self.stdout.write("Look alike: " + ", ".join(ascii(name)[1:-1] + f" ({name})" for name in names))
        for name in reserved:
            self.stdout.write(f"Could be mistaken for the site or its judges: {name}")
        if not alike and not reserved:
            self.stdout.write("No log-ins look alike or could be mistaken for the site.")
