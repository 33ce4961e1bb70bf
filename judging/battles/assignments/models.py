"""R55, R56, R59: Judges' conflicts, leaves and deputies, and the judges of each battle.

All but the narratives of judges who score apart is a link of the round's chain. A battle's judge is secret until its
result is published: it would reveal that all strats are in. Conflicts, leaves, deputies and stand-ins are public.
"""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from wargame.models import Judge, Player, Round
from wargame.models.watched import ChainedManager


class StatedConflict(models.Model):
    """R56: A judge states a conflict with a player, a faction (a colour) or a team (a side), until they withdraw it.
    It binds them in all their roles."""

    class About(models.TextChoices):
        PLAYER = "player", gettext_lazy("a player")
        FACTION = "faction", gettext_lazy("a faction")
        TEAM = "team", gettext_lazy("a team")

    judge = models.ForeignKey(Judge, models.CASCADE, related_name="stated_conflicts")
    about = models.CharField(max_length=7, choices=About)
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="+")
    code = models.CharField(max_length=10, blank=True)
    why = models.CharField(max_length=300, blank=True)
    stated_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = ChainedManager["StatedConflict"]()

    class Meta:
        ordering = ["judge_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["judge", "player"],
                condition=Q(withdrawn_at__isnull=True, about="player"),
                name="conflict_stated_once_a_player",
            ),
            models.UniqueConstraint(
                fields=["judge", "about", "code"],
                condition=Q(withdrawn_at__isnull=True, player__isnull=True),
                name="conflict_stated_once",
            ),
            models.CheckConstraint(
                name="conflict_is_with_somebody",
                condition=Q(about="player", player__isnull=False, code="")
                | Q(about__in=["faction", "team"], player__isnull=True) & ~Q(code=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge} has a conflict"


class JudgeLeave(models.Model):
    """R59: A judge has stated that they are away, from `since` until `until`; empty: until they are back."""

    judge = models.ForeignKey(Judge, models.CASCADE, related_name="leaves")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    note = models.CharField(max_length=200, blank=True)
    stated_at = models.DateTimeField()

    objects = ChainedManager["JudgeLeave"]()

    class Meta:
        ordering = ["judge_id", "since", "id"]
        constraints = [
            models.CheckConstraint(
                name="judge_leave_ends_after_it_starts", condition=Q(until__isnull=True) | Q(until__gte=F("since"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge} is away"


class Deputy(models.Model):
    """R59: The judge whom a judge has named to stand in for them; nobody if they withdrew it."""

    judge = models.OneToOneField(Judge, models.CASCADE, related_name="named_deputy")
    deputy = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    named_at = models.DateTimeField()

    objects = ChainedManager["Deputy"]()

    class Meta:
        verbose_name_plural = "deputies"

    def __str__(self) -> str:
        return f"deputy of {self.judge}"


class StandIn(models.Model):
    """R59: `judge` is head in the place of `head`, who is silent or on leave, until `head` is back."""

    class Cause(models.TextChoices):
        SILENCE = "silence", gettext_lazy("they didn't respond")
        LEAVE = "leave", gettext_lazy("they are away")

    round = models.ForeignKey(Round, models.CASCADE, related_name="stand_ins")
    head = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    cause = models.CharField(max_length=7, choices=Cause)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    objects = ChainedManager["StandIn"]()

    class Meta:
        ordering = ["round_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["round"], condition=Q(until__isnull=True), name="stand_in_one_a_round"),
        ]

    def __str__(self) -> str:
        return f"{self.judge} stands in for {self.head}"


class BattleSeat(models.Model):
    """R55, R56, R59: A judge's seat in a battle, to score it or to decide as the third, from `since` until they lose
    it.

    The second of two judges is named in the battle's own row, too. Where a head decided in public who judges, although
    all have a conflict, `by` and `reason` are set.
    """

    class Kind(models.TextChoices):
        FIRST = "first", gettext_lazy("scores it")
        SECOND = "second", gettext_lazy("also scores it")
        THIRD = "third", gettext_lazy("decides between two scores")

    class Cause(models.TextChoices):
        ORDER = "order", gettext_lazy("in the round's order")
        SILENCE = "silence", gettext_lazy("the previous judge didn't respond")
        LEAVE = "leave", gettext_lazy("the previous judge is away")
        CONFLICT = "conflict", gettext_lazy("the previous judge has a conflict")
        ASKED = "asked", gettext_lazy("they were asked")
        HEAD = "head", gettext_lazy("the head judge decided")

    battle = models.ForeignKey("judging.Battle", models.CASCADE, related_name="seats")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=6, choices=Kind)
    cause = models.CharField(max_length=8, choices=Cause)
    by = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    reason = models.TextField(blank=True)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    objects = ChainedManager["BattleSeat"]()

    class Meta:
        ordering = ["battle_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["battle", "kind"], condition=Q(until__isnull=True), name="battle_seat_one_of_a_kind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge}: {self.battle}"


class Decision(models.Model):
    """R55: The decision over two scores that were far apart: by whom, and why. The score itself is the battle's."""

    battle = models.OneToOneField("judging.Battle", models.CASCADE, related_name="decision")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    reason = models.TextField(blank=True)
    made_at = models.DateTimeField()

    objects = ChainedManager["Decision"]()

    def __str__(self) -> str:
        return f"decision on {self.battle}"


class OwnNarrative(models.Model):
    """R55: The text of one of two judges about a battle; the other reads it once both scores are locked."""

    battle = models.ForeignKey("judging.Battle", models.CASCADE, related_name="own_narratives")
    judge = models.ForeignKey(Judge, models.CASCADE, related_name="+")
    text = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["battle_id", "id"]
        constraints = [models.UniqueConstraint(fields=["battle", "judge"], name="own_narrative_once_a_judge")]

    def __str__(self) -> str:
        return f"{self.judge} on {self.battle}"
