"""1.2, 4.1.1: notifications, their recipients' preferences, and the browsers that get pushes."""

from datetime import datetime, timedelta

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from judging.common.outbox import Outgoing
from wargame.models import Round


class Notification(models.Model):
    """A notification to one person: its `kind`, of `judging.notifications.kinds`, and its content in `data`, in codes,
    names and keys. The sentence is composed when it is read, by what its reader may see then.

    `key` identifies the event, so that nobody is notified of it twice. `due_at` is the deadline that it reminds of.
    `mail_due` and `push_due` are when it goes out that way; empty: not, or already sent.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications")
    round = models.ForeignKey(Round, models.CASCADE, null=True, blank=True, related_name="+")
    turn = models.PositiveIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=30)
    key = models.CharField(max_length=120)
    data = models.JSONField(default=dict)
    at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)
    mail_due = models.DateTimeField(null=True, blank=True)
    push_due = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["user", "kind", "key"], name="notification_once")]
        indexes = [
            models.Index(fields=["user"], condition=Q(read_at__isnull=True), name="notification_unread"),
            models.Index(fields=["mail_due"], condition=Q(mail_due__isnull=False), name="notification_to_mail"),
            models.Index(fields=["push_due"], condition=Q(push_due__isnull=False), name="notification_to_push"),
            models.Index(fields=["read_at"], condition=Q(read_at__isnull=False), name="notification_read"),
            models.Index(fields=["key"], name="notification_about"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user}"


class Preference(models.Model):
    """A person's preferences for notifications; without a row, the preset "mine", in UTC.

    `channels` are their own choices where `preset` is OWN: by group, {mail: "once", "digest" or "", push: bool}.
    `digest_hour` and the quiet hours, which may span midnight, are in their `time_zone`, an IANA name; empty: not
    chosen, and UTC counts.
    """

    class Preset(models.TextChoices):
        ALL = "all", gettext_lazy("Everything")
        MINE = "mine", gettext_lazy("My armies and team")
        DEADLINES = "deadlines", gettext_lazy("Deadlines only")
        NOTHING = "nothing", gettext_lazy("On the site only")
        OWN = "own", gettext_lazy("Custom")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    preset = models.CharField(max_length=9, choices=Preset, default=Preset.MINE)
    channels = models.JSONField(default=dict, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    digest_hour = models.PositiveSmallIntegerField(default=7, validators=[MaxValueValidator(23)])
    quiet_from = models.PositiveSmallIntegerField(null=True, blank=True, validators=[MaxValueValidator(23)])
    quiet_until = models.PositiveSmallIntegerField(null=True, blank=True, validators=[MaxValueValidator(23)])

    class Meta:
        constraints = [
            models.CheckConstraint(name="digest_hour_of_a_day", condition=Q(digest_hour__lte=23)),
            models.CheckConstraint(
                name="quiet_hours_begin_and_end",
                condition=Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | Q(quiet_from__lte=23, quiet_until__lte=23),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.preset}"


class MutedRound(models.Model):
    """A round that a person has muted: its notifications arrive as lines that are already read."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    round = models.ForeignKey(Round, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "round"], name="round_muted_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.round}"


class PushSubscription(models.Model):
    """A person's browser that gets pushes, by the push service of its maker (RFC 8030).

    `endpoint` is an address at that service, to which anybody who knows it can send, and the keys encrypt the messages:
    they are shown nowhere. `digest` is the SHA-256 of the endpoint: a browser is one row, whoever was the last to
    subscribe it. `last_at`: when it last accepted a message. `gone_at`: when its service said that the browser no
    longer exists; nothing is sent to it since, and its owner sees it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=60)
    endpoint = models.TextField()
    digest = models.CharField(max_length=64, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    made_at = models.DateTimeField()
    last_at = models.DateTimeField(null=True, blank=True)
    gone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"


class Push(Outgoing):
    """A message on its way to one browser: which notifications it tells of, none for a test. Its text is made when it
    is sent, and its row is gone then."""

    TITLE = "Push notification"
    LEASE, FIRST_PAUSE = timedelta(minutes=2), timedelta(minutes=1)
    MOST_TRIES = 6
    JOINED = ("subscription__user",)

    subscription = models.ForeignKey(PushSubscription, models.CASCADE, related_name="pushes")
    notifications = models.JSONField(default=list)
    due = models.DateTimeField(db_index=True)
    state = models.CharField(max_length=8, choices=Outgoing.State.choices[:2], default=Outgoing.State.WAITING)

    def __str__(self) -> str:
        return f"push {self.pk} to {self.subscription}"

    def is_hopeless(self) -> bool:
        return super().is_hopeless() or not self.subscription.user.is_active

    def give_up(self, now: datetime, **fields: object) -> None:
        self.as_read().delete()


class PushKey(models.Model):
    """The one key with which this service identifies itself to push services (VAPID, RFC 8292), as PEM. Subscribed
    browsers know its public half, so it is in the backup with them: with another one they would get no messages."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    pem = models.TextField()

    def __str__(self) -> str:
        return "the key of web push"


class Gathered(models.Model):
    """How far one source of notifications has been read: up to the row with the key `until`, of those old enough
    that none before it can still be on its way into the database; and the keys of those `seen` beyond it."""

    source = models.CharField(max_length=20, unique=True)
    until = models.BigIntegerField(default=0)
    seen = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.source} up to {self.until}"
