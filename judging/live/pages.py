"""1.2, 3.1: what open pages ask for every few seconds."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judging.game.pages import round_for, turn_for, version_now
from judging.live.reads import live_version


@require_safe
@never_cache
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """The page's head if the round's version is no longer `?v=`; else 204, which changes nothing on the page."""
    version = version_now("live", slug, lambda: live_version(turn_for(round_for(slug)), timezone.now()))
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    turn = turn_for(round_for(slug))
    return render(request, "live/news.html", {"round": turn.round, "turn": turn, "live": version})
