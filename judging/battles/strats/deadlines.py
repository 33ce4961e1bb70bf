"""4.1.1, R5, 5.4.1: until when the strat of an army is in time.

The deadline of a battle is set when its turn opens (`judging/turns/opening.py`); a judge moves it, or that of one army
(`extensions.py` beside this file). Whether a moment is in time by the minute, the rules say (R4).
"""

from __future__ import annotations

from datetime import datetime

from judging.battles.models import Battle, BattleArmy


def deadline_of(entry: BattleArmy, battle: Battle) -> datetime:
    """R5, 5.4.1: until when an army's strat is in time: its own extension, else the battle's deadline."""
    return max(entry.deadline, battle.deadline) if entry.deadline else battle.deadline


def last_deadline(battle: Battle) -> datetime:
    """R5: when the last army of a battle has its deadline."""
    return max((deadline_of(entry, battle) for entry in battle.entries.all()), default=battle.deadline)
