"""3.1: the sweep, its messages, and the chores beside it."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.conf import settings

from judging import tasks
from judging.common.models import Heartbeat
from judging.health.checks import CHORES
from tests.services.conftest import FOUR
from tests.services.world_of_tests import HOUR, LAST_SECOND, LOCKED, World, begin, make_round
from wargame.models import Turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The turns for which the sweep has sent a message."""
    turns: list[int] = []
    monkeypatch.setattr(tasks.advance_turn, "apply_async", lambda arguments, **how: turns.append(arguments[0]))
    return turns


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The moments at which the sweep has turns looked for before its next one."""
    moments: list[datetime] = []
    monkeypatch.setattr(tasks.send_hints, "apply_async", lambda eta, expires: moments.append(eta))
    return moments


def test_a_sweep_sends_what_is_due_and_may_be_repeated(world: World, sent: list[int], looks: list[datetime]) -> None:
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


def test_a_lock_does_not_wait_for_the_next_sweep(world: World, sent: list[int], looks: list[datetime]) -> None:
    with time_machine.travel(LAST_SECOND, tick=False):
        assert tasks.sweep() == 0
    [look] = looks
    assert LOCKED < look < LOCKED + timedelta(seconds=0.1)
    assert sent == []
    with time_machine.travel(look, tick=False):
        assert tasks.send_hints() == 1
        assert sent == [world.turn.pk]
        assert tasks.advance_turn(world.turn.pk) == "settled"
        assert tasks.send_hints() == 0


def test_rounds_that_are_due_together_are_looked_for_once(world: World, sent: list[int], looks: list[datetime]) -> None:
    begin(make_round(FOUR, slug="other"))
    with time_machine.travel(LAST_SECOND, tick=False):
        tasks.sweep()
    assert len(looks) == 1


def test_a_sweep_looks_no_further_ahead_than_the_next_one(world: World, looks: list[datetime]) -> None:
    with time_machine.travel(LOCKED - timedelta(seconds=settings.SWEEP_SECONDS, milliseconds=1), tick=False):
        tasks.sweep()
    assert looks == []


def test_a_look_that_comes_before_its_moment_locks_nothing(
    world: World, sent: list[int], looks: list[datetime]
) -> None:
    with time_machine.travel(LAST_SECOND, tick=False):
        tasks.sweep()
        assert tasks.send_hints() == 0
        assert tasks.advance_turn(world.turn.pk) == "open"
        assert sent == []


def test_a_lock_that_was_put_off_after_the_sweep_is_not_early(
    world: World, sent: list[int], looks: list[datetime]
) -> None:
    with time_machine.travel(LAST_SECOND, tick=False):
        tasks.sweep()
    Turn.objects.filter(pk=world.turn.pk).update(lock_at=world.turn.lock_at + HOUR)
    with time_machine.travel(looks[0], tick=False):
        assert tasks.send_hints() == 0
        assert tasks.advance_turn(world.turn.pk) == "open"


def test_a_look_that_is_lost_is_made_up_for_by_the_next_sweep(
    world: World, sent: list[int], looks: list[datetime]
) -> None:
    with time_machine.travel(LAST_SECOND, tick=False):
        tasks.sweep()
    with time_machine.travel(LAST_SECOND + timedelta(seconds=settings.SWEEP_SECONDS), tick=False):
        assert tasks.sweep() == 1
    assert sent == [world.turn.pk]


def test_a_message_about_a_turn_that_is_gone_does_nothing() -> None:
    assert tasks.advance_turn(10**9) == ""


def chores() -> dict[str, object]:
    """The tasks of the chores, by their names in the schedule."""
    return {name: getattr(tasks, name) for name in settings.CHORES}


def test_each_chore_is_a_task_of_its_own_with_its_own_clock() -> None:
    for name, task in chores().items():
        entry = settings.CELERY_BEAT_SCHEDULE[name]
        assert entry["task"] == task.name  # type: ignore[attr-defined]
        assert entry["options"]["expires"] > 0


@pytest.mark.django_db
def test_every_chore_leaves_its_word_that_it_ran(world: World) -> None:
    for task in chores().values():
        task()  # type: ignore[operator]
    assert set(CHORES) <= set(Heartbeat.objects.values_list("name", flat=True))


@pytest.mark.parametrize(
    "chore",
    [
        "queue.tell_of_overdue",
        "flag_run_out",
        "ranks.end_all_excesses",
        "votes.count_closed",
        "reminders.remind_missing",
    ],
)
def test_a_chore_that_breaks_down_stops_no_other_and_not_the_sweep(
    world: World, sent: list[int], monkeypatch: pytest.MonkeyPatch, chore: str
) -> None:
    def fail(now: object) -> None:
        raise ValueError

    monkeypatch.setattr(f"judging.tasks.{chore}", fail)
    ran = 0
    for task in chores().values():
        try:
            task()  # type: ignore[operator]
        except ValueError:
            continue
        ran += 1
    assert ran == len(CHORES) - 1
    with time_machine.travel(LOCKED, tick=False):
        assert tasks.sweep() == 1
    assert sent == [world.turn.pk]
    assert Heartbeat.objects.get(name="sweep").at == LOCKED
