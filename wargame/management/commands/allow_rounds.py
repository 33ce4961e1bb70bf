"""`manage.py allow_rounds NAME`: lets somebody set up rounds."""

import getpass

from django.contrib.auth.models import Permission, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

TRIES = 3
"""How often a password is asked for."""


class Command(BaseCommand):
    """1.3, 2.5: whoever may set up rounds becomes the head battle judge of those that they begin."""

    help = "Let a user set up rounds. Creates the log-in if it doesn't exist, and asks for its password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the log-in")
        parser.add_argument("--revoke", action="store_true", help="remove the permission")

    def handle(self, *args: object, name: str, revoke: bool, **options: object) -> None:
        user = User.objects.filter(username__iexact=name).first()
        if user is None and revoke:
            raise CommandError(f"There is no log-in {name}.")
        user = user or self._new_log_in(name)
        permission = Permission.objects.get(content_type__app_label="wargame", codename="add_round")
        if revoke:
            user.user_permissions.remove(permission)
            message = f"{user.get_username()} can no longer set up rounds."
            message += " As an administrator, they still can." if user.is_superuser else ""
        else:
            user.user_permissions.add(permission)
            message = f"{user.get_username()} can set up rounds at {reverse('round-new')}."
        self.stdout.write(message)

    def _new_log_in(self, name: str) -> User:
        """A new log-in with a password that was typed twice. CommandError if there is none after `TRIES`."""
        user = User(username=name)
        try:
            user.full_clean(exclude=["password"])
            self.stdout.write(f"There is no log-in {name} yet. Choose a password to create it.")
            user.set_password(self._password(user))
        except ValidationError as error:
            raise CommandError(" ".join([*error.messages, "Nothing was made."])) from None
        except (EOFError, KeyboardInterrupt):
            raise CommandError("You typed no password. No log-in was created.") from None
        user.save()
        return user

    def _password(self, user: User) -> str:
        """A password that is typed twice and good enough; what is wrong is said, and it is asked for again."""
        for remaining in reversed(range(TRIES)):
            try:
                password = getpass.getpass(f"Password for {user.get_username()}: ")
                if getpass.getpass("Repeat the password: ") != password:
                    raise ValidationError("The passwords don't match.")
                validate_password(password, user)
            except ValidationError as error:
                if not remaining:
                    raise
                self.stderr.write(" ".join([*error.messages, "Try again."]))
            else:
                break
        return password
