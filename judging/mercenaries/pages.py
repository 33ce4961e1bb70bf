"""R48: the public ledger of the neutrals."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.game.pages import turn_for, viewer_for
from judging.mercenaries.reads import ledger_of, settled_turns


@require_safe
def neutrals(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """What the mercenaries decided in a turn, the last settled one without a number, and why."""
    viewer = viewer_for(request, slug)
    numbers = settled_turns(viewer.round)
    shown = number if number is not None else next(iter(numbers), None)
    turn = turn_for(viewer.round, shown) if shown is not None else None
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "turn": turn,
        "ledger": ledger_of(turn) if turn else None,
        "older": next((other for other in numbers if shown is not None and other < shown), None),
        "newer": next((other for other in reversed(numbers) if shown is not None and other > shown), None),
    }
    return render(request, "neutrals/neutrals.html", context)
