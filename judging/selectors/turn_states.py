"""3.1: the state of a turn, in the same words on every page."""

from __future__ import annotations

from datetime import datetime

from judging.models import Draft
from wargame.models import Turn
from wargame.models.choices import TurnState
from wargame.rules import clock

WORDS = {
    TurnState.OPEN: "open for orders",
    TurnState.LOCKED: "locked",
    TurnState.MOVED: "moves worked out, waiting for the battle judge",
    TurnState.FOUGHT: "being settled",
    TurnState.SETTLED: "settled",
}


def is_open(turn: Turn, now: datetime) -> bool:
    """3.1, R4: whether the thread takes posts: the clock decides, whatever the jobs have done so far."""
    return turn.state == TurnState.OPEN and clock.is_in_time(now, turn.lock_at)


def state_words(turn: Turn, now: datetime) -> str:
    """3.1: what a turn does now. Moves that are not published yet are no more than locked."""
    state = TurnState(turn.state)
    if state == TurnState.OPEN and not is_open(turn, now):
        state = TurnState.LOCKED
    if state == TurnState.MOVED and not Draft.objects.filter(turn=turn, publish_at__lte=now).exists():
        state = TurnState.LOCKED
    return WORDS[state]
