"""Votes for the tests: called and cast through the services."""

from datetime import datetime, timedelta
from typing import Any

from judging.common.viewer import viewer_of
from judging.votes.models import Ballot, Vote
from judging.votes.queries import VoteView, vote_for
from judging.votes.services import Call, call_vote, cast_ballot
from tests.services.world_of_tests import HOUR, UNLOCK, World, token
from wargame.models import Judge, Player
from wargame.rules.command.votes import Audience, Terms, VoteKind

CALLED = UNLOCK + HOUR
DAY = timedelta(days=1)
LEADERS = Terms(VoteKind.LEADERS)


def special(points: dict[int, int] | None = None, **audience: Any) -> Terms:
    """The terms of a special vote."""
    return Terms(VoteKind.SPECIAL, Audience(**audience), points or {})


def person(world: World, name: str) -> Player | Judge | None:
    """A player by name, read anew, or a judge by his role."""
    found = Player.objects.filter(round=world.round, name=name).select_related("round", "user").first()
    return found or world.judges.get(name)


def call(
    world: World,
    by: str,
    terms: Terms | None = None,
    *,
    question: str = "Shall we meet?",
    options: tuple[str, ...] = ("Yes", "No"),
    text: str = "",
    closes: datetime | None = None,
    form: str = "",
    now: datetime = CALLED,
) -> Vote:
    """A vote that closes two days from now."""
    ends = closes or now + 2 * DAY
    asked = Call(question, options, ends, terms or Terms(VoteKind.NORMAL), form or token(), text)
    return call_vote(round=world.round, by=person(world, by), call=asked, now=now)


def cast(world: World, vote: Vote, by: str, choice: int | None, now: datetime = CALLED) -> Ballot:
    """A ballot of a player; None: he abstains."""
    voter = Player.objects.filter(round=world.round, name=by).first()
    return cast_ballot(vote=vote, player=voter, choice=choice, now=now)


def seen(world: World, vote: Vote, by: str, now: datetime = CALLED) -> VoteView | None:
    """The vote as a player or a judge sees it."""
    found = person(world, by)
    assert found is not None
    return vote_for(viewer_of(found.user, world.round), vote.pk, now)
