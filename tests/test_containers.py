"""`make container`: an engine builds the image and starts the whole service, as the page for hosts says.

It takes minutes, and needs the registries of images and packages, so `make test` leaves it out.
"""

import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.launching import PROJECT

ENGINES = (("docker", ["docker", "compose"]), ("podman", ["podman-compose"]))
TRIES, PAUSE = 120, 5.0
IS_WELL = "import urllib.request as r; r.urlopen(r.Request('http://127.0.0.1:8000/healthz', headers=H), timeout=30)"
HEADERS = "H = {'Host': 'web', 'X-Forwarded-Proto': 'https'}; "
"""As the proxy in front of it asks."""

pytestmark = pytest.mark.skipif("CONTAINERS" not in os.environ, reason="it takes minutes: `make container`")
Compose = Callable[..., "subprocess.CompletedProcess[str]"]


def composer() -> list[str] | str:
    """The command that reads the compose file, or why there is none."""
    told = []
    for engine, command in ENGINES:
        if shutil.which(engine) is None:
            told.append(f"{engine} is not installed")
        elif subprocess.run([engine, "info"], capture_output=True).returncode:
            told.append(f"{engine} does not answer")
        elif shutil.which(command[0]) is None or subprocess.run([*command, "version"], capture_output=True).returncode:
            told.append(f"{' '.join(command)} is not installed")
        else:
            return command
    return f"no container engine: {', '.join(told)}"


@pytest.fixture(scope="module")
def compose(tmp_path_factory) -> Iterator[Compose]:
    """Runs a command of the compose file, on volumes of its own that are removed afterwards."""
    found = composer()
    if isinstance(found, str):
        pytest.skip(found)
    values: Path = tmp_path_factory.mktemp("compose") / "env"
    key, password = secrets.token_hex(32), secrets.token_hex(16)
    values.write_text(f"ENV_FILE={values}\nSITE=wargame.localhost\nSECRET_KEY={key}\nPOSTGRES_PASSWORD={password}\n")
    first = [*found, "-p", "wargame-test", "--env-file", str(values), "-f", str(PROJECT / "deploy/compose.yaml")]

    def run(*command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run([*first, *command], cwd=PROJECT / "deploy", capture_output=True, text=True)
        assert done.returncode == 0 or not check, done.stdout + done.stderr
        return done

    try:
        run("up", "-d", "--build", "web", "worker", "mail", "beat")  # the proxy wants ports 80 and 443
        yield run
    finally:
        run("down", "-v", check=False)


def test_the_service_is_built_starts_and_is_well(compose):
    """Site, worker and clock run on their database and Redis: no sweep, no health."""
    for _ in range(TRIES):
        asked = compose("exec", "-T", "web", "python", "-c", HEADERS + IS_WELL, check=False)
        if asked.returncode == 0:
            break
        time.sleep(PAUSE)

    assert asked.returncode == 0, asked.stderr + compose("logs", check=False).stdout[-5000:]
    assert compose("exec", "-T", "web", "python", "manage.py", "check", "--deploy").returncode == 0


def test_no_container_of_ours_is_root_or_writes_beside_its_folders(compose):
    for name in ("web", "worker", "mail", "beat"):
        assert compose("exec", "-T", name, "id", "-u").stdout.strip() == "10001"
        assert compose("exec", "-T", name, "touch", "/srv/written", check=False).returncode != 0


def test_a_backup_is_made_and_restored(compose):
    """Into the database as it is after the first start, and recomputed to the same."""
    compose("exec", "-T", "web", "python", "manage.py", "demo")
    compose("exec", "-T", "web", "python", "manage.py", "backup", "/backups/round.backup")
    compose("stop", "web", "worker", "mail", "beat")
    new = ["-c", "drop database wargame with (force)", "-c", "create database wargame"]
    compose("exec", "-T", "db", "psql", "-q", "-U", "wargame", "-d", "postgres", *new)

    told = compose("run", "--rm", "-T", "web", "python", "manage.py", "restore", "/backups/round.backup").stdout

    assert "3 turns recomputed, 0 differ" in told
