"""Says that a job ran, for `/healthz`."""

from __future__ import annotations

from datetime import datetime

from judging.models import Heartbeat


def beat(*, name: str, now: datetime) -> None:
    """Keeps `now` as the last time at which the job ran."""
    beats = [Heartbeat(name=name, at=now)]
    Heartbeat.objects.bulk_create(beats, update_conflicts=True, unique_fields=["name"], update_fields=["at"])
