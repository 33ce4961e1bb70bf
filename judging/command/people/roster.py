"""1.1, 5.1: The players of both teams: ranks, activity, absences, and requests for admission."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median_high as median

from django.utils.translation import gettext

from judging.accounts.bans import is_deleted
from judging.command.control.services import ListState, Span, armies_of_player, everybody_in, list_state, players_of
from judging.command.models import Admission, Declaration, Leave, NameChange
from judging.command.people.absence import last_posts, open_declarations, present_leaves
from judging.common.control import is_leader
from judging.common.request_cache import request_cached
from judging.common.viewer import Viewer
from wargame.models import Judge, Player, RankChange, Round
from wargame.models.choices import Role
from wargame.rules.armies.numbers import most_of
from wargame.rules.command.control_list import is_active
from wargame.rules.command.last_armies import without_army
from wargame.rules.command.ranks import free_seats, rank_title
from wargame.rules.core.sides import RANKS, TEAMS, Rank, Side

NO_RANK = "none"
"""1.1.1, 1.1.2: The form's value for a Drudge or a Cadet; an empty value means no choice."""


@dataclass(frozen=True)
class Member:
    """1.1, 5.1: A player in the list of their team. `needs_army`: they must get one (5.3.4)."""

    player: Player
    title: str
    armies: int
    posted_at: datetime | None
    is_active: bool
    leave: Leave | None
    declaration: Declaration | None
    needs_army: bool


@dataclass(frozen=True)
class RankSeats:
    """2.5.2.1: How many players hold a rank, and how many may; `most` is None if there is no limit."""

    title: str
    held: int
    most: int | None

    @property
    def is_full(self) -> bool:
        return self.most is not None and self.held >= self.most


@dataclass(frozen=True)
class Team:
    """1.1: A team with its players, the seats of its ranks, and its requests for admission."""

    side: Side
    members: tuple[Member, ...]
    seats: tuple[RankSeats, ...]
    asking: tuple[Admission, ...]
    left: tuple[Player, ...]

    @property
    def leaders(self) -> tuple[Member, ...]:
        """1.1.1, 1.1.2: The players who decide for the team. While it has none, the battle judge does."""
        return tuple(member for member in self.members if is_leader(member.player))


@dataclass(frozen=True)
class RankChoice:
    """1.1: A rank that can be given; `is_full`: the maximum number of players hold it (2.5.2.1). `is_first`: the
    default for a newcomer: the lowest with which a player controls armies."""

    value: str
    title: str
    is_full: bool
    is_first: bool = False


@dataclass(frozen=True)
class PlayerView:
    """1.1: The public facts about a player. `contingency_of` are those whose contingency they are (5.2.3)."""

    member: Member
    side: Side
    former: tuple[tuple[str, datetime], ...]
    ranks: tuple[RankChange, ...]
    spans: tuple[Span, ...]
    leaves: tuple[Leave, ...]
    declarations: tuple[Declaration, ...]
    contingency_of: tuple[str, ...]


def teams(round: Round, now: datetime) -> tuple[Team, ...]:
    """1.1: both teams, for everybody."""
    asking = sorted(open_admissions(round), key=lambda admission: admission.asked_at)
    former_players = [player for player in everybody_in(round) if player.left_at is not None]
    return tuple(
        Team(
            side=side,
            members=_members(round, list_state(round, side, now), now),
            seats=_seats(list_state(round, side, now)),
            asking=tuple(admission for admission in asking if admission.side == side),
            left=tuple(player for player in former_players if player.side == side),
        )
        for side in TEAMS
    )


def player_view(round: Round, name: str, now: datetime) -> PlayerView | None:
    """1.1, 1.6: A player by their current or a former name; None if there is none. Includes players who left; one
    whose account is deleted is found by their last name alone."""
    players = Player.objects.filter(round=round).select_related("contingency", "user__account")
    player = players.filter(name=name).first() or next(
        (p for p in players.exclude(former_names=[]) if name in (old for old, _ in _former_names(p))), None
    )
    if player is None:
        return None
    side = Side(player.side)
    members = {m.player.pk: m for m in _members(round, list_state(round, side, now), now)}
    former_member = Member(
        player, gettext("has left"), 0, last_posts(round, now).get(player.pk), False, None, None, False
    )
    member = members.get(player.pk, former_member)
    member.player.user = player.user  # with his account, which the page asks whether he may be found
    return PlayerView(
        member=member,
        side=side,
        former=_former_names(player),
        ranks=tuple(player.rank_changes.order_by("-pk")),
        spans=armies_of_player(player),
        leaves=tuple(player.leaves.order_by("-since")),
        declarations=tuple(player.declarations.select_related("by", "rejected_by").order_by("-pk")),
        contingency_of=tuple(player.contingency_of.order_by("name").values_list("name", flat=True)),
    )


def _former_names(player: Player) -> tuple[tuple[str, datetime], ...]:
    """1.6: A player's former names, last one first; none if their account is deleted."""
    if not player.former_names or is_deleted(player.user):
        return ()
    return tuple((old, datetime.fromisoformat(until)) for old, until in reversed(player.former_names))


def rank_choices(round: Round, side: Side, now: datetime) -> tuple[RankChoice, ...]:
    """1.1, 2.5.2.1: The ranks of a side, and which are full; Drudge or Cadet last."""
    control_list = list_state(round, side, now).listed
    is_full = {rank: free_seats(control_list, rank) == 0 for rank in RANKS[side]}
    first = next((rank for rank in reversed(RANKS[side]) if not is_full[rank]), None)
    choices = tuple(RankChoice(rank.value, rank.title, is_full[rank], rank is first) for rank in RANKS[side])
    return (*choices, RankChoice(NO_RANK, rank_title(None, side), False))


def has_leader(round: Round, side: str) -> bool:
    """1.1.1, 1.1.2: Whether a team has anybody who could decide for it; else the battle judge does."""
    return any(is_leader(player) for player in players_of(round, Side(side)))


@request_cached
def open_admissions(round: Round) -> list[Admission]:
    """1.1: The undecided requests for admission, oldest first."""
    return list(Admission.objects.filter(round=round, state=Admission.State.ASKED).order_by("pk"))


def leads(viewer: Viewer, side: str) -> bool:
    """1.1.1, 1.1.2: whether the viewer is one of the three leaders of a side."""
    return viewer.player is not None and viewer.player.side == side and is_leader(viewer.player)


def admissions_for(viewer: Viewer) -> list[Admission]:
    """1.1: Requests for admission: a leader sees all of their team's, a battle judge all, everybody else their own.

    The open ones first, then the latest decided ones.
    """
    rows = Admission.objects.filter(round=viewer.round).select_related("user", "player")
    if not viewer.is_judge(Role.BATTLE):
        player = viewer.player
        if player is not None and is_leader(player):
            rows = rows.filter(side=player.side)
        else:
            rows = rows.filter(user_id=viewer.user_id or 0)
    return sorted(rows, key=lambda row: (row.state != Admission.State.ASKED, -row.pk))


def own_admission(viewer: Viewer) -> Admission | None:
    """1.1: the viewer's own latest request for admission."""
    rows = Admission.objects.filter(round=viewer.round, user_id=viewer.user_id or 0)
    return rows.order_by("-pk").first()


LATEST_ANSWERS, FEWEST_ANSWERS = 12, 3
"""1.1: How many of the latest answers the usual wait is based on, and the minimum for stating it."""


def usual_wait(round: Round) -> timedelta | None:
    """1.1: The median time of the latest answers to requests for admission; None if there are too few."""
    rows = Admission.objects.filter(round=round, state__in=[Admission.State.ACCEPTED, Admission.State.REFUSED])
    answered = rows.filter(decided_at__isnull=False).order_by("-decided_at")
    latest = answered.values_list("decided_at", "asked_at")[:LATEST_ANSWERS]
    waits = [decided_at - asked_at for decided_at, asked_at in latest if decided_at is not None]
    return median(waits) if len(waits) >= FEWEST_ANSWERS else None


def overrulable(player: Player, judge: Judge) -> Admission | None:
    """1.1, 1.3: The admission by which an assistant of the judge's took a player into their team; None if only the
    team did."""
    return next(iter(overrulable_of([player], judge)), None)


def overrulable_of(players: Iterable[Player], judge: Judge) -> list[Admission]:
    """1.1, 1.3: `overrulable` for players of the judge's round, in their order, with two queries for all of them."""
    players = list(players)
    rows = Admission.objects.filter(player__in=players, state=Admission.State.ACCEPTED).select_related("player")
    last = {row.player_id: row for row in rows.order_by("pk")}
    assistants = Judge.everybody.filter(round=judge.round_id, role=Role.BATTLE).exclude(user=judge.user_id)
    names = set(assistants.values_list("name", flat=True))
    admissions = (last[player.pk] for player in players if player.pk in last)
    return [admission for admission in admissions if admission.decided_by in names]


def own_name_changes(player: Player) -> list[NameChange]:
    """1.6: A player's requests for another name, latest first."""
    return list(player.name_changes.select_related("judge").order_by("-pk"))


def _members(round: Round, state: ListState, now: datetime) -> tuple[Member, ...]:
    post_times, leaves = last_posts(round, now), present_leaves(round, now)
    declared = _declarations(round, post_times)
    needs = without_army(state.listed, now)
    return tuple(
        Member(
            player=player,
            title=rank_title(Rank(player.rank) if player.rank else None, state.listed.side),
            armies=len(state.listed.held[name]),
            posted_at=post_times.get(player.pk),
            is_active=is_active(state.listed, name, now),
            leave=leaves.get(player.pk),
            declaration=declared.get(player.pk),
            needs_army=name in needs,
        )
        for name, player in state.players.items()
    )


def _declarations(round: Round, post_times: Mapping[int, datetime]) -> dict[int, Declaration]:
    """5.1: The declarations that count: not withdrawn, not rejected, and no post since."""
    by_player = {row.player_id: row for row in open_declarations(round)}
    return {pk: row for pk, row in by_player.items() if pk not in post_times or row.at >= post_times[pk]}


def _seats(state: ListState) -> tuple[RankSeats, ...]:
    ranks, side = [player.rank for player in state.players.values()], state.listed.side
    seats = (RankSeats(rank.title, ranks.count(rank.value), most_of(rank)) for rank in RANKS[side])
    return (*seats, RankSeats(rank_title(None, side), ranks.count(""), None))
