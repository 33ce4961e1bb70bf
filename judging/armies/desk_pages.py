"""2.5.2.2, 2.3.2, 2.6: the desk on which the battle judge accepts or refuses armies and their changes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.armies.changes.reads import as_asked, changing, judged_change, requests_for
from judging.armies.changes.reads import typed_of as typed_of_change
from judging.armies.desk import decide_on_muster, decide_on_request, muster_on_desk, request_on_desk
from judging.armies.models import ChangeRequest, HandedIn
from judging.armies.musters.judged import judged
from judging.armies.musters.reads import missing_players, musters_for, typed_of
from judging.armies.musters.writes import surroundings_for
from judging.armies.reads import troops_view
from judging.game.acting import answer, asks_or_acts
from judging.game.errors import Refused
from judging.game.judge_site import site
from judging.game.judges import User, rounds_of
from judging.game.viewer import Viewer, viewer_of
from wargame.models.choices import Role, RoundState

MOST_DECIDED = 20
"""The decided requests that are shown."""


@require_safe
def musters(request: HttpRequest) -> HttpResponse:
    """2.5.2.2, 2.3.2: the musters and the requests of the rounds that the user judges."""
    user = cast(User, request.user)
    viewers = [viewer_of(user, round_) for round_ in rounds_of(user).exclude(state=RoundState.OVER)]
    desks = [_desk(viewer) for viewer in viewers if viewer.is_judge(Role.BATTLE)]
    context = {**site.each_context(request), "title": gettext("Musters and changes"), "subtitle": None, "desks": desks}
    return TemplateResponse(request, "musters/judge_list.html", context)


@asks_or_acts
def muster(request: HttpRequest, muster_id: int) -> HttpResponse:
    """2.2.3, 2.5.2.2: one muster with what the rules say of it; a POST accepts or refuses it."""
    user = cast(User, request.user)
    row = muster_on_desk(user, muster_id)
    act = partial(decide_on_muster, user, row, *_verdict(request), timezone.now())

    def page(*, refused: Refused | None = None) -> HttpResponse:
        found = judged(typed_of(row), surroundings_for(row))
        is_waiting = row.state in (HandedIn.SENT, HandedIn.ACCEPTED) and row.round.state == RoundState.SETUP
        context = {"title": str(row), "muster": row, "judged": found, "is_waiting": is_waiting}
        return _page(request, "musters/judge_muster.html", context, refused)

    return answer(request, page, act, status=409)


@asks_or_acts
def change(request: HttpRequest, request_id: int) -> HttpResponse:
    """2.3.2, 2.6: one request as the army stands now; a POST accepts or refuses it."""
    user = cast(User, request.user)
    asked = request_on_desk(user, request_id)
    act = partial(decide_on_request, user, asked, *_verdict(request), timezone.now())
    return answer(request, partial(_change, request, asked), act, status=409)


def _change(request: HttpRequest, asked: ChangeRequest, *, refused: Refused | None = None) -> HttpResponse:
    is_past = bool(asked.applied_in or asked.why_not)
    found = None if is_past else changing(asked.round, asked.army.name, asked.kind)
    judged_now = judged_change(as_asked(found, asked), typed_of_change(found, asked)) if found else None
    context = {
        "title": capfirst(str(asked)),
        "asked": asked,
        "change": judged_now,
        "is_past": is_past,
        "judged": judged_now.judged if judged_now else None,
        "is_waiting": asked.state == HandedIn.SENT,
        "before": troops_view(found.army.troops) if found else None,
        "after": troops_view(judged_now.after) if judged_now else None,
    }
    return _page(request, "musters/judge_change.html", context, refused)


def _verdict(request: HttpRequest) -> tuple[bool, str]:
    """Whether the judge accepts, and why."""
    return request.POST.get("act") == "accept", request.POST.get("reason", "")


def _page(request: HttpRequest, template: str, context: Mapping[str, object], refused: Refused | None) -> HttpResponse:
    """What is decided on, with the reason that was typed; what was wrong with that is a message above it."""
    if refused is not None:
        messages.error(request, str(refused))
    common = {**site.each_context(request), "subtitle": None, "reason": request.POST.get("reason", "")}
    return TemplateResponse(request, template, {**common, **context})


def _desk(viewer: Viewer) -> dict[str, object]:
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
