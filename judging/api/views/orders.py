"""3.2: the orders of a turn as they stand."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.examples import ORDERS
from judging.api.schema import describe
from judging.api.shapes.orders import OrdersOut
from judging.selectors.posted_orders import posted_orders


class Orders(ApiView):
    """3.2, R12: the legal orders of a turn, by army."""

    @describe(
        "orders_list",
        "posts",
        "The orders that count as things stand, and where friends' orders stand in each other's way",
        out=OrdersOut,
        example=ORDERS,
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
