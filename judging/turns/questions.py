"""What a turn asks of rooms above it, beside its battles (`battles.py`)."""

from __future__ import annotations

from datetime import datetime

from judging.game.questions import Question
from wargame.models import Round, Turn
from wargame.rules.core.names import Names
from wargame.rules.core.turn import MercenaryAct


@Question
def mercenary_acts_for(turn: Turn, names: Names) -> tuple[MercenaryAct, ...]:
    """R48: the acts of the mercenary judge that count in a turn; `names` are those of the armies on its map."""
    raise NotImplementedError


@Question
def enlist(round: Round, now: datetime) -> None:
    """5.2.1: an army that was never on the control list is controlled by the player of the same name, if he may."""
    raise NotImplementedError


@Question
def present_players(round: Round, now: datetime) -> set[int]:
    """5.1, R43: the keys of the players of both teams who posted within a week, and are neither away nor declared
    so."""
    raise NotImplementedError
