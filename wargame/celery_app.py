"""Celery, set up from the settings. Tasks are only hints: the database says what is due."""

import os

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wargame.settings")
TRANSPORT_ALIASES["filesystem"] = "wargame.running.file_broker:Transport"

app = Celery("wargame")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
