"""1.3: the log of a round."""

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ListView
from judging.api.schema import describe
from judging.api.shapes import Body, Shape
from judging.log.actions import Kind
from judging.log.queries import Link, Log, LogFilter, LogLine

KINDS = [(kind.key, kind.english) for kind in Kind]


class LogQuery(Body):
    """What of the log is asked for; all of it without any of these."""

    who = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=80, help_text="By name; also `The service`."
    )
    kind = serializers.ChoiceField(choices=KINDS, required=False, default="")
    army = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=80, help_text="Only entries about this army."
    )
    turn = serializers.IntegerField(
        required=False, min_value=0, max_value=2**31 - 1, help_text="The turn in which it happened; 0 before the first."
    )
    q = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=80, help_text="Words in the entries."
    )


class LogLinkOut(Shape):
    """A page that tells more."""

    made_of = Link
    shows = ("words", "path")
    path = serializers.CharField(source="address")


class LogLineOut(Shape):
    """1.3: an act of a judge or leader, or a stage of a turn."""

    made_of = LogLine
    shows = (*("key", "at", "turn", "action", "kind", "who", "seat", "what", "why", "cites", "secret_until", "links"),)
    tells = {
        "key": "Last part of its address on the site.",
        "turn": "The turn in which it happened; 0 before the first.",
        "action": "`turn.locked`, `ruling.made`, `player.rank` …",
        "who": "Their name at that time.",
        "seat": "Their role at that time, in words.",
        "why": "The reason they gave.",
    }
    kind = serializers.ChoiceField(choices=KINDS, source="kind.key")
    what = serializers.CharField(source="sentence", help_text="Continues the sentence after the name.")
    secret_until = serializers.CharField(source="waits", help_text="When others will be able to see it, in words.")


class LogOfRound(ListView):
    """1.3: who did what, when and why."""

    @describe(
        "log_list",
        "rounds",
        "List the log of a round, newest first",
        out=LogLineOut(many=True),
        asks=LogQuery,
        problems=(400, 404),
        description="Every action by a judge or leader and every stage of a turn. Entries that are still secret are "
        "listed only for people who can know them, with `secret_until`.",
    )
    def get(self, request: Request, slug: str) -> Response:
        data = self.read(LogQuery, request.query_params)
        filters = LogFilter(data["who"], data["kind"], data["army"], data.get("turn"), data["q"])
        return self.page(Log(self.viewer(slug), timezone.now(), filters), LogLineOut)
