"""Small parts that several answers share."""

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
