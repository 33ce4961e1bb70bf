"""3.1, R4: the turn in whose thread somebody writes: held, and open or not."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext

from judging.game import locking
from judging.game.errors import Refused
from judging.game.texts import utc
from wargame.models import Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.core import clock


def held_turn(turn_id: int) -> Turn:
    """The turn, held against its lock and other posts until the transaction ends. Raises Turn.DoesNotExist."""
    for turn in _held(turn_id):
        return turn
    raise Turn.DoesNotExist


@locking.holding
def _held(turn: int) -> QuerySet[Turn]:
    return Turn.objects.select_related("round").defer("position", "events").filter(pk=turn)


def check_open(turn: Turn, now: datetime, *, withdraws: bool = False) -> None:
    """3.1, R4: the clock closes the thread; the job that locks it only comes later. An archive takes nothing.
    `withdraws` chooses the sentence for a post that is withdrawn too late."""
    if turn.round.state == RoundState.ARCHIVE:
        raise Refused(
            gettext("%(round)s is the archive of a round played elsewhere. You can't post here.")
            % {"round": turn.round}
        )
    is_late = not clock.is_in_time(now, turn.lock_at)
    if withdraws and (is_late or turn.state != TurnState.OPEN):
        raise Refused(
            gettext(
                "The Orders thread of turn %(number)s locked on %(lock_at)s, so you can't withdraw this post any more."
            )
            % {"number": turn.number, "lock_at": utc(turn.lock_at)},
            "3.1",
        )
    if is_late:
        raise Refused(
            gettext(
                "The Orders thread of turn %(number)s locked on %(lock_at)s. Your text arrived on %(now)s, so we "
                "couldn't accept it. You can post it again when the next turn opens."
            )
            % {"number": turn.number, "lock_at": utc(turn.lock_at), "now": utc(now)},
            "3.1",
        )
    if turn.state != TurnState.OPEN:
        raise Refused(
            gettext("Turn %(number)s is being settled. You can post your text again when the next turn opens.")
            % {"number": turn.number},
            "3.1",
        )
