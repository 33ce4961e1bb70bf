"""4.3, 4.5, 1.3: what a judge rules on a kill or a capture that a strat asks for."""

from django.db import models
from django.db.models import Q

from wargame.models import Judge

from .strats import Strat


class RiskRuling(models.Model):
    """4.3, 4.5: an input of the roll, made before it: the request of a strat is void, or aimed at one enemy.

    `target` is the name of that enemy; without one the request is void, and no troops are risked. The `reason` is
    public with the result, and so are the rulings that came before this one and were `overruled` by it (1.3), the
    oldest first: each is {judge, target, cites, reason, made_at}.
    """

    strat = models.OneToOneField(Strat, models.CASCADE, related_name="risk_ruling")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    target = models.CharField(max_length=40, blank=True)
    is_void = models.BooleanField()
    cites = models.CharField(max_length=12)
    reason = models.TextField()
    made_at = models.DateTimeField()
    overruled = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="risk_is_void_or_aimed",
                condition=Q(is_void=True, target="") | Q(is_void=False) & ~Q(target=""),
            )
        ]

    def __str__(self) -> str:
        return f"{'void' if self.is_void else self.target}: {self.strat}"
