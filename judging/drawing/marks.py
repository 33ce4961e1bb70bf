"""1.7, 2.3.1: small marks on the map: how far a siege or a victory has come, and who heals."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext, ngettext

from judging.drawing.terrain import CELL
from wargame.rules.core.position import Army, Position
from wargame.rules.settling.days import SIEGE_DAYS, is_besieging
from wargame.rules.settling.healing import days_to_healing


def marks_of(position: Position) -> list[dict[str, Any]]:
    """The marks, each with its place, its sign, its class and what it says; at most one an army."""
    return [mark for army in position.armies if (mark := _mark(position, army))]


def _mark(position: Position, army: Army) -> dict[str, Any] | None:
    if army.days and is_besieging(army, position.board):
        return _drawn(army, "siege", f"{army.days}/{SIEGE_DAYS}", _siege_words(army))
    if army.winning_days:
        words = gettext("%(winning_days)s of %(siege_days)s days counted to win the round (1.7.2)") % {
            "winning_days": army.winning_days,
            "siege_days": SIEGE_DAYS,
        }
        return _drawn(army, "win", f"{army.winning_days}/{SIEGE_DAYS}", words)
    wait = days_to_healing(army, position.board)
    if wait is None or army.is_partially_converted:
        return None
    return _drawn(army, "heal", "+", _heals(wait))


def _heals(wait: int) -> str:
    """2.3.1."""
    told = ngettext("heals after %(number)s more day (2.3.1)", "heals after %(number)s more days (2.3.1)", wait)
    return told % {"number": wait}


def _siege_words(army: Army) -> str:
    """1.7.1."""
    if army.days >= SIEGE_DAYS:
        return gettext("%(siege_days)s days counted: it destroys the base next, if it stays (1.7.1)") % {
            "siege_days": SIEGE_DAYS
        }
    return gettext("%(days)s of %(siege_days)s days counted to destroy the base (1.7.1)") % {
        "days": army.days,
        "siege_days": SIEGE_DAYS,
    }


def _drawn(army: Army, kind: str, sign: str, words: str) -> dict[str, Any]:
    x, y = (army.at.column - 1) * CELL, army.at.row * CELL
    return {"army": army.name, "kind": kind, "sign": sign, "words": words, "x": x + CELL - 2, "y": y + 9}
