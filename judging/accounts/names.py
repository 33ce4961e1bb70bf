"""1.6: the row of an account's name, and the names that look like one another already."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.contrib.auth.models import User

from judging.accounts.models import Account
from judging.game import locking
from judging.game.lookalikes import is_reserved, skeleton
from wargame.rules.core.names import key


def account_for(user: User) -> Account:
    """1.6: the user's row, made if he has none. Where somebody's skeleton is the same already, which only those meet
    who were there before or came with a round's file, the row has none, and `check_names` lists it."""
    found = locking.hold_first(Account.objects.filter(user=user))
    if found is not None:
        return found
    bare = skeleton(user.username)
    is_free = not Account.objects.filter(skeleton=bare).exists()
    return Account.objects.create(user=user, key=key(user.username), skeleton=bare if is_free else None)


def log_ins_like(name: str) -> Sequence[User]:
    """1.6: the users whose log-ins are that name or look like it: by their rows, or else by their names."""
    bare = skeleton(name)
    found = list(
        User.objects.filter(username__iexact=name)
        | User.objects.filter(account__key=key(name))
        | User.objects.filter(account__skeleton=bare)
    )
    others = User.objects.filter(account__skeleton__isnull=True).only("pk", "username")
    return [*found, *(user for user in others if user not in found and skeleton(user.username) == bare)]


def doubtful_names() -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """1.6: the log-ins that look like one another, and those that nobody should have."""
    alike: dict[str, list[str]] = defaultdict(list)
    names = list(User.objects.order_by("pk").values_list("username", flat=True))
    for name in names:
        alike[skeleton(name)].append(name)
    return tuple(tuple(found) for found in alike.values() if len(found) > 1), tuple(filter(is_reserved, names))
