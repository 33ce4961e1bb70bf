"""3.1: the movement thread of a turn, present or past."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from judging.game.forms import PostForm, new_token
from judging.game.pages import take_kept, turn_for, viewer_for
from judging.game.viewer import Viewer
from judging.notices.live import live_version
from judging.turns.posts.examples import crib_for
from judging.turns.posts.reads import movement_thread, posting_state
from judging.turns.reads import turn_report
from wargame.models import Turn


@require_safe
def present(request: HttpRequest, slug: str) -> HttpResponse:
    """The thread of the present turn, with the form for players. What was typed and kept is not for a page that is
    fetched again because of news."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round)
    now, is_again = timezone.now(), "HX-Request" in request.headers
    version = live_version(turn, now)
    kept = "" if is_again else take_kept(request, f"post:{slug}")
    form = PostForm(initial={"text": kept, "token": new_token(), "turn": turn.number})
    return render_thread(request, viewer, turn, form, now, was_kept=bool(kept), live=version)


@require_safe
def of_turn(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The thread of any turn; the form is on the present one's page alone."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round, number)
    return render_thread(request, viewer, turn, None, timezone.now())


def render_thread(
    request: HttpRequest,
    viewer: Viewer,
    turn: Turn,
    form: PostForm | None,
    now: datetime,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """The thread as a page. `more`: `refused` (a services' Refused), `lines` (the preview), `ask` (how to send)."""
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "turn": turn,
        "posts": movement_thread(turn, viewer, now),
        "state": posting_state(turn, viewer, now),
        "report": turn_report(turn, now),
        "form": form,
        "crib": crib_for(turn, viewer, now) if form else None,
        **more,
    }
    return render(request, "movement/thread.html", context, status=status)
