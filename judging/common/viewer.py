"""The current viewer of a round, and their roles."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import cast

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, Expression, QuerySet, Subquery
from django.utils import timezone

from judging.common import prepared
from judging.common.accounts import lacks_second_factor
from judging.common.judges import seats_of
from judging.common.request_cache import request_cached
from wargame.models import Judge, Player, Round
from wargame.models.choices import Role
from wargame.rules.core.sides import Side

Counted = Callable[[datetime], Mapping[str, Expression | Subquery]]

counted_with_players: dict[str, Counted] = {}
"""What rooms above count for a player at a moment, in the statement that finds him, as attributes of his row; by the
room."""


@dataclass(frozen=True)
class Viewer:
    """Somebody who looks at a round: `user_id` and `player` are None for the public, `roles` as in 1.3."""

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
        own = Judge.objects.filter(round=self.round, user_id=self.user_id or 0, role__in=self.roles)
        return own.order_by("role", "pk")

    def is_judge(self, role: str) -> bool:
        """1.3: whether the viewer holds that role here, as head or assistant."""
        return role in self.roles

    @property
    def may_play(self) -> bool:
        """1.3, 6: whether the viewer may be a player here: the battle judge and the mercenary judge may not."""
        return self.roles.isdisjoint((Role.BATTLE, Role.MERCENARY))


@request_cached
def viewer_of(user: AbstractBaseUser | AnonymousUser, round: Round, *, counts: bool = True) -> Viewer:
    """The user as a viewer of a round: his player, if he plays and has not left, and his roles, if he judges.

    One statement for a player, whose roles are asked for with him; one more for all seats of anybody else. What rooms
    count for a player takes the database longer than all the rest of it: who only writes goes without (`counts`), and
    a room that needs it after all counts by itself.
    """
    if not (user.is_authenticated and user.is_active):
        return Viewer(None, round)
    player = next(iter(_player(round.pk, user.pk, timezone.now() if counts else None)), None)
    if player is None:
        return Viewer(user.pk, round, None, frozenset(s.role for s in seats_of(user) if s.round_id == round.pk))
    player.round, player.user = round, cast(User, user)
    roles = frozenset(role for role in Role.values if getattr(player, f"is_judge_{role}"))
    if roles and lacks_second_factor(user):
        roles = frozenset()
    return Viewer(user.pk, round, player, roles)


@prepared.statement
def _player(round: int, user: int, now: datetime | None) -> QuerySet[Player]:
    """`now`: when what is counted for him is counted; None: nothing is."""
    judges = Judge.objects.filter(round=round, user_id=user)
    asked = {f"is_judge_{role}": Exists(judges.filter(role=role)) for role in Role.values}
    counting = [count(now) for count in counted_with_players.values()] if now else []
    counted = {name: each for found in counting for name, each in found.items()}
    here = Player.objects.filter(round=round, user_id=user, left_at__isnull=True)
    return here.annotate(**asked, **counted)
