"""5.2: a side's control list as the rules judge it: its players, its living armies, and who controls them now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from judging.command.models import Declaration
from judging.command.people.activity import last_posts, present_leaves
from wargame.models import Army, Control, Player, Round
from wargame.rules.command.control_list import ControlList, Listed, Person
from wargame.rules.command.screen_names import is_same_name
from wargame.rules.core.sides import Rank, Side


@dataclass(frozen=True)
class ListState:
    """A side's list with the rows that it is of, by their names."""

    listed: ControlList
    players: dict[str, Player]
    armies: dict[str, Army]


def list_state(round: Round, side: Side, now: datetime) -> ListState:
    """5.2.1: the list of a side as it is now."""
    players = list(players_of(round, side))
    armies = list(Army.objects.filter(round=round, side=side.value, died_in__isnull=True).order_by("name"))
    controllers: dict[int, list[str]] = {}
    rows = Control.objects.filter(round=round, until__isnull=True, army__in=armies).order_by("player__name")
    for army_id, name in rows.values_list("army_id", "player__name"):
        controllers.setdefault(army_id, []).append(name)
    listed = ControlList(
        side=side,
        people=tuple(_people(round, players, now)),
        armies=tuple(
            Listed(army.name, Rank(army.rank), tuple(controllers.get(army.pk, ())), namesake_of(army, players))
            for army in armies
        ),
        may_ask=tuple(player.name for player in players if player.may_change_control),
    )
    return ListState(listed, {player.name: player for player in players}, {army.name: army for army in armies})


def players_of(round: Round, side: Side) -> Iterable[Player]:
    """1.1: the players of a side, without those who left, by rank and name."""
    rows = Player.objects.filter(round=round, side=side.value, left_at__isnull=True).select_related("contingency")
    return sorted(rows, key=lambda player: (_tier(player.rank), player.name.casefold()))


def namesake_of(army: Army, players: Iterable[Player]) -> str:
    """5.2.1, 5.3.2: the player of its side after whom an army is called; empty for a proxy.

    Who has changed his screen name keeps his army (1.6).
    """
    players = tuple(players)
    for player in players:
        if army.namesake_id == player.pk:
            return player.name
    return next((player.name for player in players if is_same_name(player.name, army.name)), "")


def _people(round: Round, players: Iterable[Player], now: datetime) -> Iterable[Person]:
    posted, away = last_posts(round, now), present_leaves(round, now)
    open_ones = Declaration.objects.filter(player__round=round, withdrawn_at__isnull=True, rejected_at__isnull=True)
    declared = dict(open_ones.values_list("player_id", "at"))
    for player in players:
        yield Person(
            name=player.name,
            rank=Rank(player.rank) if player.rank else None,
            posted_at=posted.get(player.pk),
            is_away=player.pk in away,
            declared_at=declared.get(player.pk),
            permits=player.permits_namesake,
            made_excess=player.made_excess,
            factions=tuple(player.factions),
        )


def _tier(rank: str) -> int:
    return Rank(rank).tier if rank else 7
