"""Metrics for Prometheus at /metrics, for the addresses that the host named: late turns, waiting emails, age of
jobs."""

import ipaddress
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from redis import Redis, RedisError

from judging.health import checks
from judging.health.checks import LATE, chores_late, number_failing, seconds_since
from judging.tables.late_tables import clocks_at
from judging.tables.models import TableState
from judging.tables.queries import open_counts
from judging.turns.stages import due_turns, number_late
from wargame.models import Round
from wargame.models.choices import RoundState
from wargame.upkeep.schema import read_schema
from wargame.version import full_version
from wargame.web import metrics
from wargame.web.client_ip import address

QUEUES = ("celery", "mail")
"""Celery's queues, by their keys in Redis."""


class Figure(NamedTuple):
    """A gauge: its Prometheus name, its description, its value by label (no label: the empty text)."""

    name: str
    meaning: str
    values: dict[str, float]
    label: str = ""


def figures(now: datetime) -> Iterator[Figure]:
    """The gauges. An unavailable database or Redis costs only its own: then a monitor needs the others most of all."""
    yield Figure("wargame_build", "Always 1, labelled with the running version.", {full_version(): 1.0}, "version")
    is_up = 0.0
    try:
        schema = read_schema()
        by_state = {"missing": float(schema.missing), "unknown": float(schema.unknown)}
        yield Figure("wargame_migrations", "Migrations that differ from this version.", by_state, "state")
        yield from list(_of_database(now))
        is_up = 1.0
    except DatabaseError:
        connection.close()
    yield Figure("wargame_database_up", "1 if the database responds, else 0.", {"": is_up})
    try:
        yield Figure("wargame_queue_length", "Jobs waiting for a worker.", {"": float(_queue())})
    except RedisError:
        return


def _of_database(now: datetime) -> Iterator[Figure]:
    """Costs about fifteen statements."""
    states = dict(Round.objects.values_list("state").annotate(Count("pk")).order_by())
    by_state = {str(state): float(states.get(state, 0)) for state in RoundState}
    yield Figure("wargame_rounds", "Rounds by state.", by_state, "state")
    yield _number("wargame_turns_due", "Turns with a stage due now.", len(due_turns(now)))
    yield _number("wargame_turns_late", "Turns with a stage overdue by more than a minute.", number_late(now - LATE))
    yield _number("wargame_stages_failing", "Turns that failed three times in a row.", number_failing())
    tables = open_counts()
    by_table = {str(state): float(tables.get(state, 0)) for state in TableState}
    yield Figure("wargame_tables", "Card tables by state.", by_table, "state")
    waiting_count, overdue = clocks_at(now)
    yield _number("wargame_tables_waiting", "Card tables with a running clock.", waiting_count)
    yield _number("wargame_tables_overdue", "Card tables whose time has run out and was not acted on yet.", overdue)
    by_outbox = {kind: float(number) for kind, number in checks.waiting().items()}
    yield Figure("wargame_outbox_waiting", "Messages waiting to be sent.", by_outbox, "what")
    failures = {kind: float(number) for kind, number in checks.given_up().items()}
    yield Figure("wargame_outbox_given_up", "Messages that could not be sent.", failures, "what")
    age = seconds_since("sweep", now)
    yield Figure(
        "wargame_sweep_age_seconds",
        "Seconds since the last sweep; -1 if there was none.",
        {"": -1.0 if age is None else age},
    )
    backup = seconds_since("backup", now)
    meaning = "Seconds since the last backup; -1 if there was none."
    yield Figure("wargame_backup_age_seconds", meaning, {"": -1.0 if backup is None else backup})
    yield _number(
        "wargame_chores_late", "Jobs that have run before, but not in the last five minutes.", len(chores_late(now))
    )


def _number(name: str, meaning: str, value: int) -> Figure:
    return Figure(name, meaning, {"": float(value)})


def _queue() -> int:
    """Messages in the broker: those of Redis, or the files of the embedded one."""
    if settings.REDIS_URL:
        with Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2) as redis:
            return sum(int(redis.llen(queue)) for queue in QUEUES)
    return sum(1 for _ in Path(settings.DATA_FOLDER, "jobs").glob("*.msg"))


class OfDatabase(Collector):
    def collect(self) -> Iterator[GaugeMetricFamily]:
        for figure in figures(timezone.now()):
            family = GaugeMetricFamily(figure.name, figure.meaning, labels=[figure.label] if figure.label else None)
            for label, value in figure.values.items():
                family.add_metric([label] if figure.label else [], value)
            yield family


@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """The metrics. 404 for any address that is not in METRICS_FROM."""
    if not _may_read(address(request)):
        raise Http404
    registry = CollectorRegistry()
    registry.register(OfDatabase())
    return HttpResponse(metrics.written(metrics.counted(), registry), content_type=CONTENT_TYPE_LATEST)


def _may_read(address: str | None) -> bool:
    try:
        visitor = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    return any(visitor in ipaddress.ip_network(network) for network in settings.METRICS_FROM)
