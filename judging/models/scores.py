"""4.2: scores, results, and drafts of the moves."""

from django.db import models
from django.db.models import Q
from simple_history.models import HistoricalRecords

from wargame.models import Judge, Turn

from .battles import Battle


class Score(models.Model):
    """4.2.1: the battle judge's bonus of 0 to 10 to one side. Locked before anything is rolled (R38).

    `how` says whose it is: one judge's, the mean of two, or the head judge's word where the two were too far apart, or
    where he overruled his assistants (1.3). `overruled` are the scores that were, the oldest first: each is {judge,
    favours, bonus, how, locked_at, by, at, reason}.
    """

    class How(models.TextChoices):
        ALONE = "alone", "scored by one judge"
        MEAN = "mean", "the mean of two judges"
        HEAD = "head", "set by the head judge, the two scores being far apart"
        OVER = "over", "set by the head judge, who overruled another score"

    battle = models.OneToOneField(Battle, models.CASCADE, related_name="score")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="scores")
    favours = models.PositiveSmallIntegerField(null=True, blank=True)
    bonus = models.PositiveSmallIntegerField(default=0)
    how = models.CharField(max_length=5, choices=How, default=How.ALONE)
    locked_at = models.DateTimeField()
    overruled = models.JSONField(default=list, blank=True)
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


class Opinion(models.Model):
    """4.2.1: the score of one of two judges, locked; the other one reads it once his own is locked too."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="opinions")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    favours = models.PositiveSmallIntegerField(null=True, blank=True)
    bonus = models.PositiveSmallIntegerField(default=0)
    locked_at = models.DateTimeField()

    class Meta:
        ordering = ["battle_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "judge"], name="opinion_once_a_judge"),
            models.CheckConstraint(name="opinion_is_0_to_10", condition=Q(bonus__lte=10)),
            models.CheckConstraint(
                name="opinion_favours_a_side",
                condition=Q(favours__isnull=True, bonus=0) | Q(favours__in=[0, 1]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge} on {self.battle}"


class Proposal(models.Model):
    """4.2.4, 4.2.6: what was rolled and is not published. `outcome` is what a result would have; `adjustments` are
    the judge's changes of special cases with their reasons, from which it was worked out anew with the same dice."""

    battle = models.OneToOneField(Battle, models.CASCADE, related_name="proposal")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    outcome = models.JSONField()
    adjustments = models.JSONField(default=list)
    rolled_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"proposal for {self.battle}"


class Result(models.Model):
    """4.2.5: what came of a battle. `outcome` is the rules' battle.Outcome as JSON; `narrative` is Markdown.

    `odds` is how likely the book held it that each side wins, in permille; secret until the round ends (R38).
    """

    battle = models.OneToOneField(Battle, models.CASCADE, related_name="result")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="results")
    winner = models.PositiveSmallIntegerField()
    outcome = models.JSONField()
    odds = models.JSONField(default=list)
    narrative = models.TextField(blank=True)
    published_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(name="result_winner_is_a_side", condition=Q(winner__in=[0, 1]))]

    def __str__(self) -> str:
        return f"result of {self.battle}"


class Draft(models.Model):
    """R18, steps 1 to 6: the moves of a locked turn as they were worked out, one a turn.

    `publish_at` is when everybody may see it; empty until the movement judge says so. `digest` names what was worked
    out, and `former` is what the last ruling changed: its `digest`, `events` and `places`.
    """

    turn = models.OneToOneField(Turn, models.CASCADE, related_name="draft")
    events = models.JSONField()
    places = models.JSONField()
    digest = models.CharField(max_length=64, blank=True)
    former = models.JSONField(null=True, blank=True)
    computed_at = models.DateTimeField()
    publish_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"draft of {self.turn}"
