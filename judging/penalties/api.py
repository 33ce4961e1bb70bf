"""5.4.1, R47: penalties.

5.4.1, R47: the penalties of a round, for programs.
"""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ListView
from judging.api.schema import describe
from judging.api.shapes import TEAM_SIDES
from judging.penalties.models import Penalty
from judging.penalties.reads import penalty_views

PENALTY_KINDS = Penalty.Kind.choices


class PenaltyQuery(serializers.Serializer):
    """Whose penalties are asked for; all of the round's without either."""

    army = serializers.CharField(required=False, max_length=60, help_text="An army's name.")
    player = serializers.CharField(required=False, max_length=60, help_text="A player's name.")


class PenaltyOut(serializers.Serializer):
    """5.4.1: a penalty, lifted or not."""

    turn = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Counts those of the turn.")
    kind = serializers.ChoiceField(choices=PENALTY_KINDS)
    player = serializers.CharField(help_text="Who acted.")
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    army = serializers.CharField(allow_blank=True, help_text="Empty for a reprimand without one.")
    what = serializers.CharField(help_text="What it does, in words.")
    severity = serializers.IntegerField(help_text="1 to 5; 0 where nothing was rolled.")
    roll = serializers.IntegerField(help_text="The die, 1 to 6; 0 where nothing was rolled.")
    draw = serializers.CharField(allow_blank=True, help_text="The name of the draw (R38), with the turn's seed.")
    takes = serializers.ListField(
        child=serializers.IntegerField(), help_text="Troops of slots 1 to 4; never more than a slot has."
    )
    after_battle = serializers.BooleanField(help_text="Taken from what the army's battle left (R38).")
    extended_to = serializers.DateTimeField(allow_null=True, help_text="Until when the army's strat got time by it.")
    cites = serializers.CharField()
    reason = serializers.CharField()
    by = serializers.CharField(help_text="The judge.")
    made_at = serializers.DateTimeField()
    is_lifted = serializers.BooleanField()
    lifted_by = serializers.CharField(allow_blank=True)
    lifted_at = serializers.DateTimeField(allow_null=True)
    lifted_reason = serializers.CharField(allow_blank=True)


class Penalties(ListView):
    """5.4.1: penalties and reprimands."""

    @describe(
        "penalties_list",
        "turns",
        "The penalties of a round, the newest first",
        out=PenaltyOut(many=True),
        asks=PenaltyQuery,
        problems=(400, 404),
        description="All are public, the lifted ones too. `map` shows armies without what those in force took.",
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = self.read(PenaltyQuery, request.query_params)
        found = penalty_views(self.round(slug), army=asked.get("army", ""), player=asked.get("player", ""))
        return self.page(found, PenaltyOut)
