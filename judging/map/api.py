"""1.2, 3.2.2: the map of a turn, and what an army on it could be ordered to do."""

from django.http import HttpResponse
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, unchanged
from judging.api.errors import Missing
from judging.api.schema import describe
from judging.api.shapes import TEAM_SIDES, Body
from judging.common.positions import position_of
from judging.map.queries import reach_view
from judging.turns.posts.api import KINDS
from wargame.models import Turn
from wargame.models.choices import BASE_COLORS, SIDES
from wargame.rules.core.board import COLUMNS, ROWS, TERRAINS, Base
from wargame.rules.core.codec import Json
from wargame.rules.core.position import Army, Position
from wargame.rules.core.troops import alive_by_slot, strength_by_slot


class MapQuery(Body):
    """Which turn's map."""

    turn = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text="The map at the start of this turn. Defaults to the current turn.",
    )


class BaseOut(Body):
    """1.1: a Coalition base, or a Phyrexian portal (without a colour)."""

    name = serializers.CharField()
    at = serializers.CharField()
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    color = serializers.ChoiceField(choices=BASE_COLORS, allow_blank=True)
    win = serializers.BooleanField(help_text="Whether it is a win condition (2.5.1.3).")
    destroyed = serializers.BooleanField()


class TownOut(Body):
    """2.5.1.4: a neutral town."""

    name = serializers.CharField()
    at = serializers.CharField()


class MapArmyOut(Body):
    """1.2: an army on the map. The numbers are of the slots 1 to 4, the smallest creatures first."""

    name = serializers.CharField()
    side = serializers.ChoiceField(choices=SIDES)
    title = serializers.CharField(help_text="Its rank or faction.")
    at = serializers.CharField()
    alive = serializers.ListField(child=serializers.IntegerField(), min_length=4, max_length=4)
    strength = serializers.ListField(child=serializers.IntegerField(), min_length=4, max_length=4)
    days = serializers.IntegerField(help_text="Consecutive days on this square (1.5).")
    fights = serializers.BooleanField(help_text="Whether it is in a battle this turn.")
    captured = serializers.BooleanField(help_text="Partially converted (4.5).")


class MapBattleOut(Body):
    """4.1: a battle of the turn."""

    at = serializers.CharField()
    sides = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    defends = serializers.IntegerField(allow_null=True, help_text="The defending side, 0 or 1; null if none.")


class MapOut(Body):
    """1.2: the map as a turn opened."""

    round = serializers.SlugField()
    turn = serializers.IntegerField()
    position_hash = serializers.CharField(
        help_text="SHA-256 of the position at the start of the turn, before losses from penalties (5.4.1)."
    )
    rows = serializers.CharField(help_text="Letters of the rows, from north.")
    columns = serializers.IntegerField(help_text="Number of columns, numbered from 1 in the west.")
    terrain = serializers.ListField(child=serializers.CharField(), help_text="One line per row, one letter per square.")
    terrains = serializers.DictField(child=serializers.CharField(), help_text="What the letters mean (R2).")
    bases = BaseOut(many=True)
    towns = TownOut(many=True)
    armies = MapArmyOut(many=True)
    battles = MapBattleOut(many=True)


class ChoiceOut(Body):
    """An order ready to post; `refusal` is empty if it is legal now."""

    kind = serializers.ChoiceField(choices=(*KINDS, "hold"))
    order = serializers.CharField()
    refusal = serializers.CharField(allow_blank=True, help_text="Why the order would be refused.")
    cites = serializers.CharField(allow_blank=True, help_text="The rule behind the refusal.")


class GoalOut(Body):
    """A square in reach, and what could be ordered there."""

    at = serializers.CharField()
    steps = serializers.IntegerField()
    choices = ChoiceOut(many=True)


class ReachOut(Body):
    """The reach of an army on the present map."""

    army = serializers.CharField()
    at = serializers.CharField()
    turn = serializers.IntegerField()
    goals = GoalOut(many=True, help_text="The army's own square and all squares within three steps, nearest first.")
    here = ChoiceOut(many=True, help_text="Actions without moving: hold, intercept, transfer.")


class Map(ApiView):
    """1.2: the map of a turn."""

    @describe(
        "map_read",
        "map",
        "Get the map at the start of the current turn or an earlier one",
        out=MapOut,
        asks=MapQuery,
        problems=(400, 404),
        description="Returns 304 if `If-None-Match` has the ETag of your last response and nothing has changed.",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        query = self.read(MapQuery, request.query_params)
        turn = self.turn(self.round(slug), query.get("turn"))
        tag = f"{turn.number}-{turn.position_hash}-{turn.penalties}"
        return unchanged(request, tag) or Response(map_data(turn), headers={"ETag": f'"{tag}"'})


class Reach(ApiView):
    """3.2.2.1: the squares in reach of an army, with the orders that lead there."""

    @describe(
        "armies_reach",
        "armies",
        "List what an army can be ordered to do, ready to post, with what is illegal and why",
        out=ReachOut,
    )
    def get(self, request: Request, slug: str, name: str) -> Response:
        turn = self.turn(self.round(slug))
        view = reach_view(turn, name)
        if view is None:
            sentence = gettext("There is no army “%(army)s” on the map of turn %(turn)s.")
            raise Missing(sentence % {"army": name[:40], "turn": turn.number}, "3.2.2.5")
        data = {"army": view.army.name, "at": str(view.army.at), "turn": turn.number}
        return Response(ReachOut({**data, "goals": view.goals, "here": view.here}).data)


def map_data(turn: Turn) -> Json:
    """The map as the turn opened, less what penalties took (5.4.1), in the shape of `MapOut`."""
    position = position_of(turn)
    board = position.board
    return {
        "round": turn.round.slug,
        "turn": turn.number,
        "position_hash": turn.position_hash,
        "rows": ROWS,
        "columns": COLUMNS,
        "terrain": list(board.terrain),
        "terrains": dict(TERRAINS),
        "bases": [_base_data(base) for base in board.bases],
        "towns": [{"name": town.name, "at": str(town.at)} for town in board.towns],
        "armies": [_army_data(position, army) for army in position.armies],
        "battles": [
            {"at": str(battle.at), "sides": [list(side) for side in battle.sides], "defends": battle.defends}
            for battle in position.battles
        ],
    }


def _base_data(base: Base) -> dict[str, object]:
    return {
        "name": base.name,
        "at": str(base.at),
        "side": base.side.value,
        "color": base.color or "",
        "win": base.win,
        "destroyed": base.destroyed,
    }


def _army_data(position: Position, army: Army) -> dict[str, object]:
    return {
        "name": army.name,
        "side": army.side.value,
        "title": army.title,
        "at": str(army.at),
        "alive": list(alive_by_slot(army.troops)),
        "strength": list(strength_by_slot(army.troops)),
        "days": army.days,
        "fights": army.name in position.battle_of,
        "captured": army.captivity is not None,
    }
