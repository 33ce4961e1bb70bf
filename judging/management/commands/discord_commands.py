"""`manage.py discord_commands`: what Discord is told of the site's commands, as JSON."""

import json

from django.core.management.base import BaseCommand

from judging.discord.services import COMMANDS


class Command(BaseCommand):
    help = "Print the commands as JSON, for a PUT to Discord's /applications/ID/commands."

    def handle(self, *args: object, **options: object) -> None:
        self.stdout.write(json.dumps([command.as_json(name) for name, command in COMMANDS.items()], indent=2))
