"""4.2.1: what a battle judge writes down while he reads: notes by his own criteria, and what he makes of claims."""

from django.db import models
from django.db.models import Q

from wargame.models import Judge

from .battles import Battle
from .strats import Strat


class Criterion(models.Model):
    """4.2.1: one of the things that a judge looks at in every strat. A retired one stays for its old notes."""

    judge = models.ForeignKey(Judge, models.CASCADE, related_name="criteria")
    name = models.CharField(max_length=60)
    retired = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "criteria"
        ordering = ["judge_id", "id"]
        constraints = [models.UniqueConstraint(fields=["judge", "name"], name="criterion_once_a_judge")]

    def __str__(self) -> str:
        return self.name


class Note(models.Model):
    """4.2.1: a judge's note on a battle by one of his criteria. Battle judges alone read it, unless `shown`: then
    everybody does, from the result on."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="notes")
    criterion = models.ForeignKey(Criterion, models.CASCADE, related_name="notes")
    text = models.TextField(blank=True)
    shown = models.BooleanField(default=False)
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["battle_id", "criterion_id"]
        constraints = [models.UniqueConstraint(fields=["battle", "criterion"], name="note_once_a_criterion")]

    def __str__(self) -> str:
        return f"{self.criterion} of {self.battle}"


class Claim(models.Model):
    """4.1.2, 2.2.3: something that a strat claims, and whether the judge lets it: with a rule, and a note. The
    strat's author reads it with the result."""

    class Verdict(models.TextChoices):
        ACCEPTED = "accepted", "accepted"
        LIMITED = "limited", "limited"
        REFUSED = "refused", "refused"

    strat = models.ForeignKey(Strat, models.CASCADE, related_name="claims")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    claim = models.CharField(max_length=300)
    verdict = models.CharField(max_length=8, choices=Verdict)
    cites = models.CharField(max_length=12)
    note = models.TextField(blank=True)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["strat_id", "id"]
        constraints = [
            models.CheckConstraint(
                name="claim_verdict_is_known", condition=Q(verdict__in=["accepted", "limited", "refused"])
            )
        ]

    def __str__(self) -> str:
        return f"{self.claim[:40]}: {self.verdict}"
