"""The service as it runs in production, for trials that kill it: site, workers and beat, each in its own process
group, on a database of its own. A process that dies is restarted at once, as by a supervisor."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from random import Random
from typing import IO

WORKERS = ("worker-a", "worker-b")
WORKER = (
    *("-m", "celery", "-A", "wargame.celery_app", "worker", "-P", "threads", "-c", "2", "-Q", "celery"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "WARNING"),
)
COMMANDS: dict[str, tuple[str, ...]] = {
    "site": ("-m", "gunicorn", "-c", "python:wargame.running.gunicorn_conf", "wargame.wsgi"),
    "beat": ("-m", "celery", "-A", "wargame.celery_app", "beat", "-l", "WARNING"),
    **{name: (*WORKER, "-n", f"{name}@faults") for name in WORKERS},
}


class Service:
    """All processes, on a free port; their logs are in the data folder."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.folder = folder
        more = {"PORT": str(self.port), "HOST": "127.0.0.1", "WEB_WORKERS": "2", "API_RATE": "100000/minute"}
        self.environment = os.environ | more
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.logs: dict[str, IO[bytes]] = {}

    def __enter__(self) -> Service:
        for name in COMMANDS:
            self.begin(name)
        try:
            self.wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *args: object) -> None:
        for process in self.processes.values():
            process.terminate()
        for name in self.processes:
            self._end(name)
        for log in self.logs.values():
            log.close()

    def begin(self, name: str) -> None:
        log = self.logs.setdefault(name, (self.folder / f"{name}.log").open("ab"))
        schedule = ("-s", str(self.folder / "beat-schedule")) if name == "beat" else ()
        command = [sys.executable, *COMMANDS[name], *schedule]
        self.processes[name] = subprocess.Popen(
            command, env=self.environment, stdout=log, stderr=log, start_new_session=True
        )

    def kill(self, *names: str, pause: float = 0.0) -> None:
        """Kill with -9, then restart after this many seconds."""
        for name in names:
            os.killpg(self.processes[name].pid, signal.SIGKILL)
            self.processes[name].wait()
        time.sleep(pause)
        for name in names:
            self.begin(name)

    def kill_of_site(self, random: Random) -> None:
        """Kill one of the site's own processes with -9; the others go on and restart it."""
        master = self.processes["site"].pid
        children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        if children:
            os.kill(int(random.choice(children)), signal.SIGKILL)

    def wait(self, seconds: float = 90) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.processes["site"].poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/livez", timeout=3)
                return
            except (OSError, urllib.error.URLError):
                time.sleep(0.2)
        raise SystemExit(f"The site doesn't answer. Its log is {self.folder / 'site.log'}.")

    def _end(self, name: str) -> None:
        try:
            self.processes[name].wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(self.processes[name].pid, signal.SIGKILL)
            self.processes[name].wait()
