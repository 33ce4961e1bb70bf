"""3.2.2: what an army could be ordered to do."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Missing
from judging.api.examples import REACH
from judging.api.schema import describe
from judging.api.shapes.reach import ReachOut
from judging.selectors.reach import reach_view


class Reach(ApiView):
    """3.2.2.1: the squares in reach of an army, with the orders that lead there."""

    @describe(
        "armies_reach",
        "armies",
        "What an army could be ordered to do, ready to post, with what is illegal and why",
        out=ReachOut,
        example=REACH,
    )
    def get(self, request: Request, slug: str, name: str) -> Response:
        turn = self.turn(self.round(slug))
        found = reach_view(turn, name)
        if found is None:
            raise Missing(f"There is no army “{name[:40]}” on the map of turn {turn.number}.", "3.2.2.5")
        data = {"army": found.army.name, "at": str(found.army.at), "turn": turn.number}
        return Response(ReachOut({**data, "goals": found.goals, "here": found.here}).data)
