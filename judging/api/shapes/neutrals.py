"""R48: the ledger of the neutrals."""

from __future__ import annotations

from rest_framework import serializers

from judging.api.shapes.common import FACTIONS, EventOut

COURSES = [(course, course) for course in ("fights", "stays", "moves", "engages", "disbands")]


class ConsideredOut(serializers.Serializer):
    """R48: something else that the mercenary might have done."""

    what = serializers.CharField()
    why_not = serializers.CharField()


class DrawOut(serializers.Serializer):
    """R38: a draw from the turn's committed seed."""

    name = serializers.CharField()
    sides = serializers.IntegerField(help_text="How many outcomes there were.")
    value = serializers.IntegerField(help_text="The outcome, from 1.")


class DecisionOut(serializers.Serializer):
    """R48: what a mercenary decided, with the guideline that it follows."""

    army = serializers.CharField(source="decision.army")
    faction = serializers.ChoiceField(choices=FACTIONS, source="decision.faction")
    at = serializers.CharField(source="decision.at", help_text="Where it stood before the moves.")
    course = serializers.ChoiceField(choices=COURSES, source="decision.course", help_text="By the guideline.")
    proposal = serializers.CharField(source="decision.order", help_text="The guideline's order.")
    target = serializers.CharField(source="decision.target", allow_blank=True, help_text="Whom it would engage.")
    guideline = serializers.CharField(source="decision.cites", help_text="The rule that the decision follows.")
    ruling = serializers.CharField(source="decision.ruling", help_text="How the guideline is read.")
    why = serializers.CharField(source="decision.why")
    considered = ConsideredOut(many=True)
    draws = DrawOut(many=True)
    judge = serializers.CharField(source="decision.judge", allow_blank=True, help_text="Who ordered otherwise.")
    order = serializers.CharField(help_text="The order that counted at the lock.")
    came = EventOut(many=True, help_text="What came in its way, and an order after the lock.")


class LedgerOut(serializers.Serializer):
    """R48: everything that the mercenaries decided in a settled turn."""

    turn = serializers.IntegerField(source="turn.number")
    decisions = DecisionOut(many=True, source="entries")
    events = EventOut(many=True, help_text="Raiders that came or went, the d20 for them, and wars.")
