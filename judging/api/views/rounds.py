"""1.5, 1.2: rounds and their maps."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView, unchanged
from judging.api.examples import MAP, ROUND
from judging.api.map_data import map_data
from judging.api.schema import describe
from judging.api.shapes.rounds import MapOut, MapQuery, RoundOut
from judging.selectors.home import all_rounds
from judging.selectors.rounds import current_turn
from wargame.models import Round

LENGTHS = ("turn_length", "deadline_before_lock", "sealed_before_lock", "contingency_before_deadline")


class Rounds(ListView):
    """1.5: the rounds that have begun."""

    @describe(
        "rounds_list",
        "rounds",
        "All rounds, the newest first",
        out=RoundOut(many=True),
        example=ROUND,
        problems=(),
    )
    def get(self, request: Request) -> Response:
        return self.page([_round_data(round_) for round_ in all_rounds()], RoundOut)


class OneRound(ApiView):
    """1.5: one round."""

    @describe("rounds_read", "rounds", "One round", out=RoundOut, example=ROUND)
    def get(self, request: Request, slug: str) -> Response:
        return Response(RoundOut(_round_data(self.round(slug))).data)


class Map(ApiView):
    """1.2: the map of a turn."""

    @describe(
        "map_read",
        "map",
        "The map, as the present turn or an earlier one opened",
        out=MapOut,
        example=MAP,
        asks=MapQuery,
        problems=(400, 404),
        description="Answers 304 to an `If-None-Match` with the ETag of the last answer while nothing has changed.",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        asked = self.read(MapQuery, request.query_params)
        turn = self.turn(self.round(slug), asked.get("turn"))
        tag = f"{turn.number}-{turn.position_hash}-{turn.penalties}"
        return unchanged(request, tag) or Response(map_data(turn), headers={"ETag": f'"{tag}"'})


def _round_data(round_: Round) -> dict[str, Any]:
    turn = current_turn(round_)
    names = ("slug", "name", "state", "winner", "created_at", "holidays")
    return {
        **{name: getattr(round_, name) for name in names},
        **{name: getattr(round_, name).total_seconds() for name in LENGTHS},
        "turn": turn.number if turn else None,
    }
