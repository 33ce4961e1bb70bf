"""6.3.2, R48: how long the mercenary judge may change one raider's movement after the lock."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role
from wargame.rules.core import clock
from wargame.rules.core.board import RANGE
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Faction

A_TENTH = 10


def with_mercenary_judge(turns: QuerySet[Turn]) -> QuerySet[Turn]:
    """6: turns that know whether anybody commands the mercenaries of their round, as `window_at_lock` asks."""
    judges = Judge.objects.filter(round=OuterRef("round_id"), role=Role.MERCENARY)
    return turns.annotate(has_mercenary_judge=Exists(judges))


def window_at_lock(turn: Turn, position: Position) -> datetime | None:
    """R48: the last minute of the window of a turn that is locked; None if there is nothing to wait for: no mercenary
    judge, no raider that could engage anybody, or no such window in this round."""
    if not getattr(turn, "has_mercenary_judge", False) or not editable_raiders(turn.round, position):
        return None
    return turn.lock_at + window_of(turn.round)


def window_of(round: Round) -> timedelta:
    """R48: how long the window is; however long it was set, the next turn is not kept waiting for more than a tenth."""
    return min(round.after_lock_window, round.turn_length / A_TENTH)


def window_closes(turn: Turn) -> datetime:
    """R48: the last minute of a turn's window, as it was at its lock, or as it will be."""
    return turn.after_lock_until or turn.lock_at + window_of(turn.round)


def editable_raiders(round: Round, position: Position) -> tuple[Army, ...]:
    """6.3.2, R61: the raiders that might still be sent against an army after the lock: those that stand within a move
    of one that can be engaged, and don't fight."""
    if round.after_lock_window <= timedelta(0):
        return ()
    raiders = (army for army in position.armies if army.faction is Faction.RAIDER)
    return tuple(raider for raider in raiders if raider.name not in position.battle_of and _is_near(raider, position))


def waits_for_edit(turn: Turn, now: datetime) -> bool:
    """6.3.2: whether a locked turn waits for the mercenary judge."""
    if turn.after_lock_until is None or turn.after_lock_done:
        return False
    return clock.is_in_time(now, turn.after_lock_until)


def _is_near(raider: Army, position: Position) -> bool:
    return any(
        other.side.is_team and other.name not in position.battle_of and other.at.distance(raider.at) <= RANGE
        for other in position.armies
    )
