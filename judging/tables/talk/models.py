"""3.1, 1.3, T12.7: messages at a table, and reports of them to its moderators. Nothing is deleted."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from judging.tables.models import Table


class TableMessage(models.Model):
    """3.1: a message at a table. `board` defines its readers: `talk`, `watchers`, or a side's own, such as `side 2`.

    `name` is its author's name there, `letter` their seat's, empty without a seat; `as_judge`: they spoke as a judge. A
    moderator hides it with a reason. `token` names the form that sent it.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    number = models.PositiveIntegerField()
    board = models.CharField(max_length=12)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    name = models.CharField(max_length=150)
    letter = models.CharField(max_length=2, blank=True)
    as_judge = models.BooleanField(default=False)
    at = models.DateTimeField()
    text = models.TextField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.CharField(max_length=150, blank=True)
    hidden_because = models.TextField(blank=True)
    token = models.CharField(max_length=40)

    class Meta:
        ordering = ["table_id", "number"]
        indexes = [models.Index(fields=["table", "board"])]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="table_message_once_a_number"),
            models.UniqueConstraint(fields=["table", "author", "token"], name="table_message_once_a_form"),
        ]

    def __str__(self) -> str:
        return f"message {self.number} at {self.table_id}"


class TableReport(models.Model):
    """1.3: a report of a message to a table's moderators. `text` is the message as of then; `decided_by` is the
    moderator who decided, and `answer` their reason, which the reporter reads, and the person who was warned."""

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("waiting")
        HIDDEN = "hidden", gettext_lazy("hidden")
        WARNED = "warned", gettext_lazy("author warned")
        DISMISSED = "dismissed", gettext_lazy("dismissed")

    message = models.ForeignKey(TableMessage, models.CASCADE, related_name="reports")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    text = models.TextField()
    reason = models.TextField()
    at = models.DateTimeField()
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    decided_by = models.CharField(max_length=150, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    answer = models.TextField(blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["message", "user"], name="table_report_once_a_message"),
            models.CheckConstraint(
                name="table_report_waits_or_is_decided",
                condition=Q(state="waiting", decided_at__isnull=True)
                | ~Q(state="waiting") & Q(decided_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"report of {self.message}"
