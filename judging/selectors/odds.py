"""R38: "what would follow": the odds of a battle under the round's book, for battle judges; never the roll itself."""

from __future__ import annotations

from judging.models import Battle
from judging.selectors.fights import book_of, drawn_up, severity_of, sides_of
from judging.selectors.strats import counting_strats
from wargame.rules.battle import odds as trials
from wargame.rules.battle.odds import Odds


def odds_of(battle: Battle, favours: int | None, bonus: int) -> Odds:
    """R38: how the battle is likely to go with that score and the strats that count now."""
    sides = sides_of(battle, counting_strats(battle), favours, bonus)
    return trials.odds(sides, drawn_up(battle).defends, book_of(battle), severity_of(battle))
