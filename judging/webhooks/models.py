"""1.2: webhooks: addresses notified of events, and the state of each message to them."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from judging.common.outbox import NO_ANSWER, Outgoing
from judging.tables.models import Table
from wargame.models import Round


class Hook(models.Model):
    """A user's address that is notified of a round or a card table, or, without one, of what concerns the user.

    `url` may let anyone who knows it write to a channel, and with `secret` messages are signed: neither is shown again.
    `secret_before` signs, too, until `secret_until`, while its owner changes over. `kinds` are codes of `KINDS`;
    `since` is the time up to which events were processed. `off_at`, `why_off`: it is switched off.
    """

    class Style(models.TextChoices):
        JSON = "json", gettext_lazy("JSON, signed (Standard Webhooks)")
        DISCORD = "discord", gettext_lazy("Discord")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="hooks")
    round = models.ForeignKey(Round, models.CASCADE, null=True, blank=True, related_name="hooks")
    table = models.ForeignKey(Table, models.CASCADE, null=True, blank=True, related_name="hooks")
    name = models.CharField(max_length=60)
    url = models.TextField()
    style = models.CharField(max_length=7, choices=Style, default=Style.JSON)
    kinds = models.JSONField(default=list)
    secret = models.CharField(max_length=80)
    secret_before = models.CharField(max_length=80, blank=True)
    secret_until = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField()
    since = models.DateTimeField()
    off_at = models.DateTimeField(null=True, blank=True)
    why_off = models.CharField(max_length=60, blank=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"


class HookMessage(Outgoing):
    """A message to one hook. `key` names what it tells of, so that nothing is told twice; `number` is its name for the
    receiver, the same at each try. `status` is the receiver's last answer, `error` why there was none."""

    TITLE = "Webhook message"
    LEASE = timedelta(minutes=5)
    FIRST_PAUSE, LONGEST_PAUSE, GROWTH = timedelta(seconds=30), timedelta(hours=6), 4
    MOST_TRIES = 10  # so a receiver may be away for most of a day
    JOINED = ("hook__user",)

    hook = models.ForeignKey(Hook, models.CASCADE, related_name="messages")
    key = models.CharField(max_length=60)
    number = models.CharField(max_length=40, unique=True)
    kind = models.CharField(max_length=12)
    told = models.JSONField()
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    error = models.CharField(max_length=60, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["hook", "key"], name="hook_message_once")]
        indexes = [
            models.Index(fields=["due"], condition=Q(state__in=("waiting", "sending")), name="hook_message_due"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.hook}"

    def is_hopeless(self) -> bool:
        return super().is_hopeless() or bool(self.hook.off_at) or not self.hook.user.is_active

    def give_up(self, now: datetime, **fields: object) -> None:
        super().give_up(now, **{"error": self.error or NO_ANSWER} | fields)
