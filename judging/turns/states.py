"""3.1: the state of a turn, in the same words on every page."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext, gettext_noop, ngettext

from judging.game.texts import utc
from judging.turns.after_lock import waits_for_edit
from judging.turns.drafts import is_published
from judging.turns.models import Draft
from wargame.models import Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.core import clock

WORDS = {
    TurnState.OPEN: gettext_noop("open for orders"),
    TurnState.LOCKED: gettext_noop("locked"),
    TurnState.MOVED: gettext_noop("moves worked out, waiting for the battle judge"),
    TurnState.FOUGHT: gettext_noop("being settled"),
    TurnState.SETTLED: gettext_noop("settled"),
}


def is_open(turn: Turn, now: datetime) -> bool:
    """3.1, R4: whether the thread takes posts: the clock decides, whatever the jobs have done so far."""
    in_play = turn.round.state != RoundState.ARCHIVE
    return in_play and turn.state == TurnState.OPEN and clock.is_in_time(now, turn.lock_at)


def state_words(turn: Turn, now: datetime) -> str:
    """3.1: what a turn does now. Moves that are not published yet are no more than locked."""
    state = TurnState(turn.state)
    if turn.round.state == RoundState.ARCHIVE and state != TurnState.SETTLED:
        return gettext("archived, not played here")
    if state == TurnState.OPEN and not is_open(turn, now):
        state = TurnState.LOCKED
    if state == TurnState.FOUGHT and turn.held_until is not None and now < turn.held_until:
        told = gettext("waiting for an appeal to be answered, until %(time)s at the latest")
        return told % {"time": utc(turn.held_until)}
    if state == TurnState.MOVED and not Draft.objects.filter(turn=turn, publish_at__lte=now).exists():
        state = TurnState.LOCKED
    return gettext(WORDS[state])


def what_it_waits_for(turn: Turn, draft: Draft | None, unpublished: int, now: datetime) -> str:
    """3.1: what keeps a locked turn from its settlement, as a sentence for its judges; empty if nothing does.

    `unpublished` are its results that are not published yet.
    """
    if is_open(turn, now) or turn.state == TurnState.SETTLED:
        return ""
    if draft is None and waits_for_edit(turn, now):
        told = gettext(
            "Its moves will be worked out after %(time)s, or as soon as the mercenary judge is done (6.3.2)."
        )
        return told % {"time": utc(turn.after_lock_until or turn.lock_at)}
    if draft is None:
        return gettext("Its moves are being worked out.")
    fields = {"number": unpublished}
    if is_published(draft, now):
        told = ngettext(
            "It can't be settled until one more result is published (3.1).",
            "It can't be settled until %(number)s more results are published (3.1).",
            unpublished,
        )
        return told % fields if unpublished else ""
    if not unpublished:
        return gettext("It can't be settled until its moves are published (3.1).")
    told = ngettext(
        "It can't be settled until its moves and one more result are published (3.1).",
        "It can't be settled until its moves and %(number)s more results are published (3.1).",
        unpublished,
    )
    return told % fields
