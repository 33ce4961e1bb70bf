"""What the front door shows: the rounds, and the log-ins of a demo. The latter are public, and only those."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User

from judging.drawing.crests import short_side
from wargame.models import Judge, Player, Round
from wargame.models.choices import RANKS, RoundState

DEMO_PASSWORD = "wargame-demo"
DEMO_GROUP = "demo"
"""The users that the demo made, and no others, are of this group."""


@dataclass(frozen=True)
class LogInGroup:
    """Accounts that may be tried, under one heading: (username, name, what they are)."""

    title: str
    side: str
    accounts: tuple[tuple[str, str, str], ...]


def all_rounds() -> list[Round]:
    """1.5: every round that has begun, the newest first."""
    begun = Round.objects.exclude(state__in=[RoundState.SETUP, RoundState.GIVEN_UP])
    return list(begun.order_by("-created_at", "-pk"))


def demo_log_ins(round: Round | None) -> tuple[LogInGroup, ...]:
    """The judges', the players' and the onlookers' accounts of a demo round; nothing of any other round."""
    if round is None or not round.is_demo:
        return ()
    judges = Judge.objects.filter(round=round).select_related("user").order_by("role", "name")
    groups = [LogInGroup("Judges", "", tuple((j.user.username, j.name, j.get_role_display()) for j in judges))]
    order = {value: place for place, (value, _) in enumerate(RANKS)}
    players = sorted(
        Player.objects.filter(round=round, left_at__isnull=True).select_related("user"),
        key=lambda player: (player.side, order.get(player.rank, len(order)), player.name),
    )
    for side in sorted({player.side for player in players}):
        accounts = [(p.user.username, p.name, p.get_rank_display() or "no rank") for p in players if p.side == side]
        groups.append(LogInGroup(short_side(side), side, tuple(accounts)))
    groups.append(LogInGroup("Onlookers", "", _onlookers()))
    return tuple(group for group in groups if group.accounts)


def is_demo_user(username: str) -> bool:
    """Whether the log-in is one that anybody may try."""
    return User.objects.filter(username=username, groups__name=DEMO_GROUP).exists()


def _onlookers() -> tuple[tuple[str, str, str], ...]:
    """The demo's people who neither play nor judge anywhere."""
    users = User.objects.filter(groups__name=DEMO_GROUP, is_active=True, is_staff=False)
    rows = users.exclude(pk__in=Player.objects.values("user")).exclude(pk__in=Judge.objects.values("user"))
    return tuple((user.username, user.first_name or user.username, "sees what the public sees") for user in rows)
