"""`/healthz`: whether the service works, for monitors and proxies."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judging.selectors.health import seconds_since

LONGEST_PAUSE = 60
"""Seconds without a sweep after which the jobs are called late."""


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
