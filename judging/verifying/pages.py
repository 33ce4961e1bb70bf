"""R38: the pages on which everybody has a round recomputed, turn by turn."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from judging.game.pages import turn_for, viewer_for
from judging.verifying.recomputing import turn_row, turn_rows, verdict_of

RETRY_SECONDS = 3


@require_safe
def verify(request: HttpRequest, slug: str) -> HttpResponse:
    """The turns, and what recomputing each of them gave; nothing is recomputed for this page."""
    viewer = viewer_for(request, slug)
    turns = turn_rows(viewer.round, timezone.now(), request.GET.get("page", "1"))
    return render(request, "verifying/verify.html", {"viewer": viewer, "round": viewer.round, "turns": turns})


@require_safe
def verify_turn(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One turn, recomputed now if that was not done lately: its row for htmx, else a page with everything."""
    viewer, now = viewer_for(request, slug), timezone.now()
    turn = turn_for(viewer.round, number)
    verdict = verdict_of(turn, now)
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "turn": turn,
        "verdict": verdict,
        "row": turn_row(turn, now),
        "retry": RETRY_SECONDS,
    }
    if request.headers.get("HX-Request"):
        return render(request, "verifying/_row.html", {**context, "is_asked": True})
    status = 200 if verdict else 503
    response = render(request, "verifying/turn.html", context, status=status)
    if verdict is None:
        response["Retry-After"] = str(RETRY_SECONDS)
    return response
