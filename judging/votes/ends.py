"""R46: the ends of votes: those who are missing are reminded, and the points of each ballot are written down for good.

A vote is closed by the clock, and its result is known at once (`reads.count_of`). What is written here only keeps
it from changing when somebody comes back to a team, or is called something else, later.
"""

from __future__ import annotations

from datetime import datetime

from judging.game import locking
from judging.game.telling import News, NewsKind, tell
from judging.votes.models import Ballot, Vote
from judging.votes.reads import HELD_IN, LAST_CALL, is_open, open_at, seats_of
from wargame.rules.core import clock


def count_closed(now: datetime) -> int:
    """R46: the votes that have closed get their points as they were at their last moment; how many there were."""
    rows = Vote.objects.filter(withdrawn_at__isnull=True, counted_at__isnull=True, round__state__in=HELD_IN)
    rows = rows.exclude(open_at(now))
    return sum(_count(pk, now) for pk in rows.values_list("pk", flat=True))


def remind_missing(now: datetime) -> int:
    """R46: tells those who are missing in votes that close within 24 h, once a vote; how many votes there were. Their
    pages remind them all the same."""
    rows = Vote.objects.filter(open_at(now), reminded_at__isnull=True, round__state__in=HELD_IN)
    rows = rows.filter(closes_at__lte=now + LAST_CALL)
    return sum(_remind(pk, now) for pk in rows.values_list("pk", flat=True))


@locking.writes
def _count(vote_id: int, now: datetime) -> bool:
    """The update claims the vote, so that it is done once."""
    vote = Vote.objects.select_related("round").prefetch_related("ballots__player").get(pk=vote_id)
    seats = seats_of(vote, now)
    if not Vote.objects.filter(pk=vote_id, counted_at__isnull=True).update(counted_at=now):
        return False
    for seat in seats:
        seat.ballot.rank = seat.voter.rank.value if seat.voter.rank else ""
        seat.ballot.points = seat.points
    Ballot.objects.bulk_update([seat.ballot for seat in seats], ["rank", "points"])
    return True


@locking.writes
def _remind(vote_id: int, now: datetime) -> bool:
    if not Vote.objects.filter(pk=vote_id, reminded_at__isnull=True).update(reminded_at=now):
        return False
    vote = Vote.objects.select_related("round").prefetch_related("ballots__player").get(pk=vote_id)
    tell(closing_news(vote, now), now)
    return True


def closing_news(vote: Vote, now: datetime) -> list[News]:
    """R46: what those who are missing in a vote are told in its last day, as they want to hear of it."""
    if not is_open(vote, now):
        return []
    data = {"vote": vote.pk, "side": vote.side, "question": vote.question, "closes": vote.closes_at.isoformat()}
    due, key = clock.closes(vote.closes_at), f"vote-{vote.pk}"
    users = [seat.ballot.player.user_id for seat in seats_of(vote, now) if seat.points and not seat.has_voted]
    return [News(user, NewsKind.VOTE_CLOSING, key, now, vote.round_id, None, data, due) for user in users]
