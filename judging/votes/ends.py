"""R46: the ends of votes: those who are missing are reminded, and the points of each ballot are written down for good.

A vote is closed by the clock, and its result is known at once (`selectors.vote_rolls`). What is written here only keeps
it from changing when somebody comes back to a team, or is called something else, later.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.urls import reverse

from judging.game import locking
from judging.game.texts import utc
from judging.letters.models import Letter
from judging.letters.reads import has_mail
from judging.letters.writes import write_letter
from judging.votes.models import Ballot, Vote
from judging.votes.reads import HELD_IN, LAST_CALL, is_open, open_at, seats_of


def count_closed(now: datetime) -> int:
    """R46: the votes that have closed get their points as they were at their last moment; how many there were."""
    rows = Vote.objects.filter(withdrawn_at__isnull=True, counted_at__isnull=True, round__state__in=HELD_IN)
    rows = rows.exclude(open_at(now))
    return sum(_count(pk, now) for pk in rows.values_list("pk", flat=True))


def remind_missing(now: datetime) -> int:
    """R46: mails those who are missing in votes that close within 24 h, once a vote, where mail is set up; how many
    votes there were. Their pages remind them all the same."""
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
    if has_mail():
        _write(vote_id, now)
    return True


def _write(vote_id: int, now: datetime) -> None:
    """One letter each, so that nobody reads another's address."""
    vote = Vote.objects.select_related("round").prefetch_related("ballots__player__user").get(pk=vote_id)
    missing = [seat.ballot.player.user.email for seat in seats_of(vote, now) if seat.points and not seat.has_voted]
    if not is_open(vote, now):
        return
    link = settings.PUBLIC_URL.rstrip("/") + reverse("vote", args=[vote.round.slug, vote.pk])
    text = f"{vote.question}\n\nYou have not voted yet. The vote closes on {utc(vote.closes_at)} (R46):\n\n{link}\n"
    subject = f"{vote.round}: a vote waits for you"
    for address in sorted(filter(None, missing)):
        write_letter(to=address, kind=Letter.Kind.VOTE, now=now, subject=subject, body=text)
