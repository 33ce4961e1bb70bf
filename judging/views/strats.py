"""4.1.1, R35: the form for a battle strategy."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from judging.forms import StratForm, new_token
from judging.selectors.battle_views import BattleView, FighterView
from judging.selectors.battles import battle_view, pair_choices, rows_for_strat
from judging.selectors.viewer import Viewer
from judging.services.errors import Refused
from judging.services.strats import send_strat
from judging.views.common import ask_to_log_in, take_kept, viewer_for
from wargame.rules import clock


@require_http_methods(["GET", "HEAD", "POST"])
def strat(request: HttpRequest, slug: str, battle_id: int, army: str) -> HttpResponse:
    """The form with what is known beside it; a strat that was sent leads back to it with its receipt."""
    viewer, now = viewer_for(request, slug), timezone.now()
    view = battle_view(battle_id, viewer, now)
    fighter = view.fighter(army) if view else None
    if view is None or fighter is None:
        raise Http404(f"No army {army} fights in that battle.")
    key = f"strat:{battle_id}:{fighter.name}"
    if not request.user.is_authenticated:
        return ask_to_log_in(request, key, request.path)
    choices = pair_choices(view, fighter)
    if request.method != "POST":
        initial = {"text": take_kept(request, key), "token": new_token()}
        return _page(request, viewer, view, fighter, StratForm(initial=initial, **choices), now)
    form = StratForm(request.POST, **choices)
    if not form.is_valid():
        return _page(request, viewer, view, fighter, form, now, status=422)
    return _send(request, viewer, view, fighter, form, now)


def _send(
    request: HttpRequest, viewer: Viewer, view: BattleView, fighter: FighterView, form: StratForm, now: datetime
) -> HttpResponse:
    battle, army = rows_for_strat(view, fighter)
    try:
        sent = send_strat(battle=battle, army=army, player=viewer.player, now=now, **form.cleaned_data)
    except Refused as error:
        return _page(request, viewer, view, fighter, form, now, status=422, refused=error)
    if sent.late:
        messages.warning(
            request,
            f"The deadline was {view.deadline:%Y-%m-%d %H:%M} UTC. Your strat is kept and marked late; it does not "
            "count (3.1, R35).",
        )
    else:
        messages.success(request, f"Sent. Receipt: {sent.sent_at:%Y-%m-%d %H:%M:%S} UTC, SHA-256 {sent.sha256}.")
    return redirect(request.path)


def _page(
    request: HttpRequest,
    viewer: Viewer,
    view: BattleView,
    fighter: FighterView,
    form: StratForm,
    now: datetime,
    *,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    side = view.sides[0] if fighter in view.sides[0] else view.sides[1]
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "battle": view,
        "fighter": fighter,
        "partner": next((f for f in side if f is not fighter), None),
        "enemies": view.sides[1] if fighter in view.sides[0] else view.sides[0],
        "form": form,
        "is_late": not clock.is_in_time(now, view.deadline),
        **more,
    }
    if not fighter.may_send and status == 200:
        status = 403
    return render(request, "strats/strat.html", context, status=status)
