"""The people of an imported round: accounts without a password, until somebody is linked to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.db.models import ProtectedError
from django.utils.translation import gettext

from judging.accounts.models import Account
from judging.accounts.names import account_for
from judging.game import locking
from judging.game.errors import Refused
from wargame.models import Judge, Player, Round
from wargame.models.choices import Role
from wargame.rules.core.names import key

LONGEST = 150


@dataclass
class People:
    """The users behind the log-ins of a file: `made` here, without a password; `linked`: they were here already."""

    users: dict[str, User] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)
    linked: list[str] = field(default_factory=list)

    def of(self, name: str) -> User:
        return self.users[name]


def people_for(names: Iterable[str], *, link: bool, known: Mapping[str, User] | None = None) -> People:
    """A user for each log-in of a file. Nobody who is here gets a seat unasked: with `link` users of the same log-in
    do, without it a new account of a name like it is made. `known` are accounts, by log-in, that were made for the same
    people before."""
    found = People()
    for name in names:
        here = User.objects.filter(username=name).first()
        if here is not None and link:
            found.users[name] = here
            found.linked.append(name)
        elif known and name in known:
            found.users[name] = known[name]
        else:
            found.users[name] = _new_user(name)
            found.made.append(found.users[name].username)
    return found


@locking.writes
def link_seat(*, round: Round, name: str, user: User) -> str:
    """1.6: gives the seat of an imported player or judge of that name to a user who is here; says what he is now.

    Refused for a name that nobody has, and for a seat whose account somebody can log in to.
    """
    player = Player.objects.select_related("user").filter(round=round, name=name).first()
    judges = list(Judge.everybody.select_related("user").filter(round=round, name=name))
    seats = [player] if player else judges
    if not seats:
        raise Refused(
            gettext("No one called “%(name)s” plays or judges in %(round)s.") % {"name": name, "round": round}
        )
    before = seats[0].user
    if before == user:
        return f"{user.username} is {name} already."
    if before.has_usable_password():
        raise Refused(
            gettext(
                "%(name)s already has an account that someone logs in to (%(before)s), so no one else can take "
                "that place."
            )
            % {"name": name, "before": before.username}
        )
    taken = Player.objects.filter(round=round, user=user).first()
    if player and taken:
        raise Refused(
            gettext("%(user)s already plays as %(taken)s in %(round)s.")
            % {"user": user.username, "taken": taken.name, "round": round}
        )
    _check_no_player_judges(round, user, plays=player is not None, roles=[judge.role for judge in judges])
    for seat in seats:
        seat.user = user
        seat.save(update_fields=["user"])
    _tidy(before)
    return f"{user.username} is {name} in {round} now."


def _check_no_player_judges(round: Round, user: User, *, plays: bool, roles: Collection[str]) -> None:
    """1.3, 6: nobody who plays gets the seat of a battle or mercenary judge, nor the other way round."""
    closed = {Role.BATTLE.value: "1.3", Role.MERCENARY.value: "6"}
    plays = plays or Player.objects.filter(round=round, user=user).exists()
    roles = [*roles, *Judge.everybody.filter(round=round, user=user).values_list("role", flat=True)]
    for role in roles:
        if plays and role in closed:
            raise Refused(
                gettext("The %(role)s of %(round)s can't be a player.") % {"role": Role(role).label, "round": round},
                closed[role],
            )


def _new_user(name: str) -> User:
    """An account of that log-in, or of one like it where that is somebody's. Nobody can log in to it."""
    free, number = name, 1
    while User.objects.filter(username__iexact=free).exists() or Account.objects.filter(key=key(free)).exists():
        number += 1
        free = f"{name[: LONGEST - 1 - len(str(number))]}-{number}"
    user = User(username=free, first_name=free)
    user.set_unusable_password()
    user.save()
    account_for(user)
    return user


def _tidy(user: User) -> None:
    """An account that nothing needs any more is deleted; one that is named in a log or in the chain stays."""
    try:
        with locking.transaction():
            user.delete()
    except ProtectedError:
        pass
