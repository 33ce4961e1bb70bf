"""gunicorn's configuration for the site: `gunicorn -c python:wargame.running.gunicorn_conf wargame.wsgi`."""

import gc
from importlib import import_module
from typing import Any

from wargame.running import env, parent

_host = env.get("HOST")
bind = f"[{_host}]:{env.get('PORT')}" if ":" in _host else f"{_host}:{env.get('PORT')}"
workers = env.get("WEB_WORKERS")
threads = env.get("WEB_THREADS")
worker_class = "gthread"
preload_app = True
control_socket_disable = True
graceful_timeout = 20
timeout = 60
loglevel = "warning"
# Its own lines are written as all others are. The root is told once more: gunicorn's own default would take its place.
_FORMATTERS = {"line": "wargame.web.logs.Discreet", "json": "wargame.web.logs.DiscreetJson"}
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"ours": {"()": _FORMATTERS[env.get("LOG_FORMAT")]}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "ours"}},
    "root": {"level": env.get("LOG_LEVEL"), "handlers": ["stderr"]},
    "loggers": {"gunicorn.error": {"level": "WARNING", "handlers": [], "propagate": True}},
}


def when_ready(server: Any) -> None:
    """Load every template before the workers fork: they share them, and new files change no page until the restart.

    Everything loaded by now stays in shared memory: collecting garbage would copy it.
    """
    loader = import_module("django.template.loader")
    for path in (env.PROJECT / "templates").rglob("*.*"):
        loader.get_template(path.relative_to(env.PROJECT / "templates").as_posix())
    gc.freeze()


def post_fork(server: Any, worker: Any) -> None:
    """No worker outlives its master."""
    parent.die_with(worker.ppid)
