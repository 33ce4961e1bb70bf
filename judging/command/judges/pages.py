"""1.3, 6: the judges of a round, for everybody to see and for their heads to name and dismiss."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from judging.command.judges.reads import benches_for, manager_of
from judging.command.judges.writes import dismiss_judge, hand_over, name_judge
from judging.game.errors import Refused
from judging.game.pages import viewer_for
from judging.game.viewer import Viewer
from wargame.models import Judge
from wargame.models.choices import Role


@require_http_methods(["GET", "HEAD", "POST"])
def judges(request: HttpRequest, slug: str) -> HttpResponse:
    """1.3: who judges since when; a POST names, dismisses or hands over."""
    viewer = viewer_for(request, slug)
    if request.method != "POST":
        return _page(request, viewer)
    if not request.user.is_authenticated:
        return redirect(f"{reverse('login')}?next={request.path}")
    try:
        told = _carry_out(request, viewer, timezone.now())
    except Refused as error:
        return _page(request, viewer, error)
    messages.success(request, told)
    return redirect("judges", slug)


def _carry_out(request: HttpRequest, viewer: Viewer, now: datetime) -> str:
    typed, act = request.POST, request.POST.get("act", "")
    reason = typed.get("reason", "")
    if act == "name":
        role = typed.get("role", "")
        if role not in Role.values:
            raise Refused("Choose a role for the judge.", "1.3", "role")
        by = manager_of(viewer, role)
        username = typed.get("username", "")
        made = name_judge(round=viewer.round, by=by, username=username, role=Role(role), reason=reason, now=now)
        return f"{made.name} is {'head ' if made.is_head else ''}{made.get_role_display()} now."
    key = typed.get("judge", "")
    judge_id = int(key) if key.isascii() and key.isdecimal() and len(key) < 16 else 0
    chosen = Judge.objects.filter(round=viewer.round, pk=judge_id).first()
    by = _manager(viewer, chosen)
    if act == "head":
        made = hand_over(round=viewer.round, by=by, judge_id=judge_id, reason=reason, now=now)
        return f"{made.name} is head {made.get_role_display()} now."
    gone = dismiss_judge(round=viewer.round, by=by, judge_id=judge_id, reason=reason, now=now)
    return f"{gone.name} is {gone.get_role_display()} no more."


def _manager(viewer: Viewer, chosen: Judge | None) -> Judge | None:
    """The seat in which the viewer acts on a judge: his own, if it is he."""
    if chosen is None:
        return None
    return chosen if chosen.user_id == viewer.user_id else manager_of(viewer, chosen.role)


def _page(request: HttpRequest, viewer: Viewer, refused: Refused | None = None) -> HttpResponse:
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "benches": benches_for(viewer),
        "refused": refused,
        "typed": {name: request.POST.get(name, "") for name in ("act", "judge", "role", "username", "reason")},
    }
    return render(request, "judges/judges.html", context, status=422 if refused else 200)
