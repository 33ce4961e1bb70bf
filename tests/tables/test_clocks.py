"""10: time at a table, from moments that are passed in."""

import pytest

from tables.core.pace.clocks import (
    BANK,
    DAY,
    HOUR,
    MISSED,
    Clock,
    Pace,
    Pause,
    answered,
    due,
    ran_out,
    reminders,
    turn_begins,
    used,
)

PACE = Pace()
FULL = Clock(BANK)


def test_a_decision_is_due_after_its_day_and_the_bank():
    assert due(PACE, FULL, 100) == 100 + DAY + BANK


@pytest.mark.parametrize(("hours", "left"), [(24, BANK), (30, BANK - 6 * HOUR), (24 * 9, 0)])
def test_only_what_goes_beyond_the_day_comes_from_the_bank(hours, left):
    assert answered(PACE, FULL, 0, hours * HOUR).bank == left


def test_pauses_stop_the_time_even_where_they_overlap():
    pauses = (Pause(HOUR, 5 * HOUR), Pause(2 * HOUR, 6 * HOUR))

    assert used(0, 10 * HOUR, pauses) == 5 * HOUR
    assert due(PACE, Clock(0), 0, pauses) == DAY + 5 * HOUR
    assert used(0, due(PACE, FULL, 0, pauses), pauses) == DAY + BANK


def test_a_pause_after_the_end_changes_nothing():
    assert due(PACE, Clock(0), 0, (Pause(2 * DAY, 3 * DAY),)) == DAY


def test_who_misses_three_in_a_row_or_empties_his_bank_has_given_up_unless_he_answers():
    assert Clock(0, 1).given_up
    assert Clock(BANK, MISSED).given_up
    assert not ran_out(Clock(BANK)).missed >= MISSED
    assert not answered(PACE, Clock(BANK, 2), 0, HOUR).given_up


def test_a_turn_fills_the_bank_up_to_what_it_began_with():
    assert turn_begins(PACE, Clock(0)).bank == 12 * HOUR
    assert turn_begins(PACE, FULL).bank == BANK


def test_reminders_come_at_half_and_two_hours_before_the_end():
    assert reminders(PACE, Clock(0), 0) == (12 * HOUR, 22 * HOUR)
