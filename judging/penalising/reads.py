"""5.4.1, R47: the battle that a penalised army fights in its turn, with the time that its strat gets; and what was
rolled before."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Max

from judging.battles.models import Battle, BattleArmy, Opinion
from judging.battles.strats.deadlines import deadline_of
from judging.penalties.models import Penalty
from wargame.models import Turn
from wargame.rules.core import clock


def next_number(turn: Turn) -> int:
    """R38: the number of the next penalty in a turn; those that were lifted keep theirs."""
    return (Penalty.objects.filter(turn=turn).aggregate(last=Max("number"))["last"] or 0) + 1


def lifted_roll(row: Penalty) -> Penalty | None:
    """R47: the penalty of this turn, lifted, that was rolled for the same player and army."""
    rows = Penalty.objects.filter(turn=row.turn, player=row.player, army=row.army, kind=Penalty.Kind.DICE)
    return rows.filter(lifted_at__isnull=False).first()


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
