"""T10.6: actions of the forms for a table's people. Each returns the message of the next page; raises Refused."""

from datetime import datetime

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext

from judging.common.form_views import Success
from judging.tables.away.services import (
    announce_leave,
    choose_after_misses,
    end_leave,
    give_time,
    keep_hours,
    take_seat_over,
)
from judging.tables.models import Table


def save_hours(table: Table, user: User, now: datetime, *, hour: str = "", zone: str = "") -> str:
    """T10.6: the user's night hours."""
    keep_hours(table=table, user=user, hour=hour, zone=zone, now=now)
    return gettext("Your night hours are saved.")


def report_absence(table: Table, user: User, now: datetime, *, first: str, last: str) -> str:
    """T10.6: the user's absence, from its first to its last day."""
    announce_leave(table=table, user=user, first=first, last=last, now=now)
    return gettext("Your absence is announced. Your clock will stop during that time.")


def end_absence(table: Table, user: User, now: datetime, *, leave_id: int) -> str:
    """T10.6: the user is back."""
    end_leave(table=table, user=user, leave_id=leave_id, now=now)
    return gettext("Your absence has ended.")


def choose_way(table: Table, user: User, now: datetime, *, seat: str, way: str) -> str:
    """T10.6: choose how the game continues without the player of a seat."""
    choose_after_misses(table=table, user=user, letter=seat, way=way, now=now)
    return gettext("Your choice has taken effect.")


def add_time(table: Table, user: User, now: datetime, *, seat: str, hours: str) -> str:
    """T10.6: a judge gives a seat more time."""
    give_time(table=table, user=user, letter=seat, hours=hours, now=now)
    return gettext("Time added.")


def take_over_seat(table: Table, user: User, now: datetime, *, seat: str, name: str) -> Success:
    """T10.6: the user becomes the substitute of an absent player."""
    take_seat_over(table=table, user=user, letter=seat, name=name, now=now)
    return Success(gettext("This seat is now yours."), reverse("table", args=[table.slug]))
