"""`manage.py people …`: looks after people without a browser (1.6). What it does is in the administrators' log."""

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from judging.accounts.bans import barred_sentence
from judging.common.errors import Refused
from judging.people import queries, services
from judging.people.deletion import delete_account
from judging.people.services import name_head
from wargame.models import Round
from wargame.models.choices import Role

Options = Mapping[str, Any]
"""What was typed after the command, by the names of its arguments."""


class Command(BaseCommand):
    """One sub-command for each act of the administrators' pages; `by` is nobody but the command line."""

    help = "Find people; ban, unlock, log out or delete them; make password links; appoint head judges."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True, metavar="ACT")
        finder = acts.add_parser("find", help="list accounts by name, email address and round")
        finder.add_argument("words", nargs="?", default="", help="part of a name, or a whole email address")
        finder.add_argument("--round", default="", help="the round's slug, as in its address")
        finder.add_argument("--page", type=int, default=1)
        for name, help_text in ACTS.items():
            act = acts.add_parser(name, help=help_text)
            act.add_argument("name", help="the exact log-in")
            if name == "head":
                act.add_argument("--round", required=True, help="the round's slug, as in its address")
                act.add_argument("--role", choices=Role.values, default=Role.BATTLE.value)
            if name == "delete":
                act.add_argument("--rename-all", action="store_true", help="also rename them in finished rounds")
            if name != "unlock":
                act.add_argument("--reason", required=True, help="the reason; public for bans and head judges")
            if name == "bar":
                act.add_argument("--days", type=int, help="for how many days (default: permanently)")

    def handle(self, *args: object, act: str, **options: object) -> None:
        if act == "find":
            self._find(options)
            return
        user = User.objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(
                f"Nobody has the log-in {options['name']}. Run `manage.py people find` to search for part of it."
            )
        try:
            self.stdout.write(CARRY_OUT[act](user, options))
        except Refused as refused:
            raise CommandError(str(refused)) from None

    def _find(self, options: Options) -> None:
        results = queries.find(
            words=options["words"], round_slug=options["round"], page=options["page"], now=timezone.now()
        )
        for each in results.rows:
            last = each.user.last_login
            seats = "; ".join(f"{seat.name}, {seat.words} in {seat.slug}" for seat in each.seats) or "no seat"
            last_seen = f"last log-in {last:%Y-%m-%d}" if last else "never logged in"
            self.stdout.write(f"{each.user.username}: {each.state}; {last_seen}; {seats}")
        self.stdout.write(f"{results.total} found; page {results.page} of {results.pages}.")


def _bar(user: User, options: Options) -> str:
    days, now = options["days"], timezone.now()
    bar = services.bar(user=user, by=None, reason=options["reason"], days=days, now=now)
    return f"{user.username} sees: {barred_sentence(bar)}"


def _unbar(user: User, options: Options) -> str:
    services.unbar(user=user, by=None, reason=options["reason"], now=timezone.now())
    return f"{user.username} can log in again."


def _log_out(user: User, options: Options) -> str:
    ended = services.log_out(user=user, by=None, reason=options["reason"], now=timezone.now())
    return f"{user.username} was logged out everywhere ({ended} sessions)."


def _unlock(user: User, options: Options) -> str:
    services.unlock(user=user, by=None, now=timezone.now())
    message = f"Wrong passwords tried for {user.username} no longer count."
    shared = settings.CACHES["default"]["BACKEND"].endswith("RedisCache")
    return message if shared else f"{message} Without Redis, the site's own count lasts up to ten minutes more."


def _password(user: User, options: Options) -> str:
    path = services.password_link(user=user, by=None, reason=options["reason"], now=timezone.now())
    unsaid = "" if settings.VARIABLES["PUBLIC_URL"] else " (PUBLIC_URL is not set: add the site's address in front)"
    return f"Works once, within three days: {settings.PUBLIC_URL.rstrip('/')}{path}{unsaid}"


def _head(user: User, options: Options) -> str:
    round_ = Round.objects.filter(slug=options["round"]).first()
    if round_ is None:
        raise Refused(f"There is no round {options['round']}.")
    role, reason = Role(options["role"]), options["reason"]
    head = name_head(round=round_, role=role, username=user.username, reason=reason, by=None, now=timezone.now())
    return f"{head.name} is head {role.label} of {round_.name} now."


def _delete(user: User, options: Options) -> str:
    renames_all, reason = options["rename_all"], options["reason"]
    name = delete_account(user=user, by=None, reason=reason, renames_all=renames_all, now=timezone.now())
    return f"The account was deleted. What its owner did is now “{name}”'s."


def _second(user: User, options: Options) -> str:
    services.drop_second(user=user, by=None, reason=options["reason"], now=timezone.now())
    return f"The password alone lets {user.username} in now."


ACTS = {
    "bar": "ban an account from logging in, for some days or permanently",
    "unbar": "lift a ban",
    "logout": "end all sessions of an account",
    "unlock": "forget the wrong passwords tried for a name",
    "password": "make a link for choosing a new password",
    "second": "remove the second factor of someone who lost it",
    "head": "appoint a head judge for a round that has lost its own",
    "delete": "delete an account at once",
}

CARRY_OUT: dict[str, Callable[[User, Options], str]] = {
    "bar": _bar,
    "unbar": _unbar,
    "logout": _log_out,
    "unlock": _unlock,
    "password": _password,
    "second": _second,
    "head": _head,
    "delete": _delete,
}
