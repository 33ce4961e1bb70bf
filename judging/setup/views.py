"""2.5: a new round, the overview of its set-up, giving it up, and the frame of every step's page."""

from collections.abc import Callable
from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from judging.command.desk import leaderless_admissions
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_button, handle_form
from judging.common.forms import new_token
from judging.common.shortcuts import viewer_for
from judging.common.viewer import Viewer
from judging.setup.overview import START, public_setup, steps_of
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
from judging.setup.step import Step, StepForm, desk_of, logged_in, typed_in
from judging.setup.steps.bases_and_towns import show_to
from judging.setup.steps.start import StartForm
from judging.setup.team import TeamPage
from wargame.models.choices import RoundState


@get_or_post
@logged_in
def new(request: HttpRequest) -> HttpResponse:
    """2.5: the form that begins a round; its sender becomes the head battle judge."""
    check_may_create_round(request.user)
    name, token = request.POST.get("name", ""), request.POST.get("token", "") or new_token()
    user, rounds = cast(User, request.user), rounds_to_begin_from(request.user)
    data = request.POST if request.method == "POST" else request.GET
    earlier = next((each for each in rounds if each.slug == data.get("earlier", "")), None)
    invites = request.method != "POST" or "invites" in request.POST

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {"token": token, "name": name, "rounds": rounds, "earlier": earlier, "invites": invites}
        return render(request, "setup/new.html", {**context, "refused": refused})

    def act() -> Success:
        message, setup = begin_round(
            user=user,
            name=name,
            token=token,
            earlier=request.POST.get("earlier", ""),
            invites=invites,
            now=timezone.now(),
        )
        for sentence in setup.left_out:
            messages.warning(request, sentence)
        return Success(message, reverse("setup", args=[setup.round.slug]))

    return handle_form(request, page, act)


@require_safe
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5: the progress of the set-up: links for the judge, open points for the public. Once the round has begun,
    its map."""
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
    view = public_setup(Viewer(None, viewer.round) if desk else viewer, setup)
    context |= {"seen": view, "is_judge": desk is not None}
    if view["terrain"]:
        context |= {"land": draw_land(view["terrain"]), "overlay": draw_seen(view["sites"])}
    return render(request, "setup/public.html", context)


@get_or_post
@logged_in
def given_up(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5: the form with which the head battle judge gives up the round for good."""
    desk, data = desk_of(viewer_for(request, slug)), typed_in(request)
    reason, is_sure = (data.get("reason", ""), "sure" in data) if data else ("", False)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {"round": desk.round, "is_head": desk.judge.is_head, "reason": reason, "is_sure": is_sure}
        return render(request, "setup/give_up.html", {**context, "most": LONGEST_REASON, "refused": refused})

    def act() -> Success:
        message = give_up(round=desk.round, judge=desk.judge, reason=reason, is_sure=is_sure, now=timezone.now())
        return Success(message, reverse("rounds"))

    return handle_form(request, page, act)


def step_view(step: Step, form: type[StepForm]) -> Callable[..., HttpResponse]:
    """The view of a step, or of a part of it, for the battle judges, in the frame of all steps."""

    @get_or_post
    @logged_in
    def view(request: HttpRequest, slug: str, **row: int) -> HttpResponse:
        desk, key = desk_of(viewer_for(request, slug)), row.get(form.row, 0)
        filled = form(step, desk, typed_in(request), is_sent=request.method == "POST", key=key)
        return filled.answer(request, lambda: _frame(desk, step.key))

    return view


def preview_view(step: Step, form: type[StepForm]) -> Callable[..., HttpResponse]:
    """What is typed into a step's form would give, as a fragment."""

    @require_POST
    @logged_in
    def view(request: HttpRequest, slug: str) -> HttpResponse:
        filled = form(step, desk_of(viewer_for(request, slug)), request.POST)
        return render(request, step.preview, {**filled.context(), "is_fragment": True})

    return view


def team_view(page: TeamPage) -> Callable[[HttpRequest, str], HttpResponse]:
    """The view of a page of a team's leaders."""

    @get_or_post
    @logged_in
    def view(request: HttpRequest, slug: str) -> HttpResponse:
        form = page.open(viewer_for(request, slug), typed_in(request), is_sent=request.method == "POST")
        return form.answer(request, lambda: {"round": form.round, "desk": form.desk, "page": page.key})

    return view


@require_POST
@logged_in
def shown(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.1: choose who can see the squares before the reveal."""
    desk = desk_of(viewer_for(request, slug))

    def act() -> str:
        return show_to(desk, request.POST.getlist("shown_to"), timezone.now())

    return handle_button(request, act, reverse("setup-bases", args=[slug]))


@require_safe
@logged_in
def download_terrain(request: HttpRequest, slug: str) -> HttpResponse:
    """R2: the saved terrain as 14 lines of 38 letters, which can be pasted again."""
    desk = desk_of(viewer_for(request, slug))
    response = HttpResponse(f"{desk.round.terrain}\n", content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{desk.round.slug}-terrain.txt"'
    return response


@get_or_post
@logged_in
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5: the last step. Once the round has begun, its map."""
    if viewer_for(request, slug).round.state != RoundState.SETUP:
        return redirect("map", slug)
    return step_view(START, StartForm)(request, slug)


def _frame(desk: SetupDesk, key: str) -> dict[str, object]:
    """The frame of a step: the round, all steps, and the previous and next one."""
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
