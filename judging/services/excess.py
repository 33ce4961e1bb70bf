"""5.3.4: a demotion that has made too few armies excuses nobody any more once there are enough again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from judging.selectors.control_state import list_state
from wargame.models import Player, Round
from wargame.models.choices import RoundState
from wargame.rules.command.last_armies import no_longer_excess
from wargame.rules.core.sides import Side


def end_excesses(round: Round, now: datetime) -> None:
    """5.3.4: notes for which demotions there are enough armies again: somebody was promoted or has left, or armies were
    captured."""
    demoted = Player.objects.filter(round=round, made_excess=True)
    for side in demoted.order_by("side").values_list("side", flat=True).distinct():
        state = list_state(round, Side(side), now)
        for name in no_longer_excess(state.listed):
            demoted.filter(pk=state.players[name].pk).update(made_excess=False)


@transaction.atomic
def end_all_excesses(now: datetime) -> None:
    """5.3.4: the same for every round that is being played: a job does it after settlements, which capture armies."""
    for round_ in Round.objects.filter(state=RoundState.RUNNING, players__made_excess=True).distinct():
        end_excesses(round_, now)
