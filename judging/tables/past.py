"""T12.6: a table as it was, and its page: after each entry, as its viewer knew it then, or when it is over, with all
cards open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.game.acting import number_of
from judging.tables import reads, world
from judging.tables.board.showing import board_of
from judging.tables.models import Entry, Table, TableState
from judging.tables.pages import table_for
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


@require_safe
def entry(request: HttpRequest, table: str, n: int) -> HttpResponse:
    """T12.6: the table after one entry, as its viewer knew it then."""
    seen = reads.table_view(table_for(request, table), request.user, timezone.now())
    past = past_of(seen, n)
    if past is None:
        raise Http404(gettext("This table has no entry %(n)s to look back at.") % {"n": n})
    may = seen.table.state == TableState.RUNNING and n < past.last and bool(seen.seat or seen.judge)
    board = board_of(past.view, (), past.cards, is_now=False)
    return render(request, "tables/past.html", {"table": seen.table, "past": past, "board": board, "may_go_back": may})


@require_safe
def entries(request: HttpRequest, table: str) -> HttpResponse:
    """T12.6: where the slider leads: the address of the entry that it stands on."""
    row = table_for(request, table)
    return redirect("table-entry", row.slug, number_of(request.GET.get("n", ""), row.entries))
