"""R60: marks that a player is done with a turn, and locks brought forward because all were."""

from django.db import models
from django.db.models import F, Q

from wargame.models import Judge, Player, Turn
from wargame.models.watched import ChainedManager


class DoneMark(models.Model):
    """R60: a player has said that they are done with a turn. Deleted when they say otherwise, or write in the
    thread."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="done_marks")
    player = models.ForeignKey(Player, models.CASCADE, related_name="done_marks")
    at = models.DateTimeField()

    objects = ChainedManager["DoneMark"]()

    class Meta:
        ordering = ["turn_id", "id"]
        constraints = [models.UniqueConstraint(fields=["turn", "player"], name="done_mark_once_a_turn")]

    def __str__(self) -> str:
        return f"{self.player} is done with {self.turn}"


class EarlyLock(models.Model):
    """R60: a lock that a judge brought forward, from `lock_before` to `lock_at`. `deadline_before` is the turn's
    battle deadline before that. `ended_at`: when it was undone, because a player was not done after all, or a judge
    took it back; empty for an active or a past one."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="early_locks")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    announced_at = models.DateTimeField()
    lock_at = models.DateTimeField()
    lock_before = models.DateTimeField()
    deadline_before = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = ChainedManager["EarlyLock"]()

    class Meta:
        ordering = ["turn_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["turn"], condition=Q(ended_at__isnull=True), name="early_lock_one_a_turn"),
            models.CheckConstraint(name="early_lock_is_earlier", condition=Q(lock_at__lt=F("lock_before"))),
        ]

    def __str__(self) -> str:
        return f"{self.turn} locks early"
