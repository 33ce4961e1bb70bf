"""3.1: jobs as they run in production: workers of their own, messages over Redis, rows on PostgreSQL.

Whatever happens to messages and workers, a turn is settled once.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from kombu import Connection
from redis import Redis

from judging import tasks
from judging.announcements.models import Notice
from judging.common.models import LogEntry
from tests.launching import PROJECT, environment, wait_for
from tests.services.conftest import FOUR
from tests.services.world_of_tests import HOUR, World, begin, make_round
from wargame.models import Turn

pytestmark = [pytest.mark.postgres, pytest.mark.redis, pytest.mark.django_db(transaction=True)]

WORKER = (
    *(sys.executable, "-m", "celery", "--app", "wargame.celery_app", "worker", "--pool", "threads"),
    *("--concurrency", "2", "--loglevel", "INFO", "--without-gossip", "--without-mingle", "--without-heartbeat"),
)
GONE = 10**9


class Jobs:
    """A queue of its own on Redis, and the workers that read it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = f"test-wargame-{os.getpid()}-{folder.name}"
        self.broker = Connection(os.environ["REDIS_URL"])
        self.redis = Redis.from_url(os.environ["REDIS_URL"])
        self.workers: list[subprocess.Popen[bytes]] = []

    def send(self, *turns: int) -> None:
        """A message for each of these turns."""
        for turn in turns:
            tasks.advance_turn.apply_async((turn,), queue=self.name, connection=self.broker)

    def work(self) -> subprocess.Popen[bytes]:
        """A worker, begun just now."""
        own = {"DATABASE_URL": own_database(), "REDIS_URL": os.environ["REDIS_URL"], "WARGAME_DATA": str(self.folder)}
        number = len(self.workers)
        command = [*WORKER, "--queues", self.name, "--hostname", f"{self.name}-{number}@here"]
        with (self.folder / f"worker-{number}.log").open("w") as log:
            worker = subprocess.Popen(command, cwd=PROJECT, env=environment(own), stdout=log, stderr=log)
        self.workers.append(worker)
        return worker

    def are_all_read(self) -> bool:
        return not self.redis.llen(self.name)

    def are_all_ready(self) -> bool:
        """Whether each worker has said that it listens, to signals too."""
        logs = list(self.folder.glob("worker-*.log"))
        return len(logs) == len(self.workers) and all(" ready." in log.read_text() for log in logs)

    def said(self) -> str:
        return "\n".join(log.read_text()[-2000:] for log in sorted(self.folder.glob("worker-*.log")))

    def end(self) -> None:
        """No worker and no message is left behind, read or unread."""
        for worker in self.workers:
            worker.kill()
            worker.wait()
        self.broker.release()
        bindings = ("_kombu.binding", "_kombu.binding_permanent")
        self.redis.delete(self.name, *(f"{binding}.{self.name}" for binding in bindings))
        for tag, message in self.redis.hscan_iter("unacked"):
            if self.name.encode() in message:
                self.redis.hdel("unacked", tag)
                self.redis.zrem("unacked_index", tag)


def own_database() -> str:
    """The address of the database of this test."""
    it = connection.settings_dict
    return f"postgres://{it['USER']}:{it['PASSWORD']}@{it['HOST']}:{it['PORT'] or 5432}/{it['NAME']}"


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    jobs = Jobs(tmp_path)
    yield jobs
    jobs.end()


@pytest.fixture
def due(transactional_db: None) -> World:
    """A round whose first turn locked an hour ago, by the clock on the wall: that is what workers go by."""
    now = timezone.now()
    world = begin(make_round(FOUR), first_lock=now - HOUR, now=now - timedelta(days=7))
    world.post("Ana", "3D > 3F; engage Gaz", at=now - timedelta(days=6))
    return world


def is_settled(world: World) -> Callable[[], bool]:
    return lambda: Turn.objects.filter(round=world.round, number=1, state="settled").exists()


def assert_settled_once(world: World) -> None:
    assert Turn.objects.filter(round=world.round).count() == 2
    assert world.army("Ana").at == "3F"
    for action in ("turn.locked", "turn.settled"):
        assert LogEntry.objects.filter(data__turn=1, action=action).count() == 1
    assert Notice.objects.filter(turn__number=1, kind="update").count() == 1
    assert world.turn.battles.count() == 1


def test_messages_that_come_many_times_to_two_workers_settle_a_turn_once(due: World, jobs: Jobs) -> None:
    jobs.send(*[due.turn.pk] * 8)
    workers = [jobs.work(), jobs.work()]
    wait_for(is_settled(due), jobs.said)
    wait_for(jobs.are_all_read, jobs.said)
    jobs.send(due.turn.pk, Turn.objects.get(number=1).pk)
    wait_for(jobs.are_all_read, jobs.said)
    # A worker that is asked to end before it listens to signals would not end in order, but be cut off.
    wait_for(jobs.are_all_ready, jobs.said)
    for worker in workers:
        worker.terminate()
        assert worker.wait(timeout=60) == 0, jobs.said()
    assert_settled_once(due)


def test_a_turn_whose_worker_was_killed_is_settled_once_by_the_next_one(due: World, jobs: Jobs) -> None:
    """The first one dies with whatever it holds; the next sweep's message is enough."""
    jobs.send(*[due.turn.pk] * 4)
    first = jobs.work()
    wait_for(lambda: jobs.are_all_read() or is_settled(due)(), jobs.said)
    first.kill()
    first.wait()
    jobs.send(due.turn.pk)
    second = jobs.work()
    wait_for(is_settled(due), jobs.said)
    wait_for(jobs.are_all_read, jobs.said)
    second.terminate()
    assert second.wait(timeout=60) == 0, jobs.said()
    assert_settled_once(due)


def test_a_message_about_a_turn_that_is_gone_stops_no_worker(due: World, jobs: Jobs) -> None:
    jobs.send(GONE, due.turn.pk)
    jobs.work()
    wait_for(is_settled(due), jobs.said)
    assert_settled_once(due)


def test_what_is_marked_for_postgresql_runs_on_it(due: World) -> None:
    assert connection.vendor == "postgresql"
