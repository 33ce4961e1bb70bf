"""What a host watches of the database: turns that are due, letters that wait, how old the jobs' last word is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count
from redis import Redis

from judging.game.heartbeats import seconds_since
from judging.tables.models import TableState
from judging.tables.reads import open_counts
from judging.tables.watching import clocks_at
from judging.turns.stages import due_turns
from wargame.models import Round, Turn
from wargame.models.choices import RoundState, TurnState

LATE = timedelta(minutes=2)
"""A turn that is still open so long after its lock is late. The lock's own minute is in time (R4)."""

QUEUES = ("celery", "mail")
"""Celery's queues, by their keys in Redis."""


class Figure(NamedTuple):
    """A gauge: its name in Prometheus' manner, what it means, its value by label (no label: the empty text)."""

    name: str
    meaning: str
    values: dict[str, float]
    label: str = ""


def figures(now: datetime) -> Iterator[Figure]:
    """The gauges. Costs some seven statements."""
    due = due_turns(now)
    open_turns = Turn.objects.filter(round__state=RoundState.RUNNING, state=TurnState.OPEN)
    late = open_turns.filter(lock_at__lt=now - LATE).count()
    states = dict(Round.objects.values_list("state").annotate(Count("pk")).order_by())
    by_state = {str(state): float(states.get(state, 0)) for state in RoundState}
    yield Figure("wargame_rounds", "Rounds by state.", by_state, "state")
    yield Figure("wargame_turns_due", "Turns that have a stage due now.", {"": float(len(due))})
    yield Figure("wargame_turns_late", "Turns still open two minutes after their lock.", {"": float(late)})
    tables = open_counts()
    by_table = {str(state): float(tables.get(state, 0)) for state in TableState}
    yield Figure("wargame_tables", "Card tables by state.", by_table, "state")
    waiting, overdue = clocks_at(now)
    yield Figure("wargame_tables_waiting", "Running card tables at which a clock runs.", {"": float(waiting)})
    yield Figure("wargame_tables_overdue", "Card tables whose time is over and not acted on.", {"": float(overdue)})
    age = seconds_since("sweep", now)
    yield Figure("wargame_sweep_age_seconds", "Since the last sweep; -1: never.", {"": -1.0 if age is None else age})
    yield Figure("wargame_queue_length", "Jobs that wait for a worker.", {"": float(_queue())})


def _queue() -> int:
    """Messages in the broker: those of Redis, or the files of the embedded one."""
    if settings.VARIABLES["REDIS_URL"]:
        with Redis.from_url(settings.CELERY_BROKER_URL, socket_timeout=2) as redis:
            return sum(int(redis.llen(queue)) for queue in QUEUES)
    return sum(1 for _ in Path(settings.DATA_FOLDER, "jobs").glob("*.msg"))
