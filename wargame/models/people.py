"""1.1, 1.3, 1.6: the players and judges of a round, with the players' past ranks and names."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from wargame.rules.command.screen_names import name_at

from .choices import RANKS, SIDES, Role
from .rounds import Round
from .watched import ChainedManager


class Player(models.Model):
    """1.1: a member of one of the two teams. No rank: a Drudge or a Cadet, who controls nothing.

    `former_names` are their earlier names (1.6), the oldest first, each with the moment at which it ended: no other
    player of the round takes them. `permits_namesake`: their leaders may give their namesake army to others (5.3.2).
    `made_excess`: their demotion made too few armies for those of their rank or less, and they are still too few
    (5.3.4). `left_at`: they no longer play; their past acts stay.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="players")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="players")
    name = models.CharField(max_length=40)
    side = models.CharField(max_length=10, choices=SIDES[:2])
    rank = models.CharField(max_length=15, choices=RANKS, blank=True)
    factions = models.JSONField(default=list, blank=True)
    contingency = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="contingency_of")
    may_change_control = models.BooleanField(default=False)
    former_names = models.JSONField(default=list, blank=True)
    permits_namesake = models.BooleanField(default=False)
    made_excess = models.BooleanField(default=False)
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)

    objects = ChainedManager["Player"]()

    class Meta:
        constraints = [
            models.UniqueConstraint("round", Lower("name"), name="player_name_once_a_round"),
            models.UniqueConstraint(fields=["round", "user"], name="player_once_a_user_and_round"),
            models.CheckConstraint(name="player_is_of_a_team", condition=Q(side__in=["coalition", "phyrexia"])),
        ]

    def __str__(self) -> str:
        return self.name

    def name_at(self, when: datetime) -> str:
        """1.6: the player's name at a moment."""
        return name_when(self.name, self.former_names, when)


def name_when(name: str, former: list[list[str]], when: datetime) -> str:
    """1.6: the name at a moment of a person now called `name`, with `former` names as in `Player`."""
    return name_at(name, [(old, datetime.fromisoformat(until)) for old, until in former], when) if former else name


class RankChange(models.Model):
    """1.1, R45: a rank that was given to a player, and the giver. A Drudge or a Cadet has none."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="rank_changes")
    before = models.CharField(max_length=15, choices=RANKS, blank=True)
    after = models.CharField(max_length=15, choices=RANKS, blank=True)
    by = models.CharField(max_length=60)
    role = models.CharField(max_length=10, choices=Role, blank=True)
    """The giver's role as a judge; empty for a player."""

    reason = models.TextField(blank=True)
    at = models.DateTimeField()

    objects = ChainedManager["RankChange"]()

    class Meta:
        ordering = ["player_id", "id"]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_after_display() or 'no rank'}"

    @property
    def giver(self) -> str:
        return f"{self.by}, {self.get_role_display()}" if self.role else self.by


class Serving(ChainedManager["Judge"]):
    """1.3: the active judges; dismissed ones are only in `Judge.everybody`."""

    def get_queryset(self) -> models.QuerySet["Judge"]:
        return super().get_queryset().filter(dismissed_at__isnull=True)


class Judge(models.Model):
    """1.3, 6: a judge of a round; the head or an assistant.

    `named_at`: the start of their office; empty: since the round was made. `head_since`: since when they are the head,
    if not from the beginning. A judge dismissed after the round has begun keeps their row, since their acts stay
    theirs.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="judges")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="judgeships")
    name = models.CharField(max_length=40)
    role = models.CharField(max_length=10, choices=Role)
    is_head = models.BooleanField(default=True)
    named_at = models.DateTimeField(null=True, blank=True)
    head_since = models.DateTimeField(null=True, blank=True)
    dismissed_at = models.DateTimeField(null=True, blank=True)

    everybody = ChainedManager["Judge"]()
    objects = Serving()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "role"], condition=Q(is_head=True), name="judge_one_head_a_role"),
            models.UniqueConstraint(fields=["round", "user", "role"], name="judge_once_a_user_and_role"),
            models.CheckConstraint(
                name="judge_is_head_while_he_judges", condition=Q(is_head=False) | Q(dismissed_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.get_role_display()}"
