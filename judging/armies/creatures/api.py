"""2.2.1: the catalogue of creatures."""

from typing import cast

from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ListView
from judging.api.schema import describe
from judging.api.shapes import Body
from judging.armies.creatures.services import CreatureQuery, found_creatures
from wargame.models import Creature
from wargame.rules.armies.sizes import read_size
from wargame.rules.core.board import COLORS

LARGEST_SLOT = 99


class SizeField(serializers.CharField):
    """2.1: a size as printed, like `2/3` or `*/*`."""

    def to_internal_value(self, data: str) -> str:
        text = super().to_internal_value(data)
        if read_size(text) is None:
            sentence = gettext("“%(text)s” is not a size. Write power and toughness, like 2/3 or */* (2.1).")
            raise serializers.ValidationError(sentence % {"text": text})
        return text


class CreatureQueryIn(Body):
    """What the catalogue is narrowed to."""

    q = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=80,
        help_text="Beginnings of words in the name, types, set or text.",
    )
    color = serializers.ChoiceField(
        choices=COLORS,
        required=False,
        help_text="Creatures with this colour, alone or among others; `multicolor`: creatures with several.",
    )
    kind = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=40,
        help_text="`troops` (no legends), `legend`, `artifact` or a type, such as `goblin`.",
    )
    size = SizeField(required=False, max_length=12, help_text="As printed, such as `2/3` or `*/*`.")
    fits = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST_SLOT, help_text="Fits a slot of this size: 3 means 3/3 (2.1)."
    )


class CreatureOut(Body):
    """2.2.1: a creature as printed, and what is ruled on it."""

    name = serializers.CharField()
    colors = serializers.ListField(child=serializers.CharField(), source="color_names")
    power = serializers.CharField(help_text="As printed; `*` varies (2.2.2).")
    toughness = serializers.CharField()
    types = serializers.SerializerMethodField(help_text="`Creature`, `Artifact`, `Legend` and so on.")
    subtypes = serializers.CharField(allow_blank=True)
    set = serializers.CharField(allow_blank=True, source="printed_in")
    text = serializers.CharField(allow_blank=True)
    uses = serializers.SerializerMethodField(
        help_text="Sizes it can be used at. `4/4+`: with any number of +1/+1 counters. Empty: only as printed."
    )
    banned = serializers.SerializerMethodField(help_text="The rule that bans it; empty if it is allowed.")
    note = serializers.SerializerMethodField(help_text="Rulings about it.")
    cites = serializers.SerializerMethodField(help_text="By which rule.")

    def get_types(self, creature: Creature) -> list[str]:
        return list(creature.as_rules().types)

    def get_uses(self, creature: Creature) -> list[str]:
        return list(creature.as_rules().uses)

    def get_banned(self, creature: Creature) -> str:
        return str(creature.as_rules().banned)

    def get_note(self, creature: Creature) -> str:
        rules = creature.as_rules()
        return gettext(rules.note or rules.asks)

    def get_cites(self, creature: Creature) -> str:
        return str(creature.as_rules().cites)


class Creatures(ListView):
    """2.2.1: what armies can be made of."""

    @describe(
        "creatures_list",
        "creatures",
        "List the creatures that armies can be made of",
        out=CreatureOut(many=True),
        asks=CreatureQueryIn,
        problems=(400,),
    )
    def get(self, request: Request) -> Response:
        values = self.read(CreatureQueryIn, request.query_params)
        query = CreatureQuery.of({key: str(value) for key, value in values.items()})
        return self.page(cast("list[object]", found_creatures(query)), CreatureOut)
