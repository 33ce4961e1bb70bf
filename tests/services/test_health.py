"""3.1: `/healthz` answers 503 when turns, jobs, letters or the database fail; `/livez` says that a process lives."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from django.core.cache import cache
from django.db import DatabaseError, OperationalError, ProgrammingError
from django.test import Client
from pytest_django import Settings

from judging.battles.models import Battle
from judging.email.models import Letter
from judging.health import checks
from judging.health.checks import beat, beat_sweep
from judging.notifications.models import Push, PushSubscription
from judging.turns.models import StageFailure
from judging.turns.stages import advance
from judging.webhooks.models import Hook, HookMessage
from tests.services.world_of_tests import HOUR, LOCKED, UNLOCK, World
from wargame.upkeep.schema import Schema
from wargame.version import full_version

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
WELL = {
    "status": "well",
    "database": "ok",
    "jobs": "ok",
    "sweep_age": 0.0,
    "chores_late": [],
    "turns_late": 0,
    "stages_failing": 0,
    "letters_stuck": 0,
    "messages_stuck": 0,
    "tables_late": 0,
    "migrations": "ok",
    "backup": "off",
    "backup_age": None,
    "version": full_version(),
}


def told(now: datetime, sweep: datetime | None = None) -> dict[str, object]:
    """What is told at a moment, with the last sweep at that moment or another."""
    cache.clear()
    beat(name="sweep", now=sweep or now)
    with time_machine.travel(now, tick=False):
        answer = Client().get("/healthz")
    given: dict[str, object] = json.loads(answer.content)
    assert answer.status_code == (200 if given["status"] == "well" else 503)
    return {key: value for key, value in given.items() if value != WELL[key]}


@pytest.mark.django_db
def test_a_service_that_is_well_answers_200(world: World) -> None:
    assert told(UNLOCK) == {}


@pytest.mark.django_db
def test_jobs_that_do_not_run_are_told(world: World) -> None:
    assert told(UNLOCK + MINUTE, UNLOCK) == {"sweep_age": 60.0}
    assert told(UNLOCK + 7 * MINUTE, UNLOCK) == {"status": "unwell", "jobs": "late", "sweep_age": 420.0}


@pytest.mark.django_db
def test_a_service_that_never_swept_is_unwell() -> None:
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()["jobs"], answer.json()["sweep_age"]) == (503, "late", None)


@pytest.mark.django_db
def test_a_lock_that_does_not_come_is_told_after_a_minute(world: World) -> None:
    assert told(LOCKED + 59 * SECOND) == {}
    assert told(LOCKED + MINUTE) == {"status": "unwell", "turns_late": 1}
    advance(world.turn.pk, LOCKED + MINUTE)
    assert told(LOCKED + 2 * MINUTE) == {}


@pytest.mark.django_db
def test_a_turn_that_waits_for_its_battle_is_not_late_and_one_that_could_go_on_is(war: World) -> None:
    turn = war.turn
    now = turn.lock_at + HOUR
    assert advance(turn.pk, now) == "moved"
    assert told(now + 30 * HOUR) == {}
    war.score(Battle.objects.get(), now=now + 30 * HOUR)
    assert told(now + 30 * HOUR + 30 * SECOND) == {}
    assert told(now + 30 * HOUR + 61 * SECOND) == {"status": "unwell", "turns_late": 1}


@pytest.mark.django_db
def test_a_stage_that_fails_again_and_again_is_told(world: World) -> None:
    row = {"state": "open", "first_at": UNLOCK, "last_at": UNLOCK, "retry_at": UNLOCK, "error": "ValueError"}
    StageFailure.objects.create(turn=world.turn, failures=2, **row)
    assert told(UNLOCK) == {}
    StageFailure.objects.update(failures=3)
    assert told(UNLOCK) == {"status": "unwell", "stages_failing": 1}


@pytest.mark.django_db
@pytest.mark.usefixtures("letters_wait")
def test_letters_that_nobody_sends_are_told() -> None:
    Letter.objects.create(to="ana@example.org", subject="a", kind="vote", created=UNLOCK, due=UNLOCK)
    assert told(UNLOCK + 9 * MINUTE) == {}
    assert told(UNLOCK + 11 * MINUTE) == {"status": "unwell", "letters_stuck": 1}


@pytest.mark.django_db
def test_messages_to_browsers_and_webhooks_that_nobody_sends_are_told(world: World) -> None:
    user = world.players["Ana"].user
    browser = PushSubscription.objects.create(user=user, name="Firefox", endpoint="https://x.example", made_at=UNLOCK)
    Push.objects.create(subscription=browser, created=UNLOCK, due=UNLOCK)
    hook = Hook.objects.create(user=user, name="bot", url="https://y.example", made_at=UNLOCK, since=UNLOCK)
    HookMessage.objects.create(hook=hook, key="a", number="1", kind="round", told={}, created=UNLOCK, due=UNLOCK)
    assert told(UNLOCK + 9 * MINUTE) == {}
    assert told(UNLOCK + 11 * MINUTE) == {"status": "unwell", "messages_stuck": 2}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("schema", "text"), [(Schema(missing=2), "2 missing"), (Schema(unknown=1), "1 of a later version")]
)
def test_tables_of_another_version_are_told(schema: Schema, text: str, world: World, monkeypatch) -> None:
    monkeypatch.setattr(checks, "read_schema", lambda: schema)
    assert told(UNLOCK) == {"status": "unwell", "migrations": text}

    def lack_a_column(*arguments: object) -> float:
        raise ProgrammingError("column does not exist")

    monkeypatch.setattr(checks, "seconds_since", lack_a_column)
    monkeypatch.setattr(checks.connection, "close", lambda: None)
    answer = Client().get("/healthz").json()
    assert (answer["database"], answer["migrations"]) == ("ok", text)


@pytest.mark.django_db
def test_backups_that_are_late_are_told(world: World, settings: Settings, tmp_path: Path) -> None:
    settings.BACKUP_FOLDER = tmp_path
    beat(name="backup", now=UNLOCK)
    assert told(UNLOCK + MINUTE) == {"backup": "ok", "backup_age": 60.0}
    assert told(UNLOCK + 48 * HOUR) == {"status": "unwell", "backup": "late", "backup_age": 172800.0}


@pytest.mark.django_db
def test_a_chore_that_breaks_down_is_told_by_its_name(world: World) -> None:
    beat(name="votes", now=UNLOCK)
    beat(name="overdue", now=UNLOCK + 4 * MINUTE)
    assert told(UNLOCK + 6 * MINUTE) == {"status": "unwell", "chores_late": ["votes"]}


@pytest.mark.django_db
def test_jobs_are_late_only_once_the_service_has_run_for_as_long(world: World) -> None:
    beat_sweep(UNLOCK)
    beat(name="votes", now=UNLOCK)
    beat_sweep(UNLOCK + HOUR)
    assert checks.chores_late(UNLOCK + HOUR) == []
    beat_sweep(UNLOCK + HOUR + MINUTE)
    assert checks.chores_late(UNLOCK + HOUR + 5 * MINUTE) == ["votes"]


@pytest.mark.django_db
def test_a_database_that_takes_no_rows_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(now: datetime) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(checks, "_write", fail)
    monkeypatch.setattr(checks.connection, "close", lambda: None)
    assert told(UNLOCK) == {"status": "unwell", "database": "takes no rows"}


@pytest.mark.django_db
def test_a_database_that_is_away_is_503_and_the_process_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> float:
        raise DatabaseError

    monkeypatch.setattr(checks, "seconds_since", fail)
    monkeypatch.setattr(checks.connection, "close", lambda: None)
    answer = Client().get("/healthz")
    assert (answer.status_code, answer.json()["database"], answer.json()["jobs"]) == (503, "away", "unknown")


def test_whether_a_process_lives_is_asked_without_a_database() -> None:
    """Without the mark that lends a test a database, any statement is a failure."""
    answer = Client().get("/livez")
    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})


@pytest.mark.django_db
def test_monitors_need_no_https(settings: object) -> None:
    settings.SECURE_SSL_REDIRECT = True  # type: ignore[attr-defined]
    settings.SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^livez$"]  # type: ignore[attr-defined]
    client = Client()
    assert client.get("/rounds/").status_code == 301
    assert client.get("/livez").status_code == 200
    assert client.get("/healthz").status_code == 503


@pytest.mark.django_db
def test_monitors_may_call_it_by_its_address_and_nothing_else_answers_to_that(world: World) -> None:
    for page, status in (("/healthz", 503), ("/livez", 200), ("/rounds/", 400), ("/healthz/x", 400)):
        assert Client().get(page, headers={"Host": "192.0.2.7:8000"}).status_code == status, page
    assert Client().post("/healthz", headers={"Host": "192.0.2.7"}).status_code == 400


@pytest.mark.django_db
def test_asking_costs_a_row_now_and_then_alone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    wrote: list[datetime] = []
    monkeypatch.setattr(checks, "_write", wrote.append)
    for _ in range(5):
        assert checks.is_writable(UNLOCK)
    assert wrote == [UNLOCK]
