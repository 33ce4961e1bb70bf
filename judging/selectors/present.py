"""1.2: the map as it is now."""

from __future__ import annotations

from judging.selectors.rounds import position_of
from wargame.models import Turn
from wargame.models.choices import TurnState
from wargame.rules.core.position import Position
from wargame.world import load_position


def present_position(turn: Turn) -> Position:
    """The map as the round's last turn opened or, once it is settled and none followed (R34), as it ended."""
    return load_position(turn.round) if turn.state == TurnState.SETTLED else position_of(turn)
