"""1.5: the rounds of the site, and one of them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.schema import describe
from judging.api.shapes import ROUND_STATES, Body
from judging.game.rounds import current_turn
from judging.home.reads import all_rounds
from wargame.models import Round
from wargame.models.choices import SIDES


class RoundOut(Body):
    """1.5: a round. Lengths are in seconds."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=ROUND_STATES)
    turn = serializers.IntegerField(allow_null=True, help_text="The number of the present turn.")
    winner = serializers.ChoiceField(choices=SIDES, allow_blank=True)
    created_at = serializers.DateTimeField()
    turn_length = serializers.FloatField(help_text="From unlock to lock (3.1).")
    deadline_before_lock = serializers.FloatField(help_text="From the battle deadline to the lock (R5).")
    sealed_before_lock = serializers.FloatField(help_text="How long sealed orders are accepted (R6).")
    contingency_before_deadline = serializers.FloatField(help_text="How long contingencies may send (5.2.3).")
    may_lock_early = serializers.BooleanField(
        help_text="Whether a judge may bring a lock forward once all are done and no strat is due (R60)."
    )
    holidays = serializers.CharField(
        allow_blank=True,
        help_text="Dates (UTC) on which no battle deadline and no lock falls, one a line (R5).",
    )


LENGTHS = ("turn_length", "deadline_before_lock", "sealed_before_lock", "contingency_before_deadline")


class Rounds(ListView):
    """1.5: the rounds that have begun."""

    @describe(
        "rounds_list",
        "rounds",
        "All rounds, the newest first",
        out=RoundOut(many=True),
        problems=(),
    )
    def get(self, request: Request) -> Response:
        return self.page([_round_data(round_) for round_ in all_rounds()], RoundOut)


class OneRound(ApiView):
    """1.5: one round."""

    @describe("rounds_read", "rounds", "One round", out=RoundOut)
    def get(self, request: Request, slug: str) -> Response:
        return Response(RoundOut(_round_data(self.round(slug))).data)


def _round_data(round_: Round) -> dict[str, Any]:
    turn = current_turn(round_)
    names = ("slug", "name", "state", "winner", "created_at", "holidays", "may_lock_early")
    return {
        **{name: getattr(round_, name) for name in names},
        **{name: getattr(round_, name).total_seconds() for name in LENGTHS},
        "turn": turn.number if turn else None,
    }
