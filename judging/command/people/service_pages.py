"""1.6, 5.1: what a player says of himself: when he is away, how he is called, for whom he plays, that he quits."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from judging.command.people.forms import SERVICES, TypedAdmission, TypedService, serve
from judging.command.people.pages import factions_of
from judging.command.people.roster import own_name_changes
from judging.game.acting import Done, answer, asks_or_acts
from judging.game.errors import Refused
from judging.game.pages import viewer_for
from judging.game.viewer import Viewer
from wargame.rules.core.board import COLORS


@asks_or_acts
@login_required
def service(request: HttpRequest, slug: str) -> HttpResponse:
    """5.1, 1.6: the page on which a player says of himself what only he can say."""
    viewer = viewer_for(request, slug)

    def act() -> Done:
        return serve(viewer, request.POST.get("act", ""), _typed(request), timezone.now())

    return answer(request, partial(_service_page, request, viewer), act if viewer.player else None)


def _typed(request: HttpRequest) -> TypedService:
    names = ("since", "until", "note", "leave", "name", "change")
    return TypedService(
        **{name: request.POST.get(name, "") for name in names},
        factions=factions_of(request),
        permits=bool(request.POST.get("permits")),
        sure=bool(request.POST.get("sure")),
    )


def _service_page(request: HttpRequest, viewer: Viewer, *, refused: Refused | None = None) -> HttpResponse:
    player, now = viewer.player, timezone.now()
    leaves = player.leaves.order_by("-since") if player else ()
    typed = {"since": now.date().isoformat()}
    typed |= {key: request.POST.get(key, "") for key in ("since", "until", "note", "name")} if refused else {}
    typed_act = request.POST.get("act", "")
    factions = factions_of(request) if refused and typed_act == "factions" else None
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "open_leaves": [leave for leave in leaves if leave.until is None or leave.until > now],
        "name_changes": own_name_changes(player) if player else [],
        "claims": TypedAdmission(factions=factions or tuple(player.factions)).claims if player else (),
        "colors": COLORS,
        "typed": typed,
        "refused": refused,
        "act": typed_act if refused and typed_act in SERVICES else "",
    }
    return render(request, "command/service.html", context)
