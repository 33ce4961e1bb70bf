"""R58: Battles that are judged again after their results were published. None is ever deleted."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from judging.battles.models import Battle
from judging.battles.outcome_schema import OutcomeField
from wargame.models import Judge
from wargame.models.watched import ChainedManager


class Rejudgement(models.Model):
    """R58: A published battle judged again with the same seed and dice. The new score is locked with its reasons first;
    its outcome is computed when it is applied, so nobody chooses a score by its outcome.

    `accepted` are late strats that count by it, each as [army, receipt]; `risks` are changed rulings on kills and
    captures, each as {army, is_void, target}. `reasons` are those on each criterion of the round if the bonus differs,
    in the form of a score's (R54). `score_before` is {judge, favours, bonus, how, locked_at, reasons}. `outcome` is its
    outcome, None until it is applied (older services showed it before that); the former ones are in `outcome_before`
    and `narrative_before`, and stay public. `correction` is the consequence for a turn that is settled already (3.3.3).
    An empty `narrative` keeps the old one.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", gettext_lazy("locked, waiting for a second judge")
        APPLIED = "applied", gettext_lazy("applied")
        DROPPED = "dropped", gettext_lazy("dropped")

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="rejudgements")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    state = models.CharField(max_length=8, choices=State, default=State.PROPOSED)
    favours = models.PositiveSmallIntegerField(null=True, blank=True)
    bonus = models.PositiveSmallIntegerField(default=0)
    accepted = models.JSONField(default=list, blank=True)
    risks = models.JSONField(default=list, blank=True)
    cites = models.CharField(max_length=12)
    reason = models.TextField()
    reasons = models.JSONField(default=list, blank=True)
    narrative = models.TextField(blank=True)
    score_before = models.JSONField()
    outcome = OutcomeField(null=True, blank=True)
    outcome_before = OutcomeField()
    narrative_before = models.TextField(blank=True)
    correction = models.OneToOneField(
        "judging.Correction", models.PROTECT, null=True, blank=True, related_name="rejudgement"
    )
    made_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    token = models.CharField(max_length=40)

    objects = ChainedManager["Rejudgement"]()

    class Meta:
        ordering = ["battle_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "judge", "token"], name="rejudgement_once_a_form"),
            models.CheckConstraint(
                name="rejudgement_favours_a_side",
                condition=Q(favours__isnull=True, bonus=0) | Q(favours__in=[0, 1], bonus__lte=10),
            ),
            models.CheckConstraint(
                name="rejudgement_applied_has_an_outcome", condition=~Q(state="applied") | Q(outcome__isnull=False)
            ),
            models.CheckConstraint(
                name="rejudgement_is_decided_by_somebody",
                condition=Q(state="proposed", decided_at__isnull=True, decided_by__isnull=True)
                | ~Q(state="proposed") & Q(decided_at__isnull=False, decided_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.battle}, rejudged"
