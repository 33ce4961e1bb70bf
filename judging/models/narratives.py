"""4.1.1: what a battle judge has written about a battle that is not published yet."""

from django.db import models

from wargame.models import Judge

from .battles import Battle


class NarrativeDraft(models.Model):
    """4.1.1: the narrative while it is being written; as secret as the strats until its result is published.

    `version` counts the changes, so that two judges do not write over each other.
    """

    battle = models.OneToOneField(Battle, models.CASCADE, related_name="narrative_draft")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    text = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"narrative of {self.battle}"
