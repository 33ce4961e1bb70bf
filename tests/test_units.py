"""The site as `deploy/systemd` runs it: its port belongs to systemd, so that a restart fails no request."""

import shutil
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.launching import PROJECT, environment, wait_for

AS_SYSTEMD = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ["LISTEN_PID"] = str(os.getpid())
arguments = ["-m", "gunicorn", "-c", "python:wargame.running.gunicorn_conf", "wargame.wsgi"]
os.execv(sys.executable, [sys.executable, *arguments])
"""
CLIENTS = 4


@contextmanager
def site(port: socket.socket, data: Path) -> Iterator[None]:
    """The unit's command with the socket where systemd passes it: file descriptor 3."""
    chosen = {"WARGAME_DATA": str(data), "LISTEN_FDS": "1", "WEB_WORKERS": "2", "METRICS_FROM": "127.0.0.1"}
    command = [sys.executable, "-c", AS_SYSTEMD, str(port.fileno())]
    process = subprocess.Popen(command, cwd=PROJECT, env=environment(chosen), pass_fds=[port.fileno()])
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=60)


def get(port: socket.socket, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port.getsockname()[1]}{path}", timeout=120) as answer:
        return str(answer.read().decode())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="systemd runs on Linux alone")
def test_a_restart_fails_no_request_and_workers_share_their_figures(tmp_path: Path, migrated: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    shutil.copy(migrated, data)
    answers, failures, stop = [0], [], threading.Event()
    port = socket.create_server(("127.0.0.1", 0), backlog=512)

    def ask() -> None:
        while not stop.is_set():
            try:
                get(port, "/")
                answers[0] += 1
            except OSError as error:
                failures.append(repr(error))

    def some_more() -> None:
        wanted = answers[0] + 20
        wait_for(lambda: failures or answers[0] >= wanted)

    clients = [threading.Thread(target=ask, daemon=True) for _ in range(CLIENTS)]
    with port:
        for client in clients:
            client.start()
        with site(port, data):
            some_more()
        with site(port, data):
            some_more()
            figures = get(port, "/metrics")
            stop.set()
            for client in clients:
                client.join()

    assert failures == []
    assert 'wargame_page_seconds_count{page="home",status="200"}' in figures
