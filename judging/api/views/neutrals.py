"""R48: the ledger of the neutrals, for programs."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Missing
from judging.api.examples_of_neutrals import LEDGER
from judging.api.schema import describe
from judging.api.shapes.neutrals import LedgerOut
from judging.selectors.neutrals import ledger_of, settled_turns
from wargame.models import Turn


class Neutrals(ApiView):
    """R48: the last settled turn."""

    @describe(
        "neutrals_last", "turns", "What the mercenaries decided in the last settled turn", out=LedgerOut, example=LEDGER
    )
    def get(self, request: Request, slug: str) -> Response:
        round_ = self.round(slug)
        numbers = settled_turns(round_)
        if not numbers:
            raise Missing("No turn is settled yet.")
        return _ledger(self.turn(round_, numbers[0]))


class NeutralsOfTurn(ApiView):
    """R48: any settled turn."""

    @describe(
        "neutrals_of_turn", "turns", "What the mercenaries decided in a turn, and why", out=LedgerOut, example=LEDGER
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        return _ledger(self.turn(self.round(slug), number))


def _ledger(turn: Turn) -> Response:
    ledger = ledger_of(turn)
    if ledger is None:
        raise Missing(f"What the mercenaries do in turn {turn.number} is shown when it is settled.")
    return Response(LedgerOut(ledger).data)
