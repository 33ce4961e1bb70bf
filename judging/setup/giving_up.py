"""2.5: a round that is being set up is given up. It never begins, and nothing of it is taken up again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from judging.game.errors import Refused
from judging.game.given_up import ACT
from judging.game.log_entry import record
from judging.game.texts import checked_text
from judging.setup.writes import held_setup
from wargame.models import Judge, Round
from wargame.models.choices import RoundState

LONGEST_REASON = 500


@transaction.atomic
def give_up(*, round: Round, judge: Judge, reason: str, is_sure: bool, now: datetime) -> None:
    """2.5: the round is gone from all lists for good; its address gives the reason, which anybody may read.

    Refused for anybody but the head battle judge (1.3), without a reason, if he is not sure, and for a round that has
    begun: it ends by a victory (1.5).
    """
    held_setup(round, judge)
    if not judge.is_head:
        raise Refused("Only the head battle judge gives the round up.", "1.3")
    reason = checked_text(reason, what="reason", most=LONGEST_REASON, cites="2.5", field="reason").strip()
    if not is_sure:
        raise Refused("Tick that you are sure: a round that is given up can't be taken up again.", "2.5", "sure")
    if not Round.objects.filter(pk=round.pk, state=RoundState.SETUP).update(state=RoundState.GIVEN_UP):
        raise Refused("The round has begun, and can't be given up any more.", "1.5")
    round.state = RoundState.GIVEN_UP
    record(round, judge.user, ACT, {"reason": reason}, now)
