"""2.5.2, 2.5.3: what is drawn for the armies of a new round, and the mercenaries as they are planned."""

from __future__ import annotations

from django.db import models

from wargame.models import Round


class ArmySetup(models.Model):
    """2.5.2, R38: the seed of all that is drawn in a set-up: secret until the round starts, its `commitment` is not.

    `lots` counts the armies that were drawn. `placed` and `hired` count how often the squares of the armies and the
    mercenaries were drawn; `placed_at` and `hired_at` are when the judge accepted them, empty while they are proposals.
    """

    round = models.OneToOneField(Round, models.CASCADE, related_name="army_setup")
    seed = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    lots = models.PositiveIntegerField(default=0)
    placed = models.PositiveIntegerField(default=0)
    placed_at = models.DateTimeField(null=True, blank=True)
    hired = models.PositiveIntegerField(default=0)
    hired_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"armies of {self.round}"


class MercenaryPlan(models.Model):
    """2.5.3, 6.1 to 6.3: a mercenary army with which the round is to begin.

    `lot` says which one, like `raider 2` (rules.mercenary_muster.POSTS), and names its draws; `drawn` counts them.
    `lists` are its four slots as typed; `theme` is the terrain that it was made for.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="mercenary_plans")
    lot = models.CharField(max_length=20)
    name = models.CharField(max_length=120, blank=True)
    legend = models.CharField(max_length=150, blank=True)
    lists = models.JSONField(default=list)
    at = models.CharField(max_length=3, blank=True)
    theme = models.CharField(max_length=10, blank=True)
    drawn = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["round_id", "id"]
        constraints = [models.UniqueConstraint(fields=["round", "lot"], name="mercenary_plan_once_a_lot")]

    def __str__(self) -> str:
        return self.name or self.lot
