"""1.3: the log of a round."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from judging.selectors.log_acts import Kind
from judging.selectors.log_lines import LogLine

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
