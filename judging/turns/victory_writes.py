"""1.7, R34: the battle judge confirms a win, and the round is over."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.notices.models import Notice
from judging.turns.victories import proposal_of
from wargame.models import Judge, Round
from wargame.models.choices import Role, RoundState


@transaction.atomic
def confirm_victory(*, round: Round, judge: Judge, winner: str, now: datetime) -> Round:
    """R34: ends a round that was won by the rules; where both teams won at once the judge says which one has it.

    The same word again changes nothing. Refused if it is no battle judge's of the round (1.3), or if that side
    has not won by the rules (1.7).
    """
    if judge.role != Role.BATTLE or judge.round_id != round.pk:
        raise Refused("Only a battle judge of this round confirms its winner.", "1.3")
    held = Round.objects.select_for_update().get(pk=round.pk)
    if held.state == RoundState.OVER and held.winner == winner:
        return held
    found = proposal_of(held)
    if found is None:
        raise Refused("No side has won this round by the rules, or it is over already.", "1.7")
    turn, won = found
    if winner not in [event["side"] for event in won]:
        raise Refused("That side has not won by the rules.", "1.7")
    held.state, held.winner = RoundState.OVER, winner
    held.save(update_fields=["state", "winner"])
    told = {"winner": winner, "judge": judge.name}
    Notice.objects.create(turn=turn, thread=Notice.Thread.MOVEMENT, kind="round_over", at=now, data=told)
    record(held, judge.user, "round.won", {"turn": turn.number, "winner": winner}, now)
    return held
