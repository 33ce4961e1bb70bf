"""2.3.2, 2.6: asking the judge to change an army's troops, or to make an army one's own."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from judging.armies.changes.reads import (
    Changing,
    changing,
    is_waiting,
    judged_change,
    last_outcome,
    low_armies,
    may_change,
    newcomers,
    open_request,
    typed_of,
)
from judging.armies.changes.writes import drop_change, offer_army, save_change, send_change
from judging.armies.models import ChangeRequest, HandedIn
from judging.armies.musters.forms import EDITS, edited, picker_of, typed_from
from judging.armies.musters.judged import TypedMuster
from judging.armies.reads import troops_view
from judging.game.acting import answer, asks_or_acts, press
from judging.game.errors import Refused
from judging.game.pages import turn_for, viewer_for
from judging.game.viewer import Viewer
from wargame.models import Army, Player
from wargame.rules.core.board import COLORS

KINDS = {"change": ChangeRequest.Kind.CHANGE, "personalise": ChangeRequest.Kind.PERSONAL}


@asks_or_acts
@login_required
def change(request: HttpRequest, slug: str, how: str, name: str) -> HttpResponse:
    """2.3.2, 2.6: the form of a request; a POST does what its button says."""
    viewer, now = viewer_for(request, slug), timezone.now()
    found = _changing_or_404(viewer, name, how)
    asked = open_request(found)
    pressed = request.POST.get("act", "check")
    typed = _typed(request, found, asked) if request.method == "POST" else typed_of(found, asked)
    if pressed.startswith(EDITS):
        typed = edited(typed, pressed, request.POST)
        if request.headers.get("HX-Request"):
            return render(request, "musters/_edited.html", _context(viewer, found, asked, typed))

    def page(*, refused: Refused | None = None) -> HttpResponse:
        return _page(request, viewer, found, asked, typed, now, refused)

    def act() -> str:
        nonlocal asked
        if pressed == "drop":
            if asked is not None:
                drop_change(request=asked, player=viewer.player, now=now)
            return gettext("You withdrew the request.")
        version = request.POST.get("version", "")
        asked = save_change(
            round=viewer.round,
            army=found.row.name,
            kind=found.kind,
            player=viewer.player,
            typed=typed,
            base_version=int(version) if version.isdecimal() and len(version) < 9 else 0,
            now=now,
        )
        if pressed == "save":
            return gettext("The draft is saved.")
        send_change(request=asked, player=viewer.player, now=now)
        return gettext("Sent to the judge.")

    return answer(request, page, act if pressed in ("save", "send", "drop") else None)


@require_POST
@login_required
def preview(request: HttpRequest, slug: str, how: str, name: str) -> HttpResponse:
    """2.3.2: what the rules say of what is typed, as a fragment."""
    viewer = viewer_for(request, slug)
    found = _changing_or_404(viewer, name, how)
    asked = open_request(found)
    return render(request, "musters/_previewed.html", _context(viewer, found, asked, _typed(request, found, asked)))


@require_POST
@login_required
def find(request: HttpRequest, slug: str, how: str, name: str) -> HttpResponse:
    """2.2.1: what the picker finds, as a fragment."""
    viewer = viewer_for(request, slug)
    found = _changing_or_404(viewer, name, how)
    picker = picker_of(request.POST, _typed(request, found, open_request(found)))
    context = {"picker": picker, "address": reverse("army-change", args=[slug, how, name])}
    return render(request, "musters/_picks.html", context)


@asks_or_acts
@login_required
def newcomers_page(request: HttpRequest, slug: str) -> HttpResponse:
    """2.6: the new players of a side, for whom its leaders choose an army."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round)
    if request.method == "POST":
        return press(request, partial(_offer, request, viewer, timezone.now()))
    found = newcomers(viewer, turn)
    side = str(viewer.player.side) if viewer.player else ""
    armies = low_armies(viewer.round, side) if found else []
    context = {"round": viewer.round, "viewer": viewer, "turn": turn, "newcomers": found, "armies": armies}
    return render(request, "musters/newcomers.html", context)


def _offer(request: HttpRequest, viewer: Viewer, now: datetime) -> str:
    wanted = {key: str(request.POST.get(key, "")).replace("\0", "") for key in ("player", "army")}
    player = Player.objects.filter(round=viewer.round, name=wanted["player"]).first()
    army = Army.objects.filter(round=viewer.round, name=wanted["army"]).first()
    if player is None or army is None:
        raise Refused(gettext("Choose a player and an army from this round."), "2.6")
    offer_army(round=viewer.round, leader=viewer.player, player=player, army=army, now=now)
    return gettext("%(player)s can make %(army)s their own in this turn and the next.") % {
        "player": player.name,
        "army": army.name,
    }


def _context(viewer: Viewer, found: Changing, asked: ChangeRequest | None, typed: TypedMuster) -> dict[str, object]:
    change = judged_change(found, typed)
    how = next(word for word, kind in KINDS.items() if kind == found.kind)
    names = [viewer.round.slug, how, found.row.name]
    is_personal = found.kind == ChangeRequest.Kind.PERSONAL
    return {
        "round": viewer.round,
        "viewer": viewer,
        "army": found.row,
        "request_": asked,
        "kind": found.kind,
        "is_personal": is_personal,
        "typed": typed,
        "judged": change.judged,
        "extra": change.more,
        "after": troops_view(change.after),
        "address": reverse("army-change", args=names),
        "preview_url": reverse("army-change-preview", args=names),
        "find_url": reverse("army-change-find", args=names),
        "all_colors": COLORS,
        "fixed_name": not is_personal,
        "fixed_legend": not is_personal,
        "may_fix": True,
    }


def _page(
    request: HttpRequest,
    viewer: Viewer,
    found: Changing,
    asked: ChangeRequest | None,
    typed: TypedMuster,
    now: datetime,
    refused: Refused | None,
) -> HttpResponse:
    is_his = may_change(viewer, found, now)
    context = _context(viewer, found, asked, typed) | {
        "faults": found.faults,
        "may_write": is_his and not is_waiting(asked),
        "outcome": last_outcome(found),
        "is_controller": is_his,
        "version": asked.version if asked and asked.state in (HandedIn.DRAFT, HandedIn.SENT) else 0,
        "picker": picker_of(request.POST, typed),
        "refused": refused,
    }
    return render(request, "musters/change.html", context)


def _changing_or_404(viewer: Viewer, name: str, how: str) -> Changing:
    found = changing(viewer.round, name, KINDS[how]) if how in KINDS else None
    if found is None:
        raise Http404(gettext("This army isn't on the map, or there is no turn yet."))
    return found


def _typed(request: HttpRequest, found: Changing, asked: ChangeRequest | None) -> TypedMuster:
    before = typed_of(found, asked)
    typed = typed_from(request.POST, before, is_proxy=False)
    kept = {"colors": found.army.colors} | ({} if found.kind == "personal" else {"name": before.name, "legend": ""})
    return TypedMuster(**{**typed.__dict__, **kept})
