"""2.5: the data of a round's set-up, which are not used afterwards.

2.5.2: and the draws for the armies of a new round.
"""

from datetime import time

from django.conf import settings
from django.db import models
from django.db.models import Q

from judging.armies.models import HandedIn
from wargame.models import Player, Round
from wargame.models.choices import BASE_COLORS, SIDES, SiteKind
from wargame.rules.armies.numbers import RECOMMENDED


def recommended() -> list[int]:
    """2.5.2.1: the recommended numbers, for a new row."""
    return list(RECOMMENDED)


class RoundSetup(models.Model):
    """2.5: the set-up of a round. `versions` counts by step how often it was saved: {"terrain": 2}.

    `armies` are the numbers of armies of a side, highest rank first (2.5.2.1). `weekday` (Monday is 0, None: any) and
    `deadline_at` (UTC) are those of the first battle deadline. `shown_to` are the keys of those who can see the bases
    before they are revealed, as chosen by the judge. `token` is that of the form that made the round.
    """

    round = models.OneToOneField(Round, models.CASCADE, related_name="setup")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    token = models.CharField(max_length=40)
    versions = models.JSONField(default=dict)
    armies = models.JSONField(default=recommended)
    weekday = models.PositiveSmallIntegerField(null=True, blank=True, default=4)
    deadline_at = models.TimeField(default=time(5, 0))
    shown_to = models.JSONField(default=list, blank=True)
    chosen_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    chosen_at = models.DateTimeField(null=True, blank=True)
    revealed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["author", "token"], name="setup_once_a_form"),
            models.CheckConstraint(
                name="setup_weekday_is_0_to_6", condition=Q(weekday__isnull=True) | Q(weekday__range=(0, 6))
            ),
        ]

    def __str__(self) -> str:
        return f"set-up of {self.round}"

    def version(self, step: str) -> int:
        """How often that step was saved; 0: not yet."""
        return int(self.versions.get(step, 0))


class PlannedSite(models.Model):
    """2.5.1: a base, portal or town as the judge plans it. Its `Base` or `Town` row is created when it is revealed.

    `at` and `is_win` are secret until then (2.5.1.3). The description goes from the side's leaders to the judge and
    back (2.5.1.2); `version` grows with each change of it.
    """

    Kind = SiteKind

    round = models.ForeignKey(Round, models.CASCADE, related_name="planned_sites")
    kind = models.CharField(max_length=6, choices=Kind)
    place = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60)
    color = models.CharField(max_length=10, choices=BASE_COLORS, blank=True)
    at = models.CharField(max_length=3, blank=True)
    is_win = models.BooleanField(default=False)
    description = models.TextField(blank=True)
    state = models.CharField(max_length=8, choices=HandedIn, default=HandedIn.DRAFT)
    written_by = models.CharField(max_length=40, blank=True)
    reason = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["round_id", "kind", "place"]
        constraints = [
            models.UniqueConstraint(fields=["round", "kind", "place"], name="planned_site_place_once_a_kind"),
            models.UniqueConstraint(fields=["round", "at"], condition=~Q(at=""), name="planned_site_one_a_square"),
            models.CheckConstraint(
                name="planned_base_has_a_color_and_nothing_else_has",
                condition=Q(kind="base") & ~Q(color="") | ~Q(kind="base") & Q(color=""),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SideWish(models.Model):
    """2.5.1.1: a team's leaders' request to the judge about the places of their bases; the judge need not follow it."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="side_wishes")
    side = models.CharField(max_length=10, choices=SIDES[:2])
    text = models.TextField(blank=True)
    written_by = models.CharField(max_length=40)
    version = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "side"], name="side_wish_once_a_side"),
            models.CheckConstraint(name="side_wish_is_of_a_team", condition=Q(side__in=["coalition", "phyrexia"])),
        ]

    def __str__(self) -> str:
        return f"what {self.side} asks for"


class ArmySetup(models.Model):
    """2.5.2, R38: the seed of all draws in a set-up: secret until the round starts, its `commitment` is not.

    `lots` counts the armies that were drawn. `placed` and `hired` count how often the squares of the armies and the
    mercenaries were drawn; `placed_at` and `hired_at` are when the judge accepted them, empty while they are proposals.
    """

    round = models.OneToOneField(Round, models.CASCADE, related_name="army_setup")
    seed = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    lots = models.PositiveIntegerField(default=0)
    placed = models.PositiveIntegerField(default=0)
    placed_at = models.DateTimeField(null=True, blank=True)
    hired = models.PositiveIntegerField(default=0)
    hired_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"armies of {self.round}"
