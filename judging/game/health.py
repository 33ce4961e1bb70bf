"""`/healthz`: whether the service works, for monitors and proxies; and the jobs' word that they ran."""

from __future__ import annotations

from datetime import datetime

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judging.game.models import Heartbeat

LONGEST_PAUSE = 60
"""Seconds without a sweep after which the jobs are called late."""


def beat(*, name: str, now: datetime) -> None:
    """Keeps `now` as the last time at which the job ran."""
    beats = [Heartbeat(name=name, at=now)]
    Heartbeat.objects.bulk_create(beats, update_conflicts=True, unique_fields=["name"], update_fields=["at"])


def seconds_since(name: str, now: datetime) -> float | None:
    """How long ago the job last ran; None if it never did. Raises the database's error if that is away."""
    last = Heartbeat.objects.filter(name=name).values_list("at", flat=True).first()
    return None if last is None else max(0.0, round((now - last).total_seconds(), 1))


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Whether the database answers (503 if not) and how many seconds ago the last sweep was (null: never)."""
    try:
        age = seconds_since("sweep", timezone.now())
    except DatabaseError:
        connection.close()
        return JsonResponse({"database": "away", "jobs": "unknown", "sweep_age": None}, status=503)
    jobs = "late" if age is None or age > LONGEST_PAUSE else "ok"
    return JsonResponse({"database": "ok", "jobs": jobs, "sweep_age": age})
