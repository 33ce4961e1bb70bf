"""2.1: armies as a list and one by one."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Missing
from judging.api.schema import describe
from judging.api.shapes import Body, EventOut, Shape, SquareField
from judging.armies.queries import ArmyCard, ArmyLine, TurnHistory, army_card, army_list, names_like, now_called
from wargame.models.choices import FACTIONS, RANKS, SIDES
from wargame.rules.core.board import read_square

ORDERINGS = ("name", "rank", "at", "alive")


class ArmyQuery(Body):
    """What the list of armies is narrowed to, and its order."""

    side = serializers.ChoiceField(choices=SIDES, required=False)
    rank = serializers.ChoiceField(choices=RANKS, required=False)
    faction = serializers.ChoiceField(choices=FACTIONS, required=False, help_text="Mercenary faction (6).")
    at = SquareField(required=False, help_text="A square, such as 3D.")
    search = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=80,
        help_text="Part of the name of the army or of one of its controllers.",
    )
    dead = serializers.BooleanField(required=False, default=False, help_text="Include killed armies.")
    ordering = serializers.ChoiceField(
        choices=[sign + name for name in ORDERINGS for sign in ("", "-")],
        required=False,
        default="name",
        help_text="`rank`: highest first; `alive`: by living troops; `-` reverses the order.",
    )


class ArmyOut(Shape):
    """2.1: an army in the list."""

    made_of = ArmyLine
    shows = (
        *("name", "side", "title", "rank", "faction", "at", "place", "alive", "of", "battle", "captured"),
        *("controllers", "died_in"),
    )
    tells = {
        "title": "Its rank or faction.",
        "at": "Its square; empty if it is dead.",
        "place": "The base, portal, town or terrain there.",
        "alive": "Living troops.",
        "of": "Its full strength, which healing restores (2.3.1).",
        "battle": "Who it fights this turn, in words.",
        "captured": "Partially converted (4.5).",
        "died_in": "The turn it was killed in.",
    }
    side = serializers.ChoiceField(choices=SIDES)
    rank = serializers.ChoiceField(choices=RANKS, allow_blank=True)
    faction = serializers.ChoiceField(choices=FACTIONS, allow_blank=True)


class TroopOut(Body):
    """2.1: a creature type in a slot; slot 1 has the smallest."""

    slot = serializers.IntegerField()
    creature = serializers.CharField(allow_blank=True)
    size = serializers.CharField(allow_blank=True)
    colors = serializers.ListField(child=serializers.CharField())
    alive = serializers.IntegerField()
    of = serializers.IntegerField()


class ArmyTurnOut(Shape):
    """3.1: what a settled turn brought an army."""

    made_of = TurnHistory
    shows = ("turn", "settled_at", "events")
    turn = serializers.IntegerField(source="number")
    events = EventOut(many=True)


class ArmyDetailOut(Shape):
    """2.1: everything public about an army."""

    made_of = ArmyCard
    shows = (
        *("name", "side", "title", "rank", "faction", "at", "place", "colors", "legend", "days", "battle"),
        *("captive_of", "controllers", "alive", "of", "troops", "plan", "died_in", "history"),
    )
    tells = {
        "captive_of": ("The side it belonged to before its capture (4.5)."),
        "plan": "Later steps of a long move (3.2.2.3).",
    }
    name = serializers.CharField(source="army.name")
    side = serializers.ChoiceField(source="army.side", choices=SIDES)
    rank = serializers.ChoiceField(source="army.rank", choices=RANKS, allow_blank=True)
    faction = serializers.ChoiceField(source="army.faction", choices=FACTIONS, allow_blank=True)
    at = serializers.CharField(source="army.at", allow_blank=True)
    colors = serializers.ListField(source="army.colors", child=serializers.CharField())
    legend = serializers.CharField(source="army.legend", allow_blank=True)
    days = serializers.IntegerField(source="army.days")
    alive = serializers.IntegerField(source="troops.alive")
    of = serializers.IntegerField(source="troops.of")
    troops = TroopOut(many=True, source="troops.creatures")
    died_in = serializers.IntegerField(source="army.died_in", allow_null=True)


KEYS: dict[str, Callable[[ArmyLine], tuple[object, ...]]] = {
    "name": lambda line: (line.name.casefold(),),
    "rank": lambda line: (line.tier,),
    "at": lambda line: read_square(line.at) if line.at else (99, 99),
    "alive": lambda line: (line.alive,),
}


class Armies(ListView):
    """2.1: the armies of a round as they stand now."""

    @describe(
        "armies_list",
        "armies",
        "List the current armies",
        out=ArmyOut(many=True),
        asks=ArmyQuery,
        problems=(400, 404),
    )
    def get(self, request: Request, slug: str) -> Response:
        query = self.read(ArmyQuery, request.query_params)
        armies = army_list(self.round(slug), timezone.now())
        return self.page(_sorted([line for line in armies if _fits(line, query)], query["ordering"]), ArmyOut)


class OneArmy(ApiView):
    """2.1: one army with its troops."""

    @describe("armies_read", "armies", "Get an army by its exact name", out=ArmyDetailOut)
    def get(self, request: Request, slug: str, name: str) -> Response:
        viewer = self.viewer(slug)
        card = army_card(viewer.round, name, viewer, timezone.now()) if "\0" not in name else None
        if card is None:
            if renamed := now_called(viewer.round, name):
                message = gettext("The army %(army)s is now called “%(name)s”.") % {"army": name[:40], "name": renamed}
                raise Missing(message, "2.6")
            names = names_like(viewer.round, name[:40])
            if not names:
                missing = gettext("There is no army “%(army)s” in this round.") % {"army": name[:40]}
                raise Missing(missing, "3.2.2.5")
            hint = gettext("There is no army “%(army)s” in this round. Did you mean %(names)s?")
            raise Missing(hint % {"army": name[:40], "names": gettext(" or ").join(names)}, "3.2.2.5")
        return Response(ArmyDetailOut(card).data)


def _fits(line: ArmyLine, query: Mapping[str, Any]) -> bool:
    search = query.get("search", "").casefold()
    exact = all(getattr(line, name) == query[name] for name in ("side", "rank", "faction", "at") if name in query)
    is_found = any(search in name.casefold() for name in (line.name, *line.controllers))
    return exact and is_found and (query["dead"] or line.died_in is None)


def _sorted(lines: list[ArmyLine], ordering: str) -> list[ArmyLine]:
    """By what was asked for; equal ones by name."""
    by_name = sorted(lines, key=KEYS["name"])
    return sorted(by_name, key=KEYS[ordering.removeprefix("-")], reverse=ordering.startswith("-"))
