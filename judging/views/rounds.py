"""1.5: all rounds of the site, and what is written of the places of one."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.selectors.home import all_rounds
from judging.selectors.own_rounds import own_setups
from judging.selectors.places import places_of
from judging.selectors.setup import may_create_round, rounds_in_setup
from judging.views.common import viewer_for


@require_safe
def rounds(request: HttpRequest) -> HttpResponse:
    """1.5: the rounds that are set up, those that are played, and those of the past."""
    context = {
        "in_setup": rounds_in_setup(),
        "begun": all_rounds(),
        "may_create": may_create_round(request.user),
        "own": own_setups(request.user),
    }
    return render(request, "setup/rounds.html", context)


@require_safe
def places(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.2, 2.5.1.3: the bases, portals and towns of a round with their descriptions, once they are public."""
    viewer = viewer_for(request, slug)
    found = places_of(viewer.round)
    if not found:
        raise Http404("The bases of this round are not public yet.")
    return render(request, "setup/places.html", {"round": viewer.round, "sites": found})
