"""1.5: the rounds of the site, and one of them."""

from django.db.models import OuterRef, Subquery
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.schema import describe
from judging.api.shapes import ROUND_STATES, Body
from judging.common.rounds import current_turn
from judging.home.queries import begun_rounds
from wargame.models import Round, Turn
from wargame.models.choices import SIDES, Press


class RoundOut(Body):
    """1.5: a round. Lengths are in seconds."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=ROUND_STATES)
    turn = serializers.IntegerField(allow_null=True, help_text="Number of the current turn.")
    winner = serializers.ChoiceField(choices=SIDES, allow_blank=True)
    created_at = serializers.DateTimeField()
    turn_length = serializers.FloatField(help_text="From unlock to lock (3.1).")
    deadline_before_lock = serializers.FloatField(help_text="From the battle deadline to the lock (R5).")
    sealed_before_lock = serializers.FloatField(help_text="How long sealed orders are accepted before the lock (R6).")
    contingency_before_deadline = serializers.FloatField(
        help_text="How long contingencies can send strats before the deadline (5.2.3)."
    )
    criteria = serializers.CharField(help_text="Criteria for the reasons of a score, one per line, with weights (R54).")
    strats_after = serializers.IntegerField(
        allow_null=True,
        help_text="Number of turns after the battle when its strats are published; null: at the end (R54).",
    )
    runner_least = serializers.IntegerField(
        help_text="Lowest percentage one judge can set for a runner's losses (R53)."
    )
    pair_least = serializers.IntegerField(
        help_text="Lowest percentage one judge can set for an army's share in a pair (R53)."
    )
    pair_most = serializers.IntegerField(
        help_text="Highest percentage one judge can set for an army's share in a pair (R53)."
    )
    may_lock_early = serializers.BooleanField(
        help_text="Let a judge bring a lock forward once all players are done and no strat is due (R60)."
    )
    press = serializers.ChoiceField(
        choices=Press.choices, help_text="Which players can write to each other privately (1.6)."
    )
    holidays = serializers.CharField(
        allow_blank=True,
        help_text="Dates (UTC) without battle deadlines or locks, one per line (R5).",
    )


JUDGING = ("criteria", "strats_after", "runner_least", "pair_least", "pair_most")
LENGTHS = ("turn_length", "deadline_before_lock", "sealed_before_lock", "contingency_before_deadline")


class Rounds(ListView):
    """1.5: the rounds that have begun."""

    @describe(
        "rounds_list",
        "rounds",
        "List all rounds, newest first",
        out=RoundOut(many=True),
        problems=(),
    )
    def get(self, request: Request) -> Response:
        turns = Turn.objects.filter(round=OuterRef("pk")).order_by("-number").values("number")[:1]
        rounds = begun_rounds().annotate(turn_number=Subquery(turns))
        return self.page(rounds, RoundOut, lambda part: [_round_data(each, each.turn_number) for each in part])


class OneRound(ApiView):
    """1.5: one round."""

    @describe("rounds_read", "rounds", "One round", out=RoundOut)
    def get(self, request: Request, slug: str) -> Response:
        round_ = self.round(slug)
        turn = current_turn(round_)
        return Response(RoundOut(_round_data(round_, turn.number if turn else None)).data)


def _round_data(round_: Round, turn: int | None) -> dict[str, object]:
    names = ("slug", "name", "state", "winner", "created_at", "holidays", "may_lock_early", "press", *JUDGING)
    return {
        **{name: getattr(round_, name) for name in names},
        **{name: getattr(round_, name).total_seconds() for name in LENGTHS},
        "turn": turn,
    }
