"""3.1: Posts by the service itself: the update, the announcements and the results."""

from django.db import models
from django.utils.translation import gettext_lazy

from judging.announcements.wording import words_of
from wargame.models import Turn
from wargame.models.watched import ChainedManager


class Notice(models.Model):
    """3.1: A post by the service in one of the threads: its kind, and in `data` all its facts."""

    class Thread(models.TextChoices):
        MOVEMENT = "movement", gettext_lazy("Orders")
        ANNOUNCEMENTS = "announcements", gettext_lazy("Battle Announcements")
        RESULTS = "results", gettext_lazy("Battle Results")
        PROXY = "proxy", gettext_lazy("Control List")

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="notices")
    thread = models.CharField(max_length=13, choices=Thread)
    kind = models.CharField(max_length=20)
    at = models.DateTimeField()
    data = models.JSONField(default=dict)

    objects = ChainedManager["Notice"]()

    class Meta:
        ordering = ["turn_id", "id"]

    def __str__(self) -> str:
        return f"{self.kind}, {self.turn}"

    @property
    def text(self) -> str:
        return words_of(self.kind, self.data)
