"""2.5: a new round, and the overview of its set-up: for the judge with links, for the public what is waited for."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from judging.command.desk import leaderless_admissions
from judging.game.errors import Refused
from judging.game.forms import new_token
from judging.game.pages import viewer_for
from judging.game.viewer import Viewer
from judging.setup.common_pages import desk_for, logged_in, typed_in
from judging.setup.giving_up import LONGEST_REASON, give_up
from judging.setup.map_view import draw_land, draw_seen
from judging.setup.public import public_setup
from judging.setup.reads import may_create_round, setup_desk, setup_of, steps_of
from judging.setup.writes import create_round
from wargame.models.choices import RoundState


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def new(request: HttpRequest) -> HttpResponse:
    """2.5: the form that begins a round; whoever sends it becomes its head battle judge."""
    if not may_create_round(request.user):
        raise PermissionDenied("Rounds are set up by those to whom an administrator of this site gave the permission.")
    name, token = request.POST.get("name", ""), request.POST.get("token", "") or new_token()
    if request.method != "POST":
        return render(request, "setup/new.html", {"token": token})
    try:
        round_ = create_round(user=cast(User, request.user), name=name, token=token, now=timezone.now())
    except Refused as error:
        return render(request, "setup/new.html", {"token": token, "name": name, "refused": error}, status=422)
    return redirect("setup", round_.slug)


@require_safe
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5: how far the set-up is. When the round has begun, its map."""
    viewer = viewer_for(request, slug)
    setup = setup_of(viewer.round)
    if viewer.round.state != RoundState.SETUP or setup is None:
        return redirect("map", slug)
    context = {"round": viewer.round, "viewer": viewer, "setup": setup}
    desk = setup_desk(viewer)
    if desk and "public" not in request.GET:
        context |= {"steps": steps_of(desk.setup), "may_give_up": desk.judge.is_head}
        context |= {"asking": len(leaderless_admissions(viewer.round))}
        return render(request, "setup/overview.html", context)
    seen = public_setup(Viewer(None, viewer.round) if desk else viewer, setup)
    context |= {"seen": seen, "is_judge": desk is not None}
    if seen.terrain:
        context |= {"land": draw_land(seen.terrain), "overlay": draw_seen(seen.sites)}
    return render(request, "setup/public.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def given_up(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5: the form with which the head battle judge gives the round up for good."""
    desk, typed, refused = desk_for(request, slug), typed_in(request), None
    reason, is_sure = (typed.get("reason", ""), "sure" in typed) if typed else ("", False)
    if request.method == "POST":
        try:
            give_up(round=desk.round, judge=desk.judge, reason=reason, is_sure=is_sure, now=timezone.now())
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{desk.round.name} is given up.")
            return redirect("rounds")
    context = {"round": desk.round, "is_head": desk.judge.is_head, "reason": reason, "is_sure": is_sure}
    context |= {"most": LONGEST_REASON, "refused": refused}
    return render(request, "setup/give_up.html", context, status=422 if refused else 200)
