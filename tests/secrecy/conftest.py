"""The rounds that are walked."""

from collections.abc import Iterator

import pytest
import time_machine

from tests.services.world_of_tests import UNLOCK


@pytest.fixture
def clock(db: None) -> Iterator[time_machine.Traveller]:
    """The clock of a planted world stands still."""
    with time_machine.travel(UNLOCK, tick=False) as clock:
        yield clock
