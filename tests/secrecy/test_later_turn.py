"""DESIGN, who sees what: the stages of a turn after its lock, and the end of the round."""

from __future__ import annotations

import pytest
import time_machine

from tests.secrecy import plant
from tests.secrecy.checking import check


def test_moves_that_are_not_published_are_for_those_who_rule_on_them(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    """R18, 3.3.3."""
    check(plant.at_phase("moved", clock), caplog, seen=["ruling on a draft"])


@pytest.mark.parametrize("phase", ["fought", "settled"])
def test_a_later_stage_tells_no_more_than_it_must(
    phase: str, clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    check(plant.at_phase(phase, clock), caplog, seen=())
