"""1.4, R46: votes, and who may see which parts of them.

A vote of both teams is public, as it was in a public thread. One of a single team or faction is visible only to those
asked and to its caller: neither to the other team nor to the judges, the battle judge included.

Ballots are open, but not before one has voted: the choices are visible to those who have voted, and to everybody who
may see the vote once it is closed. Who has voted and who is missing is always visible.

1.4, R46: a vote in the rules' form: its terms, those asked with their points, and the count.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from judging.command.control.services import ranks_at
from judging.common.control import last_moment
from judging.common.request_cache import request_cached
from judging.common.viewer import Viewer
from judging.votes.models import Ballot, Vote
from wargame.models import Player, Round
from wargame.models.choices import RoundState
from wargame.rules.command.ranks import rank_title
from wargame.rules.command.votes import (
    Audience,
    CastBallot,
    Count,
    Terms,
    VoteKind,
    Voter,
    count,
    group_title,
    points_of,
    why_not,
)
from wargame.rules.core import clock
from wargame.rules.core.faults import Finding
from wargame.rules.core.sides import Rank, Side

HELD_IN = (RoundState.SETUP, RoundState.RUNNING, RoundState.OVER)
"""1.5: the states of a round in which votes run. Those of an archive run where it is played."""


@dataclass(frozen=True)
class AskedVoter:
    """R46: a player who was asked, in their current state, or as of the vote's close. `points` are 0 without a vote;
    `plays`: they had not left."""

    ballot: Ballot
    voter: Voter
    points: int
    plays: bool

    @property
    def has_voted(self) -> bool:
        """Whether their ballot is in, and counts."""
        return bool(self.points) and self.ballot.cast_at is not None


def is_open(vote: Vote, now: datetime) -> bool:
    """R46, R4: whether ballots are accepted; only the clock decides, not a job."""
    return vote.withdrawn_at is None and clock.is_in_time(now, vote.closes_at)


def open_at(now: datetime) -> Q:
    """R46, R4: the same for a query: votes close at the end of a whole minute."""
    return Q(withdrawn_at__isnull=True, closes_at__gt=now - clock.MINUTE)


def is_held_here(vote: Vote) -> bool:
    """1.5: whether its round is not an archive of one that is played elsewhere."""
    return vote.round.state in HELD_IN


def players_to_ask(round: Round) -> list[Player]:
    """1.4.1: the players of both teams, without those who left, by name."""
    rows = Player.objects.filter(round=round, left_at__isnull=True)
    return sorted(rows, key=lambda player: (player.side, player.name.casefold()))


def voter_of(player: Player) -> Voter:
    """1.4: a player in their current state."""
    return Voter(player.name, Side(player.side), Rank(player.rank) if player.rank else None, tuple(player.factions))


def terms_of(vote: Vote) -> Terms:
    """1.4: the terms of a vote, as called. Its chosen players are those of its ballots."""
    side = vote.audience.get("side", "")
    audience = Audience(
        side=Side(side) if side else None,
        groups=tuple(vote.audience.get("groups", ())),
        faction=vote.audience.get("faction", ""),
    )
    return Terms(VoteKind(vote.kind), audience, {int(group): points for group, points in vote.points.items()})


def seats_of(vote: Vote, now: datetime) -> tuple[AskedVoter, ...]:
    """R46: everybody who was asked, by team, rank and name. Until the vote closes by their current ranks; then by
    those of its last minute, whenever this is called."""
    ballots = list(vote.ballots.all())
    moment = min(now, last_moment(vote.closes_at))
    people = [ballot.player for ballot in ballots]
    is_past = moment < now and vote.counted_at is None
    ranks = ranks_at(vote.round, moment, people) if is_past else {p.pk: _rank(p.rank) for p in people}
    seats = [_seat(vote, ballot, ranks[ballot.player_id], moment) for ballot in ballots]
    return tuple(sorted(seats, key=lambda seat: (seat.voter.side, seat.voter.group, seat.voter.name.casefold())))


def count_of(vote: Vote, seats: Sequence[AskedVoter]) -> Count:
    """1.4: the current count of a vote."""
    return count(
        tuple(vote.options),
        [CastBallot(s.voter.name, s.points, s.ballot.choice, s.ballot.cast_at is not None) for s in seats],
    )


def _seat(vote: Vote, ballot: Ballot, rank: Rank | None, moment: datetime) -> AskedVoter:
    player = ballot.player
    if ballot.points is not None:
        rank = _rank(ballot.rank)
    voter = Voter(player.name_at(moment), Side(player.side), rank, tuple(player.factions))
    plays = player.joined_at <= moment and (player.left_at is None or player.left_at > moment)
    points = ballot.points
    if points is None:
        points = points_of(terms_of(vote), voter) if plays else 0
    return AskedVoter(ballot, voter, points, plays)


def _rank(value: str) -> Rank | None:
    return Rank(value) if value else None


LAST_CALL = timedelta(hours=24)
"""R46: how long before the end of a vote the missing players are reminded."""

CALLED_IN = (RoundState.SETUP, RoundState.RUNNING)
"""1.5: the states of a round in which votes can be called."""


@dataclass(frozen=True)
class VoterView:
    """R46: a player who was asked. `choice` is their vote, `abstains` if it is for none; None and False if they have
    not voted, or the viewer may not know yet."""

    name: str
    side: str
    title: str
    points: int
    has_voted: bool
    choice: str | None
    abstains: bool
    why_not: Finding | None
    is_self: bool


@dataclass(frozen=True)
class VoteView:
    """1.4: a vote as the viewer may see it. `count` is None while its ballots are hidden from them. `own` is their
    seat, if they were asked; `may_not` why they can't vote now."""

    row: Vote
    caller: str
    asked: str
    weights: str
    is_open: bool
    voters: tuple[VoterView, ...]
    count: Count | None
    own: AskedVoter | None
    may_not: Finding | None
    may_withdraw: bool

    @property
    def cites(self) -> str:
        """The rule of its kind."""
        return VoteKind(self.row.kind).cites

    @property
    def is_withdrawn(self) -> bool:
        return self.row.withdrawn_at is not None

    @property
    def number_voted(self) -> int:
        """The number of those who have voted, also if their choices are hidden."""
        return sum(voter.has_voted for voter in self.voters)

    @property
    def with_vote(self) -> tuple[VoterView, ...]:
        """The players of a round who have a vote."""
        return tuple(voter for voter in self.voters if voter.points)

    @property
    def missing(self) -> tuple[str, ...]:
        """R46: the names of those who have a vote but have not voted."""
        return tuple(voter.name for voter in self.with_vote if not voter.has_voted)

    @property
    def may_vote(self) -> bool:
        return self.is_open and self.own is not None and self.may_not is None and is_held_here(self.row)

    @property
    def own_choice(self) -> int | None:
        """The number of the option for which the viewer voted; None for an abstention, or not yet."""
        return self.own.ballot.choice if self.own else None


def votes_seen_by(viewer: Viewer) -> QuerySet[Vote]:
    """1.4.3: the votes of a round that the viewer may see, the latest first."""
    condition = Q(side="") | Q(judge__user_id=viewer.user_id or 0, judge__dismissed_at__isnull=True)
    if viewer.player is not None:
        ballots = Ballot.objects.filter(vote=OuterRef("pk"), player=viewer.player)
        condition |= Q(player=viewer.player) | Q(Exists(ballots))
    rows = Vote.objects.filter(condition, round=viewer.round).select_related("round", "player", "judge")
    return rows.prefetch_related("ballots__player").order_by("-closes_at", "-pk")


def open_votes(viewer: Viewer, now: datetime) -> list[VoteView]:
    """R46: the open votes, the one that closes first at the top."""
    return [view_of(row, viewer, now) for row in votes_seen_by(viewer).filter(open_at(now)).reverse()]


def closed_votes(viewer: Viewer, now: datetime) -> QuerySet[Vote]:
    """R46: the closed or withdrawn votes, the latest first; `view_of` shows one."""
    return votes_seen_by(viewer).exclude(open_at(now))


def vote_for(viewer: Viewer, vote_id: int, now: datetime) -> VoteView | None:
    """1.4: one vote; None if there is none in the round that the viewer may see."""
    row = votes_seen_by(viewer).filter(pk=vote_id).first()
    return view_of(row, viewer, now) if row else None


def view_of(row: Vote, viewer: Viewer, now: datetime) -> VoteView:
    """1.4: a vote out of `votes_seen_by`, as the viewer may see it now."""
    seats, opened = seats_of(row, now), is_open(row, now)
    own_seat = next((seat for seat in seats if viewer.player and seat.ballot.player_id == viewer.player.pk), None)
    is_shown = row.withdrawn_at is None and (not opened or (own_seat is not None and own_seat.has_voted))
    terms = terms_of(row)
    return VoteView(
        row=row,
        caller=_caller(row),
        asked=asked_words(row),
        weights=weight_words(row),
        is_open=opened,
        voters=tuple(_voter(row, seat, seat is own_seat, is_shown) for seat in seats),
        count=count_of(row, seats) if is_shown else None,
        own=own_seat,
        may_not=why_not(terms, own_seat.voter, plays=own_seat.plays) if own_seat else None,
        may_withdraw=opened and _is_caller(row, viewer) and all(s.ballot.cast_at is None for s in seats),
    )


def waiting_votes(viewer: Viewer, now: datetime, within: timedelta | None = None) -> list[Vote]:
    """R46: the open votes in which the viewer is missing, the one that closes first at the top; with `within`, only
    those that close within that time."""
    if viewer.player is None or viewer.round.state not in HELD_IN:
        return []
    rows = _without_his_ballot(viewer.player, now.replace(second=0, microsecond=0))
    votes = [row for row in rows if is_open(row, now) and (within is None or row.closes_at <= now + within)]
    voter = voter_of(viewer.player)
    return [row for row in votes if why_not(terms_of(row), voter) is None]


@request_cached
def _without_his_ballot(player: Player, minute: datetime) -> list[Vote]:
    """R46: the votes that are open at a whole minute and miss a player's ballot, by their ends. Within the minute
    some may close: the parts of a page query at slightly different times, and `is_open` has the last word."""
    rows = Vote.objects.filter(open_at(minute), ballots__player=player, ballots__cast_at__isnull=True)
    return list(rows.order_by("closes_at", "pk"))


def players_for_call(viewer: Viewer) -> list[Player]:
    """1.4: the players whom the viewer may ask; none if they may not call a vote."""
    return players_to_ask(viewer.round) if may_call(viewer) else []


def may_call(viewer: Viewer) -> bool:
    """1.4: whether the viewer may call votes at all: players and judges, until the round is over."""
    return (viewer.player is not None or bool(viewer.roles)) and viewer.round.state in CALLED_IN


def asked_words(vote: Vote) -> str:
    """1.4: the audience of a vote, in words."""
    if voters := VoteKind(vote.kind).rules.voters:
        return gettext(voters)
    audience = vote.audience
    parts = [gettext("chosen players") if audience.get("chosen") else gettext("players")]
    if groups := audience.get("groups"):
        parts.append(gettext("with the rank %(or)s") % {"or": _or(group_title(group) for group in groups)})
    if faction := audience.get("faction"):
        parts.append(gettext("of the %(faction)s faction") % {"faction": faction})
    if audience.get("side"):
        parts.append(gettext("of %(side)s") % {"side": Side(audience["side"]).title})
    return " ".join(parts) if len(parts) > 1 or audience.get("chosen") else gettext("all players")


def weight_words(vote: Vote) -> str:
    """1.4: the weights of the votes, in words."""
    if weights := VoteKind(vote.kind).rules.weights:
        return gettext(weights)
    said = [f"{group_title(int(group))} {points}" for group, points in sorted(vote.points.items())]
    return ", ".join([*said, gettext("everyone else 1")]) if said else gettext("1 for everyone")


def _voter(row: Vote, seat: AskedVoter, is_self: bool, is_shown: bool) -> VoterView:
    choice = seat.ballot.choice
    is_known = seat.has_voted and (is_shown or is_self)
    return VoterView(
        name=seat.voter.name,
        side=seat.voter.side.value,
        title=rank_title(seat.voter.rank, seat.voter.side),
        points=seat.points,
        has_voted=seat.has_voted,
        choice=row.options[choice] if is_known and choice is not None else None,
        abstains=is_known and choice is None,
        why_not=None if seat.points else why_not(terms_of(row), seat.voter, plays=seat.plays),
        is_self=is_self,
    )


def _caller(row: Vote) -> str:
    if row.player:
        return row.player.name_at(row.called_at)
    return f"{row.judge.name}, {row.judge.get_role_display()}" if row.judge else ""


def _is_caller(row: Vote, viewer: Viewer) -> bool:
    if row.judge is not None:
        return row.judge.user_id == viewer.user_id
    return viewer.player is not None and row.player_id == viewer.player.pk


def _or(items: Iterable[str]) -> str:
    *first, last = items
    return gettext("%(words)s or %(last)s") % {"words": ", ".join(first), "last": last} if first else last
