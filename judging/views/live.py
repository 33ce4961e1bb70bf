"""1.2: what open pages ask every few seconds: whether there is something new."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judging.news import version_now
from judging.selectors.given_up import why_no_round
from judging.selectors.live import live_version
from judging.selectors.rounds import round_by_slug
from judging.views.common import turn_for
from wargame.models import Turn


@require_safe
@never_cache
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """The page's head if the round's version is no longer `?v=`; else 204, which changes nothing on the page."""
    version = version_now("live", slug, lambda: live_version(_turn(slug), timezone.now()))
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    turn = _turn(slug)
    return render(request, "live/news.html", {"round": turn.round, "turn": turn, "live": version})


def _turn(slug: str) -> Turn:
    round_ = round_by_slug(slug)
    if round_ is None:
        raise Http404(why_no_round(slug))
    return turn_for(round_)
