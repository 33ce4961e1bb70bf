"""3.2.2: what an army could be ordered to do.

3.2.2: what an army could be ordered to do.
"""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Missing
from judging.api.examples import REACH
from judging.api.schema import describe
from judging.map.reads import reach_view

KINDS = ("move", "engage", "replace", "joint", "intercept", "transfer")


class ChoiceOut(serializers.Serializer):
    """An order ready to post; `refusal` is empty if it is legal now."""

    kind = serializers.ChoiceField(choices=KINDS)
    order = serializers.CharField()
    refusal = serializers.CharField(allow_blank=True, help_text="Why it would be refused.")
    cites = serializers.CharField(allow_blank=True, help_text="The rule of the refusal.")


class GoalOut(serializers.Serializer):
    """A square in reach, and what could be ordered there."""

    at = serializers.CharField()
    steps = serializers.IntegerField()
    choices = ChoiceOut(many=True)


class ReachOut(serializers.Serializer):
    """The reach of an army on the present map."""

    army = serializers.CharField()
    at = serializers.CharField()
    turn = serializers.IntegerField()
    goals = GoalOut(many=True, help_text="The army's own square and all within three steps, nearest first.")
    here = ChoiceOut(many=True, help_text="What needs no move: whom to intercept, to whom to send troops.")


class Reach(ApiView):
    """3.2.2.1: the squares in reach of an army, with the orders that lead there."""

    @describe(
        "armies_reach",
        "armies",
        "What an army could be ordered to do, ready to post, with what is illegal and why",
        out=ReachOut,
        example=REACH,
    )
    def get(self, request: Request, slug: str, name: str) -> Response:
        turn = self.turn(self.round(slug))
        found = reach_view(turn, name)
        if found is None:
            raise Missing(f"There is no army “{name[:40]}” on the map of turn {turn.number}.", "3.2.2.5")
        data = {"army": found.army.name, "at": str(found.army.at), "turn": turn.number}
        return Response(ReachOut({**data, "goals": found.goals, "here": found.here}).data)
