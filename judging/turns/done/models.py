"""R60: who is done with a turn, and the locks that were brought forward because all were."""

from django.db import models
from django.db.models import F, Q

from wargame.models import Judge, Player, Turn
from wargame.models.watched import ChainedManager


class DoneMark(models.Model):
    """R60: a player has said that he is done with a turn. It goes when he says otherwise, or writes in the thread."""

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
    """R60: a lock that a judge brought forward, from `lock_before` to `lock_at`. `deadline_before` is the turn's battle
    deadline as it was. `ended_at`: since when it does not stand any more, because somebody was not done after all, or a
    judge took it back; empty for one that stands or was kept."""

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
