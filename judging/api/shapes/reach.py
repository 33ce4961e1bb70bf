"""3.2.2: what an army could be ordered to do."""

from __future__ import annotations

from rest_framework import serializers

KINDS = ("move", "engage", "replace", "joint", "intercept", "transfer")


class ChoiceOut(serializers.Serializer):
    """An order ready to post; `refusal` is empty if it is legal now."""

    kind = serializers.ChoiceField(choices=KINDS)
    order = serializers.CharField()
    refusal = serializers.CharField(allow_blank=True, help_text="Why it would be refused.")
    cites = serializers.CharField(allow_blank=True, help_text="The rule of the refusal.")


class GoalOut(serializers.Serializer):
    """A square in reach, and what could be ordered there."""

    at = serializers.CharField()
    steps = serializers.IntegerField()
    choices = ChoiceOut(many=True)


class ReachOut(serializers.Serializer):
    """The reach of an army on the present map."""

    army = serializers.CharField()
    at = serializers.CharField()
    turn = serializers.IntegerField()
    goals = GoalOut(many=True, help_text="The army's own square and all within three steps, nearest first.")
    here = ChoiceOut(many=True, help_text="What needs no move: whom to intercept, to whom to send troops.")
