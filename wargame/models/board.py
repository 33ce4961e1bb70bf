"""1.1, 2.5.1: the buildings on the map. Squares are written as in R1, `3D`."""

from django.db import models
from django.db.models import Q

from .choices import BASE_COLORS, SIDES
from .rounds import Round


class Base(models.Model):
    """1.1.1, 1.1.2: a Coalition base or a Phyrexian portal (which has no colour)."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="bases")
    name = models.CharField(max_length=60)
    at = models.CharField(max_length=3)
    side = models.CharField(max_length=10, choices=SIDES[:2])
    color = models.CharField(max_length=10, choices=BASE_COLORS, blank=True)
    win = models.BooleanField(default=False)
    description = models.TextField(blank=True)
    destroyed_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "name"], name="base_name_once_a_round"),
            models.UniqueConstraint(fields=["round", "at"], name="base_one_a_square"),
            models.CheckConstraint(
                name="base_has_a_color_and_a_portal_none",
                condition=Q(side="coalition") & ~Q(color="") | Q(side="phyrexia", color=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.at})"


class Town(models.Model):
    """2.5.1.4: a neutral town."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="towns")
    name = models.CharField(max_length=60)
    at = models.CharField(max_length=3)
    description = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "name"], name="town_name_once_a_round"),
            models.UniqueConstraint(fields=["round", "at"], name="town_one_a_square"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.at})"
