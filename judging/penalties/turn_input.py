"""5.4.1, R47: the penalties of a turn, as the rules want them."""

from __future__ import annotations

from django.db.models import QuerySet

from judging.game.control import last_moment
from judging.penalties.models import Penalty
from wargame.models import Turn
from wargame.rules.core import turn as rules
from wargame.rules.core.position import Position


def counting_penalties(turn: Turn) -> QuerySet[Penalty]:
    """5.4.1: the penalties of a turn that take troops and are not lifted, by number."""
    rows = Penalty.objects.filter(turn=turn, lifted_at__isnull=True).exclude(kind=Penalty.Kind.REPRIMAND)
    return rows.select_related("army", "player").order_by("number")


def penalties_for(turn: Turn, opened: Position) -> tuple[rules.Penalty, ...]:
    """5.4.1: what the turn's settlement is given; `opened` is its map, in which armies may have had other names."""
    return tuple(as_penalty(row, turn, opened) for row in counting_penalties(turn))


def as_penalty(row: Penalty, turn: Turn, opened: Position) -> rules.Penalty:
    """A row as the rules have it, with the names that army and player have in the turn (1.6, 2.6)."""
    assert row.army is not None
    names = (row.army.name, *row.army.former)
    return rules.Penalty(
        number=row.number,
        army=next((name for name in names if name in opened.by_name), row.army.name),
        by=row.player.name_at(last_moment(turn.lock_at)),
        cites=row.cites,
        reason=row.reason,
        severity=row.severity or 0,
        roll=row.roll or 0,
        stated=tuple(row.stated) or rules.NOTHING,
        after_battle=row.after_battle,
    )
