"""4.2: scores, results, and drafts of the moves."""

from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords

from wargame.models import Judge, Turn

from .battles import Battle


class Score(models.Model):
    """4.2.1: the battle judge's bonus of 0 to 10 to one side. Locked before anything is rolled (R38)."""

    battle = models.OneToOneField(Battle, models.CASCADE, related_name="score")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="scores")
    favours = models.PositiveSmallIntegerField(null=True, blank=True)
    bonus = models.PositiveSmallIntegerField(default=0)
    locked_at = models.DateTimeField()
    history = HistoricalRecords()

    class Meta:
        constraints = [
            models.CheckConstraint(name="score_is_0_to_10", condition=Q(bonus__lte=10)),
            models.CheckConstraint(
                name="score_favours_a_side",
                condition=Q(favours__isnull=True, bonus=0) | Q(favours__in=[0, 1]),
            ),
        ]

    def __str__(self) -> str:
        return f"score of {self.battle}"


class Result(models.Model):
    """4.2.5: what came of a battle. `outcome` is the rules' battle.Outcome as JSON; `narrative` is Markdown."""

    battle = models.OneToOneField(Battle, models.CASCADE, related_name="result")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="results")
    winner = models.PositiveSmallIntegerField()
    outcome = models.JSONField()
    narrative = models.TextField(blank=True)
    published_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(name="result_winner_is_a_side", condition=Q(winner__in=[0, 1]))]

    def __str__(self) -> str:
        return f"result of {self.battle}"


class Draft(models.Model):
    """R18, steps 1 to 6: the moves of a locked turn as they were worked out, one a turn.

    `publish_at` is when everybody may see it; empty until the movement judge says so.
    """

    turn = models.OneToOneField(Turn, models.CASCADE, related_name="draft")
    events = models.JSONField()
    places = models.JSONField()
    computed_at = models.DateTimeField()
    publish_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"draft of {self.turn}"
