"""`manage.py link_seat`: gives the seat of an imported player or judge to a user who is here."""

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging.common.rounds import round_by_slug
from judging.import_export.importing import link_seat
from wargame.management.command_helpers import found, refusals_told


class Command(BaseCommand):
    """After import_round: accounts without a password become those of people."""

    help = "Give the seat of an imported player or judge to an existing user."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("round", help="the round's slug, as in its address")
        parser.add_argument("name", help="the player's or judge's name in the round")
        parser.add_argument("user", help="the log-in of the user to give the seat to")

    def handle(self, *args: object, round: str, name: str, user: str, **options: object) -> None:
        seats_round = found(round_by_slug(round), round)
        new_owner = User.objects.filter(username=user).first()
        if new_owner is None:
            raise CommandError(f"There is no user “{user}”.")
        with refusals_told():
            self.stdout.write(link_seat(round=seats_round, name=name, user=new_owner))
