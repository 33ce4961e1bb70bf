"""T10.6: what a table's file has of each seat for its clock to go on as it did: nights, leave, and who plays on there.

It stands in files with all secrets alone: when somebody sleeps or is away is no business of whoever reads a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from judging.exchange.people import People
from judging.exchange.values import BadFile
from judging.notifications.choices import is_zone
from judging.tables.away.models import SeatNight, Substitution, TableLeave
from judging.tables.away.pauses import rests_of
from judging.tables.models import Seat

MOST = 1_000
"""Rows of a kind for one seat."""


class FileNight(serializers.Serializer[Any]):
    """T10.6: the hours in which a seat's clock rests, from a moment on; no hour: it rests no more."""

    first_hour = serializers.IntegerField(min_value=0, max_value=23, allow_null=True)
    zone = serializers.CharField(max_length=64)
    since, said_at = serializers.DateTimeField(), serializers.DateTimeField()


class FileLeave(serializers.Serializer[Any]):
    """T10.6: a leave that was announced."""

    first, until = serializers.DateTimeField(), serializers.DateTimeField()
    announced_at = serializers.DateTimeField()


class FileSubstitution(serializers.Serializer[Any]):
    """T10.6: somebody was sought for a seat, and perhaps found; the log-ins of both."""

    before = serializers.CharField(max_length=150)
    user = serializers.CharField(max_length=150, allow_null=True)
    sought_by = serializers.CharField(max_length=150)
    sought_at = serializers.DateTimeField()
    name = serializers.CharField(max_length=40, allow_blank=True, trim_whitespace=False)
    closed_at = serializers.DateTimeField(allow_null=True)


class FileAbsence(serializers.Serializer[Any]):
    """T10.6: all of it for one seat."""

    is_played = serializers.BooleanField()
    nights = serializers.ListField(child=FileNight(), max_length=MOST)
    leaves = serializers.ListField(child=FileLeave(), max_length=MOST)
    substitutions = serializers.ListField(child=FileSubstitution(), max_length=MOST)


def absence_of(seat: Seat) -> dict[str, object]:
    """T10.6: a seat's nights, leave and substitutions, as the file has them. Three statements."""
    nights = seat.nights.order_by("since", "id").values("first_hour", "zone", "since", "said_at")
    leaves = seat.leaves.order_by("first", "id").values("first", "until", "announced_at")
    sought = seat.substitutions.order_by("id").select_related("before", "user")
    return {
        "is_played": seat.is_played,
        "nights": [_plain(row) for row in nights],
        "leaves": [_plain(row) for row in leaves],
        "substitutions": [
            {
                "before": row.before.get_username(), "user": row.user and row.user.get_username(), "name": row.name,
                "sought_by": row.sought_by, **_plain({"sought_at": row.sought_at, "closed_at": row.closed_at}),
            }
            for row in sought
        ],
    }  # fmt: skip


def check_absences(seats: Iterable[Mapping[str, Any]]) -> None:
    """T10.6: BadFile for hours of a zone that there is none of, a leave that ends before it begins or was announced
    after it began, or a seat for which somebody is sought twice at once."""
    for seat in seats:
        said = seat.get("absence") or {"nights": (), "leaves": (), "substitutions": ()}
        where = gettext("the absences of seat %(seat)s") % {"seat": seat["letter"]}
        if not all(is_zone(night["zone"]) for night in said["nights"]):
            raise BadFile(gettext("there is no such time zone"), where)
        if not all(leave["announced_at"] <= leave["first"] <= leave["until"] for leave in said["leaves"]):
            raise BadFile(gettext("an absence must be announced before it begins, and begin before it ends"), where)
        if sum(row["closed_at"] is None for row in said["substitutions"]) > 1:
            raise BadFile(gettext("there can be only one search for a substitute at a time"), where)


def log_ins(seats: Iterable[Mapping[str, Any]]) -> list[str]:
    """The log-ins that are named in absences."""
    rows = [row for seat in seats for row in (seat.get("absence") or {}).get("substitutions", ())]
    return [name for row in rows for name in (row["before"], row["user"]) if name]


def take_absence(seat: Seat, said: Mapping[str, Any] | None, people: People) -> None:
    """T10.6: the rows of a seat that is being taken in."""
    if not said:
        return
    SeatNight.objects.bulk_create([SeatNight(seat=seat, **row) for row in said["nights"]])
    TableLeave.objects.bulk_create([TableLeave(seat=seat, **row) for row in said["leaves"]])
    for row in said["substitutions"]:
        user = people.of(row["user"]) if row["user"] else None
        Substitution.objects.create(seat=seat, **{**row, "before": people.of(row["before"]), "user": user})
    seat.is_played, seat.rests = said["is_played"], rests_of(seat)
    seat.save(update_fields=["is_played", "rests"])


def _plain(row: Mapping[str, Any]) -> dict[str, object]:
    return {name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in row.items()}
