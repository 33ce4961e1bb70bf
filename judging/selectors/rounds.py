"""1.5: rounds, their turns, and the map as a turn opened."""

from __future__ import annotations

from django.db.models import QuerySet

from wargame import world
from wargame.models import Round, Turn
from wargame.models.choices import RoundState
from wargame.rules.position import Position


def running_round() -> Round | None:
    """The round that is played now, the newest one if there are several; None if none is."""
    return Round.objects.filter(state=RoundState.RUNNING).order_by("-created_at", "-pk").first()


def round_by_slug(slug: str) -> Round | None:
    """The round of that slug, or None."""
    return Round.objects.filter(slug=slug).first()


def current_turn(round: Round) -> Turn | None:
    """The last turn of a round: the one that is played, or the one that ended it. None before the first."""
    return _turns(round).order_by("-number").first()


def turn_by_number(round: Round, number: int) -> Turn | None:
    """The turn of that number, or None. Its position is read when `position_of` needs it."""
    return _turns(round).filter(number=number).first()


def position_of(turn: Turn) -> Position:
    """The map as the turn opened. Shared between requests: a position never changes."""
    return world.position_of_turn(turn)


def names_of(position: Position) -> tuple[str, ...]:
    """3.2.2.5: the names of the armies on the map, sorted."""
    return tuple(position.by_name)


def _turns(round: Round) -> QuerySet[Turn]:
    return Turn.objects.filter(round=round).select_related("round").defer("position")
