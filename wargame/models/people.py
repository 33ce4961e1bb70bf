"""1.1, 1.3: who plays and who judges a round."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from .choices import RANKS, SIDES, Role
from .rounds import Round


class Player(models.Model):
    """1.1: a member of one of the two teams. No rank: a Drudge or a Cadet, who controls nothing."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="players")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="players")
    name = models.CharField(max_length=40)
    side = models.CharField(max_length=10, choices=SIDES[:2])
    rank = models.CharField(max_length=15, choices=RANKS, blank=True)
    factions = models.JSONField(default=list, blank=True)
    contingency = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="contingency_of")
    may_change_control = models.BooleanField(default=False)
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("round", Lower("name"), name="player_name_once_a_round"),
            models.UniqueConstraint(fields=["round", "user"], name="player_once_a_user_and_round"),
            models.CheckConstraint(name="player_is_of_a_team", condition=Q(side__in=["coalition", "phyrexia"])),
        ]

    def __str__(self) -> str:
        return self.name


class Judge(models.Model):
    """1.3, 6: a judge of a round; the head or an assistant."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="judges")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="judgeships")
    name = models.CharField(max_length=40)
    role = models.CharField(max_length=10, choices=Role)
    is_head = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "role"], condition=Q(is_head=True), name="judge_one_head_a_role"),
            models.UniqueConstraint(fields=["round", "user", "role"], name="judge_once_a_user_and_role"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.get_role_display()}"
