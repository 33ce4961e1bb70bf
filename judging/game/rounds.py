"""1.5: rounds, their turns, and the map as a turn opened.

1.2: the map as it is now.
"""

from __future__ import annotations

from django.db.models import QuerySet

from judging.penalties.turn_input import penalties_for
from wargame import world
from wargame.models import Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.core.position import Position
from wargame.world import load_position


def running_round() -> Round | None:
    """The round that is played now, the newest one if there are several; None if none is."""
    return Round.objects.filter(state=RoundState.RUNNING).order_by("-created_at", "-pk").first()


def round_by_slug(slug: str) -> Round | None:
    """The round of that slug, or None; None too for one that was given up (2.5), of which `why_no_round` tells."""
    return Round.objects.exclude(state=RoundState.GIVEN_UP).filter(slug=slug).first()


def current_turn(round: Round) -> Turn | None:
    """The last turn of a round: the one that is played, or the one that ended it. None before the first."""
    return _turns(round).order_by("-number").first()


def turn_by_number(round: Round, number: int) -> Turn | None:
    """The turn of that number, or None. Its position is read when `position_of` needs it."""
    return _turns(round).filter(number=number).first()


def position_of(turn: Turn) -> Position:
    """The map on which the turn is played: as it opened, without the troops that penalties took from armies before they
    do anything else (5.4.1). Shared between requests: a position never changes."""
    opened = world.position_of_turn(turn)
    return world.played_position(turn, penalties_for(turn, opened)) if turn.penalties else opened


def names_of(position: Position) -> tuple[str, ...]:
    """3.2.2.5: the names of the armies on the map, sorted."""
    return tuple(position.by_name)


def _turns(round: Round) -> QuerySet[Turn]:
    return Turn.objects.filter(round=round).select_related("round").defer("position")


def present_position(turn: Turn) -> Position:
    """The map as the round's last turn opened or, once it is settled and none followed (R34), as it ended."""
    return load_position(turn.round) if turn.state == TurnState.SETTLED else position_of(turn)
