"""2.3.2, 2.6: Request to change an army's troops, or to make an army one's own."""

from datetime import datetime
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from judging.armies.changes.forms import KINDS, change_text, changing_or_404, offer, write
from judging.armies.changes.services import (
    Changing,
    is_waiting,
    judged_change,
    last_outcome,
    low_armies,
    may_change,
    newcomers,
    open_request,
    text_of,
)
from judging.armies.models import ChangeRequest, HandedIn
from judging.armies.musters.forms import EDITS, edited, picker_of, version_of
from judging.armies.musters.validation import MusterText
from judging.armies.queries import troops_view
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_button, handle_form
from judging.common.shortcuts import turn_for, viewer_for
from judging.common.viewer import Viewer
from wargame.rules.core.board import COLORS


@get_or_post
@login_required
def change(request: HttpRequest, slug: str, how: str, name: str) -> HttpResponse:
    """2.3.2, 2.6: The form of a request; a POST does the action of its button."""
    viewer, now = viewer_for(request, slug), timezone.now()
    found = changing_or_404(viewer, name, how)
    asked = open_request(found)
    pressed = request.POST.get("act", "check")
    typed = change_text(request.POST, found, asked) if request.method == "POST" else text_of(found, asked)
    if pressed.startswith(EDITS):
        typed = edited(typed, pressed, request.POST)
        if request.headers.get("HX-Request"):
            return render(request, "musters/_edited.html", _context(viewer, found, asked, typed))

    def page(*, refused: Refused | None = None) -> HttpResponse:
        # Where the judge can't have it, it is saved all the same and has another version.
        return _page(request, viewer, found, open_request(found) if refused else asked, typed, now, refused)

    act = partial(write, viewer, found, asked, typed, pressed, version_of(request.POST.get("version", "")), now)
    return handle_form(request, page, act if pressed in ("save", "send", "drop") else None)


@require_POST
@login_required
def preview(request: HttpRequest, slug: str, how: str, name: str) -> HttpResponse:
    """2.3.2: The rules' findings on the typed request, as a fragment."""
    viewer = viewer_for(request, slug)
    found = changing_or_404(viewer, name, how)
    asked = open_request(found)
    typed = change_text(request.POST, found, asked)
    return render(request, "musters/_previewed.html", _context(viewer, found, asked, typed))


@require_POST
@login_required
def find(request: HttpRequest, slug: str, how: str, name: str) -> HttpResponse:
    """2.2.1: The picker's search results, as a fragment."""
    viewer = viewer_for(request, slug)
    found = changing_or_404(viewer, name, how)
    picker = picker_of(request.POST, change_text(request.POST, found, open_request(found)))
    context = {"picker": picker, "address": reverse("army-change", args=[slug, how, name])}
    return render(request, "musters/_picks.html", context)


@get_or_post
@login_required
def newcomers_page(request: HttpRequest, slug: str) -> HttpResponse:
    """2.6: the new players of a side, for whom its leaders choose an army."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round)
    if request.method == "POST":
        player, army = (request.POST.get(key, "") for key in ("player", "army"))
        return handle_button(request, partial(offer, viewer, player, army, timezone.now()))
    found = newcomers(viewer, turn)
    side = str(viewer.player.side) if viewer.player else ""
    armies = low_armies(viewer.round, side) if found else []
    context = {"round": viewer.round, "viewer": viewer, "turn": turn, "newcomers": found, "armies": armies}
    return render(request, "musters/newcomers.html", context)


def _context(viewer: Viewer, found: Changing, asked: ChangeRequest | None, typed: MusterText) -> dict[str, object]:
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
    typed: MusterText,
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
