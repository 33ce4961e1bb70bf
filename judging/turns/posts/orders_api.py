"""3.2: the orders of a turn as they stand.

3.2: the orders of a turn as they stand.
"""

from __future__ import annotations

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.schema import describe
from judging.api.shapes import SIDES
from judging.map.api import KINDS
from judging.turns.posts.orders import posted_orders

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


class Orders(ApiView):
    """3.2, R12: the legal orders of a turn, by army."""

    @describe(
        "orders_list",
        "posts",
        "The orders that count as things stand, and where friends' orders stand in each other's way",
        out=OrdersOut,
        description="Before the lock: of sealed orders only one's own (R6).",
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        turn = self.turn(viewer.round, number)
        orders, clashes = posted_orders(turn, viewer, timezone.now())
        told = [
            {"armies": each.armies, "at": str(each.at), "cites": each.cites, "detail": each.sentence}
            for each in clashes
        ]
        return Response(OrdersOut({"turn": turn.number, "orders": orders, "clashes": told}).data)
