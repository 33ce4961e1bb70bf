"""3.2: the orders of a turn as they stand."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.schema import describe
from judging.api.shapes import SIDES, Shape
from judging.map.api import KINDS
from judging.turns.posts.orders import PostedOrder, posted_orders
from wargame.rules.moves.clashes import Clash

STANDING_KINDS = (*KINDS, "plan", "hold")


class StandingOrderOut(Shape):
    """An army's order that counts as things stand."""

    made_of = PostedOrder
    shows = ("army", "side", "kind", "order", "route", "target", "by", "at", "sealed")
    tells = {
        "order": "In its canonical form.",
        "route": "From its square to its end.",
        "by": "Who posted it; empty for a long move that goes on.",
    }
    side = serializers.ChoiceField(choices=SIDES)
    kind = serializers.ChoiceField(choices=STANDING_KINDS, help_text="`plan`: a long move that goes on (3.2.2.3).")


class ClashOut(Shape):
    """Friends' orders that stand in each other's way."""

    made_of = Clash
    shows = ("armies", "at", "cites", "detail")
    at = serializers.CharField()
    detail = serializers.CharField(source="sentence")


class OrdersOut(serializers.Serializer[Any]):
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
        return Response(OrdersOut({"turn": turn.number, "orders": orders, "clashes": clashes}).data)
