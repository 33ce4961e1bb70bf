"""3.3.3: the rulings on a turn, as the rules want them and in words."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from judging.turns.models import Correction, Ruling
from wargame.models import Turn
from wargame.rules.core import rulings as rules
from wargame.rules.core.names import Names
from wargame.rules.core.orders import Hold, Order, ReadOrder
from wargame.rules.posts import notation


def counting_rows(turn: Turn) -> QuerySet[Ruling]:
    """Those of a turn that were not withdrawn; of the corrections' those that were applied."""
    in_force = Q(correction__isnull=True) | Q(correction__state=Correction.State.APPLIED)
    return Ruling.objects.filter(in_force, turn=turn, withdrawn_at__isnull=True).order_by("number")


def as_rules(rows: Iterable[Ruling], names: Names) -> tuple[rules.Ruling, ...]:
    """Rows as the rules want them; `names` are those of the armies on the map."""
    return tuple(as_rule(row, _order(row, names)) for row in rows)


def what_is_ruled(row: Ruling) -> str:
    """What is ruled, as a sentence without its end."""
    what = as_rule(row, Hold()).what
    return what[0].upper() + what[1:]


def as_rule(row: Ruling, order: Order) -> rules.Ruling:
    """A row as the rules have it; `order` is the one that its text says, for a ruling on one."""
    said = (row.number or 0, row.cites, row.reason, row.army)
    return rules.ruling_of(row.kind, said, row.square, row.data, order)


def _order(row: Ruling, names: Names) -> Order:
    if row.kind != Ruling.Kind.ORDER:
        return Hold()
    line = notation.read_line(row.data["order"], names, row.army)
    assert isinstance(line, ReadOrder), row.data["order"]
    return line.order
