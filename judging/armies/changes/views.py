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
    target = changing_or_404(viewer, name, how)
    proposal = open_request(target)
    pressed = request.POST.get("act", "check")
    draft = change_text(request.POST, target, proposal) if request.method == "POST" else text_of(target, proposal)
    if pressed.startswith(EDITS):
        draft = edited(draft, pressed, request.POST)
        if request.headers.get("HX-Request"):
            return render(request, "musters/_edited.html", _context(viewer, target, proposal, draft))

    def page(*, refused: Refused | None = None) -> HttpResponse:
        # Where the judge can't have it, it is saved all the same and has another version.
        return _page(request, viewer, target, open_request(target) if refused else proposal, draft, now, refused)

    act = partial(write, viewer, target, proposal, draft, pressed, version_of(request.POST.get("version", "")), now)
    return handle_form(request, page, act if pressed in ("save", "send", "drop") else None)


@require_POST
@login_required
def preview(request: HttpRequest, slug: str, how: str, name: str) -> HttpResponse:
    """2.3.2: The rules' findings on the typed request, as a fragment."""
    viewer = viewer_for(request, slug)
    target = changing_or_404(viewer, name, how)
    proposal = open_request(target)
    draft = change_text(request.POST, target, proposal)
    return render(request, "musters/_previewed.html", _context(viewer, target, proposal, draft))


@require_POST
@login_required
def find(request: HttpRequest, slug: str, how: str, name: str) -> HttpResponse:
    """2.2.1: The picker's search results, as a fragment."""
    viewer = viewer_for(request, slug)
    target = changing_or_404(viewer, name, how)
    picker = picker_of(request.POST, change_text(request.POST, target, open_request(target)))
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
    rows = newcomers(viewer, turn)
    side = str(viewer.player.side) if viewer.player else ""
    armies = low_armies(viewer.round, side) if rows else []
    context = {"round": viewer.round, "viewer": viewer, "turn": turn, "newcomers": rows, "armies": armies}
    return render(request, "musters/newcomers.html", context)


def _context(viewer: Viewer, target: Changing, proposal: ChangeRequest | None, draft: MusterText) -> dict[str, object]:
    change = judged_change(target, draft)
    how = next(key for key, kind in KINDS.items() if kind == target.kind)
    names = [viewer.round.slug, how, target.row.name]
    is_personal = target.kind == ChangeRequest.Kind.PERSONAL
    return {
        "round": viewer.round,
        "viewer": viewer,
        "army": target.row,
        "request_": proposal,
        "kind": target.kind,
        "is_personal": is_personal,
        "typed": draft,
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
    target: Changing,
    proposal: ChangeRequest | None,
    draft: MusterText,
    now: datetime,
    refused: Refused | None,
) -> HttpResponse:
    is_his = may_change(viewer, target, now)
    context = _context(viewer, target, proposal, draft) | {
        "faults": target.faults,
        "may_write": is_his and not is_waiting(proposal),
        "outcome": last_outcome(target),
        "is_controller": is_his,
        "version": proposal.version if proposal and proposal.state in (HandedIn.DRAFT, HandedIn.SENT) else 0,
        "picker": picker_of(request.POST, draft),
        "refused": refused,
    }
    return render(request, "musters/change.html", context)
