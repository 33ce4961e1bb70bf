"""2: armies, their troops, and who controls them."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext

from .choices import FACTIONS, RANKS, SIDES
from .people import Player
from .rounds import Round
from .watched import ChainedManager


class Army(models.Model):
    """2.1: an army in its current state. Dead armies keep their row and lose their square. `former` are the names
    that it had before it was personalised (2.6), which no other army takes; `sent` is the number of troops that it
    sent away from slots 1 to 4 (R65), empty for nothing."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="armies")
    name = models.CharField(max_length=40)
    side = models.CharField(max_length=10, choices=SIDES)
    rank = models.CharField(max_length=15, choices=RANKS, blank=True)
    faction = models.CharField(max_length=15, choices=FACTIONS, blank=True)
    mercenary_tier = models.PositiveSmallIntegerField(default=0)
    at = models.CharField(max_length=3, blank=True)
    home = models.CharField(max_length=3, blank=True)
    colors = models.JSONField(default=list, blank=True)
    legend = models.CharField(max_length=150, blank=True)
    namesake = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="namesakes")
    days = models.PositiveSmallIntegerField(default=0)
    winning_days = models.PositiveSmallIntegerField(default=0)
    plan = models.JSONField(null=True, blank=True)
    captivity = models.JSONField(null=True, blank=True)
    former = models.JSONField(default=list, blank=True)
    campaign = models.JSONField(null=True, blank=True)
    sent = models.JSONField(default=list, blank=True)
    died_in = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "armies"
        constraints = [
            models.UniqueConstraint("round", Lower("name"), name="army_name_once_a_round"),
            models.CheckConstraint(
                name="army_has_a_rank_or_a_faction",
                condition=Q(side="mercenary", rank="") & ~Q(faction="")
                | ~Q(side="mercenary") & ~Q(rank="") & Q(faction=""),
            ),
            models.CheckConstraint(
                name="army_stands_on_a_square_until_it_dies",
                condition=Q(died_in__isnull=True) & ~Q(at="") | Q(died_in__isnull=False, at=""),
            ),
        ]
        indexes = [models.Index(fields=["round", "died_in"])]

    def __str__(self) -> str:
        return self.name


class Troop(models.Model):
    """2.1, R32, R69: one creature type in one slot. `round` is repeated so that one index reads a whole round."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="+")
    army = models.ForeignKey(Army, models.CASCADE, related_name="troops")
    place = models.PositiveSmallIntegerField()
    slot = models.PositiveSmallIntegerField()
    creature = models.CharField(max_length=150)
    colors = models.JSONField(default=list, blank=True)
    size = models.CharField(max_length=9, blank=True)
    types = models.JSONField(default=list, blank=True)
    alive = models.PositiveIntegerField()
    of = models.PositiveIntegerField()
    rested = models.PositiveIntegerField(default=0)
    lost_in_day = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["army_id", "place"]
        constraints = [
            models.UniqueConstraint(fields=["army", "place"], name="troop_place_once_an_army"),
            models.CheckConstraint(name="troop_slot_is_1_to_4", condition=Q(slot__range=(1, 4))),
            models.CheckConstraint(name="troop_alive_up_to_strength", condition=Q(alive__lte=F("of"))),
            models.CheckConstraint(name="troop_rested_are_missing", condition=Q(rested__lte=F("of") - F("alive"))),
        ]

    def __str__(self) -> str:
        return f"{self.alive}/{self.of} {self.creature}"


class Control(models.Model):
    """5.2: the control of an army by a player over a period. `until` is empty for the present."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="+")
    army = models.ForeignKey(Army, models.CASCADE, related_name="controls")
    player = models.ForeignKey(Player, models.CASCADE, related_name="controls")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    objects = ChainedManager["Control"]()

    class Meta:
        verbose_name_plural = "control"
        constraints = [
            models.UniqueConstraint(
                fields=["army", "player"], condition=Q(until__isnull=True), name="control_once_at_a_time"
            ),
            models.CheckConstraint(
                name="control_ends_after_it_starts", condition=Q(until__isnull=True) | Q(until__gte=F("since"))
            ),
        ]

    def __str__(self) -> str:
        return gettext("%(player)s controls %(army)s") % {"player": self.player, "army": self.army}
