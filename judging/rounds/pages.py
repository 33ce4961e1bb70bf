"""1.5: the page of all rounds, and the page of a round's end."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.command.people.invitations import open_invitations
from judging.game.pages import viewer_for
from judging.home.reads import own_setups
from judging.rounds.ending import end_of
from judging.rounds.reads import round_list
from judging.setup.reads import may_create_round


@require_safe
def rounds(request: HttpRequest) -> HttpResponse:
    """1.5: the rounds that are played, those that seek players, and those of the past; one's own first."""
    context = {
        "list": round_list(request.user, request.GET.get("page")),
        "may_create": may_create_round(request.user),
        "invitations": open_invitations(request.user),
        "own": own_setups(request.user),
    }
    return render(request, "rounds/rounds.html", context)


@require_safe
def end(request: HttpRequest, slug: str) -> HttpResponse:
    """1.5: the end of a round, once it is over."""
    viewer = viewer_for(request, slug)
    found = end_of(viewer.round)
    if found is None:
        raise Http404(f"{viewer.round.name} is not over.")
    return render(request, "rounds/end.html", {"round": viewer.round, "viewer": viewer, "end": found})
