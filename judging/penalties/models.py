"""1.3, 5.4.1, R47: penalties and reprimands. Nothing of them is ever deleted."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, gettext_lazy

from wargame.models import Army, Judge, Player, Turn
from wargame.models.watched import ChainedManager


class Penalty(models.Model):
    """5.4.1: a judge's penalty for a player, and the troops that it takes from an army. `number` counts those of the
    turn without gaps, and names the draw of the die (R38): a lifted one keeps its number.

    `severity` and `roll` are of one by the dice, `stated` are the troops of slots 1 to 4 of a manual one; a reprimand
    may have no army. `after_battle`: it is taken from what the army's battle of the turn left. `extended_to` is the
    deadline that the army's strat got by it.
    """

    class Kind(models.TextChoices):
        DICE = "dice", gettext_lazy("severity times a die")
        STATED = "stated", gettext_lazy("a loss entered by hand")
        REPRIMAND = "reprimand", gettext_lazy("a reprimand")

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="penalty_rows")
    number = models.PositiveSmallIntegerField()
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    player = models.ForeignKey(Player, models.PROTECT, related_name="penalties")
    army = models.ForeignKey(Army, models.PROTECT, null=True, blank=True, related_name="penalties")
    kind = models.CharField(max_length=9, choices=Kind)
    severity = models.PositiveSmallIntegerField(null=True, blank=True)
    roll = models.PositiveSmallIntegerField(null=True, blank=True)
    stated = models.JSONField(default=list, blank=True)
    after_battle = models.BooleanField(default=False)
    extended_to = models.DateTimeField(null=True, blank=True)
    cites = models.CharField(max_length=12)
    reason = models.TextField()
    made_at = models.DateTimeField()
    token = models.CharField(max_length=40)
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    lifted_reason = models.TextField(blank=True)

    objects = ChainedManager["Penalty"]()

    class Meta:
        verbose_name_plural = "penalties"
        ordering = ["turn_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "number"], name="penalty_number_once_a_turn"),
            models.UniqueConstraint(fields=["turn", "judge", "token"], name="penalty_once_a_form"),
            models.CheckConstraint(
                name="penalty_is_rolled_or_not",
                condition=Q(kind="dice", severity__range=(1, 5), roll__range=(1, 6))
                | ~Q(kind="dice") & Q(severity__isnull=True, roll__isnull=True),
            ),
            models.CheckConstraint(
                name="penalty_takes_from_an_army", condition=Q(kind="reprimand") | Q(army__isnull=False)
            ),
            models.CheckConstraint(
                name="penalty_is_lifted_by_somebody",
                condition=Q(lifted_at__isnull=True, lifted_by__isnull=True)
                | Q(lifted_at__gte=F("made_at"), lifted_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return gettext("penalty %(number)s: %(turn)s") % {"number": self.number, "turn": self.turn}

    @property
    def takes_troops(self) -> bool:
        """5.4.1: whether it takes any troops, and is not lifted."""
        return self.kind != self.Kind.REPRIMAND
