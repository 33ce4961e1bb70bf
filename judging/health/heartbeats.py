"""The jobs' word that they ran, by which `/healthz` tells whether they do."""

from __future__ import annotations

from datetime import datetime

from judging.game.models import Heartbeat


def beat(*, name: str, now: datetime) -> None:
    """Keeps `now` as the last time at which the job ran."""
    beats = [Heartbeat(name=name, at=now)]
    Heartbeat.objects.bulk_create(beats, update_conflicts=True, unique_fields=["name"], update_fields=["at"])


def seconds_since(name: str, now: datetime) -> float | None:
    """How long ago the job last ran; None if it never did. Raises the database's error if that is away."""
    last = Heartbeat.objects.filter(name=name).values_list("at", flat=True).first()
    return None if last is None else max(0.0, round((now - last).total_seconds(), 1))


def silent_since(moment: datetime, names: tuple[str, ...]) -> list[str]:
    """The jobs of these names that ran once and not since that moment."""
    return list(Heartbeat.objects.filter(name__in=names, at__lt=moment).order_by("name").values_list("name", flat=True))
