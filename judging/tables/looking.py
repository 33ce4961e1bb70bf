"""T12.6: pages of a table that only look: what is new, and what was."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judging.game.acting import number_of
from judging.tables import reads
from judging.tables.board.showing import board_of
from judging.tables.models import TableState
from judging.tables.pages import table_for
from judging.tables.past import past_of


@require_safe
@never_cache
def news(request: HttpRequest, table: str) -> HttpResponse:
    """T12.6: 204 while the head is still `?v=`; else the new head, upon which the open page asks for itself anew."""
    row = table_for(request, table)
    if request.GET.get("v") == row.head:
        return HttpResponse(status=204)
    return render(request, "tables/_poll.html", {"table": row})


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
