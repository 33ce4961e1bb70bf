"""4: the step in which a state is."""

from __future__ import annotations

from tables.core.play import Step
from tables.core.state import State
from tables.games.kryptik.flow import STEPS

BY_NAME = {step.name: step for step in STEPS}


def step_of(state: State) -> Step:
    """4: the phase or step that is open."""
    return BY_NAME[state.turn.at]
