"""1.4, R46: a vote as the rules have it: its terms, those who were asked with their points, and the count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from judging.models import Ballot, Vote
from judging.selectors.command import ranks_at
from judging.selectors.control import last_moment
from wargame.models import Player, Round
from wargame.models.choices import RoundState
from wargame.rules.command.votes import Audience, Cast, Count, Terms, VoteKind, Voter, count, points_of
from wargame.rules.core import clock
from wargame.rules.core.sides import Rank, Side

HELD_IN = (RoundState.SETUP, RoundState.RUNNING, RoundState.OVER)
"""1.5: the states of a round in which votes go on. Those of an archive go on where it is played."""


@dataclass(frozen=True)
class Seat:
    """R46: somebody who was asked, as he is now, or was when the vote closed. `points` are 0 without a vote any more;
    `plays`: he had not left."""

    ballot: Ballot
    voter: Voter
    points: int
    plays: bool

    @property
    def has_voted(self) -> bool:
        """His ballot is in, and counts."""
        return bool(self.points) and self.ballot.cast_at is not None


def is_open(vote: Vote, now: datetime) -> bool:
    """R46, R4: whether ballots are taken; the clock says so, and no job."""
    return vote.withdrawn_at is None and clock.is_in_time(now, vote.closes_at)


def open_at(now: datetime) -> Q:
    """R46, R4: the same for a query: votes close with a whole minute, which is in."""
    return Q(withdrawn_at__isnull=True, closes_at__gt=now - clock.MINUTE)


def is_held_here(vote: Vote) -> bool:
    """1.5: whether its round is not an archive of one that is played elsewhere."""
    return vote.round.state in HELD_IN


def players_to_ask(round: Round) -> list[Player]:
    """1.4.1: the players of both teams, without those who left, by name."""
    rows = Player.objects.filter(round=round, left_at__isnull=True)
    return sorted(rows, key=lambda player: (player.side, player.name.casefold()))


def voter_of(player: Player) -> Voter:
    """1.4: a player as he is now."""
    return Voter(player.name, Side(player.side), Rank(player.rank) if player.rank else None, tuple(player.factions))


def terms_of(vote: Vote) -> Terms:
    """1.4: how a vote is held, as it was called. Its chosen players are those of its ballots."""
    side = vote.audience.get("side", "")
    audience = Audience(
        side=Side(side) if side else None,
        groups=tuple(vote.audience.get("groups", ())),
        faction=vote.audience.get("faction", ""),
    )
    return Terms(VoteKind(vote.kind), audience, {int(group): points for group, points in vote.points.items()})


def seats_of(vote: Vote, now: datetime) -> tuple[Seat, ...]:
    """R46: everybody who was asked, by team, rank and name. Until the vote closes by their present ranks; then by those
    that they had at its last moment, whenever this is asked."""
    ballots = list(vote.ballots.all())
    moment = min(now, last_moment(vote.closes_at))
    people = [ballot.player for ballot in ballots]
    is_past = moment < now and vote.counted_at is None
    ranks = ranks_at(vote.round, moment, people) if is_past else {p.pk: _rank(p.rank) for p in people}
    seats = [_seat(vote, ballot, ranks[ballot.player_id], moment) for ballot in ballots]
    return tuple(sorted(seats, key=lambda seat: (seat.voter.side, seat.voter.group, seat.voter.name.casefold())))


def count_of(vote: Vote, seats: Sequence[Seat]) -> Count:
    """1.4: the count of a vote as it stands."""
    return count(
        tuple(vote.options),
        [Cast(s.voter.name, s.points, s.ballot.choice, s.ballot.cast_at is not None) for s in seats],
    )


def _seat(vote: Vote, ballot: Ballot, rank: Rank | None, moment: datetime) -> Seat:
    player = ballot.player
    if ballot.points is not None:
        rank = _rank(ballot.rank)
    voter = Voter(player.name_at(moment), Side(player.side), rank, tuple(player.factions))
    plays = player.joined_at <= moment and (player.left_at is None or player.left_at > moment)
    points = ballot.points
    if points is None:
        points = points_of(terms_of(vote), voter) if plays else 0
    return Seat(ballot, voter, points, plays)


def _rank(value: str) -> Rank | None:
    return Rank(value) if value else None
