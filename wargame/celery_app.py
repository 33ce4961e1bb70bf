"""Celery, set up from the settings. Tasks are only hints: the database says what is due."""

import os

import django
from celery import Celery, signals
from kombu.transport import TRANSPORT_ALIASES

from wargame.upkeep.schema import require_schema
from wargame.web import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wargame.settings")
TRANSPORT_ALIASES["filesystem"] = "wargame.running.file_broker:Transport"

app = Celery("wargame")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.celeryd_init.connect
@signals.beat_init.connect
def _require_schema(**kwargs: object) -> None:
    """Run no job on tables of another version."""
    django.setup()
    require_schema()


@signals.task_prerun.connect
def _number_lines(task_id: str, **kwargs: object) -> None:
    """Add the job's number to its log lines, as for those of a request."""
    logs.subject.set({"job": task_id})


@signals.task_postrun.connect
def _no_number(**kwargs: object) -> None:
    logs.subject.set({})
