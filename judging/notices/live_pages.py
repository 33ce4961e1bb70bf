"""1.2: what open pages ask every few seconds: whether there is something new.

1.2: whether an open page has news, asked without the database by most of those who ask.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judging.game.pages import round_for, turn_for
from judging.notices.live import live_version


def version_now(what: str, slug: str, make: Callable[[], str]) -> str:
    """The version of a round's pages, at most `FRESH_SECONDS` old: made once in that time, however many ask."""
    key = f"news:{what}:{slug}"
    version: str | None = cache.get(key)
    if version is None:
        version = make()
        cache.set(key, version, settings.FRESH_SECONDS)
    return version


@require_safe
@never_cache
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """The page's head if the round's version is no longer `?v=`; else 204, which changes nothing on the page."""
    version = version_now("live", slug, lambda: live_version(turn_for(round_for(slug)), timezone.now()))
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    turn = turn_for(round_for(slug))
    return render(request, "live/news.html", {"round": turn.round, "turn": turn, "live": version})
