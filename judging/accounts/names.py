"""1.6: Rows for account names, names that look alike, and reserved names."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.accounts.models import Account
from judging.common import locking
from judging.common.confusable_names import hidden_sign, is_reserved, look_alike, skeleton
from judging.common.errors import Refused
from wargame.models import Judge, Player
from wargame.rules.command.screen_names import RULE, is_same_name
from wargame.rules.core.names import key


def account_for(user: User) -> Account:
    """1.6: The user's row, created if missing. If another user already has the same skeleton, which only happens to
    users from before this check or from a round's file, the row has none, and `check_names` lists it."""
    account = locking.hold_first(Account.objects.filter(user=user))
    if account is not None:
        return account
    bare = skeleton(user.username)
    is_free = not Account.objects.filter(skeleton=bare).exists()
    return Account.objects.create(user=user, key=key(user.username), skeleton=bare if is_free else None)


def log_ins_like(name: str) -> Sequence[User]:
    """1.6: The users whose usernames equal or look like that name: by their rows, or else by their names."""
    bare = skeleton(name)
    users = list(
        User.objects.filter(username__iexact=name)
        | User.objects.filter(account__key=key(name))
        | User.objects.filter(account__skeleton=bare)
    )
    candidates = User.objects.filter(account__skeleton__isnull=True).only("pk", "username")
    return [*users, *(user for user in candidates if user not in users and skeleton(user.username) == bare)]


def doubtful_names() -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """1.6: The usernames that look alike, and those that are reserved."""
    alike: dict[str, list[str]] = defaultdict(list)
    names = list(User.objects.order_by("pk").values_list("username", flat=True))
    for name in names:
        alike[skeleton(name)].append(name)
    return tuple(tuple(group) for group in alike.values() if len(group) > 1), tuple(filter(is_reserved, names))


def is_name_taken(name: str) -> bool:
    """1.6: Whether an account can't have this name, because another account has it or somebody plays, or played,
    under it."""
    if any(is_same_name(name, other) for other in accounts_called(name, None)):
        return True
    return any(is_same_name(name, person) for person in _people_of_all_rounds())


def people_like(name: str) -> list[str]:
    """1.6: The usernames, players and judges of all rounds, past and present, who could be mistaken for this name."""
    return [user.username for user in log_ins_like(name)] + [
        other for other in _people_of_all_rounds() if look_alike(name, other)
    ]


def check_seen(name: str) -> None:
    """1.6: Raise Refused for a name with invisible characters, or characters that reverse it or cover other lines,
    and for a name without any letter or digit, such as one of emoji alone."""
    if sign := hidden_sign(name):
        message = gettext("The name has a character that is invisible or covers others (U+%(code)s). Remove it.")
        message %= {"code": f"{ord(sign):04X}"}
        raise Refused(message, RULE, "name")
    if name and not any(sign.isalnum() for sign in name):
        raise Refused(
            gettext("A name needs a letter or a digit, so others can say it and search for it."), RULE, "name"
        )


def check_like_nobody(name: str, others: Sequence[str]) -> None:
    """1.6, 1.3: Raise Refused for a name that looks like one of the others, or like the site, its judges or a team."""
    if is_reserved(name):
        raise Refused(
            gettext("“%(name)s” could be mistaken for the site, its judges or a team. Choose another name.")
            % {"name": name},
            RULE,
            "name",
        )
    if other := next((other for other in others if look_alike(name, other)), ""):
        raise Refused(
            gettext("“%(name)s” looks too much like “%(other)s”, which is taken. Choose another name.")
            % {"name": name, "other": other},
            RULE,
            "name",
        )


def _people_of_all_rounds() -> list[str]:
    renamed = Player.objects.exclude(former_names=[]).values_list("former_names", flat=True)
    former = [old for names in renamed for old, _ in names]
    return [*Player.objects.values_list("name", flat=True), *Judge.everybody.values_list("name", flat=True), *former]


def accounts_called(name: str, user: User | None) -> Iterator[str]:
    """1.6: The usernames that equal or look like that name, except the user's own."""
    yield from (other.username for other in log_ins_like(name) if user is None or other.pk != user.pk)
