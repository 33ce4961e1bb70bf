"""`manage.py allow_rounds NAME`: lets somebody set up rounds."""

from __future__ import annotations

import getpass
from typing import Any

from django.contrib.auth.models import Permission, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    """1.3, 2.5: whoever may set up rounds becomes the head battle judge of those that he begins."""

    help = "Lets the owner of a log-in set up rounds. A log-in that does not exist is made, and its password asked for."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the log-in")
        parser.add_argument("--revoke", action="store_true", help="take the permission back")

    def handle(self, *args: Any, **options: Any) -> None:
        name, revokes = options["name"], options["revoke"]
        user = User.objects.filter(username__iexact=name).first()
        if user is None and revokes:
            raise CommandError(f"Nobody has the log-in {name}.")
        user = user or self._made(name)
        permission = Permission.objects.get(content_type__app_label="wargame", codename="add_round")
        if revokes:
            user.user_permissions.remove(permission)
            said = f"{user.get_username()} may set up no more rounds."
            said += " Being an administrator, he may all the same." if user.is_superuser else ""
        else:
            user.user_permissions.add(permission)
            said = f"{user.get_username()} may set up rounds, at /rounds/new/."
        self.stdout.write(said)

    def _made(self, name: str) -> User:
        user = User(username=name)
        try:
            user.full_clean(exclude=["password"])
            password = getpass.getpass(f"A password for the new log-in {name}: ")
            validate_password(password, user)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        except (EOFError, KeyboardInterrupt):
            raise CommandError("Nothing was made.") from None
        user.set_password(password)
        user.save()
        return user
