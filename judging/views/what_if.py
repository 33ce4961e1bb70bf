"""R18: rehearsals of a turn's moves, at addresses of their own."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from judging.selectors.what_if import LONGEST, rehearse
from judging.views.common import turn_for, viewer_for


@require_safe
@never_cache
@gzip_page
def what_if(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """A turn's moves with `?orders=`; `alone` leaves the posted ones out. Nothing of it is kept."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round, number)
    orders = request.GET.get("orders", "").replace("\r\n", "\n")
    context = {
        "round": viewer.round,
        "turn": turn,
        "orders": orders,
        "alone": "alone" in request.GET,
        "longest": LONGEST,
        "is_past": number is not None,
    }
    if len(orders) > LONGEST:
        wrong = f"These orders have {len(orders):,} signs; a rehearsal takes {LONGEST:,}."
        return render(request, "map/what_if.html", {**context, "wrong": wrong}, status=422)
    found = rehearse(turn, viewer, orders, timezone.now(), with_posted=not context["alone"])
    drawn = render_to_string("map/svg.html", {"round": viewer.round, "turn": turn, "map": found.map})
    return render(request, "map/what_if.html", {**context, "found": found, "map_html": mark_safe(drawn)})
