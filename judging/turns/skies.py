"""4.1.2.5: the air over a turn, from which the weather of its battles comes."""

from __future__ import annotations

from wargame.models import Round
from wargame.rules.battle.weather import Sky, SkyJson, first_sky, next_sky, sky_from_json
from wargame.rules.core.dice import turn_dice


def sky_of(round: Round, number: int, seed: str, before: SkyJson) -> Sky:
    """4.1.2.5: the air over the turn before, moved on by the turn's own dice; without one, the first."""
    dice = turn_dice(bytes.fromhex(seed), round.dice_name, number)
    return next_sky(sky_from_json(before), dice) if before else first_sky(dice)
