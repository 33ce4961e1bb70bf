"""5.4.1, R47: the battle that a penalised army fights in its turn, and the time that its strat gets."""

from __future__ import annotations

from datetime import datetime, timedelta

from judging.models import Battle, BattleArmy, Opinion, Penalty
from judging.selectors.strats import deadline_of
from wargame.rules.core import clock

TO_REWRITE = timedelta(hours=24)
"""5.4.1: in the last so many hours before its deadline a strat gets so many more."""


def entry_of(row: Penalty) -> BattleArmy | None:
    """5.4.1: the army in its battle of the turn, if the penalty takes troops from one that fights."""
    if row.army_id is None or not row.takes_troops:
        return None
    entries = BattleArmy.objects.filter(battle__turn=row.turn, army=row.army_id).select_related("battle")
    return entries.exclude(battle__state=Battle.State.CANCELLED).first()


def is_judged(battle: Battle) -> bool:
    """R38: whether a score of the battle is locked, so that nothing that it follows from changes any more."""
    return battle.state != Battle.State.WAITING or Opinion.objects.filter(battle=battle).exists()


def extended_deadline(entry: BattleArmy, now: datetime) -> datetime | None:
    """5.4.1, R47: until when the army's strat has time if it is penalised now; None where that gives it no more."""
    due = deadline_of(entry, entry.battle)
    if is_judged(entry.battle) or not due - TO_REWRITE <= now < clock.closes(due):
        return None
    return due + TO_REWRITE
