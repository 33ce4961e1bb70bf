"""1.2, 5.4.1: the map on which a turn is played, and the map as it is now.

What penalties took from armies at the turn's beginning is taken off here, so that every page, preview and strat sees
the armies as the settlement will find them.
"""

from __future__ import annotations

from judging.game.control import last_moment
from wargame import world
from wargame.models import Turn
from wargame.models.choices import TurnState
from wargame.rules.core import turn as rules
from wargame.rules.core.position import Position


def penalties_for(turn: Turn, opened: Position) -> tuple[rules.Penalty, ...]:
    """5.4.1, R47: the penalties of a turn that take troops and are not lifted, by number, with the names that army and
    player have in the turn (1.6, 2.6); `opened` is its map, in which armies may have had other names."""
    rows = turn.penalty_rows.filter(lifted_at__isnull=True).exclude(kind=turn.penalty_rows.model.Kind.REPRIMAND)
    found = []
    for row in rows.select_related("army", "player").order_by("number"):
        assert row.army is not None
        names = (row.army.name, *row.army.former)
        penalty = rules.Penalty(
            number=row.number,
            army=next((name for name in names if name in opened.by_name), row.army.name),
            by=row.player.name_at(last_moment(turn.lock_at)),
            cites=row.cites,
            reason=row.reason,
            severity=row.severity or 0,
            roll=row.roll or 0,
            stated=tuple(row.stated) or rules.NOTHING,
            after_battle=row.after_battle,
        )
        found.append(penalty)
    return tuple(found)


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
