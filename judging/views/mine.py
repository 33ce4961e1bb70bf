"""What a player needs in a few minutes: his armies, their orders, the battles that wait for his strats."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from judging.selectors.mine import mine_of
from judging.selectors.my_changes import changes_of
from judging.selectors.posts import posting_state
from judging.selectors.votes import waiting_votes
from judging.views.common import turn_for, viewer_for


@require_safe
@login_required
def mine(request: HttpRequest, slug: str) -> HttpResponse:
    """The viewer's own armies and what is missing."""
    viewer, now = viewer_for(request, slug), timezone.now()
    turn = turn_for(viewer.round)
    found = mine_of(turn, viewer, now)
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "turn": turn,
        "state": posting_state(turn, viewer, now),
        "mine": found,
        "votes": waiting_votes(viewer, now),
        "changes": changes_of(viewer, turn, [each.army for each in found.armies]),
    }
    return render(request, "mine/mine.html", context)
