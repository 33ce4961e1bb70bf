"""1.6: which names are taken, and by whom somebody was or is called so."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import User

from judging.accounts.models import Account
from judging.armies.musters.reads import handed_in
from wargame.models import Army, Judge, Player, Round
from wargame.models.choices import RoundState
from wargame.rules.command.screen_names import is_same_name
from wargame.rules.core.names import key


def taken_names(round: Round, user: User | None, name: str, player: Player | None = None) -> list[str]:
    """1.6: the names that nobody else may take in a round: those of its players, past and present, its judges, and its
    armies, also those that are handed in for it (2.5.2.2), and that of somebody else's account.

    A player's own names and his namesake army's don't count against him.
    """
    return [*_names_of_round(round, user, player), *_accounts_called(name, user)]


def is_name_taken(name: str) -> bool:
    """1.6: whether an account can't be called so: another is, or somebody plays, or played, under that name."""
    if any(_accounts_called(name, None)):
        return True
    renamed = Player.objects.exclude(former_names=[]).values_list("former_names", flat=True)
    former = [old for names in renamed for old, _ in names]
    people = [*Player.objects.values_list("name", flat=True), *Judge.everybody.values_list("name", flat=True), *former]
    return any(is_same_name(name, taken) for taken in people)


def _names_of_round(round: Round, user: User | None, player: Player | None) -> Iterator[str]:
    for other in Player.objects.filter(round=round):
        if player is None or other.pk != player.pk:
            yield from (other.name, *(old for old, _ in other.former_names))
    judges = Judge.everybody.filter(round=round).exclude(user=user)
    yield from judges.values_list("name", flat=True)
    musters = handed_in(round).filter(round__state=RoundState.SETUP).exclude(name="")
    yield from (musters.exclude(namesake=player) if player else musters).values_list("name", flat=True)
    armies = Army.objects.filter(round=round)
    for army in armies.exclude(namesake=player) if player else armies:
        yield from (army.name, *army.former)


def _accounts_called(name: str, user: User | None) -> Iterator[str]:
    users = User.objects.filter(username__iexact=name) | User.objects.filter(
        pk__in=Account.objects.filter(key=key(name)).values("user_id")
    )
    yield from (other.username for other in users if user is None or other.pk != user.pk)
