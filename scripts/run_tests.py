"""Run all tests, as `make test` does: find a browser, PostgreSQL and Redis, and say what was found.

The whole suite runs on SQLite without any server. Then the tests marked `postgres` or `redis` run with
DATABASE_URL and REDIS_URL naming the servers found: those of the environment, else those on 127.0.0.1.
Arguments go to pytest.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
from redis import Redis, RedisError

PROJECT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PYTEST = [sys.executable, "-m", "pytest", "--durations=15"]
NO_TESTS = 5
UNCOMPILED = "PYTHONDONTWRITEBYTECODE"
"""A variable under which each process compiles all modules anew."""

MOST_PROCESSES = 4


def main() -> int:
    """Run both parts; 0 if all tests passed."""
    os.chdir(PROJECT)
    arguments = sys.argv[1:]
    find_browser()
    postgres, redis = find_postgres(), find_redis()
    servers = {"DATABASE_URL": postgres, "REDIS_URL": redis}
    marks = {"postgres": postgres, "redis": redis}
    without = {name: value for name, value in os.environ.items() if name not in {*servers, UNCOMPILED}}
    later = [mark for mark, found in marks.items() if found]
    # The tables come from the models, which `make lint` holds in step with the migrations; on PostgreSQL and in the
    # launcher's tests the migrations themselves run.
    first = [
        *PYTEST,
        *side_by_side(),
        "--no-migrations",
        "-m",
        " and ".join(f"not {mark}" for mark in later),
        *arguments,
    ]
    code = run(first, without)
    if later:
        say(f"And the tests that need {' or '.join(later)}:")
        found = {name: url for name, url in servers.items() if url}
        code = run([*PYTEST, "-m", " or ".join(later), *arguments], without | found) or code
    return code


def run(command: list[str], environment: dict[str, str]) -> int:
    """Run pytest; no tests at all are as good as passed ones."""
    code = subprocess.run(command, env=environment).returncode
    return 0 if code == NO_TESTS else code


def side_by_side() -> list[str]:
    """pytest's options for several processes: who has nothing left takes half of what the other has before him."""
    processes = min(os.cpu_count() or 1, MOST_PROCESSES)
    return ["-n", str(processes), "--dist", "worksteal"] if processes > 1 else []


def find_browser() -> None:
    """Say which Chromium the browser tests use. Install Debian's if there is none and this process may."""
    if not installed_browser() and os.geteuid() == 0 and shutil.which("apt-get"):
        say("No Chromium was found: installing Debian's (once) ...")
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for step in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
            quiet = subprocess.DEVNULL
            subprocess.run(["apt-get", "-q", *step], env=environment, check=False, stdout=quiet, stderr=quiet)
    found = installed_browser()
    say(f"Browser tests use {found}." if found else "There is no Chromium, so the browser tests are skipped.")


def installed_browser() -> str | None:
    """The path of a Chromium."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def find_postgres() -> str | None:
    """The address of a PostgreSQL server that lets us make databases."""
    for url in postgres_addresses():
        try:
            with psycopg.connect(url, connect_timeout=3) as connection:
                row = connection.execute(
                    "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
                ).fetchone()
        except psycopg.Error:
            continue
        if row and row[0]:
            say("PostgreSQL answers: its tests run.")
            return url
    say("PostgreSQL does not answer (DATABASE_URL, 127.0.0.1:5432): its tests are skipped.")
    return None


def postgres_addresses() -> Iterator[str]:
    """Where PostgreSQL may be."""
    if named := os.environ.get("DATABASE_URL", ""):
        if named.startswith("postgres"):
            yield named
        return
    for user in ("postgres", "postgres:postgres", os.environ.get("USER") or "root"):
        yield f"postgres://{user}@127.0.0.1:5432/postgres"


def find_redis() -> str | None:
    """The address of a Redis server."""
    url = os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0"
    try:
        with Redis.from_url(url, socket_connect_timeout=3) as redis:
            redis.ping()
    except (RedisError, ValueError):
        say("Redis does not answer (REDIS_URL, 127.0.0.1:6379): its tests are skipped.")
        return None
    say("Redis answers: its tests run.")
    return url


def say(text: str) -> None:
    """Tell the person at the console."""
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
