"""5.2: asking for changes of the control list, contingencies, and the power to ask."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from judging.armies.musters.reads import is_leader
from judging.command.control.forms import asked_from, chosen_from
from judging.command.control.powers import set_contingencies, transfer_power
from judging.command.control.reads import TEAMS
from judging.command.control.request_writes import IllegalControl, judge_asked, request_control, withdraw_request
from judging.command.control.requests import may_ask, request_rows, requests_for, state_for
from judging.command.control.state import players_of
from judging.game.errors import Refused
from judging.game.forms import new_token
from judging.game.pages import viewer_for
from judging.game.viewer import Viewer
from wargame.rules.command.control import Verdict
from wargame.rules.command.ranks import CHIEF
from wargame.rules.core.sides import RANKS, Rank


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def request_page(request: HttpRequest, slug: str) -> HttpResponse:
    """5.2.1, R44: the form of a request; a POST checks it, sends it, or asks the judges for an exception."""
    viewer, now = viewer_for(request, slug), timezone.now()
    act = request.POST.get("act", "check")
    if request.method != "POST":
        return _page(request, viewer)
    if act not in ("send", "except"):
        return _page(request, viewer, checked=_check(request, viewer))
    state = state_for(viewer, now)
    try:
        asked = asked_from(request.POST, viewer.round, state, as_exception=act == "except")
        made = request_control(round=viewer.round, player=viewer.player, asked=asked, now=now)
    except IllegalControl as error:
        return _page(request, viewer, refused=error, checked={"verdict": Verdict(error.breaches)}, status=422)
    except Refused as error:
        return _page(request, viewer, refused=error, checked=_check(request, viewer), status=422)
    waits = made.state == made.State.WAITING
    said = "The judges have your request; the list stays as it is until one grants it." if waits else ""
    messages.success(request, said or "The list is changed, from now on.")
    return redirect("control-requests" if waits else "command", slug)


@require_POST
@login_required
def check(request: HttpRequest, slug: str) -> HttpResponse:
    """R44: what the rules say of what is chosen, as a fragment."""
    viewer = viewer_for(request, slug)
    return render(request, "command/_verdict.html", {"round": viewer.round, **_check(request, viewer)})


@require_http_methods(["GET", "HEAD", "POST"])
def requests(request: HttpRequest, slug: str) -> HttpResponse:
    """5.2: the requests that one may see; a POST takes one back that waits for the judges."""
    viewer = viewer_for(request, slug)
    found = requests_for(viewer)
    if request.method == "POST":
        asked = request.POST.get("request", "")
        row = next((view.row for view in found if str(view.row.pk) == asked), None)
        try:
            if row is None:
                raise Refused("There is no such request.", "5.2.1")
            withdraw_request(request=row, player=viewer.player, now=timezone.now())
            messages.success(request, "The request is taken back.")
        except Refused as error:
            messages.error(request, str(error))
        return redirect("control-requests", slug)
    context = {"round": viewer.round, "viewer": viewer, "requests": found, "may_ask": may_ask(viewer)}
    return render(request, "command/requests.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def contingencies(request: HttpRequest, slug: str) -> HttpResponse:
    """5.2.3: one other player for each, set by those who may ask for changes of the list."""
    viewer = viewer_for(request, slug)
    refused = None
    if request.method == "POST":
        players = players_of(viewer.round, viewer.side) if viewer.side else ()
        try:
            wanted = chosen_from(request.POST, players)
            number = set_contingencies(round=viewer.round, player=viewer.player, wanted=wanted, now=timezone.now())
            said = f"{number} contingenc{'y is' if number == 1 else 'ies are'} changed." if number else "As it was."
            messages.success(request, said)
            return redirect("contingencies", slug)
        except Refused as error:
            refused = error
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "players": list(players_of(viewer.round, viewer.side)) if viewer.side else [],
        "may_ask": may_ask(viewer),
        "refused": refused,
    }
    return render(request, "command/contingencies.html", context, status=422 if refused else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def power(request: HttpRequest, slug: str) -> HttpResponse:
    """5.2.2.1: who has the power to ask for changes, and its transfer."""
    viewer = viewer_for(request, slug)
    refused = None
    if request.method == "POST":
        giver, to = request.POST.get("giver", ""), request.POST.get("to", "")
        try:
            transfer_power(round=viewer.round, player=viewer.player, giver=giver, to=to, now=timezone.now())
            messages.success(request, f"{to} may ask for changes of the control list now.")
            return redirect("control-power", slug)
        except Refused as error:
            refused = error
    return render(request, "command/power.html", _power(viewer, refused), status=422 if refused else 200)


def _power(viewer: Viewer, refused: Refused | None) -> dict[str, Any]:
    player = viewer.player
    people = list(players_of(viewer.round, viewer.side)) if viewer.side else []
    holders = [each for each in people if each.may_change_control]
    is_chief = bool(player and player.rank and Rank(player.rank).tier == CHIEF)
    return {
        "round": viewer.round,
        "viewer": viewer,
        "holders": holders,
        "givers": holders if is_chief else [each for each in holders if player and each.pk == player.pk],
        "others": [each for each in people if not each.may_change_control],
        "is_chief": is_chief,
        "is_leader": is_leader(player),
        "chief": RANKS[viewer.side][0].title if viewer.side else "",
        "sides": TEAMS,
        "refused": refused,
    }


def _check(request: HttpRequest, viewer: Viewer) -> dict[str, Any]:
    """R44: the verdict on what is chosen, or why there is none."""
    now = timezone.now()
    if viewer.player is None:
        return {"why_not": "Only players ask for changes of their side's list."}
    try:
        asked = asked_from(request.POST, viewer.round, state_for(viewer, now))
        return {"verdict": judge_asked(viewer.round, viewer.player, asked, now), "wishes": asked.wishes}
    except Refused as error:
        return {"why_not": error.sentence, "why_cites": error.cites}


def _page(
    request: HttpRequest,
    viewer: Viewer,
    checked: dict[str, Any] | None = None,
    refused: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    state = state_for(viewer, timezone.now())
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "rows": request_rows(state) if state else [],
        "may_ask": may_ask(viewer),
        "holders": state.listed.may_ask if state else (),
        "chosen": request.POST,
        "wanted": request.GET.get("army", ""),
        "token": request.POST.get("token", "") if status == 200 and request.method == "POST" else new_token(),
        "refused": refused,
        **(checked or {}),
    }
    return render(request, "command/request.html", context, status=status)
