"""R5: the services' calendar passes holidays over in whole turns."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from judging.common.errors import Refused
from judging.turns.calendar import change_round
from judging.turns.stages import next_lock
from tests.services.world_of_tests import HOUR, LOCK, WEEK, begin, make_round
from wargame.models import Round

JUST_AFTER = LOCK + HOUR


def round_with(holidays: str, **more: object) -> Round:
    return Round(turn_length=WEEK, deadline_before_lock=timedelta(hours=24), holidays=holidays, **more)


def day(weeks: int) -> str:
    return f"{LOCK + weeks * WEEK:%Y-%m-%d}"


def test_a_lock_on_a_holiday_is_put_off_by_a_turn() -> None:
    assert next_lock(round_with(day(1)), LOCK, JUST_AFTER) == LOCK + 2 * WEEK
    assert next_lock(round_with(f"{day(1)}\n{day(2)} again"), LOCK, JUST_AFTER) == LOCK + 3 * WEEK


def test_a_battle_deadline_on_a_holiday_puts_its_lock_off_too() -> None:
    eve = f"{LOCK + WEEK - timedelta(days=1):%Y-%m-%d}"
    assert next_lock(round_with(eve), LOCK, JUST_AFTER) == LOCK + 2 * WEEK


def test_a_holiday_between_the_locks_changes_nothing() -> None:
    between = f"{LOCK + timedelta(days=2):%Y-%m-%d}"
    assert next_lock(round_with(between), LOCK, JUST_AFTER) == LOCK + WEEK


def test_a_turn_that_keeps_its_length_after_late_judging_gives_way_as_well() -> None:
    late = LOCK + timedelta(days=3)
    round_ = round_with(f"{late + WEEK:%Y-%m-%d}", overdue_policy="extend", judge_within=timedelta(hours=24))
    assert next_lock(round_, LOCK, late) == late + 2 * WEEK


def test_short_turns_leap_over_a_long_holiday_at_once() -> None:
    round_ = Round(turn_length=timedelta(seconds=10), deadline_before_lock=timedelta(seconds=5))
    round_.holidays = f"{LOCK:%Y-%m-%d} to {LOCK + timedelta(days=365):%Y-%m-%d}"
    over = datetime(LOCK.year, LOCK.month, LOCK.day, tzinfo=UTC) + timedelta(days=366)
    lock = next_lock(round_, LOCK, LOCK)
    assert over <= lock - timedelta(seconds=5) < over + timedelta(seconds=10)


@pytest.mark.django_db
def test_the_turn_after_a_settlement_leaves_the_holidays_out() -> None:
    world = begin(make_round({"Ana": ("coalition", "3D", "captain")}, holidays=day(1)))
    world.settle()
    assert world.turn.number == 2
    assert world.turn.lock_at == LOCK + 2 * WEEK
    assert world.turn.deadline == LOCK + 2 * WEEK - timedelta(hours=24)


@pytest.mark.django_db
def test_the_judges_of_a_running_round_change_its_holidays_and_unreadable_ones_are_refused() -> None:
    world = begin(make_round({}))
    judge = User.objects.get(username="trial-judge-battle")
    change_round(round=world.round, actor=judge, changes={"holidays": "2026-12-25 Christmas"}, now=JUST_AFTER)
    assert Round.objects.get().holidays == "2026-12-25 Christmas"
    with pytest.raises(Refused, match="Line 1: “Christmas” doesn't begin with a date"):
        change_round(round=world.round, actor=judge, changes={"holidays": "Christmas"}, now=JUST_AFTER)
