"""What `demo` made is taken away again, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import ProtectedError

from judging.battles.models import Battle, Score
from judging.game.round_list import DEMO_GROUP
from judging.turns.models import Ruling
from wargame.models import Round, Turn


@dataclass(frozen=True)
class Removed:
    """How much was taken away, and the log-ins that stay because they own something else."""

    rounds: int
    users: int
    kept: tuple[str, ...]


@transaction.atomic
def remove() -> Removed:
    """Removes the demo rounds, and the users that the demo made, unless they own something in another round."""
    rounds = list(Round.objects.filter(is_demo=True))
    for round_ in rounds:
        _remove_round(round_)
    users = list(User.objects.filter(groups__name=DEMO_GROUP).order_by("username"))
    kept = tuple(user.username for user in users if not _remove_user(user))
    if not kept:
        Group.objects.filter(name=DEMO_GROUP).delete()
    return Removed(len(rounds), len(users) - len(kept), kept)


def _remove_round(round_: Round) -> None:
    """The turns go first, because what was posted in them protects the players and armies; and before them what
    protects their corrections."""
    Battle.objects.filter(turn__round=round_).update(cancelled_by=None)
    Ruling.objects.filter(turn__round=round_).delete()
    scores = list(Score.objects.filter(battle__turn__round=round_).values_list("pk", flat=True))
    Turn.objects.filter(round=round_).delete()
    key = round_.pk
    round_.delete()
    Score.history.filter(id__in=scores).delete()
    Round.history.filter(id=key).delete()


def _remove_user(user: User) -> bool:
    """Whether the user could go: an administrator, and whoever plays or judges elsewhere, stays."""
    if user.is_staff or user.is_superuser:
        return False
    try:
        with transaction.atomic():
            user.delete()
    except ProtectedError:
        return False
    return True
