"""1.5, 1.2: rounds and their maps."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView, unchanged
from judging.api.schema import describe
from judging.api.shapes import BASE_COLORS, ROUND_STATES, SIDES, TEAM_SIDES
from judging.game.round_list import all_rounds
from judging.game.rounds import current_turn
from judging.map.api_data import map_data
from wargame.models import Round


class RoundOut(serializers.Serializer[Any]):
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
    holidays = serializers.CharField(
        allow_blank=True,
        help_text="Dates (UTC) on which no battle deadline and no lock falls, one a line (R5).",
    )


class MapQuery(serializers.Serializer[Any]):
    """Which turn's map."""

    turn = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text="The map as this turn opened; else the present.",
    )


class BaseOut(serializers.Serializer[Any]):
    """1.1: a Coalition base, or a Phyrexian portal (without a colour)."""

    name = serializers.CharField()
    at = serializers.CharField()
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    color = serializers.ChoiceField(choices=BASE_COLORS, allow_blank=True)
    win = serializers.BooleanField(help_text="A win condition (2.5.1.3).")
    destroyed = serializers.BooleanField()


class TownOut(serializers.Serializer[Any]):
    """2.5.1.4: a neutral town."""

    name = serializers.CharField()
    at = serializers.CharField()


class MapArmyOut(serializers.Serializer[Any]):
    """1.2: an army on the map. The numbers are of the slots 1 to 4, the smallest creatures first."""

    name = serializers.CharField()
    side = serializers.ChoiceField(choices=SIDES)
    title = serializers.CharField(help_text="Its rank or its faction.")
    at = serializers.CharField()
    alive = serializers.ListField(child=serializers.IntegerField(), min_length=4, max_length=4)
    strength = serializers.ListField(child=serializers.IntegerField(), min_length=4, max_length=4)
    days = serializers.IntegerField(help_text="Days counted in a row on this square (1.5).")
    fights = serializers.BooleanField(help_text="In battle this turn.")
    captured = serializers.BooleanField(help_text="Partially converted (4.5).")


class MapBattleOut(serializers.Serializer[Any]):
    """4.1: a battle of the turn."""

    at = serializers.CharField()
    sides = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    defends = serializers.IntegerField(allow_null=True, help_text="The side that defends, 0 or 1; null: nobody.")


class MapOut(serializers.Serializer[Any]):
    """1.2: the map as a turn opened."""

    round = serializers.SlugField()
    turn = serializers.IntegerField()
    position_hash = serializers.CharField(
        help_text="SHA-256 of the position as the turn opened, before what penalties took of it (5.4.1)."
    )
    rows = serializers.CharField(help_text="The letters of the rows, north first.")
    columns = serializers.IntegerField(help_text="Columns are 1 to this, west first.")
    terrain = serializers.ListField(child=serializers.CharField(), help_text="A line a row, a letter a square.")
    terrains = serializers.DictField(child=serializers.CharField(), help_text="What the letters mean (R2).")
    bases = BaseOut(many=True)
    towns = TownOut(many=True)
    armies = MapArmyOut(many=True)
    battles = MapBattleOut(many=True)


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


class Map(ApiView):
    """1.2: the map of a turn."""

    @describe(
        "map_read",
        "map",
        "The map, as the present turn or an earlier one opened",
        out=MapOut,
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
