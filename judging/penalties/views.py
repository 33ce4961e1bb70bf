"""5.4.1, R47, 1.3: The public page of a round's penalties, and the judges' page: what happened, what is in force, and
the form to impose or lift one."""

from datetime import datetime
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.common.admin import site
from judging.common.errors import Refused
from judging.common.form_views import UNPROCESSABLE, Success, get_or_post, handle_form, number_of
from judging.common.judges import User
from judging.common.shortcuts import viewer_for
from judging.penalties.desk import (
    Foreseen,
    PenaltyDesk,
    checked_turn,
    foreseen,
    impose,
    lift_penalty,
    penalty_desk,
    penalty_of,
)
from judging.penalties.forms import PenaltyForm, penalty_form
from judging.penalties.queries import penalties_page
from judging.penalties.services import preview

LONGEST_SEARCH = 60


@require_safe
def penalties(request: HttpRequest, slug: str) -> HttpResponse:
    """The penalties, newest first; `?army=` and `?player=` show those of one."""
    viewer = viewer_for(request, slug)
    army, player = (request.GET.get(name, "").strip()[:LONGEST_SEARCH] for name in ("army", "player"))
    page = penalties_page(viewer.round, army=army, player=player, page=request.GET.get("page", "1"))
    context = {"viewer": viewer, "round": viewer.round, "found": page, "army": army, "player": player}
    return render(request, "penalties/penalties.html", context)


@get_or_post
def penalties_desk(request: HttpRequest, round_id: int) -> HttpResponse:
    """5.4.1: a POST is `check`, which shows what is typed once more; `change`, back to it; `confirm`, which rolls; or
    `lift`."""
    now = timezone.now()
    desk = penalty_desk(cast(User, request.user), round_id, now)
    if desk is None:
        raise Http404(gettext("You can't impose penalties in this round."))
    act = request.POST.get("act", "")
    if act == "lift":
        return _lift(request, desk, now)
    form = penalty_form(request.POST if request.method == "POST" else None, request.GET)
    if request.method == "POST" and act not in ("change", "confirm"):
        return _check(request, desk, form, now)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        if refused:
            form.refuse(refused)
        return _page(request, desk, form)

    def confirm() -> Success:
        return _done(request, impose(desk, form.new_penalty, request.POST.get("token", ""), now))

    return handle_form(request, page, confirm if act == "confirm" else None)


def _check(request: HttpRequest, desk: PenaltyDesk, form: PenaltyForm, now: datetime) -> HttpResponse:
    """The typed penalty for confirmation, with its effect; nothing is done."""
    try:
        row = preview(turn=checked_turn(desk), judge=desk.judge, new=form.new_penalty)
    except Refused as error:
        form.refuse(error)
        return _page(request, desk, form, status=error.status(UNPROCESSABLE))
    return _page(request, desk, form, foreseen(row, now))


def _lift(request: HttpRequest, desk: PenaltyDesk, now: datetime) -> HttpResponse:
    row = penalty_of(desk, number_of(request.POST.get("penalty", ""), 0))
    if row is None:
        raise Http404(gettext("There is no such penalty."))
    reason = request.POST.get("reason", "")

    def page(*, refused: Refused | None = None) -> HttpResponse:
        lifting = {"id": row.pk, "reason": reason, "error": str(refused)}
        return _page(request, desk, penalty_form(None, request.GET), lifting=lifting)

    def act() -> Success:
        return _done(request, lift_penalty(desk, row, reason, now))

    return handle_form(request, page, act)


def _done(request: HttpRequest, said: str) -> Success:
    return Success(said, f"{request.path}#penalties")


def _page(
    request: HttpRequest,
    desk: PenaltyDesk,
    form: PenaltyForm,
    asked: Foreseen | None = None,
    status: int = 200,
    lifting: dict[str, object] | None = None,
) -> HttpResponse:
    context = {
        **site.each_context(request),
        "title": gettext("Penalties in %(round)s") % {"round": desk.round},
        "subtitle": None,
        "desk": desk,
        "form": form,
        "asked": asked,
        "lifting": lifting,
    }
    return TemplateResponse(request, "judge/penalties.html", context, status=status)
