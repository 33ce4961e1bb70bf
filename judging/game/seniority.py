"""1.3, 3.3.3: which judge may overrule which."""

from __future__ import annotations

from wargame.models import Judge
from wargame.models.choices import Role


def overrules(judge: Judge, other: Judge) -> bool:
    """1.3: himself; any judge for the head battle judge, whose word is law; his assistants for the head of a role."""
    if judge.round_id != other.round_id:
        return False
    if judge.user_id == other.user_id or is_supreme(judge):
        return True
    return judge.is_head and judge.role == other.role and not other.is_head


def is_bound_by(judge: Judge, other: Judge) -> bool:
    """1.3: whether what `other` decided stands against `judge`: he is his head, or the head battle judge."""
    return judge.user_id != other.user_id and overrules(other, judge)


def may_manage(judge: Judge, role: str) -> bool:
    """1.3: whether he names and dismisses the judges of a role: its head, and the head battle judge all of them."""
    return is_supreme(judge) or (judge.is_head and judge.role == role)


def is_supreme(judge: Judge) -> bool:
    """1.3: the head battle judge."""
    return judge.is_head and judge.role == Role.BATTLE
