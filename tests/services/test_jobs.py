"""3.1: the sweep, its messages, and what `/healthz` says of them."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import time_machine
from django.db import DatabaseError
from django.test import RequestFactory

from judging import tasks
from judging.game import health
from judging.game import health as heartbeats
from tests.services.conftest import FOUR
from tests.services.world_of_tests import LAST_SECOND, LOCKED, UNLOCK, World, begin, make_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The turns for which the sweep has sent a message."""
    turns: list[int] = []
    monkeypatch.setattr(tasks.advance_turn, "apply_async", lambda arguments, **how: turns.append(arguments[0]))
    return turns


def test_a_sweep_sends_what_is_due_and_may_be_repeated(world: World, sent: list[int]) -> None:
    other = begin(make_round(FOUR, slug="other"))
    with time_machine.travel(LAST_SECOND, tick=False):
        assert tasks.sweep() == 0
    with time_machine.travel(LOCKED, tick=False):
        assert tasks.sweep() == 2
        assert tasks.sweep() == 2
        due = sorted([world.turn.pk, other.turn.pk])
        assert sorted(sent) == sorted(due * 2)
        assert [tasks.advance_turn(turn) for turn in sent] == ["settled"] * 4
        assert tasks.sweep() == 0
    assert world.turn.number == other.turn.number == 2


def test_a_lost_message_is_sent_again_by_the_next_sweep(world: World, sent: list[int]) -> None:
    with time_machine.travel(LOCKED + timedelta(hours=5), tick=False):
        tasks.sweep()
        sent.clear()
        tasks.sweep()
        assert sent == [world.turn.pk]


def test_health_tells_how_long_ago_the_last_sweep_was(world: World, sent: list[int]) -> None:
    with time_machine.travel(UNLOCK, tick=False):
        tasks.sweep()
    with time_machine.travel(UNLOCK + timedelta(seconds=7), tick=False):
        assert told() == {"database": "ok", "jobs": "ok", "sweep_age": 7.0}
    with time_machine.travel(UNLOCK + timedelta(minutes=7), tick=False):
        assert told()["jobs"] == "late"


def test_health_of_a_service_without_jobs_is_late() -> None:
    assert told() == {"database": "ok", "jobs": "late", "sweep_age": None}


def test_a_beat_replaces_the_one_before() -> None:
    heartbeats.beat(name="sweep", now=UNLOCK)
    heartbeats.beat(name="sweep", now=LOCKED)
    with time_machine.travel(LOCKED, tick=False):
        assert told()["sweep_age"] == 0.0


def test_health_without_a_database_is_503(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> float:
        raise DatabaseError

    monkeypatch.setattr(health, "seconds_since", fail)
    monkeypatch.setattr(health.connection, "close", lambda: None)
    answer = health.healthz(RequestFactory().get("/healthz"))
    assert answer.status_code == 503


def told() -> dict[str, object]:
    answer = health.healthz(RequestFactory().get("/healthz"))
    assert answer.status_code == 200
    given: dict[str, object] = json.loads(answer.content)
    return given


def test_a_message_about_a_turn_that_is_gone_does_nothing() -> None:
    assert tasks.advance_turn(10**9) == ""
