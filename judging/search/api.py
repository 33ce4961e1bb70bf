"""3.1: the search, by the API."""

from collections.abc import Sequence

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ListView
from judging.api.schema import describe
from judging.api.shapes import TEAM_SIDES, Body, Shape
from judging.common.viewer import Viewer
from judging.search.forms import LARGEST_TURN, LONGEST
from judging.search.queries import KINDS, Hit, SearchQuery, everywhere, hits, words_of


class HitOut(Shape):
    """3.1: something that was found."""

    made_of = Hit
    shows = ("kind", "round", "place", "by", "side", "at", "address", "excerpt")
    tells = {
        "round": "Slug of the round.",
        "side": "The author's side; empty if they didn't play.",
        "address": "Of its page.",
        "excerpt": "Text around the match.",
    }
    kind = serializers.ChoiceField(choices=list(KINDS.items()))


class SearchAsked(Body):
    """3.1: what is looked for; at least one of them but `kind`."""

    q = serializers.CharField(
        required=False, max_length=LONGEST, allow_blank=True, help_text="Words that must all occur."
    )
    kind = serializers.ChoiceField(required=False, choices=list(KINDS.items()), help_text="Where to look.")
    by = serializers.CharField(required=False, max_length=150, help_text="Name of the author.")
    side = serializers.ChoiceField(required=False, choices=TEAM_SIDES, help_text="Side of the author.")
    turn = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_TURN, help_text="While it was.")
    since = serializers.DateTimeField(required=False, help_text="Only results from this time on.")


SAID = (
    "Searches what you can read on boards and in your conversations, the Orders thread, stories, rulings and "
    "posts by the service. Returns the latest 200 of each kind."
)


class Found(ListView):
    """3.1: a search."""

    def found(self, request: Request, viewers: Sequence[Viewer]) -> Response:
        """What was found, as a list."""
        data = self.read(SearchAsked, request.query_params)
        terms = words_of(data.pop("q", ""))
        return self.page(hits(viewers, SearchQuery(words=terms, **data), timezone.now()), HitOut)


class SearchRound(Found):
    """3.1: a search in a round."""

    @describe(
        "search_list",
        "search",
        "Search a round",
        out=HitOut(many=True),
        asks=SearchAsked,
        problems=(400, 404),
        description=SAID,
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.found(request, [self.viewer(slug)])


class SearchAll(Found):
    """3.1: a search in all rounds."""

    @describe(
        "search_everywhere_list",
        "search",
        "Search all rounds",
        out=HitOut(many=True),
        asks=SearchAsked,
        problems=(400,),
        description=SAID,
    )
    def get(self, request: Request) -> Response:
        return self.found(request, everywhere(request.user.pk))
