"""2.5.3: the step of the mercenaries: ten armies in one form, and the judge's buttons."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from judging.armies.musters.forms import lines_of
from judging.armies.musters.judged import Typed
from judging.game.errors import Refused
from judging.setup.armies_view import draw_armies, pins_of
from judging.setup.common_pages import desk_for, logged_in, step_page, typed_in, version_of
from judging.setup.map_view import draw_land, draw_overlay
from judging.setup.models import ArmySetup
from judging.setup.reads import SetupDesk
from judging.setup.steps.mercenaries import PlanView, plan_views, typed_of_plan
from judging.setup.steps.mercenaries_writes import TypedPlan, accept_mercenaries, draw_mercenaries, save_mercenaries
from judging.setup.steps.placement import board_of, placed_armies
from judging.setup.steps.sites import is_revealed
from wargame.rules.core.troops import SLOTS
from wargame.rules.mercenaries.faults import rank_of
from wargame.rules.mercenaries.muster import NEAR, POST_OF, POSTS

STEP = "mercenaries"
Plans = dict[str, TypedPlan]


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def mercenaries(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.3: the mercenaries; a POST draws them, keeps what is typed, or accepts it."""
    desk = desk_for(request, slug)
    typed = typed_plans(typed_in(request) or QueryDict())
    if request.method != "POST":
        return _page(request, desk, typed)
    try:
        messages.success(request, _do(request, desk, typed))
    except Refused as error:
        return _page(request, desk, typed, refused=error)
    return redirect("setup-mercenaries", slug)


def typed_plans(post: QueryDict) -> Plans:
    """The form's fields, by the lots: `name-3` is the name of the fourth post."""
    found = {}
    for place, post_ in enumerate(POSTS):
        if f"name-{place}" in post:
            one, two, three, last = (lines_of(post.get(f"slot{slot}-{place}", "")) for slot in SLOTS)
            name, legend = (" ".join(post.get(f"{key}-{place}", "").split()) for key in ("name", "legend"))
            typed = Typed(rank_of(post_), (one, two, three, last), name, legend=legend)
            found[post_.lot] = TypedPlan(typed, post.get(f"at-{place}", "").strip())
    return found


def _do(request: HttpRequest, desk: SetupDesk, typed: Plans) -> str:
    """Does what the button says; what is said of it then."""
    act, _, lot = request.POST.get("act", "save").partition(":")
    common: dict[str, Any] = {"round": desk.round, "judge": desk.judge, "now": timezone.now()}
    common["base_version"] = version_of(request)
    if act == "accept":
        accept_mercenaries(typed=typed, **common)
        return "The mercenaries are accepted."
    if act == "draw":
        drawn = draw_mercenaries(lot=lot, **common)
        return f"Drawn: {drawn}. They are a proposal until you accept them."
    return f"Saved: {save_mercenaries(typed=typed, **common)} changed."


def _page(request: HttpRequest, desk: SetupDesk, typed: Plans, refused: Refused | None = None) -> HttpResponse:
    board = board_of(desk.round)
    views = plan_views(desk.round, board)
    pins = pins_of(placed_armies(desk.round, board), [view.plan for view in views])
    context = {
        "is_public": is_revealed(desk.setup),
        "rows": [_row(view, typed) for view in views],
        "land": draw_land(board.terrain),
        "overlay": {**draw_overlay(board.bases, board.towns), "armies": draw_armies(pins)},
        "near": NEAR,
        "posts": POSTS,
        "draws": ArmySetup.objects.filter(round=desk.round).first(),
        "refused": refused,
    }
    return step_page(request, desk, STEP, "setup/mercenaries.html", context, status=422 if refused else 200)


def _row(view: PlanView, typed: Plans) -> dict[str, Any]:
    """What stands in the form: what was typed, else what is saved."""
    lot = view.plan.lot
    shown = typed.get(lot) or TypedPlan(typed_of_plan(view.plan), view.plan.at)
    slots = [(slot, text) for slot, text in zip(view.judged.slots, shown.typed.lists, strict=True)]
    place = list(POST_OF).index(lot)
    return {"view": view, "place": place, "typed": shown.typed, "at": shown.at, "slots": slots}
