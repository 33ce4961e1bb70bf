"""5.4.1, R47: the penalties of a round, for programs."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ListView
from judging.api.schema import describe
from judging.api.shapes import TEAM_SIDES, Body, Shape
from judging.penalties.models import Penalty
from judging.penalties.reads import PenaltyView, penalty_views

PENALTY_KINDS = Penalty.Kind.choices


class PenaltyQuery(Body):
    """Whose penalties are asked for; all of the round's without either."""

    army = serializers.CharField(required=False, allow_blank=True, max_length=60, help_text="An army's name.")
    player = serializers.CharField(required=False, allow_blank=True, max_length=60, help_text="A player's name.")


class PenaltyOut(Shape):
    """5.4.1: a penalty, lifted or not."""

    made_of = PenaltyView
    shows = (
        *("turn", "number", "kind", "player", "side", "army", "what", "severity", "roll", "draw", "takes"),
        *("after_battle", "extended_to", "cites", "reason", "by", "made_at"),
        *("is_lifted", "lifted_by", "lifted_at", "lifted_reason"),
    )
    tells = {
        "number": "Counts those of the turn.",
        "player": "Who acted.",
        "army": "Empty for a reprimand without one.",
        "what": "What it does, in words.",
        "severity": "1 to 5; 0 where nothing was rolled.",
        "roll": "The die, 1 to 6; 0 where nothing was rolled.",
        "draw": "The name of the draw (R38), with the turn's seed.",
        "takes": "Troops of slots 1 to 4; never more than a slot has.",
        "after_battle": "Taken from what the army's battle left (R38).",
        "extended_to": "Until when the army's strat got time by it.",
        "by": "The judge.",
    }
    kind = serializers.ChoiceField(choices=PENALTY_KINDS)
    side = serializers.ChoiceField(choices=TEAM_SIDES)


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
