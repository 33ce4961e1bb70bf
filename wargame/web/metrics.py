"""Metrics that processes count for Prometheus; `judging/metrics` adds those of the database and shows them all.

With METRICS_FROM each process writes its metrics into files of a folder, from which a scrape sums them up; without it
they stay in memory and are never shown. The library reads the folder when it is imported: so this module must be
imported before any other that imports it.
"""

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.auth.signals import user_login_failed

if settings.METRICS_FOLDER:
    settings.METRICS_FOLDER.mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(settings.METRICS_FOLDER)

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

own = CollectorRegistry()
pages = Histogram(
    "wargame_page_seconds", "Time to serve pages, by page name.", ["page", "status"], buckets=SECONDS, registry=own
)
stages = Histogram("wargame_stage_seconds", "Time to run a turn's stages.", ["stage"], buckets=SECONDS, registry=own)
FORGOTTEN = timedelta(days=7)
"""Metrics of another machine that shares the folder are removed when it has written none for this long."""


@cache
def logins_refused() -> Counter:
    """Created by the processes that count it: each has its own files, which `manage.py` commands must not leave."""
    return Counter("wargame_logins_refused", "Log-ins with a wrong name or password.", registry=own)


def counted() -> CollectorRegistry:
    """The metrics of all processes: a new registry for one scrape."""
    logins_refused()
    if not settings.METRICS_FOLDER:
        return own
    registry = CollectorRegistry()
    registry.register(OfAllMachines(settings.METRICS_FOLDER.parent))
    return registry


class OfAllMachines(Collector):
    """Sums up the files of all machines or containers that share the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def collect(self) -> Iterable[Metric]:
        files = [str(path) for path in self.folder.glob("*/*.db")]
        return MultiProcessCollector.merge(files, accumulate=True)  # type: ignore[no-untyped-call, no-any-return]


def remove_old_files(now: datetime) -> None:
    """Remove the files of processes that have ended, and of machines that have written none for FORGOTTEN."""
    if not settings.METRICS_FOLDER:
        return
    for path in settings.METRICS_FOLDER.glob("*.db"):
        number = path.stem.rpartition("_")[2]
        if number.isdigit() and not _runs(int(number)):
            path.unlink(missing_ok=True)
    for folder in settings.METRICS_FOLDER.parent.glob("*/"):
        with suppress(FileNotFoundError):
            newest = max(path.stat().st_mtime for path in (folder, *folder.glob("*.db")))
            if folder != settings.METRICS_FOLDER and newest < (now - FORGOTTEN).timestamp():
                shutil.rmtree(folder, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def written(*registries: CollectorRegistry) -> bytes:
    """The metrics in Prometheus' text format."""
    return b"".join(generate_latest(registry) for registry in registries)


def _count_refused(**kwargs: object) -> None:
    logins_refused().inc()


user_login_failed.connect(_count_refused, dispatch_uid="metrics")
