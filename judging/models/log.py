"""1.3: every act of a judge or leader, and every stage of a turn, append-only."""

from typing import Any

from django.conf import settings
from django.db import models

from wargame.models import Round


class LogEntry(models.Model):
    """1.3: who did what, when. `action` is dotted, like `turn.locked`; `data` holds nothing secret."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="log")
    at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    action = models.CharField(max_length=40)
    data = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "log"
        ordering = ["id"]
        indexes = [models.Index(fields=["round", "action"])]

    def __str__(self) -> str:
        return f"{self.action} at {self.at:%Y-%m-%d %H:%M}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("A log entry is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("A log entry is never deleted.")
