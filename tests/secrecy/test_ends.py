"""DESIGN, who sees what: a round that is being set up, and one that is over."""

from __future__ import annotations

import pytest
import time_machine

from tests.secrecy import plant, plant_setup
from tests.secrecy.checking import check


def test_the_set_up_keeps_what_leaders_and_judge_plan(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    """2.5.1."""
    check(plant_setup.planned(clock), caplog)


def test_armies_that_are_raised_are_for_their_team_and_the_judge(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    """2.5.2, 2.5.3."""
    check(plant_setup.raised(clock), caplog)


def test_the_end_of_a_round_opens_books_and_strats_and_no_more(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    """R35, R38."""
    check(plant.at_phase("over", clock), caplog, seen=["formula book", "strat", "strat of the enemy"])
