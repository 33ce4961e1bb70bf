"""The JSON of the API: what goes in and what comes out, apart from each other.

Small parts that several answers share.

The JSON of an error.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from wargame.models.choices import BASE_COLORS, FACTIONS, RANKS, SIDES, RoundState, TurnState
from wargame.rules.core.board import read_square

ROUND_STATES = RoundState.choices
TURN_STATES = TurnState.choices
TEAM_SIDES = SIDES[:2]

__all__ = [
    "BASE_COLORS",
    "FACTIONS",
    "RANKS",
    "ROUND_STATES",
    "SIDES",
    "TEAM_SIDES",
    "TURN_STATES",
    "EventOut",
]


class SquareField(serializers.CharField):
    """1.2, R1: a square of the map. `3D`, `D3` and `d3` are one; it comes out as `3D`."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": 8, **kwargs})

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        try:
            square = read_square(text)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None
        if not square.on_map:
            raise serializers.ValidationError(f"{square} is not on the map, which ends at 38 and at N (1.2).")
        return str(square)


class EventOut(serializers.Serializer):
    """R18: something that happened, with the rule that it follows from."""

    kind = serializers.CharField(help_text="`moved`, `refused`, `engaged`, `healed` …")
    cites = serializers.CharField(allow_blank=True)
    text = serializers.CharField(help_text="What happened and why, in a sentence.")
    armies = serializers.ListField(child=serializers.CharField())
    squares = serializers.ListField(child=serializers.CharField())
    important = serializers.BooleanField()


CODES = {
    "invalid": "a field is wrong; `fields` says which",
    "parse_error": "the body is no JSON",
    "unsupported_media_type": "the body is not declared as JSON",
    "not_acceptable": "only JSON is served",
    "not_authenticated": "log in first",
    "authentication_failed": "this name and password don't belong together",
    "permission_denied": "not allowed, or the CSRF token is missing",
    "forbidden": "this person may not do this",
    "not_found": "nothing is here that this person may see",
    "method_not_allowed": "this address does not do that",
    "stale": "what was sent is based on something that has changed",
    "refused": "the rules or the state of the game do not allow it",
    "too_long": "longer than what is taken",
    "throttled": "too many requests; `Retry-After` says how long to wait",
}


class ProblemOut(serializers.Serializer):
    """Every error: a sentence, the rule or ruling that it follows from (or empty), and a code."""

    detail = serializers.CharField(help_text="What is wrong and what would do, for people.")
    cites = serializers.CharField(allow_blank=True, help_text="A rule like 3.1 or a ruling like R6, or empty.")
    code = serializers.ChoiceField(choices=list(CODES.items()), help_text="For programs.", label="Code of a problem")
    fields = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="Only with the code `invalid`: sentences by the field that is wrong.",
    )
