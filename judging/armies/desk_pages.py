"""2.5.2.2, 2.3.2, 2.6: the desk on which the battle judge accepts or refuses armies and their changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.http import require_http_methods, require_safe

from judging.armies.changes.reads import as_asked, changing, judged_change, requests_for
from judging.armies.changes.reads import typed_of as typed_of_change
from judging.armies.changes.writes import decide_change
from judging.armies.models import ChangeRequest, HandedIn, Muster
from judging.armies.musters.judged import judged
from judging.armies.musters.reads import missing_players, muster_for, musters_for, typed_of
from judging.armies.musters.writes import decide_muster, surroundings_for
from judging.armies.reads import troops_view
from judging.game.errors import Refused
from judging.game.judge_site import site
from judging.game.judges import User, judge_of, rounds_of
from judging.game.viewer import Viewer, viewer_of
from wargame.models import Round
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
    if request.method == "POST" and _decides(request, row.round, str(row), partial(decide_muster, muster=row)):
        return redirect("judge:musters")
    found = judged(typed_of(row), surroundings_for(row))
    is_waiting = row.state in (HandedIn.SENT, HandedIn.ACCEPTED) and row.round.state == RoundState.SETUP
    context = {"title": str(row), "muster": row, "judged": found, "is_waiting": is_waiting}
    return _page(request, "musters/judge_muster.html", context)


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
    what = f"The request for {asked.army}"
    if request.method == "POST" and _decides(request, asked.round, what, partial(decide_change, request=asked)):
        return redirect("judge:musters")
    is_past = bool(asked.applied_in or asked.why_not)
    found = None if is_past else changing(asked.round, asked.army.name, asked.kind)
    judged_now = judged_change(as_asked(found, asked), typed_of_change(found, asked)) if found else None
    context: dict[str, Any] = {
        "title": capfirst(str(asked)),
        "asked": asked,
        "change": judged_now,
        "is_past": is_past,
    }
    context |= {"judged": judged_now.judged if judged_now else None, "is_waiting": asked.state == HandedIn.SENT}
    context |= {"before": troops_view(found.army.troops) if found else None}
    context |= {"after": troops_view(judged_now.after) if judged_now else None}
    return _page(request, "musters/judge_change.html", context)


def _decides(request: HttpRequest, round_: Round, what: str, decide: Callable[..., object]) -> bool:
    """1.3: accepts or refuses, as the form says, and tells the judge; whether it was done."""
    accept = request.POST.get("act") == "accept"
    judge = judge_of(cast(User, request.user), round_, Role.BATTLE)
    try:
        decide(judge=judge, accept=accept, reason=request.POST.get("reason", ""), now=timezone.now())
    except Refused as error:
        messages.error(request, str(error))
        return False
    messages.success(request, f"{what} is {'accepted' if accept else 'refused'}.")
    return True


def _page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """What is decided on, with the reason that was typed; after a POST something was wrong with that."""
    common = {**site.each_context(request), "subtitle": None, "reason": request.POST.get("reason", "")}
    status = 409 if request.method == "POST" else 200
    return TemplateResponse(request, template, {**common, **context}, status=status)


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
