"""R38: a round recomputed."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER, ApiView, ListView
from judging.api.errors import Missing
from judging.api.schema import describe
from judging.verifying.api_shapes import ProofOut, VerdictDetailOut, VerdictOut, row_data, verdict_data
from judging.verifying.proofs import proof_of
from judging.verifying.recomputing import all_rows, verdict_of

RETRY_SECONDS = 3


class Verdicts(ListView):
    """R38: the turns, with what recomputing them gave."""

    @describe(
        "verdicts_list",
        "verify",
        "The turns, with what recomputing them gave",
        out=VerdictOut(many=True),
        description="The newest first. Nothing is recomputed for this list: ask for the turns one by one. What came "
        "is kept for an hour.",
    )
    def get(self, request: Request, slug: str) -> Response:
        rows = all_rows(self.round(slug), timezone.now())
        return self.page([row_data(row) for row in rows], VerdictOut)


class OneVerdict(ApiView):
    """R38: one turn, recomputed."""

    @describe(
        "verdicts_read",
        "verify",
        "One turn, recomputed",
        out=VerdictDetailOut,
        description="Everything that was published of the turn, held against what comes again from what was posted, "
        "handed in and drawn. One turn is recomputed at a time; the answer 429 says when to try again.",
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        turn = self.turn(self.round(slug), number)
        verdict = verdict_of(turn, timezone.now())
        if verdict is None:
            raise Throttled(wait=RETRY_SECONDS)
        return Response(VerdictDetailOut(verdict_data(turn, verdict)).data)


class Proof(ApiView):
    """R38: what a stranger needs to recompute a battle."""

    @describe(
        "battles_proof",
        "verify",
        "All that is needed to recompute a battle",
        out=ProofOut,
        description="The armies, the commitment, and once the result is published the seed, the receipts and every "
        "roll; once the round is over the strats, their salts and the formula book. How a roll is drawn is told at "
        "`/dice/`.",
    )
    def get(self, request: Request, slug: str, battle_id: int) -> Response:
        found = proof_of(self.round(slug), battle_id) if battle_id <= LARGEST_NUMBER else None
        if found is None:
            raise Missing("There is no such battle in this round.")
        return Response(ProofOut(found).data)
