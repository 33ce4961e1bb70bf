"""3.1: orders by mail: each player's own address, and what became of each mail."""

from __future__ import annotations

from django.db import models

from wargame.models import Player


class MailAddress(models.Model):
    """3.1: where a player sends what he posts by mail. Whoever knows its `token` posts for him, so it is shown to him
    alone, and he may have another one."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="mail_address")
    token = models.CharField(max_length=40, unique=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"the address of {self.player}"


class ReceivedMail(models.Model):
    """3.1: a mail that came, without what it says: by `digest` it is known when it comes again. `detail` is a code or
    the rule that refused it."""

    class Outcome(models.TextChoices):
        DONE = "done", "carried out"
        REFUSED = "refused", "refused"
        EMPTY = "empty", "nothing was written in it"
        AGAIN = "again", "it had come before"
        UNKNOWN = "unknown", "for an address that there is not"
        FORGED = "forged", "not from whom it says"
        AUTOMATIC = "automatic", "written by a program"
        LOOP = "loop", "one of ours"
        LARGE = "large", "too large"
        MANY = "many", "too many in an hour"
        UNREADABLE = "unreadable", "no mail that can be read"

    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField(db_index=True)
    size = models.PositiveIntegerField()
    outcome = models.CharField(max_length=10, choices=Outcome)
    detail = models.CharField(max_length=80, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"mail of {self.at:%Y-%m-%d %H:%M}: {self.outcome}"
