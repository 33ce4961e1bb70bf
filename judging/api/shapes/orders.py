"""3.2: the orders of a turn as they stand."""

from __future__ import annotations

from rest_framework import serializers

from judging.api.shapes.common import SIDES
from judging.api.shapes.reach import KINDS

STANDING_KINDS = (*KINDS, "plan", "hold")


class StandingOrderOut(serializers.Serializer):
    """An army's order that counts as things stand."""

    army = serializers.CharField()
    side = serializers.ChoiceField(choices=SIDES)
    kind = serializers.ChoiceField(choices=STANDING_KINDS, help_text="`plan`: a long move that goes on (3.2.2.3).")
    order = serializers.CharField(help_text="In its canonical form.")
    route = serializers.ListField(child=serializers.CharField(), help_text="From its square to its end.")
    target = serializers.CharField(allow_blank=True)
    by = serializers.CharField(allow_blank=True, help_text="Who posted it; empty for a long move that goes on.")
    at = serializers.DateTimeField(allow_null=True)
    sealed = serializers.BooleanField()


class ClashOut(serializers.Serializer):
    """Friends' orders that stand in each other's way."""

    armies = serializers.ListField(child=serializers.CharField())
    at = serializers.CharField()
    cites = serializers.CharField()
    detail = serializers.CharField()


class OrdersOut(serializers.Serializer):
    """The orders of a turn that the viewer may see, and their clashes."""

    turn = serializers.IntegerField()
    orders = StandingOrderOut(many=True)
    clashes = ClashOut(many=True)
