"""DESIGN, who sees what: while a turn is open, all its secrets are planted and nobody sees more than he may."""

from __future__ import annotations

import pytest
import time_machine

from tests.secrecy import plant
from tests.secrecy.checking import check

WORKED_OUT_LATER = ("ruling on a draft",)


def test_an_open_turn_keeps_its_secrets_and_shows_each_to_its_author(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    check(plant.at_phase("open", clock), caplog)


def test_a_turn_that_the_clock_has_locked_shows_its_sealed_orders_and_nothing_else(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    """R4: no job has run yet."""
    check(plant.at_phase("locked", clock), caplog, seen=())
