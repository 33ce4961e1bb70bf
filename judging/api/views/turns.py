"""3.1: turns and their updates."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.examples import TURN, TURN_DETAIL
from judging.api.schema import describe
from judging.api.shapes.turns import TurnDetailOut, TurnOut
from judging.selectors.turn_facts import turn_facts, turns_facts


class Turns(ListView):
    """3.1: the turns of a round."""

    @describe("turns_list", "turns", "The turns, the newest first", out=TurnOut(many=True), example=TURN)
    def get(self, request: Request, slug: str) -> Response:
        return self.page(turns_facts(self.round(slug), timezone.now()), TurnOut)


class OneTurn(ApiView):
    """3.1: one turn with what happened."""

    @describe("turns_read", "turns", "One turn with its update", out=TurnDetailOut, example=TURN_DETAIL)
    def get(self, request: Request, slug: str, number: int) -> Response:
        turn = self.turn(self.round(slug), number)
        return Response(TurnDetailOut(turn_facts(turn, timezone.now())).data)
