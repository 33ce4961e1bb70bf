"""3.1: what happened since somebody last asked, for programs that ask often."""

from dataclasses import replace
from datetime import timedelta
from itertools import takewhile

from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judging.announcements.models import Notice
from judging.announcements.queries import address_of, notice_views
from judging.api.base import LARGEST_NUMBER, ApiView
from judging.api.schema import describe
from judging.api.shapes import Body
from wargame.models.choices import RoundState

MOST = 200
"""Events of one answer, however many are asked for."""

SETTLES = timedelta(seconds=10)
"""How old an event is when it is told: one that is stored a moment later may have a smaller number."""

SHOWN = (RoundState.SETUP, RoundState.RUNNING, RoundState.OVER)


class EventsQuery(Body):
    """Which events are asked for."""

    after = serializers.IntegerField(
        required=False, min_value=0, max_value=2**63 - 1, default=0, help_text="`next` from your last response."
    )
    round = serializers.CharField(required=False, allow_blank=True, default="", max_length=80, help_text="Its slug.")
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_NUMBER, default=100, help_text=f"{MOST} at most."
    )


class HappenedOut(Body):
    """3.1: something that the service posted."""

    id = serializers.IntegerField()
    round = serializers.CharField(help_text="The round's slug.")
    turn = serializers.IntegerField()
    kind = serializers.CharField(help_text="`update`, `battles`, `result`, `ruling`, `penalty` …")
    at = serializers.DateTimeField()
    sentence = serializers.CharField()
    path = serializers.CharField(help_text="Path of the page with more details.")


class EventsOut(Body):
    """3.1: what happened, the oldest first."""

    next = serializers.IntegerField(help_text="Send this as `after` in your next request.")
    events = HappenedOut(many=True)


class Events(ApiView):
    """3.1: what the service posted in all rounds."""

    @describe(
        *("events_list", "rounds", "List what has happened since your last request"),
        out=EventsOut,
        asks=EventsQuery,
        problems=(400,),
        description="Returns 204 if nothing has happened. You can poll every ten seconds. Events are delayed by ten "
        "seconds so that you don't miss any.",
        empty=True,
    )
    def get(self, request: Request) -> Response:
        query = self.read(EventsQuery, request.query_params)
        rows = Notice.objects.filter(pk__gt=query["after"], turn__round__state__in=SHOWN)
        if query["round"]:
            rows = rows.filter(turn__round__slug=query["round"])
        entries = rows.order_by("pk").values_list("pk", "at", "turn__round__slug")[: min(query["limit"], MOST)]
        settled = timezone.now() - SETTLES
        # Not those behind one that is too fresh, either: `next` would pass it over. A settlement bears the time at
        # which it began, so a later row may have an earlier moment.
        slugs = {pk: slug for pk, _, slug in takewhile(lambda row: row[1] < settled, entries)}
        if not slugs:
            return Response(status=status.HTTP_204_NO_CONTENT)
        views = notice_views(Notice.objects.filter(pk__in=slugs).order_by("pk"), "")
        events = [
            {
                "id": view.id,
                "round": slugs[view.id],
                "turn": view.turn,
                "kind": view.kind,
                "at": view.at,
                "sentence": view.title,
                "path": address_of(replace(view, slug=slugs[view.id])),
            }
            for view in views
        ]
        return Response(EventsOut({"next": max(slugs), "events": events}).data)
