"""2.1: armies as a list and one by one."""

from __future__ import annotations

from rest_framework import serializers

from judging.api.shapes.common import FACTIONS, RANKS, SIDES, EventOut, SquareField

ORDERINGS = ("name", "rank", "at", "alive")


class ArmyQuery(serializers.Serializer):
    """What the list of armies is narrowed to, and its order."""

    side = serializers.ChoiceField(choices=SIDES, required=False)
    rank = serializers.ChoiceField(choices=RANKS, required=False)
    faction = serializers.ChoiceField(choices=FACTIONS, required=False, help_text="Of the mercenaries (6).")
    at = SquareField(required=False, help_text="A square, like 3D.")
    search = serializers.CharField(
        required=False, max_length=80, help_text="Part of the name of the army or of a controller."
    )
    dead = serializers.BooleanField(required=False, default=False, help_text="Also those that are killed.")
    ordering = serializers.ChoiceField(
        choices=[sign + name for name in ORDERINGS for sign in ("", "-")],
        required=False,
        default="name",
        help_text="`rank`: the highest first; `alive`: by living troops; `-` turns it round.",
    )


class ArmyOut(serializers.Serializer):
    """2.1: an army in the list."""

    name = serializers.CharField()
    side = serializers.ChoiceField(choices=SIDES)
    title = serializers.CharField(help_text="Its rank or its faction.")
    rank = serializers.ChoiceField(choices=RANKS, allow_blank=True)
    faction = serializers.ChoiceField(choices=FACTIONS, allow_blank=True)
    at = serializers.CharField(allow_blank=True, help_text="Its square; empty if it is dead.")
    place = serializers.CharField(allow_blank=True, help_text="The base, portal or town there, or the terrain.")
    alive = serializers.IntegerField(help_text="Living troops.")
    of = serializers.IntegerField(help_text="Its strength, which healing restores (2.3.1).")
    battle = serializers.CharField(allow_blank=True, help_text="Whom it fights this turn, in words.")
    captured = serializers.BooleanField(help_text="Partially converted (4.5).")
    controllers = serializers.ListField(child=serializers.CharField())
    died_in = serializers.IntegerField(allow_null=True, help_text="The turn in which it was killed.")


class TroopOut(serializers.Serializer):
    """2.1: a creature type in a slot; slot 1 has the smallest."""

    slot = serializers.IntegerField()
    creature = serializers.CharField(allow_blank=True)
    size = serializers.CharField(allow_blank=True)
    colors = serializers.ListField(child=serializers.CharField())
    alive = serializers.IntegerField()
    of = serializers.IntegerField()


class ArmyTurnOut(serializers.Serializer):
    """3.1: what a settled turn brought an army."""

    turn = serializers.IntegerField()
    settled_at = serializers.DateTimeField(allow_null=True)
    events = EventOut(many=True)


class ArmyDetailOut(serializers.Serializer):
    """2.1: everything public about an army."""

    name = serializers.CharField()
    side = serializers.ChoiceField(choices=SIDES)
    title = serializers.CharField()
    rank = serializers.ChoiceField(choices=RANKS, allow_blank=True)
    faction = serializers.ChoiceField(choices=FACTIONS, allow_blank=True)
    at = serializers.CharField(allow_blank=True)
    place = serializers.CharField(allow_blank=True)
    colors = serializers.ListField(child=serializers.CharField())
    legend = serializers.CharField(allow_blank=True)
    days = serializers.IntegerField()
    battle = serializers.CharField(allow_blank=True)
    captive_of = serializers.CharField(allow_blank=True, help_text="Whose it was before its capture (4.5).")
    controllers = serializers.ListField(child=serializers.CharField())
    alive = serializers.IntegerField()
    of = serializers.IntegerField()
    troops = TroopOut(many=True)
    plan = serializers.ListField(child=serializers.CharField(), help_text="Later steps of a long move (3.2.2.3).")
    died_in = serializers.IntegerField(allow_null=True)
    history = ArmyTurnOut(many=True)
