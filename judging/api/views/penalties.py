"""5.4.1, R47: the penalties of a round, for programs."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ListView
from judging.api.examples_of_penalties import PENALTY
from judging.api.schema import describe
from judging.api.shapes.penalties import PenaltyOut, PenaltyQuery
from judging.selectors.penalties import penalty_views


class Penalties(ListView):
    """5.4.1: penalties and reprimands."""

    @describe(
        "penalties_list",
        "turns",
        "The penalties of a round, the newest first",
        out=PenaltyOut(many=True),
        example=PENALTY,
        asks=PenaltyQuery,
        problems=(400, 404),
        description="All are public, the lifted ones too. `map` shows armies without what those in force took.",
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = self.read(PenaltyQuery, request.query_params)
        found = penalty_views(self.round(slug), army=asked.get("army", ""), player=asked.get("player", ""))
        return self.page(found, PenaltyOut)
