"""Which tests run on which database, and in which order.

`make test` runs the suite in two parts, where a PostgreSQL answers: `embedded` on SQLite, as the service runs without
any server, and `servers` on PostgreSQL and Redis, as it runs in production. What stands in ON_SERVERS runs on the
servers, everything else on SQLite, and what stands in ON_BOTH runs in both parts. Without PostgreSQL there is one part,
`all`, on SQLite; so there is where pytest is called by hand.

Services, jobs and the API run all statements that write, and most that read, on PostgreSQL; tests/pages/test_budgets.py
opens every page there at every stage of a round. Other tests of pages are about what is shown, which no database
changes, and on SQLite they need a quarter less time.
"""

from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
PARTS = ("all", "embedded", "servers")
ON_SERVERS = (
    *("tests/api/", "tests/services/", "tests/test_upkeep.py"),
    *("tests/pages/test_budgets.py", "tests/pages/test_creatures.py", "tests/pages/test_redis_away.py"),
)
"""Of the pages: the walk of all of them, a search by PostgreSQL's own means, and the service without its Redis."""

ON_BOTH = (
    *("tests/services/test_exactly_once.py", "tests/services/test_stages.py", "tests/services/test_locks.py"),
    *("tests/services/test_jobs.py", "tests/services/test_posting.py", "tests/services/test_exchange.py"),
    *("tests/services/test_exchange_bad_files.py", "tests/services/test_desk_panels.py"),
    *("tests/test_bulk.py", "tests/test_keeping.py", "tests/test_world.py"),
)
"""Stages, locks, jobs, whole rounds written and read, what reaches past Django's models, and the judges' desk, which
hides what breaks down."""

ORDER = (
    *(
        "tests/rules/",
        "tests/test_walk.py",
        "tests/test_new_database.py",
        "tests/accessibility/test_running_round.py",
        "tests/secrecy/",
    ),
    *("tests/accessibility/", "tests/pages/test_budgets.py", "tests/test_launcher.py", "tests/test_verify.py"),
    *(
        "tests/test_demo.py",
        "tests/test_upkeep.py",
        "tests/services/test_over_redis.py",
        "tests/api/test_api_schema.py",
    ),
)
"""The rules need no database and tell early. What takes long must not begin last, when other processes have nothing
left to do; the longest of it goes first. The rest follows by its path."""


def is_left_out(path: Path, part: str) -> bool:
    """Whether nothing in a file belongs to this part, so that it need not be read."""
    if part == "all" or path.suffix != ".py" or not path.is_relative_to(PROJECT / "tests"):
        return False
    name = path.relative_to(PROJECT).as_posix()
    if name in ON_BOTH:
        return False
    return name.startswith(ON_SERVERS) == (part == "embedded")


def belongs(item: pytest.Item, part: str) -> bool:
    """Whether a test runs in this part."""
    if part == "all" or item.nodeid.startswith(ON_BOTH):
        return True
    return item.nodeid.startswith(ON_SERVERS) == (part == "servers")


def place(item: pytest.Item) -> int:
    """Where a test stands in the order."""
    return next((number for number, start in enumerate(ORDER) if item.nodeid.startswith(start)), len(ORDER))
