"""Figures that processes count for Prometheus; `judging/watching` adds those of the database and shows them all.

With METRICS_FROM each process writes its figures into files of a folder, from which a scrape sums them up; without it
they stay in memory and nobody is shown them. The library asks for the folder when it is imported: so this module comes
before any other that imports it.
"""

from __future__ import annotations

import os

from django.conf import settings
from django.contrib.auth.signals import user_login_failed

if settings.METRICS_FOLDER:
    settings.METRICS_FOLDER.mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(settings.METRICS_FOLDER)

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

own = CollectorRegistry()
pages = Histogram(
    "wargame_page_seconds", "How long pages took, by their name.", ["page", "status"], buckets=SECONDS, registry=own
)
stages = Histogram("wargame_stage_seconds", "How long a turn's stages took.", ["stage"], buckets=SECONDS, registry=own)
logins_refused = Counter("wargame_logins_refused", "Log-ins with a wrong name or password.", registry=own)


def counted() -> CollectorRegistry:
    """What all processes have counted: a new registry for one scrape."""
    if not settings.METRICS_FOLDER:
        return own
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(settings.METRICS_FOLDER))  # type: ignore[no-untyped-call]
    return registry


def written(*registries: CollectorRegistry) -> bytes:
    """The figures in Prometheus' text format."""
    return b"".join(generate_latest(registry) for registry in registries)


def _count_refused(**kwargs: object) -> None:
    logins_refused.inc()


user_login_failed.connect(_count_refused, dispatch_uid="metrics")
