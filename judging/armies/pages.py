"""2.1: the armies as a list, and the page of one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from judging.armies.filters import ArmyFilters
from judging.armies.reads import army_card, army_list, names_like, now_called
from judging.game.pages import viewer_for


@require_safe
def armies(request: HttpRequest, slug: str) -> HttpResponse:
    """All armies of a round; `side`, `rank`, `q` and `sort` choose and order them."""
    viewer = viewer_for(request, slug)
    everybody = army_list(viewer.round, timezone.now())
    filters = ArmyFilters.of(request.GET)
    context = {"round": viewer.round, "filters": filters, "armies": filters.apply(everybody), "total": len(everybody)}
    return render(request, "armies/armies.html", context)


@require_safe
def army(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """An army's page. `?before=` goes back in its history. An unknown name gets suggestions."""
    viewer = viewer_for(request, slug)
    before = request.GET.get("before", "")
    card = army_card(viewer.round, name, viewer, timezone.now(), int(before) if before.isdecimal() else None)
    if card:
        return render(request, "armies/army.html", {"round": viewer.round, "card": card})
    if renamed := now_called(viewer.round, name):
        return redirect("army", slug, renamed)
    like = names_like(viewer.round, name)
    if like and like[0].casefold() == name.casefold():
        return redirect("army", slug, like[0])
    return render(request, "armies/unknown.html", {"round": viewer.round, "name": name, "like": like}, status=404)
