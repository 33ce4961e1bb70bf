"""T10.6: night hours and leave, in which a seat's clock rests, and substitutes for absent players."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from judging.tables.models import Seat


class SeatNight(models.Model):
    """T10.6: from `since` on, a seat's clock rests at night: eight hours from `first_hour` on, in the time zone
    `zone`. Without an hour it never rests. Former rows stay on record, as past times were counted by them. They go
    with the player when another one takes the seat over."""

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
    """T10.6: a leave announced beforehand. The player's clock rests from `first` until `until`, which is earlier
    than announced if they came back early, and equals `first` if they withdrew it."""

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
    """T10.6: the search for a substitute for an absent player's seat, and its result. The seat's name stays, as the
    log has it; `name` is the substitute's. `closed_at`: the seat was taken, or the absent player came back."""

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
