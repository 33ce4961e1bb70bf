"""1.5: the page of all rounds."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.command.people.invitations import open_invitations
from judging.home.reads import own_setups
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
