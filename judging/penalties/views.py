"""5.4.1, R47, 1.3: the penalties of a round, which everybody reads."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.common.shortcuts import viewer_for
from judging.penalties.queries import penalties_page

LONGEST_SEARCH = 60


@require_safe
def penalties(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest first; `?army=` and `?player=` show those of one."""
    viewer = viewer_for(request, slug)
    army, player = (request.GET.get(name, "").strip()[:LONGEST_SEARCH] for name in ("army", "player"))
    found = penalties_page(viewer.round, army=army, player=player, page=request.GET.get("page", "1"))
    context = {"viewer": viewer, "round": viewer.round, "found": found, "army": army, "player": player}
    return render(request, "penalties/penalties.html", context)
