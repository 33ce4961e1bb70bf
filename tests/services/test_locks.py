"""3.1, R5: the calendar."""

from datetime import timedelta

import pytest

from judging.turns.stages import next_lock
from tests.services.world_of_tests import LOCK, LOCKED, WEEK
from wargame.models import Round

DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("late", "weeks"),
    [
        (timedelta(0), 1),
        (3 * DAY, 1),
        (3.5 * DAY, 1),
        (3.5 * DAY + timedelta(seconds=1), 2),
        (9 * DAY, 2),
        (30 * DAY, 5),
    ],
)
def test_the_next_lock_leaves_half_a_turn(late: timedelta, weeks: int) -> None:
    assert next_lock(Round(turn_length=WEEK), LOCK, LOCK + late) == LOCK + weeks * WEEK


def test_a_turn_settled_early_locks_a_whole_turn_later() -> None:
    assert next_lock(Round(turn_length=WEEK), LOCK, LOCK - DAY) == LOCK + WEEK


def test_the_battle_deadline_is_not_in_the_past() -> None:
    round_ = Round(turn_length=timedelta(hours=25), deadline_before_lock=DAY)
    assert next_lock(round_, LOCK, LOCKED) == LOCK + timedelta(hours=25)
    assert next_lock(round_, LOCK, LOCK + timedelta(hours=2)) == LOCK + timedelta(hours=50)
