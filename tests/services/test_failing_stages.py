"""3.1: a stage that breaks down is tried later and later, told once, shown at the desk, and tried at once if asked."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

from judging import tasks
from judging.common.admin import site
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.turns import failures, stages
from judging.turns.failures import LONGEST_PAUSE, note_failure, pause_after, retry_at_once
from judging.turns.models import StageFailure
from tests.services.world_of_tests import LOCKED, World, begin, make_round

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


@pytest.fixture
def broken(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """A turn whose stages break down, with words that are secret."""
    advance = stages.advance

    def fail(turn_id: int, now: datetime) -> str:
        if turn_id == world.turn.pk:
            raise ValueError("a sealed order")
        return advance(turn_id, now)

    monkeypatch.setattr(stages, "advance", fail)
    return world


def carry_out(world: World, now: datetime) -> str:
    with time_machine.travel(now, tick=False):
        return tasks.advance_turn(world.turn.pk)


def fail_often(world: World, times: int) -> StageFailure:
    now = LOCKED
    for _ in range(times):
        carry_out(world, now)
        now = StageFailure.objects.get().retry_at
    return StageFailure.objects.get()


def test_the_pauses_double_and_are_bounded() -> None:
    assert [pause_after(n).total_seconds() for n in (1, 2, 3, 9)] == [2, 4, 8, 512]
    assert pause_after(10) == pause_after(10**6) == LONGEST_PAUSE


def test_a_stage_that_breaks_down_is_due_again_after_its_pause(broken: World) -> None:
    assert carry_out(broken, LOCKED) == "failed"
    assert stages.due_turns(LOCKED + SECOND) == []
    assert [pk for pk, _ in stages.due_turns(LOCKED + 2 * SECOND)] == [broken.turn.pk]
    row = fail_often(broken, 4)
    assert row.retry_at - row.last_at == 16 * SECOND
    assert "sealed" not in row.error


def test_another_turn_is_settled_meanwhile(broken: World) -> None:
    other = begin(make_round({"Ana": ("coalition", "3D", "captain")}, slug="other"))
    fail_often(broken, 5)
    assert carry_out(other, LOCKED) == "settled"


def test_two_workers_that_fail_at_one_try_count_once(broken: World) -> None:
    error = ValueError()
    assert [note_failure(broken.turn.pk, error, LOCKED) for _ in range(2)] == [1, 1]


def test_the_third_failure_is_told_once(broken: World) -> None:
    fail_often(broken, 2)
    assert not LogEntry.objects.filter(action="turn.stuck").exists()
    fail_often(broken, 4)
    assert LogEntry.objects.get(action="turn.stuck").data == {"turn": 1, "state": "open"}


def test_a_stage_that_succeeds_again_forgets_its_failures_and_says_so(
    broken: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = fail_often(broken, 3)
    monkeypatch.undo()
    assert carry_out(broken, row.retry_at) == "settled"
    assert not StageFailure.objects.exists()
    assert LogEntry.objects.filter(action="turn.unstuck").count() == 1


def test_a_judge_has_it_tried_at_once_and_a_player_does_not(broken: World, client: Client) -> None:
    fail_often(broken, 3)
    turn = broken.turn
    with pytest.raises(Refused):
        retry_at_once(turn=turn, user=broken.players["Ana"].user, now=LOCKED)
    client.force_login(broken.judges["movement"].user)
    with time_machine.travel(LOCKED + 10 * SECOND, tick=False):
        desk = client.get("/judge/").content.decode()
        assert "is stuck" in desk
        assert "failures.py" not in desk
        assert stages.due_turns(LOCKED + 10 * SECOND) == []
        assert client.post(f"/judge/turns/{turn.pk}/retry/").status_code == 302
    assert stages.due_turns(LOCKED + 10 * SECOND) != []


def test_the_desk_shows_an_administrator_where_it_breaks_down(broken: World, client: Client) -> None:
    fail_often(broken, 1)
    client.force_login(User.objects.create_superuser("root"))
    desk = client.get("/judge/").content.decode()
    assert "ValueError in " in desk
    assert "sealed order" not in desk


def test_a_panel_that_breaks_down_does_not_close_the_desk(
    broken: World, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> object:
        raise ValueError

    monkeypatch.setitem(site._panels, "queues", fail)
    fail_often(broken, 1)
    client.force_login(broken.judges["movement"].user)
    answer = client.get("/judge/")
    assert answer.status_code == 200
    assert "of this dashboard right now: queues" in answer.content.decode()
    assert "is stuck" in answer.content.decode()


def test_a_turn_that_is_gone_has_no_failures() -> None:
    assert note_failure(10**9, ValueError(), LOCKED) == 0
    failures.clear(10**9, LOCKED)
