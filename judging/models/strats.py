"""4.1.1, R35: battle strategies."""

from django.db import models
from django.db.models import Q

from wargame.models import Judge, Player

from .battles import BattleArmy


class Strat(models.Model):
    """R35: a strat as it was sent; a later one replaces it, none is changed.

    `sha256` is the receipt of its text and requests with its `salt` (`wargame.rules.battle.battle`). The receipt is
    public from the start, the salt is shown with the text. `late` ones don't count, unless a battle judge
    accepted them with a reason, which is public. A mercenary's has no `player` (R49).
    """

    class Risk(models.TextChoices):
        NONE = "", "no"
        KILL = "kill", "go for the kill"
        CAPTURE = "capture", "go for the capture"

    entry = models.ForeignKey(BattleArmy, models.CASCADE, related_name="strats")
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="strats")
    as_contingency = models.BooleanField(default=False)
    text = models.TextField()
    risk = models.CharField(max_length=8, choices=Risk, default=Risk.NONE, blank=True)
    runs = models.BooleanField(default=False)
    leaves = models.CharField(max_length=40, blank=True)
    leaves_to = models.CharField(max_length=3, blank=True)
    sent_at = models.DateTimeField()
    salt = models.CharField(max_length=32)
    sha256 = models.CharField(max_length=64)
    token = models.CharField(max_length=40)
    late = models.BooleanField(default=False)
    accepted_by = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_because = models.TextField(blank=True)

    class Meta:
        ordering = ["entry_id", "sent_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "player", "token"], name="strat_once_a_form"),
            models.CheckConstraint(name="strat_risk_is_known", condition=Q(risk__in=["", "kill", "capture"])),
        ]

    def __str__(self) -> str:
        return f"strat for {self.entry}"


class StratDraft(models.Model):
    """4.1.1: a strat while it is being written; nobody but its writer reads it. `version` counts the changes."""

    entry = models.ForeignKey(BattleArmy, models.CASCADE, related_name="strat_drafts")
    player = models.ForeignKey(Player, models.CASCADE, related_name="strat_drafts")
    text = models.TextField(blank=True)
    risk = models.CharField(max_length=8, choices=Strat.Risk, default=Strat.Risk.NONE, blank=True)
    runs = models.BooleanField(default=False)
    leaves = models.CharField(max_length=40, blank=True)
    leaves_to = models.CharField(max_length=3, blank=True)
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "player"], name="strat_draft_once_a_writer")]

    def __str__(self) -> str:
        return f"draft of a strat for {self.entry}"
