"""1.2, 5.4.1: the map on which a turn is played, and the map as it is now.

What penalties took from armies at the turn's beginning is taken off here, so that every page, preview and strat sees
the armies as the settlement will find them.
"""

from __future__ import annotations

from judging.game.questions import Question
from wargame import world
from wargame.models import Turn
from wargame.models.choices import TurnState
from wargame.rules.core import turn as rules
from wargame.rules.core.position import Position


@Question
def penalties_for(turn: Turn, opened: Position) -> tuple[rules.Penalty, ...]:
    """5.4.1: what penalties take from armies in a turn; `opened` is its map."""
    raise NotImplementedError


def position_of(turn: Turn) -> Position:
    """The map on which the turn is played: as it opened, without the troops that penalties took from armies before they
    do anything else (5.4.1). Shared between requests: a position never changes."""
    opened = world.position_of_turn(turn)
    return world.played_position(turn, penalties_for(turn, opened)) if turn.penalties else opened


def present_position(turn: Turn) -> Position:
    """The map as the round's last turn opened or, once it is settled and none followed (R34), as it ended."""
    return world.load_position(turn.round) if turn.state == TurnState.SETTLED else position_of(turn)


def names_of(position: Position) -> tuple[str, ...]:
    """3.2.2.5: the names of the armies on the map, sorted."""
    return tuple(position.by_name)
