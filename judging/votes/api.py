"""1.4, R46: votes: those that one may see, and one's own ballot."""

from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView, Pages
from judging.api.errors import Forbidden, Missing
from judging.api.fields import ActedOut, line, lines, one_of, text
from judging.api.schema import BUTTON, WRITING, describe
from judging.api.shapes import TEAM_SIDES, Body, Shape
from judging.common.viewer import Viewer
from judging.votes.forms import CallForm, withdraw
from judging.votes.models import KINDS
from judging.votes.queries import VoterView, VoteView, view_of, vote_for, votes_seen_by
from judging.votes.services import cast_ballot
from wargame.models import Player, Round
from wargame.rules.command.votes import GROUPS, Count


class VoterOut(Shape):
    """R46: somebody who was asked."""

    made_of = VoterView
    shows = ("name", "side", "rank", "points", "has_voted", "choice", "abstains")
    tells = {
        "points": "Weight of their vote; 0 if they no longer have one.",
        "choice": "Null if they have not voted or abstain, or while it is hidden.",
        "abstains": "False while it is hidden.",
    }
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    rank = serializers.CharField(source="title", help_text="In words. For a closed vote, the rank at its end.")


class OptionOut(Body):
    """1.4: what an option got."""

    option = serializers.CharField()
    points = serializers.IntegerField()
    votes = serializers.IntegerField()


class CountOut(Shape):
    """1.4: the count, as it stands."""

    made_of = Count
    shows = ("lines", "abstained", "winner", "tie", "voted", "points", "of_points")
    tells = {
        "winner": "The leading option; empty if there is a tie or no leader.",
        "voted": "Number of people who voted, including abstentions.",
        "points": "Voting points for options.",
        "of_points": "Voting points of everyone who can vote.",
    }
    lines = OptionOut(many=True)
    tie = serializers.ListField(
        child=serializers.CharField(), help_text="Options tied for the lead; empty if there is no tie."
    )


class VoteOut(Shape):
    """1.4: a vote, as you may see it."""

    made_of = VoteView
    shows = (
        *("id", "kind", "question", "text", "options", "side", "asks", "weights", "called_by", "called_at"),
        *("closes_at", "is_open", "is_withdrawn", "may_vote", "missing", "voters", "count"),
    )
    tells = {
        "weights": "How votes are weighted, in words.",
        "may_vote": "Whether you can vote or change your vote now.",
        "missing": "People who can vote but haven't.",
        "count": "Null until you have voted or the vote is closed.",
    }
    id = serializers.IntegerField(source="row.pk")
    kind = serializers.ChoiceField(source="row.kind", choices=KINDS)
    question = serializers.CharField(
        source="row.question",
    )
    text = serializers.CharField(source="row.text", allow_blank=True)
    options = serializers.ListField(source="row.options", child=serializers.CharField())
    side = serializers.ChoiceField(
        source="row.side",
        choices=TEAM_SIDES,
        allow_blank=True,
        help_text="The team whose internal vote this is; empty for a public vote.",
    )
    asks = serializers.CharField(source="asked", help_text="Who can vote, in words.")
    called_by = serializers.CharField(source="caller")
    called_at = serializers.DateTimeField(
        source="row.called_at",
    )
    closes_at = serializers.DateTimeField(
        source="row.closes_at", help_text="You can vote until the end of this minute (R4)."
    )


class BallotIn(Body):
    """R46: your vote."""

    choice = serializers.IntegerField(
        allow_null=True, min_value=0, max_value=99, help_text="Position of the option, starting at 0; null to abstain."
    )


class CallIn(Body):
    """1.4: a vote that is called. All but the first four are for special votes (1.4.3)."""

    kind = one_of("Of what kind.", *KINDS)
    question = line("What is asked.", needed=True)
    options = lines("The options.", needed=True)
    closes = line("Closing time in UTC, such as 2026-03-09T05:00.", needed=True)
    text = text("More about it.")
    side = line("The team that can vote; empty for both.")
    faction = line("The faction that can vote.")
    group = lines("Numbers of the groups of ranks that can vote.")
    players = lines("Names of the players who can vote.")
    points = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=999),
        required=False,
        help_text="Weight of a vote, by the group's number.",
    )
    token = line("Idempotency key: repeating it won't call a second vote.")


def _form(given: dict[str, Any], round_: Round) -> CallForm:
    """The body of a call as its form; players by their names."""
    names = given.get("players", [])
    keys = dict(Player.objects.filter(round=round_, name__in=names).values_list("name", "pk"))
    weights = given.get("points", {})
    if unknown := sorted(weights.keys() - {str(group) for group in GROUPS}):
        sentence = gettext("There is no group of ranks with the number “%(number)s”.") % {"number": unknown[0][:10]}
        raise serializers.ValidationError({"points": [sentence]})
    points = {f"points-{group}": weight for group, weight in weights.items()}
    players = [keys.get(name, 0) for name in names]
    return CallForm({**given, **points, "options": "\n".join(given["options"]), "player": players})


class Votes(ListView):
    """1.4: the votes of a round."""

    @describe(
        "votes_list",
        "votes",
        "List the votes you can see, the last to close first",
        out=VoteOut(many=True),
        description="Votes of a single team or faction are visible only to the people asked and to the player "
        "who called "
        "them (1.4.3). Who voted for what is shown to people who have voted and, once the vote is closed, to "
        "everyone.",
    )
    def get(self, request: Request, slug: str) -> Response:
        viewer, now, pages = self.viewer(slug), timezone.now(), Pages()
        rows = pages.paginate_queryset(votes_seen_by(viewer), self.request, view=self) or []
        views = [view_of(row, viewer, now) for row in rows]
        return pages.get_paginated_response(VoteOut(views, many=True).data)

    @describe("votes_call", "votes", "Call a vote", out=ActedOut, takes=CallIn, problems=WRITING, page="vote-new")
    def post(self, request: Request, slug: str) -> Response:
        data, viewer = self.read_as_user(CallIn), self.viewer(slug)
        return self.done(_form(data, viewer.round).do(viewer, timezone.now()))


class OneVote(ApiView):
    """1.4: one vote."""

    @describe("votes_read", "votes", "Get a vote with its voters and count", out=VoteOut)
    def get(self, request: Request, slug: str, vote_id: int) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        return Response(_out(_vote_or_missing(viewer, vote_id, now)))

    @describe("votes_withdraw", "votes", "Withdraw a vote you called", out=ActedOut, problems=BUTTON, page="vote")
    def delete(self, request: Request, slug: str, vote_id: int) -> Response:
        self.read_as_user()
        viewer, now = self.viewer(slug), timezone.now()
        view = _vote_or_missing(viewer, vote_id, now)
        return self.done(withdraw(viewer, view.row, now), reverse("vote", args=[slug, vote_id]))


class OwnBallot(ApiView):
    """R46: the ballot of whoever asks."""

    @describe(
        "votes_cast",
        "votes",
        "Vote or change your vote",
        out=VoteOut,
        takes=BallotIn,
        problems=WRITING,
        description="For players who were eligible when the vote was called, until it closes. Your last vote counts.",
    )
    def put(self, request: Request, slug: str, vote_id: int) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        view = _vote_or_missing(viewer, vote_id, now)
        if viewer.player is None:
            raise Forbidden(gettext("Only players in this round can vote."), "1.6")
        cast_ballot(vote=view.row, player=viewer.player, now=now, **self.read(BallotIn, request.data))
        return Response(_out(_vote_or_missing(viewer, vote_id, now)))


def _vote_or_missing(viewer: Viewer, vote_id: int, now: datetime) -> VoteView:
    view = vote_for(viewer, vote_id, now)
    if view is None:
        raise Missing(gettext("There is no such vote in this round, or you can't see it."))
    return view


def _out(view: VoteView) -> dict[str, object]:
    return dict(VoteOut(view).data)
