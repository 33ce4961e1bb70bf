"""R48, 6.3.2: the mercenary judge's decisions in a turn. Nothing of it is ever changed or deleted."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from wargame.models import Judge, Turn
from wargame.models.watched import ChainedManager


class MercenaryOrder(models.Model):
    """R48: an act of the mercenary judge. Of those on one army, or on one square, the last counts.

    `by` is the judge's name at the time; `order` is in its canonical form. `square` and `tier` are of a raider that is
    called up, `reason` of that and of one that is disbanded: it is public with the settlement. Until the lock nobody
    but the mercenary judges of the round sees any of it.
    """

    class Kind(models.TextChoices):
        ORDER = "order", gettext_lazy("an order instead of the guideline's")
        GUIDELINE = "guideline", gettext_lazy("the guideline's order again")
        DISBAND = "disband", gettext_lazy("a raider disbands")
        SPAWN = "spawn", gettext_lazy("a raider is called up")
        UNSPAWN = "unspawn", gettext_lazy("the call-up of a raider is cancelled")
        AFTER = "after", gettext_lazy("a raider's order after the lock")

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="orders_of_mercenaries")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    by = models.CharField(max_length=40)
    kind = models.CharField(max_length=9, choices=Kind)
    army = models.CharField(max_length=40, blank=True)
    order = models.TextField(blank=True)
    square = models.CharField(max_length=3, blank=True)
    tier = models.PositiveSmallIntegerField(default=0)
    reason = models.TextField(blank=True)
    made_at = models.DateTimeField()
    token = models.CharField(max_length=40)

    objects = ChainedManager["MercenaryOrder"]()

    class Meta:
        ordering = ["turn_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "judge", "token"], name="mercenary_order_once_a_form"),
            models.UniqueConstraint(
                fields=["turn"], condition=Q(kind="after"), name="mercenary_order_after_the_lock_once_a_turn"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.turn}"
