"""1.4: the votes of the demo round: one that is closed, and one that is open."""

from __future__ import annotations

from datetime import timedelta
from itertools import cycle

from judging.demo import fixtures
from judging.demo.fixtures import Row
from judging.demo.times import Calendar
from judging.votes.ends import count_closed
from judging.votes.models import Ballot, Vote
from judging.votes.writes import Call, call_vote, cast_ballot
from wargame.models import Player, Round
from wargame.rules.command.votes import Terms, VoteKind

MISSING, NONE = "missing", "none"


def hold_votes(round_: Round, calendar: Calendar) -> None:
    """1.4: calls the votes at their times, and casts the ballots; what is over is counted."""
    players = {player.name: player for player in Player.objects.filter(round=round_).select_related("user")}
    for number, row in enumerate(fixtures.read("votes")["votes"]):
        vote = _call(round_, players[row["by"]], row, calendar, f"demo-vote-{number}")
        if vote is not None:
            _cast(vote, row)
    count_closed(calendar.now)


def _call(round_: Round, by: Player, row: Row, calendar: Calendar, token: str) -> Vote | None:
    """None where the round is too young for a vote that is closed by now."""
    begun, now = calendar.opens(1), calendar.now
    called = max(begun, now - timedelta(days=row["called"]))
    closes_at = called + timedelta(days=row["lasts"])
    terms = Terms(VoteKind(row["kind"]))
    if closes_at > now and row["lasts"] < row["called"]:
        return None
    call = Call(row["question"], row["options"], closes_at, terms, token, row["text"])
    return call_vote(round=round_, by=by, call=call, now=called)


def _cast(vote: Vote, row: Row) -> None:
    """Those who were asked, by name, each with the next of the ballots."""
    given = cycle(row["ballots"])
    for ballot in Ballot.objects.filter(vote=vote).select_related("player__round").order_by("player__name"):
        choice = next(given)
        if choice != MISSING:
            number = None if choice == NONE else int(choice)
            cast_ballot(vote=vote, player=ballot.player, choice=number, now=vote.called_at)
