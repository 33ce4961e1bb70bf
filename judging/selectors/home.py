"""What the front door shows: the rounds, and the log-ins of a demo. The latter are public, and only those."""

from __future__ import annotations

from dataclasses import dataclass

from judging.crests import short_side
from wargame.models import Judge, Player, Round
from wargame.models.choices import RANKS, RoundState

DEMO_PASSWORD = "wargame-demo"


@dataclass(frozen=True)
class LogInGroup:
    """Accounts that may be tried, under one heading: (username, name, what they are)."""

    title: str
    side: str
    accounts: tuple[tuple[str, str, str], ...]


def all_rounds() -> list[Round]:
    """1.5: every round that has begun, the newest first."""
    return list(Round.objects.exclude(state=RoundState.SETUP).order_by("-created_at", "-pk"))


def demo_log_ins(round: Round | None) -> tuple[LogInGroup, ...]:
    """The judges' and the players' accounts of a demo round; nothing of any other round."""
    if round is None or not round.is_demo:
        return ()
    judges = Judge.objects.filter(round=round).select_related("user").order_by("role", "name")
    groups = [LogInGroup("Judges", "", tuple((j.user.username, j.name, j.get_role_display()) for j in judges))]
    order = {value: place for place, (value, _) in enumerate(RANKS)}
    players = sorted(
        Player.objects.filter(round=round).select_related("user"),
        key=lambda player: (player.side, order.get(player.rank, len(order)), player.name),
    )
    for side in sorted({player.side for player in players}):
        accounts = [
            (p.user.username, p.name, p.get_rank_display() or "no rank") for p in players if p.side == side
        ]
        groups.append(LogInGroup(short_side(side), side, tuple(accounts)))
    return tuple(group for group in groups if group.accounts)
