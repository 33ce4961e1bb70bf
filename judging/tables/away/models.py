"""T10.6: hours of the night and leave, in which a seat's clock rests, and who plays on for somebody who stays away."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from judging.tables.models import Seat


class SeatNight(models.Model):
    """T10.6: from `since` on, a seat's clock rests at night: eight hours from `first_hour` on, by the clock of `zone`.
    Without an hour it rests at none. What counted before stays on record, as times that are over were counted by it.
    They go with who sat there when somebody else takes the seat over."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="nights")
    first_hour = models.PositiveSmallIntegerField(null=True, blank=True)
    zone = models.CharField(max_length=64)
    since = models.DateTimeField()
    said_at = models.DateTimeField()

    class Meta:
        ordering = ["seat_id", "since", "id"]
        constraints = [
            models.CheckConstraint(
                name="night_begins_at_an_hour", condition=Q(first_hour__isnull=True) | Q(first_hour__lt=24)
            )
        ]

    def __str__(self) -> str:
        return f"night hours of seat {self.seat_id} from {self.first_hour}"


class TableLeave(models.Model):
    """T10.6: a leave that somebody announced beforehand; his clock rests from `first` until `until`, which is earlier
    than he said where he came back before, and the same as `first` where he took it back."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="leaves")
    first = models.DateTimeField()
    until = models.DateTimeField()
    announced_at = models.DateTimeField()

    class Meta:
        ordering = ["seat_id", "first", "id"]
        constraints = [
            models.CheckConstraint(name="table_leave_ends_after_it_began", condition=Q(until__gte=F("first"))),
            models.CheckConstraint(name="table_leave_is_said_before", condition=Q(first__gte=F("announced_at"))),
        ]

    def __str__(self) -> str:
        return f"absence of seat {self.seat_id} from {self.first:%Y-%m-%d}"


class Substitution(models.Model):
    """T10.6: somebody is sought, or was found, to play on at the seat of one who stayed away. Its name stays, as the
    log has it; `name` is what the newcomer is called. `closed_at`: it was taken, or he who was away came back."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="substitutions")
    before = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    sought_by = models.CharField(max_length=150)
    sought_at = models.DateTimeField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=40, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["seat_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["seat"], condition=Q(closed_at__isnull=True), name="substitution_once_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"substitution at seat {self.seat_id}"
