"""R48, 6.3.2: the mercenary judge's decisions in a turn, as the rules' input."""

from collections.abc import Iterable, Iterator

from judging.mercenaries.models import MercenaryOrder
from wargame.models import Turn
from wargame.rules.core.board import read_square
from wargame.rules.core.names import Names
from wargame.rules.core.orders import Order, ReadOrder
from wargame.rules.core.turn import AfterLockOrder, DisbandingOrder, MercenaryAct, Replacement, SpawningOrder
from wargame.rules.posts.notation import read_line

Kind = MercenaryOrder.Kind


def acts_for(turn: Turn, names: Names) -> tuple[MercenaryAct, ...]:
    """R48: the acts that count in a turn; `names` are those of the armies on its map."""
    rows = counting(MercenaryOrder.objects.filter(turn=turn).order_by("pk"))
    return tuple(act for place, row in enumerate(rows) for act in _act(row, place, names))


def counting(rows: Iterable[MercenaryOrder]) -> tuple[MercenaryOrder, ...]:
    """R48: of a turn's acts, oldest first, the last on each army and on each square, and the one after the lock."""
    last: dict[tuple[str, str], MercenaryOrder] = {}
    for row in rows:
        key = ("after", row.army) if row.kind == Kind.AFTER else ("before", row.army or row.square)
        last.pop(key, None)
        last[key] = row
    return tuple(row for row in last.values() if row.kind not in (Kind.GUIDELINE, Kind.UNSPAWN))


def _act(row: MercenaryOrder, place: int, names: Names) -> Iterator[MercenaryAct]:
    if row.kind == Kind.SPAWN:
        yield SpawningOrder(row.by, read_square(row.square), row.tier, row.reason)
        return
    army = names.get(row.army) or row.army
    if row.kind == Kind.DISBAND:
        yield DisbandingOrder(row.by, army, row.reason)
        return
    order = order_of(row, names)
    if order is None:
        return
    if row.kind == Kind.AFTER:
        yield AfterLockOrder(row.by, army, order, row.order)
    else:
        yield Replacement(row.by, army, order, row.order, int(row.made_at.timestamp()), (0, place))


def order_of(row: MercenaryOrder, names: Names) -> Order | None:
    """R12: the order; None if a correction of the turn before removed an army from the map that it names."""
    line = read_line(row.order, names, row.army)
    return line.order if isinstance(line, ReadOrder) else None
