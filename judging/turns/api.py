"""1.5, 3.1: turns.

3.1: turns and their updates.
"""

from __future__ import annotations

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.schema import describe
from judging.api.shapes import TURN_STATES, EventOut
from judging.turns.facts import turn_facts, turns_facts


class TurnOut(serializers.Serializer):
    """3.1: a turn in the list."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=TURN_STATES, help_text="The stage that the jobs have reached.")
    is_open = serializers.BooleanField(help_text="Whether orders are accepted now; the clock decides (R4).")
    opened_at = serializers.DateTimeField()
    deadline = serializers.DateTimeField(help_text="The battle deadline: strats are due (R5).")
    lock_at = serializers.DateTimeField(help_text="The lock: orders are due (3.1). Its minute is in (R4).")
    settled_at = serializers.DateTimeField(allow_null=True)
    commitment = serializers.CharField(
        help_text="SHA-256 of the seed of the turn's draws, public from the start (R38)."
    )
    position_hash = serializers.CharField(help_text="SHA-256 of the position as the turn opened.")
    next_hash = serializers.CharField(allow_blank=True, help_text="The same of what came of it.")


class RulingOut(serializers.Serializer):
    """3.3.3: a judge's ruling on the turn."""

    number = serializers.IntegerField()
    army = serializers.CharField()
    what = serializers.CharField(help_text="What was decided.")
    cites = serializers.CharField()
    reason = serializers.CharField()
    by = serializers.CharField()
    made_at = serializers.DateTimeField()
    why_not = serializers.CharField(allow_blank=True, help_text="Why it changed nothing, if it did not.")
    is_correction = serializers.BooleanField(help_text="Whether it came after the settlement, by a correction.")
    is_withdrawn = serializers.BooleanField()
    withdrawn_reason = serializers.CharField(allow_blank=True)


class ArmyChangeOut(serializers.Serializer):
    """3.3.3: what a correction changed about an army, in words."""

    army = serializers.CharField()
    changes = serializers.ListField(child=serializers.CharField())


class CorrectionOut(serializers.Serializer):
    """3.3.3: a correction of the turn after it was settled."""

    by = serializers.CharField(source="decided_by")
    at = serializers.DateTimeField(source="decided_at")
    old_hash = serializers.CharField(help_text="SHA-256 of the position that came of the turn before it.")
    next_hash = serializers.CharField()
    armies = ArmyChangeOut(many=True, source="difference.armies")
    rulings = RulingOut(many=True)


class TurnDetailOut(TurnOut):
    """3.1: a turn with its update."""

    seed = serializers.CharField(allow_blank=True, help_text="Shown when the turn is settled (R38).")
    is_draft = serializers.BooleanField(help_text="The events are the moves alone; battles are still to come.")
    events = EventOut(many=True, help_text="Empty until the moves are published.")
    rulings = RulingOut(many=True, help_text="Empty until the moves are published.")
    corrections = CorrectionOut(many=True, help_text="The newest first.")


class Turns(ListView):
    """3.1: the turns of a round."""

    @describe("turns_list", "turns", "The turns, the newest first", out=TurnOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.page(turns_facts(self.round(slug), timezone.now()), TurnOut)


class OneTurn(ApiView):
    """3.1: one turn with what happened."""

    @describe("turns_read", "turns", "One turn with its update", out=TurnDetailOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        turn = self.turn(self.round(slug), number)
        return Response(TurnDetailOut(turn_facts(turn, timezone.now())).data)
