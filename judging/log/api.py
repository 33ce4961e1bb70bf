"""1.3: the log of a round.

1.3: the log of a round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ListView
from judging.api.schema import describe
from judging.log.acts import Kind
from judging.log.lines import LogLine
from judging.log.reads import Asked, Log

KINDS = [(kind.key, kind.words) for kind in Kind]


class LogQuery(serializers.Serializer):
    """What of the log is asked for; all of it without any of these."""

    who = serializers.CharField(required=False, default="", max_length=80, help_text="By name; `The service` too.")
    kind = serializers.ChoiceField(choices=KINDS, required=False, default="")
    army = serializers.CharField(required=False, default="", max_length=80)
    turn = serializers.IntegerField(
        required=False, min_value=0, max_value=2**31 - 1, help_text="In which it was done; 0: before the first."
    )
    q = serializers.CharField(required=False, default="", max_length=80, help_text="Words of what is told.")


class LogLinkOut(serializers.Serializer):
    """A page that tells more."""

    words = serializers.CharField()
    path = serializers.CharField(source="address")


class LogLineOut(serializers.Serializer):
    """1.3: an act of a judge or leader, or a stage of a turn."""

    key = serializers.CharField(help_text="The last part of its address on the site.")
    at = serializers.DateTimeField()
    turn = serializers.IntegerField(help_text="In which it was done; 0: before the first.")
    action = serializers.CharField(help_text="`turn.locked`, `ruling.made`, `player.rank` …")
    kind = serializers.ChoiceField(choices=KINDS)
    who = serializers.CharField(help_text="As he was called then.")
    seat = serializers.CharField(allow_blank=True, help_text="What he was then, in words.")
    what = serializers.CharField(help_text="Goes on after the name.")
    why = serializers.CharField(allow_blank=True, help_text="The reason that he gave.")
    cites = serializers.CharField(allow_blank=True)
    secret_until = serializers.CharField(allow_blank=True, help_text="Until when nobody else reads it, in words.")
    links = LogLinkOut(many=True)


def log_data(line: LogLine) -> dict[str, Any]:
    """An entry for `LogLineOut`."""
    names = ("key", "at", "turn", "action", "who", "seat", "why", "cites", "links")
    told = {name: getattr(line, name) for name in names}
    return {**told, "kind": line.kind.key, "what": line.sentence, "secret_until": line.waits}


class Lines(Sequence[dict[str, Any]]):
    """The log as the shape wants it; what is not looked at is not worked out."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def __len__(self) -> int:
        return len(self._log)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self[:])

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(place, int):
            return log_data(self._log[place])
        return [log_data(line) for line in self._log[place]]


class LogOfRound(ListView):
    """1.3: who did what, when and why."""

    @describe(
        "log_list",
        "rounds",
        "The log of a round, the newest first",
        out=LogLineOut(many=True),
        asks=LogQuery,
        problems=(400, 404),
        description="Every act of a judge or leader and every stage of a turn. What is still secret is there for those "
        "who may know it, with `secret_until`.",
    )
    def get(self, request: Request, slug: str) -> Response:
        typed = self.read(LogQuery, request.query_params)
        asked = Asked(typed["who"], typed["kind"], typed["army"], typed.get("turn"), typed["q"])
        return self.page(Lines(Log(self.viewer(slug), timezone.now(), asked)), LogLineOut)
