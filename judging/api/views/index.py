"""Where a program begins."""

from __future__ import annotations

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.examples import INDEX
from judging.api.schema import describe
from judging.api.shapes.index import IndexOut
from judging.selectors.rounds import current_turn, running_round

OF_ALL = {"rounds": "api-rounds", "docs": "api-docs", "schema": "api-schema"}
OF_A_ROUND = {name: f"api-{name}" for name in ("round", "map", "armies", "control", "turns", "results")}
OF_A_TURN = {name: f"api-{name}" for name in ("posts", "battles")}


class Index(ApiView):
    """The addresses to go on from."""

    @describe(
        "index_read",
        "rounds",
        "The addresses to go on from",
        out=IndexOut,
        example=INDEX,
        problems=(),
        description="Those of a round are of the running one and its present turn; null if none is running.",
    )
    def get(self, request: Request) -> Response:
        round_ = running_round()
        turn = current_turn(round_) if round_ else None
        links: dict[str, str | None] = dict.fromkeys((*OF_A_ROUND, *OF_A_TURN))
        links |= {name: reverse(address) for name, address in OF_ALL.items()}
        if round_:
            links |= {name: reverse(address, args=[round_.slug]) for name, address in OF_A_ROUND.items()}
        if round_ and turn:
            links |= {name: reverse(address, args=[round_.slug, turn.number]) for name, address in OF_A_TURN.items()}
        whole = {name: path and request.build_absolute_uri(path) for name, path in links.items()}
        return Response(IndexOut(whole).data)
