"""What all tests share: databases, a browser, the launcher.

The database is a SQLite file, or the PostgreSQL that DATABASE_URL names. Jobs are sent nowhere: tests call the tasks
themselves, or send them to a Redis of their own choice.
"""

import gc
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.models.signals import post_save
from django.test import Client, TransactionTestCase
from pytest_django import DjangoDbBlocker
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from judging.log import triggers
from tests import logging_in
from tests.browsers import BROWSERS, browser_of
from tests.keeping import keeper
from tests.kept_rows import rows
from tests.launching import MAKE_TABLES, Launched, environment
from tests.parts import PARTS, belongs, is_left_out, place
from tests.telling import Telling
from wargame.celery_app import app
from wargame.running import env

# The browser's driver runs an event loop in the thread of the tests, which Django would refuse.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
settings.FRESH_SECONDS = 0
# Between tests all rows go, rounds after their logs: the trigger that refuses it has a test of its own.
triggers.KEPT.remove(triggers.UNDELETED)
app.conf.broker_url = "memory://"
app.conf.broker_transport_options = {}

hypothesis.settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("steady")

TEMPLATE = "WARGAME_TEST_TEMPLATE"
"""The variable that names a PostgreSQL database with all tables, which each process copies instead of migrating."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", choices=PARTS, default="all", help="which part of the suite runs: see tests/parts.py")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if is_left_out(collection_path, config.getoption("--part")) else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    """Choose and order the tests of this part, as tests/parts.py says. Skip what needs a server that no variable names;
    what needs a browser gets two more tries."""
    part = config.getoption("--part")
    left_out = [item for item in items if not belongs(item, part)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
    items[:] = sorted((item for item in items if belongs(item, part)), key=place)
    missing = {
        "postgres": "" if connection.vendor == "postgresql" else "needs PostgreSQL, named by DATABASE_URL",
        "redis": "" if os.environ.get("REDIS_URL") else "needs Redis, named by REDIS_URL",
    }
    for item in items:
        for mark, reason in missing.items():
            if reason and item.get_closest_marker(mark):
                item.add_marker(pytest.mark.skip(reason=reason))
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=2))


def pytest_collection_finish() -> None:
    """All that was imported and collected stays until the end: looking for what of it could go takes a tenth of the
    time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Telling(config))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A test database of this process alone; in a file, because a live server's threads must see it too."""
    test = connection.settings_dict["TEST"]
    if connection.vendor == "sqlite":
        test["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
        return
    test["NAME"] = f"test_wargame_{os.getpid()}"
    if template := os.environ.get(TEMPLATE):
        test["TEMPLATE"] = template
    # Nothing that a test commits need outlive the server.
    connection.settings_dict["OPTIONS"] = {"options": "-c synchronous_commit=off"}


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The template that the migrations made has the trigger, too, that the tests do without (see `keeping.KEPT`).

    After a test with a server the rows that it wrote go. Django would empty all tables, and make the rows of its types
    and permissions anew: it does so where a test changed those.
    """
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"DROP TRIGGER IF EXISTS log_is_whole ON {triggers.TABLE}")
        base = rows().base()
    empty_all = TransactionTestCase._fixture_teardown

    def clear(test: TransactionTestCase) -> None:
        if rows().base() == base:
            rows().clear()
        else:
            empty_all(test)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", clear)
        yield


@pytest.fixture(scope="session", autouse=True)
def _static_files_found_once() -> Iterator[None]:
    """Every client makes its middleware anew, and WhiteNoise looks for all static files each time: once will do."""
    found: dict[str, StaticFile] = {}
    look = WhiteNoiseMiddleware.add_files_from_finders

    def once(self: WhiteNoiseMiddleware) -> None:
        if not found:
            look(self)
            found.update(self.files)
        self.files = dict(found)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", once)
        yield


@pytest.fixture(scope="session", autouse=True)
def _logged_in_at_once() -> Iterator[None]:
    """`force_login` is for who is there already; how somebody logs in, the tests of the log-in pages hold."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "_login", logging_in.at_once)
        yield


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


@pytest.fixture
def letters_wait() -> None:
    """For tests of the outbox: letters stay in it until they are sent."""


@pytest.fixture(autouse=True)
def _letters_come_at_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Letters are sent by a job of their own; here each is in `mail.outbox` as soon as it is written."""
    from judging.accounts.models import note_bounce
    from judging.email.models import Letter
    from judging.email.services import send_next
    from judging.tasks import COMPOSERS

    def deliver(instance: Letter, created: bool, raw: bool, **kwargs: object) -> None:
        while created and not raw and send_next(instance.created, COMPOSERS, note_bounce):
            pass

    if "letters_wait" in request.fixturenames:
        yield
        return
    post_save.connect(deliver, sender=Letter)
    yield
    post_save.disconnect(deliver, sender=Letter)


@pytest.fixture(scope="session", autouse=True)
def _draw() -> Iterator[Random]:
    """Seeds and salts, drawn anew in production, are the same in each run of a test: no test depends on luck."""
    draw = Random(0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_hex", lambda size=32: draw.randbytes(size).hex())
        patch.setattr(secrets, "randbits", draw.getrandbits)
        yield draw


@pytest.fixture(scope="module", autouse=True)
def _steady_module(_draw: Random, request: pytest.FixtureRequest) -> None:
    _draw.seed(request.node.nodeid)
    keeper.begin(request.node.nodeid, _draw)


@pytest.fixture(autouse=True)
def _steady_test(_draw: Random, request: pytest.FixtureRequest) -> None:
    _draw.seed(request.node.nodeid)
    keeper.begin(request.node.nodeid, _draw)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's Chromium for pytest-playwright's `page`; the test is skipped if there is none."""
    return {**browser_type_launch_args, **browser_of(BROWSERS)}


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with all tables, for launchers whose test is about something else."""
    folder = tmp_path_factory.mktemp("migrated")
    chosen = environment({"WARGAME_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "wargame.settings"})
    subprocess.run([sys.executable, "-c", MAKE_TABLES], cwd=env.PROJECT, env=chosen, check=True)
    return folder / "db.sqlite3"


@pytest.fixture
def launch(tmp_path: Path, migrated: Path) -> Iterator[Callable[..., Launched]]:
    """Start the launcher with `launch(SWEEP_SECONDS="0.5")`, in a data folder that the migrations alone have seen; the
    test's end ends it."""
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    shutil.copy(migrated, data)
    yield from launchers_in(data)


@pytest.fixture
def launch_anew(tmp_path: Path) -> Iterator[Callable[..., Launched]]:
    """Start the launcher where there is no data folder yet."""
    yield from launchers_in(tmp_path / "data")


def launchers_in(data: Path) -> Iterator[Callable[..., Launched]]:
    """What starts launchers with this data folder, and ends them."""
    started: list[Launched] = []

    def start(**variables: str) -> Launched:
        started.append(Launched(data, variables))
        return started[-1]

    yield start
    for launched in started:
        launched.kill()
