"""2.5.2.2, 2.3.2, 2.6: the desk on which the battle judge accepts or refuses armies and their changes."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from judging.judge_site import JudgeSite, site
from judging.models import ChangeRequest, HandedIn, Muster
from judging.selectors.armies import troops_view
from judging.selectors.changes import changing, judged_change, requests_for
from judging.selectors.changes import typed_of as typed_of_change
from judging.selectors.judge import User, judge_of, rounds_of
from judging.selectors.judged import judged
from judging.selectors.musters import missing_players, muster_for, musters_for, typed_of
from judging.selectors.viewer import Viewer, viewer_of
from judging.services.changes import decide_change
from judging.services.errors import Refused
from judging.services.musters import decide_muster, surroundings_for
from wargame.models.choices import Role, RoundState

MOST_DECIDED = 20
"""The decided requests that are shown."""


@require_safe
def musters(request: HttpRequest) -> HttpResponse:
    """2.5.2.2, 2.3.2: the musters and the requests of the rounds that the user judges."""
    user = cast(User, request.user)
    viewers = [viewer_of(user, round_) for round_ in rounds_of(user).exclude(state=RoundState.OVER)]
    desks = [_desk(viewer) for viewer in viewers if viewer.is_judge(Role.BATTLE)]
    context = {**site.each_context(request), "title": "Musters and changes", "subtitle": None, "desks": desks}
    return TemplateResponse(request, "musters/judge_list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def muster(request: HttpRequest, muster_id: int) -> HttpResponse:
    """2.2.3, 2.5.2.2: one muster with what the rules say of it; a POST accepts or refuses it."""
    row = _found(request, muster_id)
    status, reason = 200, request.POST.get("reason", "")
    if request.method == "POST":
        accept = request.POST.get("act") == "accept"
        judge = judge_of(cast(User, request.user), row.round, Role.BATTLE)
        try:
            decide_muster(muster=row, judge=judge, accept=accept, reason=reason, now=timezone.now())
        except Refused as error:
            messages.error(request, str(error))
            status = 409
        else:
            messages.success(request, f"{row.name} is {'accepted' if accept else 'refused'}.")
            return redirect("judge:musters")
    found = judged(typed_of(row), surroundings_for(row))
    is_waiting = row.state in (HandedIn.SENT, HandedIn.ACCEPTED) and row.round.state == RoundState.SETUP
    context: dict[str, Any] = {"title": row.name, "subtitle": None, "muster": row, "judged": found, "reason": reason}
    context |= {"is_waiting": is_waiting}
    return TemplateResponse(
        request, "musters/judge_muster.html", {**site.each_context(request), **context}, status=status
    )


def _found(request: HttpRequest, muster_id: int) -> Muster:
    row = Muster.objects.select_related("round").filter(pk=muster_id).first()
    viewer = viewer_of(request.user, row.round) if row else None
    found = muster_for(viewer, muster_id) if viewer and viewer.is_judge(Role.BATTLE) else None
    if found is None or row is None:
        raise Http404("There is no such muster on your desk.")
    found.round = row.round
    return found


@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, request_id: int) -> HttpResponse:
    """2.3.2, 2.6: one request as the army stands now; a POST accepts or refuses it."""
    asked = _request(request, request_id)
    status, reason = 200, request.POST.get("reason", "")
    if request.method == "POST":
        accept = request.POST.get("act") == "accept"
        judge = judge_of(cast(User, request.user), asked.round, Role.BATTLE)
        try:
            decide_change(request=asked, judge=judge, accept=accept, reason=reason, now=timezone.now())
        except Refused as error:
            messages.error(request, str(error))
            status = 409
        else:
            messages.success(request, f"The request for {asked.army} is {'accepted' if accept else 'refused'}.")
            return redirect("judge:musters")
    found = changing(asked.round, asked.army.name, asked.kind)
    judged_now = judged_change(found, typed_of_change(found, asked)) if found else None
    context: dict[str, Any] = {
        "title": str(asked),
        "subtitle": None,
        "asked": asked,
        "reason": reason,
        "change": judged_now,
    }
    context |= {"judged": judged_now.judged if judged_now else None, "is_waiting": asked.state == HandedIn.SENT}
    context |= {"before": troops_view(found.army.troops) if found else None}
    context |= {"after": troops_view(judged_now.after) if judged_now else None}
    return TemplateResponse(
        request, "musters/judge_change.html", {**site.each_context(request), **context}, status=status
    )


def addresses(desk: JudgeSite) -> list[URLPattern]:
    """The addresses of these pages on the judges' desk."""
    return [
        path("musters/", desk.admin_view(musters), name="musters"),
        path("musters/<int:muster_id>/", desk.admin_view(muster), name="muster"),
        path("changes/<int:request_id>/", desk.admin_view(change), name="change"),
    ]


def _desk(viewer: Viewer) -> dict[str, Any]:
    """What waits in one round, and what else there is."""
    musters, is_setup = musters_for(viewer), viewer.round.state == RoundState.SETUP
    requests = requests_for(viewer)
    return {
        "round": viewer.round,
        "is_setup": is_setup,
        "waiting": [row for row in musters if row.state == HandedIn.SENT],
        "others": [row for row in musters if row.state != HandedIn.SENT],
        "missing": missing_players(viewer.round) if is_setup else [],
        "asked": [row for row in requests if row.state == HandedIn.SENT],
        "decided": [row for row in requests if row.state in (HandedIn.ACCEPTED, HandedIn.REFUSED)][:MOST_DECIDED],
    }


def _request(request: HttpRequest, request_id: int) -> ChangeRequest:
    row = ChangeRequest.objects.select_related("round", "army", "player", "decided_by").filter(pk=request_id).first()
    viewer = viewer_of(request.user, row.round) if row else None
    if row is None or viewer is None or not viewer.is_judge(Role.BATTLE) or row.state == HandedIn.DRAFT:
        raise Http404("There is no such request on your desk.")
    return row
