"""1.5: rounds and their turns, found by what pages and jobs know of them; maps are in `judging.turns.positions`."""

from __future__ import annotations

from django.db.models import QuerySet

from wargame.models import Round, Turn
from wargame.models.choices import RoundState


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
    """The turn of that number, or None. Its position is read from the database only when somebody asks for it."""
    return _turns(round).filter(number=number).first()


def _turns(round: Round) -> QuerySet[Turn]:
    return Turn.objects.filter(round=round).select_related("round").defer("position")
