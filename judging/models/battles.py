"""4.1: the battles of a turn and who fights in them."""

from django.db import models
from django.db.models import Q

from wargame.models import Army, Judge, Turn


class Battle(models.Model):
    """4.1, R25: a battle fought in `turn`. `defends` is the side (0 or 1) that defends; empty: no attacker.

    `seed` is secret until the result is published, `commitment` is public from the start (R38). `weather` is
    4.1.2.5's as JSON. A `second_judge` was asked to score independently. `overdue_at`: when its judges were told
    that it waits too long. A correction of the turn before may have cancelled it; then it keeps its strats (3.3.3).
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting for its score"
        SCORED = "scored", "scored"
        ROLLED = "rolled", "rolled, not published"
        PUBLISHED = "published", "published"
        CANCELLED = "cancelled", "cancelled by a correction"

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="battles")
    number = models.PositiveIntegerField()
    at = models.CharField(max_length=3)
    terrain = models.CharField(max_length=10)
    place = models.CharField(max_length=60, blank=True)
    defends = models.PositiveSmallIntegerField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    seed = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    announced_at = models.DateTimeField()
    deadline = models.DateTimeField()
    weather = models.JSONField(default=dict)
    second_judge = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    overdue_at = models.DateTimeField(null=True, blank=True)
    cancelled_by = models.ForeignKey(
        "judging.Correction", models.PROTECT, null=True, blank=True, related_name="cancelled"
    )

    class Meta:
        ordering = ["turn_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "number"], name="battle_number_once_a_turn"),
            models.UniqueConstraint(fields=["turn", "at"], condition=~Q(state="cancelled"), name="battle_one_a_square"),
            models.CheckConstraint(
                name="battle_defends_is_a_side", condition=Q(defends__isnull=True) | Q(defends__in=[0, 1])
            ),
        ]

    def __str__(self) -> str:
        return f"battle at {self.at}, {self.turn}"


class BattleArmy(models.Model):
    """4.1: an army in a battle, on side 0 or 1, under the `name` that it has in that turn (2.6). `deadline` is its own
    where its strat's was extended (R5, 5.4.1)."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="entries")
    army = models.ForeignKey(Army, models.PROTECT, related_name="battle_entries")
    name = models.CharField(max_length=40)
    side = models.PositiveSmallIntegerField()
    deadline = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "armies in battles"
        ordering = ["battle_id", "side", "id"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "army"], name="battle_army_once"),
            models.CheckConstraint(name="battle_army_side", condition=Q(side__in=[0, 1])),
        ]

    def __str__(self) -> str:
        return f"{self.name} in {self.battle}"
