"""The launcher as a process, for tests."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from wargame.running import env

PROJECT = env.PROJECT
COMMAND = [sys.executable, "-m", "wargame.running.launcher"]
OF_TESTS = "DJANGO_ALLOW_ASYNC_UNSAFE"
MAKE_TABLES = """
import django
django.setup()
from wargame.upkeep.upgrade import bring_up_to_date
bring_up_to_date(print)
"""
"""What makes the database of a data folder, in a process of its own that `environment` tells where."""


class Launched:
    """A launcher on a free port. Its console output is in the file `console`."""

    def __init__(self, data: Path, variables: dict[str, str]) -> None:
        self.data = data
        self.port = int(variables.get("PORT") or free_port())
        self.address = f"http://127.0.0.1:{self.port}"
        self.console = data.with_name(f"console-{self.port}.txt")
        chosen = {"WARGAME_DATA": str(data), "PORT": str(self.port), "DEMO": "off", **variables}
        with self.console.open("w") as console:
            self.process = subprocess.Popen(
                COMMAND, cwd=PROJECT, env=environment(chosen), stdout=console, stderr=subprocess.STDOUT
            )

    def wait_until_ready(self) -> "Launched":
        """Wait until the launcher says that the site answers."""
        wait_for(lambda: "Ctrl-C stops" in self.said() or self.process.poll() is not None, self.said)
        assert self.process.poll() is None, self.said()
        return self

    def said(self) -> str:
        """All that the launcher and its children wrote to the console, and the ends of the logs."""
        logs = [f"{log.name}: {log.read_text()[-2000:]}" for log in sorted(self.data.glob("logs/*.log"))]
        return "\n".join([self.console.read_text(), *logs])

    def stop(self) -> int:
        """Ask for an orderly stop; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)

    def kill(self) -> None:
        """Kill the launcher, as `kill -9` does."""
        self.process.kill()
        self.process.wait()


def environment(variables: dict[str, str]) -> dict[str, str]:
    """The environment of this process without the service's own variables, and `variables`."""
    kept = {name: value for name, value in os.environ.items() if name not in env.TABLE and name != OF_TESTS}
    return kept | variables


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(condition: Callable[[], object], told: Callable[[], str] = str, seconds: float = 120) -> None:
    """Wait until `condition` holds. Only a broken program meets the limit; `told` explains then."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, told()
        time.sleep(0.05)


def parents() -> dict[int, int]:
    """The parent of every living process; zombies count as dead."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[:2]
        except (OSError, ValueError):
            continue
        if state != "Z":
            found[int(folder.name)] = int(parent)
    return found


def children(process: int) -> list[int]:
    """The living children of `process`."""
    return sorted(child for child, parent in parents().items() if parent == process)


def descendants(process: int) -> list[int]:
    """The living children of `process`, theirs, and so on."""
    return [pid for child in children(process) for pid in (child, *descendants(child))]


def alive(processes: list[int]) -> list[int]:
    """Those of `processes` that live."""
    return sorted(parents().keys() & set(processes))
