"""R46: the ends of votes: the points of each ballot are written down for good.

A vote is closed by the clock, and its result is known at once (`reads.count_of`). What is written here only keeps
it from changing when somebody comes back to a team, or is called something else, later.
"""

from __future__ import annotations

from datetime import datetime

from judging.game import locking
from judging.votes.models import Ballot, Vote
from judging.votes.reads import HELD_IN, open_at, seats_of


def count_closed(now: datetime) -> int:
    """R46: the votes that have closed get their points as they were at their last moment; how many there were."""
    rows = Vote.objects.filter(withdrawn_at__isnull=True, counted_at__isnull=True, round__state__in=HELD_IN)
    rows = rows.exclude(open_at(now))
    return sum(_count(pk, now) for pk in rows.values_list("pk", flat=True))


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
