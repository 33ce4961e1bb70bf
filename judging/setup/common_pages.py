"""2.5: what the page of every step of a set-up begins with."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from judging.game.pages import keep, take_kept, viewer_for
from judging.setup.reads import SetupDesk, setup_desk, setup_of, steps_of
from wargame.models.choices import RoundState


def desk_for(request: HttpRequest, slug: str) -> SetupDesk:
    """1.3, 2.5: the set-up as the battle judge who asks has it before him.

    Raises Http404 without such a round or after it has begun, PermissionDenied for everybody else.
    """
    viewer = viewer_for(request, slug)
    if viewer.round.state != RoundState.SETUP or setup_of(viewer.round) is None:
        raise Http404("The round has begun; its set-up is closed.")
    desk = setup_desk(viewer)
    if desk is None:
        raise PermissionDenied("Only the battle judges of this round set it up (1.3).")
    return desk


def step_page(
    request: HttpRequest, desk: SetupDesk, key: str, template: str, context: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    """The page of a step: `round`, `viewer`, `setup`, `steps`, `step` and its `version`, and what `context` adds."""
    steps = steps_of(desk.setup)
    place = next(place for place, step in enumerate(steps) if step.key == key)
    frame = {
        "round": desk.round,
        "viewer": desk.viewer,
        "setup": desk.setup,
        "steps": steps,
        "step": steps[place],
        "before": steps[place - 1] if place else None,
        "after": steps[place + 1] if place + 1 < len(steps) else None,
        "version": desk.setup.version(key),
    }
    return render(request, template, {**frame, **context}, status=status)


def logged_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Asks to log in. What a form brought meanwhile waits for its owner: `typed_in` has it when he is back."""

    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.method == "POST":
            fields = {name: request.POST.getlist(name) for name in request.POST if name != "csrfmiddlewaretoken"}
            said = "You were logged out, and nothing was saved. "
            if keep(request, f"setup:{request.path}", json.dumps(fields)):
                messages.warning(request, said + "What you typed waits for you here.")
            else:
                messages.error(request, said + "What you typed was too long to be kept.")
        return redirect_to_login(request.get_full_path())

    return asked


def typed_in(request: HttpRequest) -> QueryDict | None:
    """What a form brought now or, on the way back from the log-in page, what waited; None if there is nothing."""
    if request.method == "POST":
        return request.POST
    kept = take_kept(request, f"setup:{request.path}")
    if not kept:
        return None
    fields = QueryDict(mutable=True)
    for name, values in json.loads(kept).items():
        fields.setlist(name, values)
    return fields


def version_of(request: HttpRequest) -> int:
    """The version of the step on which the form was opened; -1, which none has, for a damaged form."""
    return number_of(request.POST.get("version", ""))


def number_of(text: str) -> int:
    """A number that a form carries; -1, which nothing has, for a damaged one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else -1
