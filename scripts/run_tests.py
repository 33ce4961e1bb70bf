"""Run the tests, as `make test` does: find a browser, PostgreSQL and Redis, and say what was found.

Where PostgreSQL answers (DATABASE_URL, else 127.0.0.1), the suite runs in two parts: one on SQLite, as the service runs
without any server, and services, jobs and API on PostgreSQL and Redis, as it runs in production (`tests/parts.py`).
Else all of it runs on SQLite. Tests marked as slow are left out, but with `--all`, as `make test-all` says. Other
arguments go to pytest.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from redis import Redis, RedisError

PROJECT = Path(__file__).resolve().parent.parent
DEBIANS = ("chromium-headless-shell", "chromium")
BROWSERS = (*DEBIANS, "chromium-browser", "google-chrome")
PYTEST = [sys.executable, "-m", "pytest", "--durations=10"]
ALL = "--all"
MORE_EXAMPLES = {"API_EXAMPLES": "8", "TURN_EXAMPLES": "30"}
"""How many made-up requests and turns are tried where there is time."""

NO_TESTS = 5
SERVERS = ("DATABASE_URL", "REDIS_URL")
TITLES = {
    "all": "All tests on SQLite",
    "embedded": "Rules, pages, secrets, browsers and what else needs no server, on SQLite",
    "servers": "Services, jobs, API and a walk of all pages on PostgreSQL",
}
UNCOMPILED = "PYTHONDONTWRITEBYTECODE"
"""A variable under which each process recompiles all modules."""

MOST_PROCESSES = 6
TEMPLATE = "WARGAME_TEST_TEMPLATE"
"""The variable by which tests/conftest.py knows the database that each of its processes copies."""


def main() -> int:
    """Run all parts; 0 if all tests passed."""
    os.chdir(PROJECT)
    if ALL in sys.argv:
        os.environ.update({**MORE_EXAMPLES, **os.environ})
    find_browser()
    postgres, redis = find_postgres(), find_redis()
    environment = {name: value for name, value in os.environ.items() if name not in {*SERVERS, UNCOMPILED}}
    with_redis = {**environment, **({"REDIS_URL": redis} if redis else {})}
    if not postgres:
        return run("all", with_redis)
    code = run("embedded", environment)
    with template_database(postgres, environment) as template:
        return run("servers", {**with_redis, "DATABASE_URL": postgres, TEMPLATE: template}) or code


def run(part: str, environment: dict[str, str]) -> int:
    """Run a part of the suite (tests/parts.py) with pytest; no tests at all count as passed.

    The tables come from the models, which `make lint` keeps in step with the migrations. The migrations themselves make
    PostgreSQL's template, and run in the launcher's tests.
    """
    say(f"\n{TITLES[part]}:")
    begin = time.monotonic()
    wanted = [] if ALL in sys.argv else ["-m", "not slow"]
    others = [argument for argument in sys.argv[1:] if argument != ALL]
    command = [*PYTEST, *side_by_side(), "--no-migrations", "--part", part, *wanted, *others]
    code = subprocess.run(command, env=environment).returncode
    say(f"That took {(time.monotonic() - begin) / 60:.1f} minutes.")
    return 0 if code == NO_TESTS else code


def side_by_side() -> list[str]:
    """pytest's options for several processes. One more than there are processors: a test that waits for a browser or
    for PostgreSQL leaves its own to another. Each takes the next file in the order of tests/parts.py."""
    processors = os.cpu_count() or 1
    processes = min(processors + 1, MOST_PROCESSES)
    return ["-n", str(processes), "--dist", "loadfile", "--no-loadscope-reorder"] if processors > 1 else []


@contextmanager
def template_database(server: str, environment: dict[str, str]) -> Iterator[str]:
    """The name of a database on this server, made by the migrations; dropped at the end."""
    name = f"test_wargame_template_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            url = urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
            migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
            subprocess.run(migrate, env={**environment, "DATABASE_URL": url}, check=True)
            yield name
        finally:
            connection.execute(f"DROP DATABASE {name}")


def find_browser() -> None:
    """Say which Chromium the browser tests use. Install Debian's, and its headless shell, if they are missing and
    this process has permission."""
    missing = [name for name in DEBIANS if not shutil.which(name)]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        say(f"Installing Debian's {' and '.join(missing)} (once) ...")
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for step in (["update"], *(["install", "-y", "--no-install-recommends", name] for name in missing)):
            quiet = subprocess.DEVNULL
            subprocess.run(["apt-get", "-q", *step], env=environment, check=False, stdout=quiet, stderr=quiet)
    browser = installed_browser()
    say(f"Browser tests use {browser}." if browser else "There is no Chromium, so the browser tests are skipped.")


def installed_browser() -> str | None:
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def find_postgres() -> str | None:
    """The address of a PostgreSQL server that allows this process to create databases."""
    for url in postgres_addresses():
        try:
            with psycopg.connect(url, connect_timeout=3) as connection:
                row = connection.execute(
                    "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
                ).fetchone()
        except psycopg.Error:
            continue
        if row and row[0]:
            say("PostgreSQL answers: services, jobs and API are tested on it, and all pages are opened.")
            return url
    say("PostgreSQL does not answer (DATABASE_URL, 127.0.0.1:5432): all tests run on SQLite, its own are skipped.")
    return None


def postgres_addresses() -> Iterator[str]:
    if address := os.environ.get("DATABASE_URL", ""):
        if address.startswith("postgres"):
            yield address
        return
    for user in ("postgres", "postgres:postgres", os.environ.get("USER") or "root"):
        yield f"postgres://{user}@127.0.0.1:5432/postgres"


def find_redis() -> str | None:
    url = os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0"
    try:
        with Redis.from_url(url, socket_connect_timeout=3) as redis:
            redis.ping()
    except (RedisError, ValueError):
        say("Redis does not answer (REDIS_URL, 127.0.0.1:6379): its tests are skipped.")
        return None
    say("Redis answers: jobs are sent over it, too.")
    return url


def say(text: str) -> None:
    """Print a message to the console."""
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
