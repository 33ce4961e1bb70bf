"""How gunicorn serves the site: `gunicorn -c python:wargame.running.gunicorn_conf wargame.wsgi`."""

from typing import Any

from wargame.running import env, parent

_host = env.get("HOST")
bind = f"[{_host}]:{env.get('PORT')}" if ":" in _host else f"{_host}:{env.get('PORT')}"
workers = env.get("WEB_WORKERS")
threads = env.get("WEB_THREADS")
worker_class = "gthread"
control_socket_disable = True
graceful_timeout = 5
timeout = 60
loglevel = "warning"


def post_fork(server: Any, worker: Any) -> None:
    """No worker outlives its master."""
    parent.die_with(worker.ppid)
