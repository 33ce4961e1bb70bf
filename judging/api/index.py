"""Where a program begins."""

from __future__ import annotations

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.schema import describe
from judging.api.shapes import Body
from judging.game.rounds import current_turn, running_round


class IndexOut(Body):
    """Addresses. Those of the running round are null if no round is running."""

    rounds = serializers.URLField(help_text="All rounds.")
    docs = serializers.URLField(help_text="This description as a page.")
    schema = serializers.URLField(help_text="This description as OpenAPI.")
    round = serializers.URLField(allow_null=True, help_text="The running round.")
    map = serializers.URLField(allow_null=True, help_text="Its map.")
    armies = serializers.URLField(allow_null=True, help_text="Its armies.")
    control = serializers.URLField(allow_null=True, help_text="Its control list.")
    turns = serializers.URLField(allow_null=True, help_text="Its turns.")
    results = serializers.URLField(allow_null=True, help_text="Its battle results.")
    posts = serializers.URLField(allow_null=True, help_text="The Orders thread of the current turn; post here.")
    battles = serializers.URLField(allow_null=True, help_text="The battles of the current turn.")


OF_ALL = {"rounds": "api-rounds", "docs": "api-docs", "schema": "api-schema"}
OF_A_ROUND = {name: f"api-{name}" for name in ("round", "map", "armies", "control", "turns", "results")}
OF_A_TURN = {name: f"api-{name}" for name in ("posts", "battles")}


class Index(ApiView):
    """The addresses to go on from."""

    @describe(
        "index_read",
        "rounds",
        "List the main addresses of the API",
        out=IndexOut,
        problems=(),
        description="Round addresses are for the running round and its current turn; null if no round is running.",
    )
    def get(self, request: Request) -> Response:
        round_ = running_round(request.user)
        turn = current_turn(round_) if round_ else None
        links: dict[str, str | None] = dict.fromkeys((*OF_A_ROUND, *OF_A_TURN))
        links |= {name: reverse(address) for name, address in OF_ALL.items()}
        if round_:
            links |= {name: reverse(address, args=[round_.slug]) for name, address in OF_A_ROUND.items()}
        if round_ and turn:
            links |= {name: reverse(address, args=[round_.slug, turn.number]) for name, address in OF_A_TURN.items()}
        whole = {name: path and request.build_absolute_uri(path) for name, path in links.items()}
        return Response(IndexOut(whole).data)
