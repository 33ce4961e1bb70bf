"""What `/healthz` shows."""

from __future__ import annotations

from datetime import datetime

from judging.models import Heartbeat


def seconds_since(name: str, now: datetime) -> float | None:
    """How long ago the job last ran; None if it never did. Raises the database's error if that is away."""
    last = Heartbeat.objects.filter(name=name).values_list("at", flat=True).first()
    return None if last is None else max(0.0, round((now - last).total_seconds(), 1))
