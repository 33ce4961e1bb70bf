"""`manage.py allow_rounds NAME`: lets somebody set up rounds."""

from __future__ import annotations

import getpass

from django.contrib.auth.models import Permission, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

TRIES = 3
"""How often a password is asked for."""


class Command(BaseCommand):
    """1.3, 2.5: whoever may set up rounds becomes the head battle judge of those that he begins."""

    help = "Lets the owner of a log-in set up rounds. A log-in that does not exist is made, and its password asked for."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the log-in")
        parser.add_argument("--revoke", action="store_true", help="take the permission back")

    def handle(self, *args: object, name: str, revoke: bool, **options: object) -> None:
        user = User.objects.filter(username__iexact=name).first()
        if user is None and revoke:
            raise CommandError(f"Nobody has the log-in {name}.")
        user = user or self._new_log_in(name)
        permission = Permission.objects.get(content_type__app_label="wargame", codename="add_round")
        if revoke:
            user.user_permissions.remove(permission)
            said = f"{user.get_username()} may set up no more rounds."
            said += " Being an administrator, he may all the same." if user.is_superuser else ""
        else:
            user.user_permissions.add(permission)
            said = f"{user.get_username()} may set up rounds, at {reverse('round-new')}."
        self.stdout.write(said)

    def _new_log_in(self, name: str) -> User:
        """A new log-in with a password that was typed twice. CommandError if there is none after `TRIES`."""
        user = User(username=name)
        try:
            user.full_clean(exclude=["password"])
            self.stdout.write(f"There is no log-in {name} yet. It is made with the password that you type.")
            user.set_password(self._password(user))
        except ValidationError as error:
            raise CommandError(" ".join([*error.messages, "Nothing was made."])) from None
        except (EOFError, KeyboardInterrupt):
            raise CommandError("No password was typed. Nothing was made.") from None
        user.save()
        return user

    def _password(self, user: User) -> str:
        """A password that is typed twice and good enough; what is wrong is said, and it is asked for again."""
        for left in reversed(range(TRIES)):
            try:
                password = getpass.getpass(f"A password for {user.get_username()}: ")
                if getpass.getpass("The same password again: ") != password:
                    raise ValidationError("The two passwords are not the same.")
                validate_password(password, user)
            except ValidationError as error:
                if not left:
                    raise
                self.stderr.write(" ".join([*error.messages, "Try again."]))
            else:
                break
        return password
