"""The current viewer of a round, and their roles."""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import F, FilteredRelation, Q, QuerySet

from judging.common.accounts import lacks_second_factor
from judging.common.judges import seats_of
from judging.common.request_cache import request_cached
from wargame.models import Judge, Player, Round
from wargame.models.choices import Role
from wargame.rules.core.sides import Side


@dataclass(frozen=True)
class Viewer:
    """A viewer of a round: `user_id` and `player` are None for the public, `roles` as in 1.3."""

    user_id: int | None
    round: Round
    player: Player | None = None
    roles: frozenset[str] = frozenset()

    @cached_property
    def side(self) -> Side | None:
        """1.1: the team of the viewer's player."""
        return Side(self.player.side) if self.player else None

    @property
    def seats(self) -> QuerySet[Judge]:
        """1.3: the viewer's judgeships of this round in the roles they have here, by role."""
        judges = Judge.objects.filter(round=self.round, user_id=self.user_id or 0, role__in=self.roles)
        return judges.order_by("role", "pk")

    def is_judge(self, role: str) -> bool:
        """1.3: whether the viewer holds that role here, as head or assistant."""
        return role in self.roles

    @property
    def may_play(self) -> bool:
        """1.3, 6: whether the viewer can be a player here: the battle judge and the mercenary judge can't."""
        return self.roles.isdisjoint((Role.BATTLE, Role.MERCENARY))


@request_cached
def viewer_of(user: AbstractBaseUser | AnonymousUser, round: Round) -> Viewer:
    """The user as a viewer of a round: their player, if they play and have not left, and their roles, if they
    judge.

    One statement for a player, with a row for each of their roles; one more for all seats of anybody else.
    """
    if not (user.is_authenticated and user.is_active):
        return Viewer(None, round)
    # A join knows nothing of the manager that leaves out judges who were dismissed.
    serves = Q(user__judgeships__round=round, user__judgeships__dismissed_at=None)
    seats = FilteredRelation("user__judgeships", condition=serves)
    rows = Player.objects.filter(round=round, user=user.pk, left_at=None).annotate(seat=seats, role=F("seat__role"))
    found = list(rows)
    if not found:
        return Viewer(user.pk, round, None, frozenset(s.role for s in seats_of(user) if s.round_id == round.pk))
    player, roles = found[0], frozenset(row.role for row in found if row.role)
    player.round, player.user = round, cast(User, user)
    if roles and lacks_second_factor(user):
        roles = frozenset()
    return Viewer(user.pk, round, player, roles)
