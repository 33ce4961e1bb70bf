"""5.2: the control list."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction

from judging.services.errors import Refused
from judging.services.log import record
from wargame.models import Army, Control, Player, Round


@transaction.atomic
def assign(
    *,
    round: Round,
    army: Army,
    player: Player | None,
    now: datetime,
    replace: bool = True,
    actor: AbstractBaseUser | None = None,
) -> None:
    """5.2.1: gives an army to a player, from now on; None: to nobody. Without `replace` to both.

    What is already so stays as it is. Refused for an army or a player of another round or side (1.1).
    """
    army = Army.objects.select_for_update().get(pk=army.pk)
    if army.round_id != round.pk or (player and (player.round_id, player.side) != (round.pk, army.side)):
        raise Refused(f"{army.name} can be controlled by a player of its own side in this round only.", "1.1")
    present = Control.objects.filter(army=army, until__isnull=True)
    others = present.exclude(player=player) if player else present
    ended = others.update(until=now) if replace else 0
    begins = player and not present.filter(player=player).exists()
    if player and begins:
        Control.objects.create(round=round, army=army, player=player, since=now)
    if ended or begins:
        data = {"army": army.name, "player": player.name if player else None}
        record(round, actor, "control.assigned", data, now)
