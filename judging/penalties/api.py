"""5.4.1, R47: the penalties of a round, for programs."""

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ListView
from judging.api.schema import describe
from judging.api.shapes import TEAM_SIDES, Body, Shape
from judging.penalties.models import Penalty
from judging.penalties.queries import PenaltyView, penalty_views

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
        "number": "Number within the turn.",
        "player": "Who acted.",
        "army": "Empty for a reprimand without an army.",
        "what": "The effect, in words.",
        "severity": "1 to 5; 0 without a roll.",
        "roll": "The die, 1 to 6; 0 without a roll.",
        "draw": "Name of the draw from the turn's seed (R38).",
        "takes": "Troops lost in slots 1 to 4, never more than the slot has.",
        "after_battle": "Whether it is taken from what the army's battle left (R38).",
        "extended_to": "The strat deadline of the army, if the penalty extends it.",
        "by": "The judge.",
    }
    kind = serializers.ChoiceField(choices=PENALTY_KINDS)
    side = serializers.ChoiceField(choices=TEAM_SIDES)


class Penalties(ListView):
    """5.4.1: penalties and reprimands."""

    @describe(
        "penalties_list",
        "turns",
        "List the penalties of a round, newest first",
        out=PenaltyOut(many=True),
        asks=PenaltyQuery,
        problems=(400, 404),
        description="All penalties are public, even lifted ones. `map` shows armies without the losses from "
        "penalties in "
        "force.",
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = self.read(PenaltyQuery, request.query_params)
        found = penalty_views(self.round(slug), army=asked.get("army", ""), player=asked.get("player", ""))
        return self.page(found, PenaltyOut)
