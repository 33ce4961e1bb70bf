"""5.2.1: the public control list: who controls what since when, at present or at any past moment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q

from judging.command.control.exceptions import StandingException, standing_exceptions
from judging.command.control.state import list_state, namesake_of
from judging.game.control import last_moment
from judging.turns.positions import position_of
from wargame.models import Army, Control, Player, RankChange, Round, Turn
from wargame.rules.command.ranks import rank_title
from wargame.rules.core.position import Army as ArmyOnMap
from wargame.rules.core.sides import Rank, Side

TEAMS = (Side.COALITION, Side.PHYREXIA)


@dataclass(frozen=True)
class ListedArmy:
    """5.2.1: an army on the list. `since` is when its present controller got it; `beside` are others who have it too.

    `is_namesake`: it has its controller's name (5.3.2); `is_captive`: it was captured (4.5).
    """

    army: ArmyOnMap
    since: datetime | None
    beside: tuple[str, ...]
    is_namesake: bool
    is_captive: bool

    @property
    def rank(self) -> str:
        """Empty for an army that has none."""
        return self.army.rank.value if self.army.rank else ""


@dataclass(frozen=True)
class Holder:
    """5.2.1, 5.2.3: a player with what he controls. `name` is what he was called then; `player` as he is now."""

    name: str
    player: Player
    title: str
    armies: tuple[ListedArmy, ...]
    contingency: str


@dataclass(frozen=True)
class SideList:
    """5.2.1: the list of one side. `nobody` are the armies that nobody controls; `exceptions` are those of 5.2.2.2."""

    side: Side
    holders: tuple[Holder, ...]
    nobody: tuple[ListedArmy, ...]
    may_ask: tuple[str, ...]
    exceptions: tuple[StandingException, ...]

    @property
    def number(self) -> int:
        """How many armies the side has."""
        return len({listed.army.name for holder in self.holders for listed in holder.armies}) + len(self.nobody)


@dataclass(frozen=True)
class ControlListView:
    """5.2.1: both lists at a moment. `turn` is the turn in which it lies; None before the first."""

    round: Round
    when: datetime
    turn: Turn | None
    is_present: bool
    sides: tuple[SideList, ...]


def control_lists(round: Round, when: datetime, now: datetime, search: str = "") -> ControlListView:
    """5.2.1: the lists as they were at a moment; those of the present, if it is not before now.

    With `search`, of the armies and players with that in their names only.
    """
    is_present = when >= now
    when = min(when, now)
    turn = turn_at(round, when)
    sides = tuple(_side(round, side, when, now, turn, is_present) for side in TEAMS) if turn else ()
    if key := search.casefold():
        sides = tuple(_found(side, key) for side in sides)
    return ControlListView(round, when, turn, is_present, sides)


def _found(side: SideList, key: str) -> SideList:
    """What of a list has that in its names: whole players, or single armies."""
    holders = []
    for holder in side.holders:
        armies = tuple(listed for listed in holder.armies if key in listed.army.name.casefold())
        if key in holder.name.casefold() or key in holder.player.name.casefold():
            holders.append(holder)
        elif armies:
            holders.append(replace(holder, armies=armies))
    nobody = tuple(listed for listed in side.nobody if key in listed.army.name.casefold())
    return replace(side, holders=tuple(holders), nobody=nobody)


def turn_at(round: Round, when: datetime) -> Turn | None:
    """3.1: the turn that was the present one at a moment; None before the first opened."""
    turns = Turn.objects.filter(round=round, opened_at__lte=when).select_related("round").defer("position", "events")
    return turns.order_by("-number").first()


def lock_moment(turn: Turn) -> datetime:
    """5.4.2, R13: the moment at which control is read for a turn."""
    return last_moment(turn.lock_at)


def _side(round: Round, side: Side, when: datetime, now: datetime, turn: Turn, is_present: bool) -> SideList:
    state = list_state(round, side, now)
    armies = [army for army in position_of(turn).armies if army.side is side]
    rows = _control(round, when)
    people = {row.player_id: row.player for row in rows if row.player.side == side}
    people |= {player.pk: player for player in state.players.values() if player.joined_at <= when}
    ranks = ranks_at(round, when, people.values())
    held = _held(armies, rows, when)
    everybody = sorted(people.values(), key=lambda player: (_tier(ranks[player.pk]), player.name.casefold()))
    holders = tuple(
        Holder(
            name=player.name_at(when),
            player=player,
            title=rank_title(ranks[player.pk], side),
            armies=held.get(player.pk, ()),
            contingency=player.contingency.name if is_present and player.contingency else "",
        )
        for player in everybody
    )
    controlled = {listed.army.name for mine in held.values() for listed in mine}
    nobody = tuple(_free(army) for army in armies if army.name not in controlled)
    exceptions = tuple(standing_exceptions(round, state.listed, now)) if is_present else ()
    return SideList(side, holders, nobody, state.listed.may_ask if is_present else (), exceptions)


def _control(round: Round, when: datetime) -> list[Control]:
    rows = Control.objects.filter(Q(until__isnull=True) | Q(until__gt=when), round=round, since__lte=when)
    return list(rows.select_related("army", "player__contingency").order_by("army__name", "player__name"))


def _held(armies: Iterable[ArmyOnMap], rows: Iterable[Control], when: datetime) -> dict[int, tuple[ListedArmy, ...]]:
    """What each player controlled, by his key. An army is found by any of its names (2.6)."""
    by_name: dict[str, list[Control]] = {}
    for row in rows:
        for name in (row.army.name, *row.army.former):
            by_name.setdefault(name, []).append(row)
    found: dict[int, list[ListedArmy]] = {}
    for army in armies:
        here = by_name.get(army.name, [])
        for row in here:
            beside = tuple(other.player.name_at(when) for other in here if other.pk != row.pk)
            is_own = namesake_of(row.army, [row.player]) != ""
            listed = ListedArmy(army, row.since, beside, is_own, army.captivity is not None)
            found.setdefault(row.player_id, []).append(listed)
    return {
        player: tuple(sorted(mine, key=lambda each: (not each.is_namesake, each.army.tier, each.army.name)))
        for player, mine in found.items()
    }


def _free(army: ArmyOnMap) -> ListedArmy:
    return ListedArmy(army, None, (), False, army.captivity is not None)


def ranks_at(round: Round, when: datetime, players: Iterable[Player]) -> dict[int, Rank | None]:
    """1.1: the ranks that players had at a moment: what the first change after it changed, else the present one."""
    later: dict[int, str] = {}
    for change in RankChange.objects.filter(player__round=round, at__gt=when).order_by("-pk"):
        later[change.player_id] = change.before
    values = {player.pk: later.get(player.pk, player.rank) for player in players}
    return {pk: Rank(value) if value else None for pk, value in values.items()}


def _tier(rank: Rank | None) -> int:
    return rank.tier if rank else 7


@dataclass(frozen=True)
class Span:
    """5.2: somebody controlled an army from then until then; None: still. `name` is what he was called at its start."""

    name: str
    player: Player
    army: Army
    since: datetime
    until: datetime | None


def history_of_army(round: Round, name: str) -> tuple[Army, tuple[Span, ...]] | None:
    """5.2: everybody who has controlled an army, the latest first; None if there is no such army."""
    armies = Army.objects.filter(round=round)
    army = armies.filter(name=name).first() or next((a for a in armies.exclude(former=[]) if name in a.former), None)
    if army is None:
        return None
    rows = Control.objects.filter(army=army).select_related("player", "army").order_by("-since", "player__name")
    return army, tuple(_span(row) for row in rows)


def armies_of_player(player: Player) -> tuple[Span, ...]:
    """5.2: everything that a player has controlled, the latest first."""
    rows = Control.objects.filter(player=player).select_related("army", "player")
    return tuple(_span(row) for row in rows.order_by("-since", "army__name"))


def _span(row: Control) -> Span:
    return Span(row.player.name_at(row.since), row.player, row.army, row.since, row.until)
