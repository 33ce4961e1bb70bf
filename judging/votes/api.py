"""1.4: votes, ballots and their count.

1.4, R46: votes: those that one may see, and one's own ballot.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView, Pages
from judging.api.errors import Forbidden, Missing
from judging.api.schema import WRITING, describe
from judging.api.shapes import TEAM_SIDES
from judging.game.viewer import Viewer
from judging.votes.models import KINDS
from judging.votes.reads import VoterView, VoteView, view_of, vote_for, votes_seen_by
from judging.votes.writes import cast_ballot
from wargame.rules.command.vote_count import Count


class VoterOut(serializers.Serializer):
    """R46: somebody who was asked."""

    name = serializers.CharField()
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    rank = serializers.CharField(help_text="In words; when the vote is closed, that of its end.")
    points = serializers.IntegerField(help_text="What his vote weighs; 0 if he has none any more.")
    has_voted = serializers.BooleanField()
    choice = serializers.CharField(allow_null=True, help_text="Null if he has not voted, abstains, or it is hidden.")
    abstains = serializers.BooleanField(help_text="False while it is hidden.")


class OptionOut(serializers.Serializer):
    """1.4: what an option got."""

    option = serializers.CharField()
    points = serializers.IntegerField()
    votes = serializers.IntegerField()


class CountOut(serializers.Serializer):
    """1.4: the count, as it stands."""

    lines = OptionOut(many=True)
    abstained = serializers.ListField(child=serializers.CharField())
    winner = serializers.CharField(allow_blank=True, help_text="The option that is ahead; empty if none is alone.")
    tie = serializers.ListField(child=serializers.CharField(), help_text="Options that have equally many; else empty.")
    voted = serializers.IntegerField(help_text="How many voted, abstentions included.")
    points = serializers.IntegerField(help_text="Voting points given to options.")
    of_points = serializers.IntegerField(help_text="Voting points of all who may vote.")


class VoteOut(serializers.Serializer):
    """1.4: a vote, as you may see it."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=KINDS)
    question = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    options = serializers.ListField(child=serializers.CharField())
    side = serializers.ChoiceField(
        choices=TEAM_SIDES, allow_blank=True, help_text="The team whose own it is; empty for a public vote."
    )
    asks = serializers.CharField(help_text="Whom it asks, in words.")
    weights = serializers.CharField(help_text="What votes weigh, in words.")
    called_by = serializers.CharField()
    called_at = serializers.DateTimeField()
    closes_at = serializers.DateTimeField(help_text="Its whole minute is in (R4).")
    is_open = serializers.BooleanField()
    is_withdrawn = serializers.BooleanField()
    may_vote = serializers.BooleanField(help_text="Whether you may vote, or change your vote, now.")
    missing = serializers.ListField(child=serializers.CharField(), help_text="Who may vote and has not.")
    voters = VoterOut(many=True)
    count = CountOut(allow_null=True, help_text="Null until you have voted, or the vote is closed.")


class BallotIn(serializers.Serializer):
    """R46: your vote."""

    choice = serializers.IntegerField(
        allow_null=True, min_value=0, max_value=99, help_text="The place of an option, from 0 on; null: you abstain."
    )


def vote_data(view: VoteView) -> dict[str, Any]:
    """A vote for `VoteOut`."""
    row = view.row
    names = ("kind", "question", "text", "options", "side", "called_at", "closes_at")
    return {
        **{name: getattr(row, name) for name in names},
        "id": row.pk,
        "asks": view.asked,
        "weights": view.weights,
        "called_by": view.caller,
        "is_open": view.is_open,
        "is_withdrawn": row.withdrawn_at is not None,
        "may_vote": view.may_vote,
        "missing": view.missing,
        "voters": [_voter_data(voter) for voter in view.voters],
        "count": _count_data(view.count) if view.count else None,
    }


def _voter_data(voter: VoterView) -> dict[str, Any]:
    names = ("name", "side", "points", "has_voted", "choice", "abstains")
    return {**{name: getattr(voter, name) for name in names}, "rank": voter.title}


def _count_data(count: Count) -> dict[str, Any]:
    lines = [{"option": line.option, "points": line.points, "votes": len(line.voters)} for line in count.lines]
    names = ("abstained", "winner", "voted", "points", "of_points")
    tie = count.ahead if count.is_tie else ()
    return {"lines": lines, "tie": tie, **{name: getattr(count, name) for name in names}}


class Votes(ListView):
    """1.4: the votes of a round."""

    @describe(
        "votes_list",
        "votes",
        "The votes that you may see, the one that closes last first",
        out=VoteOut(many=True),
        description="A vote of one team or faction alone is seen by those who are asked and by its caller (1.4.3). "
        "Who voted what is shown to those who have voted, and to everybody when the vote is closed.",
    )
    def get(self, request: Request, slug: str) -> Response:
        viewer, now, pages = self.viewer(slug), timezone.now(), Pages()
        rows = pages.paginate_queryset(votes_seen_by(viewer), self.request, view=self) or []
        found = [vote_data(view_of(row, viewer, now)) for row in rows]
        return pages.get_paginated_response(VoteOut(found, many=True).data)


class OneVote(ApiView):
    """1.4: one vote."""

    @describe("votes_read", "votes", "One vote with its voters and its count", out=VoteOut)
    def get(self, request: Request, slug: str, vote_id: int) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        return Response(_out(_found(viewer, vote_id, now)))


class OwnBallot(ApiView):
    """R46: the ballot of whoever asks."""

    @describe(
        "votes_cast",
        "votes",
        "Vote, or change your vote",
        out=VoteOut,
        takes=BallotIn,
        problems=WRITING,
        description="For players who were asked when the vote was called, until it closes. The last ballot counts.",
    )
    def put(self, request: Request, slug: str, vote_id: int) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        found = _found(viewer, vote_id, now)
        if viewer.player is None:
            raise Forbidden("Only the players of this round vote.", "1.6")
        cast_ballot(vote=found.row, player=viewer.player, now=now, **self.read(BallotIn, request.data))
        return Response(_out(_found(viewer, vote_id, now)))


def _found(viewer: Viewer, vote_id: int, now: datetime) -> VoteView:
    view = vote_for(viewer, vote_id, now)
    if view is None:
        raise Missing("There is no such vote in this round, or it is not yours to see.")
    return view


def _out(view: VoteView) -> dict[str, object]:
    return dict(VoteOut(vote_data(view)).data)
