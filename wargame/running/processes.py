"""The processes of the service, as functions that the launcher's children run."""

import os
import sys

from gunicorn.app.wsgiapp import WSGIApplication

from wargame import wsgi
from wargame.celery_app import app
from wargame.running import env


def site(listener: int) -> None:
    """Serve the site on the listening socket with the file descriptor `listener`."""
    sys.argv = ["gunicorn", "-c", "python:wargame.running.gunicorn_conf", "--bind", f"fd://{listener}", wsgi.__name__]
    WSGIApplication(prog="gunicorn").run()


def worker() -> None:
    """Run the jobs, except those that wait for other machines."""
    _work("threads", env.get("JOB_THREADS"), "celery")


def mail_worker() -> None:
    """Send letters, push messages and webhooks, ask the beacon: no other job waits for another machine. Processes,
    because they can be ended when a server takes too long."""
    _work("prefork", 1, "mail")


def _work(pool: str, concurrency: int, queue: str) -> None:
    """Django's checks are for development and would delay the start."""
    os.environ["CELERY_SKIP_CHECKS"] = "1"
    process = app.Worker(
        pool=pool,
        concurrency=concurrency,
        queues=[queue],
        loglevel=env.get("LOG_LEVEL"),
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
    )
    process.start()
    sys.exit(process.exitcode)


def beat() -> None:
    """Run the jobs' clock."""
    app.Beat(loglevel=env.get("LOG_LEVEL"), quiet=True).run()
