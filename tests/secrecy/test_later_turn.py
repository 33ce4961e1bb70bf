"""DESIGN, who sees what: the stages of a turn after its lock, and the end of the round."""

import pytest
import time_machine

from tests.secrecy import plant
from tests.secrecy.checking import check

REASONS = ("reasons of one of two judges", "reasons of a score", "decision over two scores")


def test_moves_that_are_not_published_are_for_those_who_rule_on_them(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    """R18, 3.3.3."""
    check(plant.at_phase("moved", clock), caplog, seen=["ruling on a draft"])


def test_a_result_shows_why_its_judges_scored_it_so_and_no_more(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    """R54, R55: sentences that nobody but their writer, or no page at all, shows before."""
    check(plant.at_phase("fought", clock), caplog, seen=REASONS)


def test_a_settled_turn_tells_no_more_than_it_must(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    check(plant.at_phase("settled", clock), caplog, seen=())
