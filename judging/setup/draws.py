"""2.5, R38: what is drawn in a set-up, from one seed that was committed to before the first draw."""

from __future__ import annotations

import secrets
from datetime import datetime

from judging.game.log_entry import record
from judging.setup.models import ArmySetup
from wargame.models import Judge, Round
from wargame.rules.core.dice import Dice, commitment, setup_dice


def held_draws(round: Round, judge: Judge, now: datetime) -> ArmySetup:
    """R38: the round's seed, held until the transaction ends; made and committed to when it is first needed."""
    found = ArmySetup.objects.select_for_update(of=("self",)).filter(round=round).first()
    if found is None:
        seed = secrets.token_hex(32)
        found = ArmySetup.objects.create(round=round, seed=seed, commitment=commitment(bytes.fromhex(seed)))
        record(round, judge.user, "setup.seed_committed", {"commitment": found.commitment}, now)
    found.round = round
    return found


def dice_of(draws: ArmySetup) -> Dice:
    """R38: the dice of the round's set-up."""
    return setup_dice(bytes.fromhex(draws.seed), draws.round.dice_name)
