"""5.2: The control list: as the rules judge it, as everyone sees it, and changes of control."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Q
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.command.models import ControlRequest
from judging.command.people.absence import last_posts, open_declarations, present_leaves
from judging.common import locking
from judging.common.control import last_moment
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.positions import position_of
from judging.common.request_cache import request_cached
from judging.common.rounds import current_turn
from wargame.models import Army, Control, Player, RankChange, Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.command.control import RunOut, still_stands
from wargame.rules.command.control_list import ControlList, Listed, Person, by_default, is_present
from wargame.rules.command.faults import CommandFault
from wargame.rules.command.ranks import rank_title
from wargame.rules.command.screen_names import is_same_name
from wargame.rules.core import clock
from wargame.rules.core.faults import Finding, finding_from_json
from wargame.rules.core.position import Army as ArmyOnMap
from wargame.rules.core.sides import TEAMS, Rank, Side


@dataclass(frozen=True)
class ListState:
    """A side's list with its rows, by their names."""

    listed: ControlList
    players: dict[str, Player]
    armies: dict[str, Army]


@request_cached
def list_state(round: Round, side: Side, now: datetime) -> ListState:
    """5.2.1: The current list of a side."""
    players = list(players_of(round, side))
    armies = [army for army in _living(round) if army.side == side]
    controllers = controllers_now(round)
    control_list = ControlList(
        side=side,
        people=tuple(_people(round, players, now)),
        armies=tuple(
            Listed(army.name, Rank(army.rank), tuple(controllers.get(army.pk, ())), namesake_of(army, players))
            for army in armies
        ),
        may_ask=tuple(player.name for player in players if player.may_change_control),
    )
    return ListState(control_list, {player.name: player for player in players}, {army.name: army for army in armies})


@request_cached
def everybody_in(round: Round) -> list[Player]:
    """1.1: The players of both sides with their contingencies, including those who left, by name. Pages show both
    sides."""
    return list(Player.objects.filter(round=round).select_related("contingency").order_by("name"))


@request_cached
def _living(round: Round) -> list[Army]:
    return list(Army.objects.filter(round=round, died_in__isnull=True).order_by("name"))


@request_cached
def controllers_now(round: Round) -> dict[int, list[str]]:
    """5.2: The current controllers of each army, by its key: names, sorted."""
    controllers: dict[int, list[str]] = {}
    rows = Control.objects.filter(round=round, until__isnull=True).order_by("player__name")
    for army_id, name in rows.values_list("army_id", "player__name"):
        controllers.setdefault(army_id, []).append(name)
    return controllers


def players_of(round: Round, side: Side) -> Iterable[Player]:
    """1.1: the players of a side, without those who left, by rank and name."""
    rows = (player for player in everybody_in(round) if player.side == side and player.left_at is None)
    return sorted(rows, key=lambda player: (_tier(Rank(player.rank) if player.rank else None), player.name.casefold()))


def namesake_of(army: Army, players: Iterable[Player]) -> str:
    """5.2.1, 5.3.2: The player of its side after whom an army is named; empty for a proxy.

    Players who changed their screen name keep their army (1.6).
    """
    players = tuple(players)
    for player in players:
        if army.namesake_id == player.pk:
            return player.name
    return next((player.name for player in players if is_same_name(player.name, army.name)), "")


def present_players(round: Round, now: datetime) -> set[int]:
    """5.1, R43: The keys of the players of both teams who posted within a week, and are neither away nor declared
    so. Those of them who control an army are active."""
    players = list(Player.objects.filter(round=round, left_at__isnull=True))
    people = zip(players, _people(round, players, now), strict=True)
    return {player.pk for player, person in people if is_present(person, now)}


def _people(round: Round, players: Iterable[Player], now: datetime) -> Iterable[Person]:
    post_times, away = last_posts(round, now), present_leaves(round, now)
    declared = {row.player_id: row.at for row in open_declarations(round)}
    for player in players:
        yield Person(
            name=player.name,
            rank=Rank(player.rank) if player.rank else None,
            posted_at=post_times.get(player.pk),
            is_away=player.pk in away,
            declared_at=declared.get(player.pk),
            permits=player.permits_namesake,
            made_excess=player.made_excess,
            factions=tuple(player.factions),
        )


def _tier(rank: Rank | None) -> int:
    return rank.tier if rank else 7


@dataclass(frozen=True)
class StandingException:
    """5.2.2.2: A granted request that is still partly in force. `is_over`: its turn is over, so it should not be."""

    request: ControlRequest
    breaches: tuple[Finding, ...]
    is_over: bool


def run_out(round: Round, listed: ControlList, now: datetime) -> list[RunOut]:
    """5.2.2.2: Exceptions of a side that should have ended by now and have not."""
    exceptions = standing_exceptions(round, listed, now)
    return [
        RunOut(breach, each.request.runs_out_in or 0) for each in exceptions if each.is_over for breach in each.breaches
    ]


def standing_exceptions(round: Round, listed: ControlList, now: datetime) -> list[StandingException]:
    """5.2.2.2: The unresolved exceptions of a side, oldest first."""
    granted = [request for request in granted_requests(round) if request.side == listed.side]
    turn = current_turn(round) if granted else None
    present_names = _present_names(round) if granted else {}
    exceptions = []
    for request in granted:
        breaches = (_called_now(finding_from_json(CommandFault, data), present_names) for data in request.breaches)
        standing_breaches = tuple(breach for breach in breaches if still_stands(breach, listed, now))
        if standing_breaches:
            exceptions.append(StandingException(request, standing_breaches, is_over(request, turn, now)))
    return exceptions


@request_cached
def _present_names(round: Round) -> dict[str, dict[str, str]]:
    """1.6, 2.6: The current names of renamed players and armies, by their former ones."""
    armies = Army.objects.filter(round=round).exclude(former=[]).values_list("name", "former")
    return {
        "player": {old: player.name for player in everybody_in(round) for old, _ in player.former_names},
        "army": {old: name for name, former in armies for old in former},
    }


def _called_now(breach: Finding, present_names: dict[str, dict[str, str]]) -> Finding:
    """1.6: A breach that was stored with former names, with the current ones."""
    facts = {key: present_names.get(key, {}).get(name, name) for key, name in breach.facts.items() if key != "armies"}
    if "armies" in breach.facts:
        facts["armies"] = [present_names["army"].get(name, name) for name in breach.facts["armies"]]
    return Finding(breach.fault, facts)


def granted_requests(round: Round) -> list[ControlRequest]:
    """5.2.2.2: The exceptions of a round, oldest first."""
    return [request for request in requests_of(round) if request.state == ControlRequest.State.GRANTED]


@request_cached
def requests_of(round: Round) -> list[ControlRequest]:
    """5.2: All requests of a round, oldest first, without a check of the viewer."""
    rows = ControlRequest.objects.filter(round=round).order_by("pk")
    return list(rows.select_related("judge", "player"))


def is_over(request: ControlRequest, turn: Turn | None, now: datetime) -> bool:
    """5.2.2.2, R4: Whether the turn is over by whose lock the list had to be legal; the clock decides."""
    if turn is None or request.runs_out_in is None:
        return False
    is_locked = turn.number == request.runs_out_in and not clock.is_in_time(now, turn.lock_at)
    return turn.number > request.runs_out_in or is_locked


def overdue_exceptions(round: Round, now: datetime) -> Iterator[StandingException]:
    """5.2.2.2: The exceptions of both sides that have run out and are still in force."""
    if not granted_requests(round):
        return
    for side in TEAMS:
        control_list = list_state(round, side, now).listed
        yield from (each for each in standing_exceptions(round, control_list, now) if each.is_over)


@dataclass(frozen=True)
class ListedArmy:
    """5.2.1: An army on the list. `since` is when its current controller got it; `beside` are others who also have it.

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
    """5.2.1, 5.2.3: A player with their armies. `name` is their name at that time; `player` is the current row."""

    name: str
    player: Player
    title: str
    armies: tuple[ListedArmy, ...]
    contingency: str


@dataclass(frozen=True)
class SideList:
    """5.2.1: The list of one side. `nobody` are the uncontrolled armies; `exceptions` are those of 5.2.2.2."""

    side: Side
    holders: tuple[Holder, ...]
    nobody: tuple[ListedArmy, ...]
    may_ask: tuple[str, ...]
    exceptions: tuple[StandingException, ...]

    @property
    def number(self) -> int:
        return len({entry.army.name for holder in self.holders for entry in holder.armies}) + len(self.nobody)


@dataclass(frozen=True)
class ControlListView:
    """5.2.1: Both lists at a moment. `turn` is the turn of that moment; None before the first."""

    round: Round
    when: datetime
    turn: Turn | None
    is_present: bool
    sides: tuple[SideList, ...]


def control_lists(round: Round, when: datetime, now: datetime, search: str = "") -> ControlListView:
    """5.2.1: The lists as they were at a moment; the current ones, if it is not before now.

    `search` filters armies and players by a part of their names.
    """
    is_present = when >= now
    when = min(when, now)
    turn = turn_at(round, when)
    sides = tuple(_side(round, side, when, now, turn, is_present) for side in TEAMS) if turn else ()
    if key := search.casefold():
        sides = tuple(_matching(side, key) for side in sides)
    return ControlListView(round, when, turn, is_present, sides)


def _matching(side: SideList, key: str) -> SideList:
    """The part of a list whose names contain it: whole players, or single armies."""
    holders = []
    for holder in side.holders:
        armies = tuple(entry for entry in holder.armies if key in entry.army.name.casefold())
        if key in holder.name.casefold() or key in holder.player.name.casefold():
            holders.append(holder)
        elif armies:
            holders.append(replace(holder, armies=armies))
    nobody = tuple(entry for entry in side.nobody if key in entry.army.name.casefold())
    return replace(side, holders=tuple(holders), nobody=nobody)


def turn_at(round: Round, when: datetime) -> Turn | None:
    """3.1: The current turn at a moment; None before the first opened."""
    current = current_turn(round)
    if current is None or current.opened_at <= when:
        return current
    turns = Turn.objects.filter(round=round, opened_at__lte=when).select_related("round").defer("position", "events")
    return turns.order_by("-number").first()


def lock_moment(turn: Turn) -> datetime:
    """5.4.2, R13: The moment whose control counts for a turn."""
    return last_moment(turn.lock_at)


def _side(round: Round, side: Side, when: datetime, now: datetime, turn: Turn, is_present: bool) -> SideList:
    state = list_state(round, side, now)
    armies = [army for army in position_of(turn).armies if army.side is side]
    rows = _control(round, when)
    people = {row.player_id: row.player for row in rows if row.player.side == side}
    people |= {player.pk: player for player in state.players.values() if player.joined_at <= when}
    ranks = ranks_at(round, when, people.values())
    by_player = _armies_by_player(armies, rows, when)
    everybody = sorted(people.values(), key=lambda player: (_tier(ranks[player.pk]), player.name.casefold()))
    holders = tuple(
        Holder(
            name=player.name_at(when),
            player=player,
            title=rank_title(ranks[player.pk], side),
            armies=by_player.get(player.pk, ()),
            contingency=player.contingency.name if is_present and player.contingency else "",
        )
        for player in everybody
    )
    controlled = {entry.army.name for entries in by_player.values() for entry in entries}
    nobody = tuple(_free(army) for army in armies if army.name not in controlled)
    exceptions = tuple(standing_exceptions(round, state.listed, now)) if is_present else ()
    return SideList(side, holders, nobody, state.listed.may_ask if is_present else (), exceptions)


@request_cached
def _control(round: Round, when: datetime) -> list[Control]:
    rows = Control.objects.filter(Q(until__isnull=True) | Q(until__gt=when), round=round, since__lte=when)
    return list(rows.select_related("army", "player__contingency").order_by("army__name", "player__name"))


def _armies_by_player(
    armies: Iterable[ArmyOnMap], rows: Iterable[Control], when: datetime
) -> dict[int, tuple[ListedArmy, ...]]:
    """The armies that each player controlled, by the player's key. An army is found by any of its names (2.6)."""
    by_name: dict[str, list[Control]] = {}
    for row in rows:
        for name in (row.army.name, *row.army.former):
            by_name.setdefault(name, []).append(row)
    by_player: dict[int, list[ListedArmy]] = {}
    for army in armies:
        here = by_name.get(army.name, [])
        for row in here:
            co_controllers = tuple(other.player.name_at(when) for other in here if other.pk != row.pk)
            is_own = namesake_of(row.army, [row.player]) != ""
            entry = ListedArmy(army, row.since, co_controllers, is_own, army.captivity is not None)
            by_player.setdefault(row.player_id, []).append(entry)
    return {
        player: tuple(sorted(entries, key=lambda each: (not each.is_namesake, each.army.tier, each.army.name)))
        for player, entries in by_player.items()
    }


def _free(army: ArmyOnMap) -> ListedArmy:
    return ListedArmy(army, None, (), False, army.captivity is not None)


def ranks_at(round: Round, when: datetime, players: Iterable[Player]) -> dict[int, Rank | None]:
    """1.1: The players' ranks at a moment: the old rank of the first change after it, else the current one."""
    later = _ranks_before_changes(round, when)
    values = {player.pk: later.get(player.pk, player.rank) for player in players}
    return {pk: Rank(value) if value else None for pk, value in values.items()}


@request_cached
def _ranks_before_changes(round: Round, when: datetime) -> dict[int, str]:
    """1.1: The old rank of the first change after a moment, by the player's key."""
    rows = RankChange.objects.filter(player__round=round, at__gt=when).order_by("-pk")
    return dict(rows.values_list("player_id", "before"))


@dataclass(frozen=True)
class Span:
    """5.2: A period of a player's control of an army; None: still. `name` is their name at its start."""

    name: str
    player: Player
    army: Army
    since: datetime
    until: datetime | None


def history_of_army(round: Round, name: str) -> tuple[Army, tuple[Span, ...]] | None:
    """5.2: All controllers of an army, latest first; None if there is no such army."""
    armies = Army.objects.filter(round=round)
    army = armies.filter(name=name).first() or next((a for a in armies.exclude(former=[]) if name in a.former), None)
    if army is None:
        return None
    rows = Control.objects.filter(army=army).select_related("player", "army").order_by("-since", "player__name")
    return army, tuple(_span(row) for row in rows)


def armies_of_player(player: Player) -> tuple[Span, ...]:
    """5.2: All periods of control by a player, latest first."""
    rows = Control.objects.filter(player=player).select_related("army", "player")
    return tuple(_span(row) for row in rows.order_by("-since", "army__name"))


def _span(row: Control) -> Span:
    return Span(row.player.name_at(row.since), row.player, row.army, row.since, row.until)


@locking.writes
def assign(
    *,
    round: Round,
    army: Army,
    player: Player | None,
    now: datetime,
    replace: bool = True,
    actor: AbstractBaseUser | None = None,
) -> None:
    """5.2.1: Give an army to a player from now on, or to nobody if `player` is None. Without `replace` the current
    controllers keep it too.

    Without a change nothing is written or logged. Raises Refused for an army or a player of another round or side
    (1.1). Does not check 5.3: that is for requests (`request_writes`).
    """
    # Of two who change the same army at once the second closes the spans that the first has opened.
    army = locking.hold(Army.objects, pk=army.pk)
    if army.round_id != round.pk or (player and (player.round_id, player.side) != (round.pk, army.side)):
        raise Refused(
            gettext("In this round, only a player on its own side can control %(name)s.") % {"name": army.name},
            "1.1",
        )
    controllers = [player] if player else []
    if not replace:
        controllers += Player.objects.filter(controls__army=army, controls__until__isnull=True)
    if set_controllers(army, controllers, now):
        data = {"army": army.name, "player": player.name if player else None}
        record(round, actor, "control.assigned", data, now)


def set_controllers(army: Army, players: Sequence[Player], now: datetime) -> bool:
    """5.2.1: Make `players` the controllers of an army from now on; returns whether that changes anything.

    The row of a player who already controls it continues, so that their control counts from its beginning.
    """
    present = Control.objects.filter(army=army, until__isnull=True)
    ended = present.exclude(player__in=players).update(until=now)
    have = set(present.values_list("player_id", flat=True))
    new = {player.pk: player for player in players if player.pk not in have}
    Control.objects.bulk_create(
        Control(round_id=army.round_id, army=army, player=player, since=now) for player in new.values()
    )
    return bool(ended or new)


def hold_list(round: Round, now: datetime) -> Turn | None:
    """R44: The current turn, locked against its lock and against other changes of the list until the transaction ends.

    None before the round begins. Raises Refused if the turn is already locked while the clock still says that it is
    open, so that no change reaches a lock that has read the list; when the round is over, and in an archive.
    """
    locked_round = locking.hold(Round.objects, pk=round.pk)
    turn = locking.hold_first(Turn.objects.filter(round=round).order_by("-number").defer("position", "events"))
    if locked_round.state == RoundState.OVER:
        raise Refused(gettext("%(name)s is finished, so its control list can't change.") % {"name": round.name}, "1.5")
    if locked_round.state == RoundState.ARCHIVE:
        raise Refused(
            gettext("%(name)s is an archive of a round played elsewhere. Change its control list there.")
            % {"name": round.name},
            "1.5",
        )
    if turn and turn.state != TurnState.OPEN and clock.is_in_time(now, turn.lock_at):
        raise Refused(
            gettext("Turn %(number)s locked while you sent this. Send it again.") % {"number": turn.number}, "R44"
        )
    return turn


def enlist(round: Round, now: datetime) -> None:
    """5.2.1: An army that was never on the list is controlled by the player with the same name, if they may (5.3.1)."""
    for side in TEAMS:
        unlisted = Army.objects.filter(round=round, side=side.value, died_in__isnull=True, controls__isnull=True)
        players = list(players_of(round, side)) if unlisted.exists() else []
        people = list_state(round, side, now).listed.people if players else ()
        for army in unlisted:
            by_name = by_default(Listed(army.name, Rank(army.rank), (), namesake_of(army, players)), people)
            set_controllers(army, [player for player in players if player.name in by_name.controllers], now)


def tell_list(round: Round, kind: str, data: Mapping[str, object], now: datetime) -> None:
    """5.2.1: Post a notice in the Proxy List thread of the current turn; none before the first turn."""
    turn = Turn.objects.filter(round=round).order_by("-number").only("pk").first()
    if turn is not None:
        Notice.objects.create(turn=turn, thread=Notice.Thread.PROXY, kind=kind, at=now, data=dict(data))
