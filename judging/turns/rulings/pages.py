"""3.3.3: the rulings of a round, to be searched for precedents, and the report that stood before a correction."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from judging.game import rulebook
from judging.game.pages import turn_for, viewer_for
from judging.turns.rulings.reads import precedents, report_before

LONGEST_SEARCH = 80


@require_safe
def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """The public rulings, the newest first; `?rule=` and `?q=` search them."""
    viewer = viewer_for(request, slug)
    rule, words = (request.GET.get(name, "").strip()[:LONGEST_SEARCH] for name in ("rule", "q"))
    found = precedents(viewer.round, timezone.now(), rule, words, request.GET.get("page", "1"))
    number = rule.rstrip(".").upper()
    unknown = bool(number) and rulebook.anchor_of(number) is None
    context = {"viewer": viewer, "round": viewer.round, "found": found, "rule": rule, "q": words, "unknown": unknown}
    return render(request, "rulings/rulings.html", context)


@require_safe
def before(request: HttpRequest, slug: str, number: int, correction_id: int) -> HttpResponse:
    """The report of a turn as it was before a correction was applied."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round, number)
    found = report_before(turn, correction_id)
    if found is None:
        raise Http404(f"Turn {number} has no such correction.")
    correction, sections = found
    context = {"viewer": viewer, "round": viewer.round, "turn": turn, "correction": correction, "sections": sections}
    return render(request, "rulings/before.html", context)
