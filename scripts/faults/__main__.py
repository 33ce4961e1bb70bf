"""Kill, cut and flood the service, and report whether every turn was settled once: `make faults`, `make faults
ARGS="--locks 30 --posts 300 --rounds 100"`.

The service runs as in production, with two workers and two processes of the site. It has a database of its own, on
PostgreSQL where FAULTS_DATABASE_URL names a server (then FAULTS_REDIS_URL must name a Redis database that may be
emptied), else on SQLite. It is removed afterwards, and so are the logs unless something is wrong. Figures are reported
with the load of the machine, because they mean little without it. Exit status 1 if anything is wrong.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

TRIALS = ("locks", "posts", "rounds", "clocks", "maps")


def main() -> int:
    """Run the trials; 0 if nothing is wrong."""
    parser = argparse.ArgumentParser(prog="make faults", description="Kill, cut and flood the service.")
    parser.add_argument("--locks", type=int, default=6, help="locks while processes are killed and messages lost (6)")
    parser.add_argument("--posts", type=int, default=60, help="posts in the last seconds before a lock (60)")
    parser.add_argument("--rounds", type=int, default=10, help="rounds that are due at one moment (10)")
    parser.add_argument("--clocks", type=int, default=2, help="locks after which the clock goes back (2)")
    parser.add_argument("--maps", type=int, default=0, help="open maps that ask for news for half a minute (none)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other moments")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="wargame-faults-"))
    with _surroundings(folder):
        status = _run(options, folder)
    if status:
        print(f"The logs are in {folder}.")
    else:
        shutil.rmtree(folder)
    return status


def _run(options: argparse.Namespace, folder: Path) -> int:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from scripts.faults import trials
    from scripts.faults.rounds import judged_demo
    from scripts.faults.service import Service

    call_command("migrate", verbosity=0, interactive=False)
    judged_demo()
    ways = {
        "locks": trials.locks,
        "posts": trials.storm,
        "rounds": trials.due,
        "clocks": trials.clock,
        "maps": trials.maps,
    }
    is_wrong = False
    with Service(folder) as service:
        for name in TRIALS:
            if number := getattr(options, name):
                outcome = ways[name](service, number, Random(f"{name} {options.seed}"))
                load = " ".join(f"{each:.1f}" for each in os.getloadavg())
                print(f"{name}: {outcome.figures}; load {load}", flush=True)
                for wrong in outcome.wrong[:20]:
                    print(f"  WRONG: {wrong}", flush=True)
                is_wrong = is_wrong or bool(outcome.wrong)
    connection.close()
    print("Something is wrong." if is_wrong else "Every turn was settled once, and nothing was lost.")
    return int(is_wrong)


@contextmanager
def _surroundings(folder: Path) -> Iterator[None]:
    """The environment of the service: a data folder and a database of its own."""
    environment = {"DJANGO_SETTINGS_MODULE": "wargame.settings", "WARGAME_DATA": str(folder), "DEMO": "off"}
    server, redis = (os.environ.get(f"FAULTS_{name}_URL", "") for name in ("DATABASE", "REDIS"))
    for name in ("DATABASE_URL", "REDIS_URL", "EMAIL_URL", "SECRET_KEY", "SECRET_KEY_FILE"):
        os.environ.pop(name, None)
    os.environ |= environment
    if not server:
        yield
        return
    import psycopg

    name = f"wargame_faults_{os.getpid()}"
    with closing(psycopg.connect(server, autocommit=True)) as there:
        there.execute(f'CREATE DATABASE "{name}"')  # type: ignore[arg-type, unused-ignore]
        os.environ |= {"DATABASE_URL": f"{server.rsplit('/', 1)[0]}/{name}", "REDIS_URL": redis}
        try:
            yield
        finally:
            there.execute(f'DROP DATABASE "{name}" WITH (FORCE)')  # type: ignore[arg-type, unused-ignore]


if __name__ == "__main__":
    sys.exit(main())
