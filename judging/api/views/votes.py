"""1.4, R46: votes: those that one may see, and one's own ballot."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView, Pages
from judging.api.errors import Forbidden, Missing
from judging.api.examples_of_votes import BALLOT_SENT, VOTE
from judging.api.schema import WRITING, describe
from judging.api.shapes.votes import BallotIn, VoteOut, vote_data
from judging.selectors.viewer import Viewer
from judging.selectors.votes import VoteView, view_of, vote_for, votes_seen_by
from judging.services.voting import cast_ballot


class Votes(ListView):
    """1.4: the votes of a round."""

    @describe(
        "votes_list",
        "votes",
        "The votes that you may see, the one that closes last first",
        out=VoteOut(many=True),
        example=VOTE,
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

    @describe("votes_read", "votes", "One vote with its voters and its count", out=VoteOut, example=VOTE)
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
        example=VOTE,
        takes=BallotIn,
        sent=BALLOT_SENT,
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
