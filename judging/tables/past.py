"""T12.6: a table as it was: after each entry, as its viewer knew it then, or when it is over, with all cards open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judging.tables import reads, world
from judging.tables.models import Entry, Table, TableState
from tables.core.lists.cards import Card
from tables.core.views import view


@dataclass(frozen=True)
class Past:
    """T12.6: a table after entry `n`: `view` as the viewer knew it then. Entries are counted from `first` to `last`."""

    table: Table
    n: int
    first: int
    last: int
    view: Mapping[str, Any]
    cards: Mapping[str, Card]
    entry: reads.Logged

    @property
    def before(self) -> int:
        """The entry before; 0 where this is the first."""
        return self.n - 1 if self.n > self.first else 0

    @property
    def after(self) -> int:
        """The entry after; 0 where this is the last."""
        return self.n + 1 if self.n < self.last else 0


def past_of(seen: reads.TableView, n: int) -> Past | None:
    """T12.6: the table after an entry; None where it hadn't started yet, or there is no such entry."""
    table = seen.table
    first = Entry.objects.filter(table=table, kind="cut").order_by("-n").values_list("n", flat=True).first()
    if not seen.view or first is None or not first <= n <= table.entries:
        return None
    state = world.state_of(table, n)
    logged = reads.log_of(seen, before=n + 1)
    shown = view(world.rules_of(table), state, seen.viewer, is_open=table.state == TableState.OVER)
    return Past(table, n, first, table.entries, shown, seen.cards, logged[0])
