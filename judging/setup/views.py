"""2.5: a new round, the overview of its set-up and the end of it, and what stands around the page of every step."""

from collections.abc import Callable
from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from judging.command.desk import leaderless_admissions
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_form
from judging.common.forms import new_token
from judging.common.shortcuts import viewer_for
from judging.common.viewer import Viewer
from judging.setup.overview import public_setup, steps_of
from judging.setup.preparation import preparation_of
from judging.setup.services import (
    LONGEST_REASON,
    SetupDesk,
    begin_round,
    check_may_create_round,
    give_up,
    rounds_to_begin_from,
    setup_desk,
    setup_of,
)
from judging.setup.sites import draw_land, draw_seen
from judging.setup.step import StepPage, desk_for, logged_in, sent_form, typed_in
from judging.setup.steps.start import StartPage
from wargame.models.choices import RoundState


@get_or_post
@logged_in
def new(request: HttpRequest) -> HttpResponse:
    """2.5: the form that begins a round; whoever sends it becomes its head battle judge."""
    check_may_create_round(request.user)
    name, token = request.POST.get("name", ""), request.POST.get("token", "") or new_token()
    user, rounds = cast(User, request.user), rounds_to_begin_from(request.user)
    given = request.POST if request.method == "POST" else request.GET
    earlier = next((each for each in rounds if each.slug == given.get("earlier", "")), None)
    invites = request.method != "POST" or "invites" in request.POST

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {"token": token, "name": name, "rounds": rounds, "earlier": earlier, "invites": invites}
        return render(request, "setup/new.html", {**context, "refused": refused})

    def act() -> Success:
        said, begun = begin_round(
            user=user,
            name=name,
            token=token,
            earlier=request.POST.get("earlier", ""),
            invites=invites,
            now=timezone.now(),
        )
        for sentence in begun.left_out:
            messages.warning(request, sentence)
        return Success(said, reverse("setup", args=[begun.round.slug]))

    return handle_form(request, page, act)


@require_safe
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5: how far the set-up is: for the judge with links, for the public what is waited for. When the round has
    begun, its map."""
    viewer = viewer_for(request, slug)
    setup = setup_of(viewer.round)
    if viewer.round.state != RoundState.SETUP or setup is None:
        return redirect("map", slug)
    context = {"round": viewer.round, "viewer": viewer, "setup": setup}
    desk = setup_desk(viewer)
    if desk and "public" not in request.GET:
        context |= {"steps": steps_of(preparation_of(desk.setup)), "may_give_up": desk.judge.is_head}
        context |= {"asking": len(leaderless_admissions(viewer.round))}
        return render(request, "setup/overview.html", context)
    seen = public_setup(Viewer(None, viewer.round) if desk else viewer, setup)
    context |= {"seen": seen, "is_judge": desk is not None}
    if seen.terrain:
        context |= {"land": draw_land(seen.terrain), "overlay": draw_seen(seen.sites)}
    return render(request, "setup/public.html", context)


@get_or_post
@logged_in
def given_up(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5: the form with which the head battle judge gives the round up for good."""
    desk, typed = desk_for(request, slug), typed_in(request)
    reason, is_sure = (typed.get("reason", ""), "sure" in typed) if typed else ("", False)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {"round": desk.round, "is_head": desk.judge.is_head, "reason": reason, "is_sure": is_sure}
        return render(request, "setup/give_up.html", {**context, "most": LONGEST_REASON, "refused": refused})

    def act() -> Success:
        said = give_up(round=desk.round, judge=desk.judge, reason=reason, is_sure=is_sure, now=timezone.now())
        return Success(said, reverse("rounds"))

    return handle_form(request, page, act)


def step_view(kind: Callable[..., StepPage]) -> Callable[..., HttpResponse]:
    """The view of a step's page: for the battle judges, in the frame of all steps.

    What the address gives besides the round's slug goes to the page.
    """

    @get_or_post
    @logged_in
    def view(request: HttpRequest, slug: str, **where: int) -> HttpResponse:
        desk = desk_for(request, slug)
        page = kind(sent_form(request), desk, **where)
        return page.respond(request, lambda: _frame(desk, page.key))

    return view


@get_or_post
@logged_in
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5: the last step. When the round has begun, its map."""
    if viewer_for(request, slug).round.state != RoundState.SETUP:
        return redirect("map", slug)
    return step_view(StartPage)(request, slug)


def _frame(desk: SetupDesk, key: str) -> dict[str, object]:
    """What stands around a step: the round, all steps, and those before and after it."""
    steps = steps_of(preparation_of(desk.setup))
    place = next(place for place, step in enumerate(steps) if step.key == key)
    return {
        "round": desk.round,
        "viewer": desk.viewer,
        "setup": desk.setup,
        "steps": steps,
        "step": steps[place],
        "before": steps[place - 1] if place else None,
        "after": steps[place + 1] if place + 1 < len(steps) else None,
        "version": desk.setup.version(key),
    }
