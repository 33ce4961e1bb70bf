"""3.1, T9.6: orders by mail: each player's own address, that of each seat at a card table, and the outcome of each
mail."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from judging.tables.models import Seat
from wargame.models import Player


class MailAddress(models.Model):
    """3.1: a player's address for posting by mail. Its `token` lets anybody post for them, so it is shown to them
    alone, and they can replace it."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="mail_address")
    token = models.CharField(max_length=40, unique=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"the address of {self.player}"


class SeatAddress(models.Model):
    """T9.6: a seat's address for acting at a card table by mail. Its `token` lets anybody act for its owner. It is
    `user`'s, and accepts nothing once another user has the seat (T10.6)."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="mail_address")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    token = models.CharField(max_length=40, unique=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"the address of seat {self.seat_id}"


class ReceivedMail(models.Model):
    """3.1: a received mail, for a player or a seat, without its content: `digest` identifies it if it comes again.
    `detail` is a code or the rule that refused it."""

    class Outcome(models.TextChoices):
        DONE = "done", gettext_lazy("carried out")
        REFUSED = "refused", gettext_lazy("refused")
        EMPTY = "empty", gettext_lazy("empty email")
        AGAIN = "again", gettext_lazy("duplicate")
        UNKNOWN = "unknown", gettext_lazy("unknown address")
        FORGED = "forged", gettext_lazy("sender not verified")
        AUTOMATIC = "automatic", gettext_lazy("sent automatically")
        LOOP = "loop", gettext_lazy("sent by us")
        LARGE = "large", gettext_lazy("too large")
        MANY = "many", gettext_lazy("too many emails in an hour")
        UNREADABLE = "unreadable", gettext_lazy("unreadable")

    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="+")
    seat = models.ForeignKey(Seat, models.CASCADE, null=True, blank=True, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField(db_index=True)
    size = models.PositiveIntegerField()
    outcome = models.CharField(max_length=10, choices=Outcome)
    detail = models.CharField(max_length=80, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="mail_for_a_player_or_a_seat", condition=Q(player__isnull=True) | Q(seat__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"mail of {self.at:%Y-%m-%d %H:%M}: {self.outcome}"
